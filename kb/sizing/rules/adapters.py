"""Low-rank adapters."""

from __future__ import annotations

from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Ratio


@rule(
    "adapters.attention",
    cites=("lora-2021#sec. 4.1",),
    label=Bilingual("adapter parameters on all attention projections", "注意力各投影上的适配器参数"),
)
def attention(*, rank: Ratio, layers: Ratio, hidden: Ratio, heads: Ratio, kv_heads: Ratio, head_dim: Ratio) -> Ratio:
    """rank × (in + out) for queries, keys, values and output."""
    return rank * layers * (4 * hidden + 2 * heads * head_dim + 2 * kv_heads * head_dim)


@rule(
    "adapters.query_value",
    cites=("lora-2021#sec. 4.2",),
    label=Bilingual("adapter parameters on queries and values", "查询与值投影上的适配器参数"),
)
def query_value(*, rank: Ratio, layers: Ratio, hidden: Ratio, heads: Ratio, kv_heads: Ratio, head_dim: Ratio) -> Ratio:
    """rank × (in + out) for queries and values."""
    return rank * layers * (2 * hidden + heads * head_dim + kv_heads * head_dim)


@rule(
    "adapters.feed_forward",
    cites=("lora-2021#sec. 4.1",),
    label=Bilingual("adapter parameters on the feed-forward block", "前馈网络上的适配器参数"),
)
def feed_forward(*, rank: Ratio, layers: Ratio, matrices: Ratio, hidden: Ratio, width: Ratio) -> Ratio:
    """rank × (in + out) for each matrix of the feed-forward block."""
    return rank * layers * matrices * (hidden + width)


@rule(
    "adapters.all_linear",
    cites=("qlora-2023#sec. 4",),
    label=Bilingual("adapter parameters on all linear layers", "所有线性层上的适配器参数"),
)
def all_linear(*, attention: Ratio, feed_forward: Ratio) -> Ratio:
    """Attention and feed-forward together."""
    return attention + feed_forward


@rule(
    "adapters.projections",
    cites=("qlora-2023#sec. 4",),
    label=Bilingual("adapted projections of a layer", "每层带适配器的投影数"),
)
def projections(*, attention: Ratio, feed_forward: Ratio) -> Ratio:
    """Those of attention and those of the feed-forward block."""
    return attention + feed_forward
