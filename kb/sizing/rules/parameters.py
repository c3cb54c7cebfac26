"""Parameter counts from an architecture's figures."""

from __future__ import annotations

from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Ratio


@rule("parameters.attention", cites=("gqa-2023#sec. 2.2",), label=Bilingual("attention parameters per layer", "每层注意力参数"))
def attention(*, hidden: Ratio, heads: Ratio, kv_heads: Ratio, head_dim: Ratio) -> Ratio:
    """Projections of queries and output, of keys and values; biases left out."""
    return 2 * hidden * heads * head_dim + 2 * hidden * kv_heads * head_dim


@rule(
    "parameters.latent_attention",
    cites=("mla-2024#sec. 2.1",),
    label=Bilingual("latent attention (MLA) parameters per layer", "每层潜在注意力（MLA）参数"),
)
def latent_attention(
    *, hidden: Ratio, heads: Ratio, query: Ratio, kv_rank: Ratio, rope_dim: Ratio, nope_dim: Ratio, value_dim: Ratio
) -> Ratio:
    """Compressed keys and values, their expansion, and the output; `query` is the count of the query projections."""
    return query + hidden * (kv_rank + rope_dim) + kv_rank * heads * (nope_dim + value_dim) + heads * value_dim * hidden


@rule("parameters.query", cites=("mla-2024#sec. 2.1",), label=Bilingual("query projection", "查询投影参数"))
def query(*, hidden: Ratio, heads: Ratio, nope_dim: Ratio, rope_dim: Ratio) -> Ratio:
    """Queries without compression."""
    return hidden * heads * (nope_dim + rope_dim)


@rule(
    "parameters.compressed_query",
    cites=("mla-2024#sec. 2.1",),
    label=Bilingual("compressed query projection", "压缩查询投影参数"),
)
def compressed_query(*, hidden: Ratio, heads: Ratio, rank: Ratio, nope_dim: Ratio, rope_dim: Ratio) -> Ratio:
    """Queries through a low-rank bottleneck."""
    return hidden * rank + rank * heads * (nope_dim + rope_dim)


@rule(
    "parameters.grouped_latent_attention",
    cites=("grouped-output-2026",),
    label=Bilingual("attention parameters per layer, one latent for keys and values", "每层注意力参数（键值共用一个潜在向量）"),
)
def grouped_latent_attention(
    *, query: Ratio, hidden: Ratio, heads: Ratio, head_dim: Ratio, groups: Ratio, output_rank: Ratio
) -> Ratio:
    """One vector is key and value of all heads; the output passes a bottleneck for each group of heads, then one projection."""
    return query + hidden * head_dim + heads * head_dim * output_rank + groups * output_rank * hidden


@rule(
    "parameters.gated_attention",
    cites=("gated-attention-2025",),
    label=Bilingual("attention parameters per layer, with an output gate", "带输出门的每层注意力参数"),
)
def gated_attention(*, hidden: Ratio, heads: Ratio, kv_heads: Ratio, head_dim: Ratio) -> Ratio:
    """Beside queries and output a gate of their width, which scales what attention puts out."""
    return 3 * hidden * heads * head_dim + 2 * hidden * kv_heads * head_dim


@rule(
    "parameters.linear_attention",
    cites=("gated-deltanet-2024", "lightning-2025"),
    label=Bilingual("linear attention parameters per layer", "每层线性注意力参数"),
)
def linear_attention(*, hidden: Ratio, key_width: Ratio, value_width: Ratio) -> Ratio:
    """Queries and keys of `key_width`, values, output gate and output of `value_width`; decay and short convolution left out."""
    return hidden * (2 * key_width + 3 * value_width)


@rule(
    "parameters.mixed_attention",
    cites=("lightning-2025",),
    label=Bilingual("attention parameters per layer, on average", "每层注意力参数（平均）"),
)
def mixed_attention(*, full: Ratio, linear: Ratio, layers: Ratio, full_layers: Ratio) -> Ratio:
    """Some layers attend fully, the others linearly."""
    return (full * full_layers + linear * (layers - full_layers)) / layers


@rule(
    "parameters.feed_forward",
    cites=("glu-2020#sec. 2",),
    label=Bilingual("feed-forward parameters per layer", "每层前馈网络参数"),
)
def feed_forward(*, hidden: Ratio, width: Ratio, matrices: Ratio) -> Ratio:
    """Three matrices when gated (SwiGLU), two when not."""
    return matrices * hidden * width


@rule(
    "parameters.experts",
    cites=("moe-2021#sec. 2",),
    label=Bilingual("expert parameters per MoE layer", "每个 MoE 层的专家参数"),
)
def experts(*, hidden: Ratio, width: Ratio, matrices: Ratio, routed: Ratio, shared_width: Ratio, router: Ratio) -> Ratio:
    """Routed experts, shared ones of `shared_width` together, and the router with a column for each of `router` experts."""
    return matrices * hidden * (routed * width + shared_width) + hidden * router


@rule(
    "parameters.shared_width",
    cites=("shared-experts-2024",),
    label=Bilingual("feed-forward width of all shared experts", "共享专家的前馈总宽度"),
)
def shared_width(*, shared: Ratio, width: Ratio) -> Ratio:
    """Shared experts work on every token."""
    return shared * width


@rule(
    "parameters.dense_layers",
    cites=("moe-2021",),
    label=Bilingual("layers without experts", "不含专家的层数"),
)
def dense_layers(*, layers: Ratio, first: Ratio, step: Ratio) -> Ratio:
    """The `first` layers, and of the rest all but every `step`-th."""
    return first + (layers - first) * (1 - 1 / step)


@rule(
    "parameters.embedding",
    cites=("transformer-2017#sec. 3.4",),
    label=Bilingual("embedding and output head", "词嵌入与输出层参数"),
)
def embedding(*, vocab: Ratio, hidden: Ratio, copies: Ratio) -> Ratio:
    """One matrix when input and output share it, two when not."""
    return copies * vocab * hidden


@rule(
    "parameters.with_positions",
    cites=("transformer-2017#sec. 3.5",),
    label=Bilingual("embeddings with learned positions", "词嵌入与可学习位置嵌入"),
)
def with_positions(*, embedding: Ratio, positions: Ratio, hidden: Ratio) -> Ratio:
    """A vector for each position, where they are learned rather than computed."""
    return embedding + positions * hidden


@rule("parameters.dense_total", cites=("transformer-2017#sec. 3",), label=Bilingual("parameters", "参数量"))
def dense_total(*, layers: Ratio, attention: Ratio, feed_forward: Ratio, embedding: Ratio, hidden: Ratio) -> Ratio:
    """All layers with two norms each, a last norm, and the embeddings."""
    return layers * (attention + feed_forward + 2 * hidden) + hidden + embedding


@rule("parameters.moe_total", cites=("moe-2021#sec. 2",), label=Bilingual("parameters", "参数量"))
def moe_total(
    *,
    layers: Ratio,
    dense_layers: Ratio,
    attention: Ratio,
    feed_forward: Ratio,
    experts: Ratio,
    embedding: Ratio,
    hidden: Ratio,
) -> Ratio:
    """`dense_layers` have an ordinary feed-forward block, the others `experts`; total or active by what `experts` counts."""
    return (
        layers * (attention + 2 * hidden) + dense_layers * feed_forward + (layers - dense_layers) * experts + hidden + embedding
    )


@rule(
    "parameters.multiplied",
    cites=("narayanan-2021#appendix",),
    label=Bilingual("parameters that take part in matrix products", "参与矩阵乘法的参数"),
)
def multiplied(*, active: Ratio, input_embedding: Ratio) -> Ratio:
    """The input embedding is looked up, not multiplied; the output head is multiplied."""
    return active - input_embedding


@rule(
    "parameters.layers_from_size",
    cites=("kaplan-2020#sec. 2.1",),
    label=Bilingual("layers, estimated from the size", "由参数量估计的层数"),
)
def layers_from_size(*, parameters: Ratio, block: Ratio, width_per_layer: Ratio) -> Ratio:
    """N = block × layers × hidden², with hidden = width_per_layer × layers."""
    return (parameters / (block * width_per_layer**2)) ** (1 / 3)  # type: ignore[no-any-return]


@rule(
    "parameters.hidden_from_layers",
    cites=("kaplan-2020#sec. 2.1",),
    label=Bilingual("hidden size, estimated", "估计的隐藏维度"),
)
def hidden_from_layers(*, layers: Ratio, width_per_layer: Ratio) -> Ratio:
    """Typical models widen as they deepen."""
    return layers * width_per_layer


@rule(
    "parameters.heads_from_hidden",
    cites=("transformer-2017#sec. 3.2.2",),
    label=Bilingual("attention heads, estimated", "估计的注意力头数"),
)
def heads_from_hidden(*, hidden: Ratio, head_dim: Ratio) -> Ratio:
    """As many heads as fill the hidden size."""
    return hidden / head_dim


@rule(
    "parameters.width_from_hidden",
    cites=("glu-2020#sec. 2",),
    label=Bilingual("feed-forward width, estimated", "估计的前馈宽度"),
)
def width_from_hidden(*, hidden: Ratio, ratio: Ratio) -> Ratio:
    """The feed-forward block is a few times as wide as the model."""
    return hidden * ratio


@rule(
    "parameters.head_dim_from_hidden", cites=("transformer-2017#sec. 3.2.2",), label=Bilingual("head dimension", "注意力头维度")
)
def head_dim_from_hidden(*, hidden: Ratio, heads: Ratio) -> Ratio:
    """The hidden size divided among the heads, unless the model says otherwise."""
    return hidden / heads


@rule("parameters.latent_head_dim", cites=("mla-2024#sec. 2.1.3",), label=Bilingual("head dimension", "注意力头维度"))
def latent_head_dim(*, nope_dim: Ratio, rope_dim: Ratio) -> Ratio:
    """A query or key of latent attention: the part without positions and the part with them."""
    return nope_dim + rope_dim


@rule(
    "parameters.score_width",
    cites=("mla-2024#sec. 2.1",),
    label=Bilingual("mean of key and value dimension", "键与值维度的均值"),
)
def score_width(*, head_dim: Ratio, value_dim: Ratio) -> Ratio:
    """Scores multiply keys, their use multiplies values; latent attention has the two differ."""
    return (head_dim + value_dim) / 2


@rule(
    "parameters.expert_fraction",
    cites=("moe-2021#sec. 2",),
    label=Bilingual("share of the parameters in routed experts", "路由专家参数占比"),
)
def expert_fraction(*, experts: Ratio, layers: Ratio, dense_layers: Ratio, parameters: Ratio) -> Ratio:
    """Parameters that expert parallelism can spread."""
    return experts * (layers - dense_layers) / parameters


@rule(
    "parameters.expert_fraction_of_active",
    cites=("moe-2021#sec. 2",),
    label=Bilingual("share of the parameters in routed experts", "路由专家参数占比"),
)
def expert_fraction_of_active(*, parameters: Ratio, active: Ratio, routed: Ratio, top_k: Ratio) -> Ratio:
    """What a token leaves out are the experts that it is not sent to."""
    return (1 - active / parameters) / (1 - top_k / routed)


@rule(
    "parameters.windowed_fraction",
    cites=("window-2023#sec. 2",),
    label=Bilingual("share of layers with a window", "窗口注意力层占比"),
)
def windowed_fraction(*, layers: Ratio, full_layers: Ratio) -> Ratio:
    """Layers that do not attend to the whole context."""
    return 1 - full_layers / layers


@rule(
    "parameters.live_width",
    cites=("moe-2021#sec. 2.1",),
    label=Bilingual("feed-forward width that a token passes", "单个 token 经过的前馈宽度"),
)
def live_width(*, top_k: Ratio, width: Ratio, shared_width: Ratio) -> Ratio:
    """A token passes its chosen and the shared experts."""
    return top_k * width + shared_width
