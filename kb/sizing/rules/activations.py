"""Memory of activations in training, and of a forward pass in serving."""

from __future__ import annotations

from kb.sizing.elementwise import greatest
from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Byte, Ratio, Token


@rule(
    "activations.layer",
    cites=("korthikanti-2022#sec. 4.1", "flash-2022#sec. 3"),
    label=Bilingual("activations of one layer", "单层激活"),
)
def layer(
    *, tokens: Ratio, hidden: Ratio, heads: Ratio, kv_heads: Ratio, head_dim: Ratio, width: Ratio, maps: Ratio, element: Byte
) -> Byte:
    """Kept for the backward pass: inputs of norms and projections, Q, K, V, attention output, and `maps` maps of feed-forward
    width; two residual inputs in fp32 for the norms. Attention scores are not kept (FlashAttention)."""
    return tokens * element * (8 * hidden + 2 * heads * head_dim + 2 * kv_heads * head_dim + maps * width)


@rule(
    "activations.adapted_layer",
    cites=("lora-2021#sec. 4.1", "korthikanti-2022#sec. 4.1", "peft-benchmark-2025"),
    label=Bilingual("activations of one frozen layer with adapters", "带适配器的冻结层单层激活"),
)
def adapted_layer(
    *, tokens: Ratio, hidden: Ratio, heads: Ratio, kv_heads: Ratio, head_dim: Ratio, width: Ratio, maps: Ratio, element: Byte,
    attention: Ratio, feed_forward: Ratio,
) -> Byte:  # fmt: skip
    """Frozen matrices and norms have no gradient that would want their inputs: what remains are the norms' inputs in fp32, Q, K, V,
    attention output and the maps of the activation function, and where there are adapters (1 for each block, else 0) their inputs."""
    return (
        tokens
        * element
        * (
            (4 + attention + feed_forward) * hidden
            + 2 * heads * head_dim
            + 2 * kv_heads * head_dim
            + (maps - 1 + feed_forward) * width
        )
    )


@rule(
    "activations.published_layer",
    cites=("korthikanti-2022#eq. 1",),
    label=Bilingual("activations of one layer, without scores", "单层激活（不含注意力分数）"),
)
def published_layer(*, tokens: Ratio, hidden: Ratio, kept: Byte) -> Byte:
    """The block of the published formula, with dropout and a feed-forward width of four times the model's: `kept` bytes per token
    and unit of width."""
    return tokens * hidden * kept


@rule(
    "activations.scores", cites=("korthikanti-2022#eq. 1",), label=Bilingual("attention scores of one layer", "单层注意力分数")
)
def scores(*, sequences: Ratio, length: Ratio, heads: Ratio, kept: Byte) -> Byte:
    """Without FlashAttention softmax input, output and dropout mask are kept: `kept` bytes per score."""
    return sequences * length**2 * heads * kept


@rule(
    "activations.divided",
    cites=("korthikanti-2022#sec. 4.2.2",),
    label=Bilingual("activations of one layer per GPU", "单卡单层激活"),
)
def divided(*, layer: Byte, tensor_parallel: Ratio, context_parallel: Ratio) -> Byte:
    """Tensor with sequence parallelism divides a layer's activations, context parallelism its sequence."""
    return layer / (tensor_parallel * context_parallel)


@rule(
    "activations.partly_divided",
    cites=("korthikanti-2022#sec. 4.2.1",),
    label=Bilingual("activations of one layer per GPU", "单卡单层激活"),
)
def partly_divided(*, layer: Byte, undivided: Ratio, tensor_parallel: Ratio, context_parallel: Ratio) -> Byte:
    """Without sequence parallelism the fraction `undivided` (norms, residuals) is on every rank."""
    return layer * (undivided + (1 - undivided) / tensor_parallel) / context_parallel


@rule("activations.kept_all", cites=("korthikanti-2022#sec. 4.2.3",), label=Bilingual("activations", "激活"))
def kept_all(*, layer: Byte, layers: Ratio) -> Byte:
    """Everything is kept. The first pipeline stage holds as many micro-batches as there are stages: all layers' worth."""
    return layer * layers


@rule(
    "activations.kept_selectively",
    cites=("korthikanti-2022#sec. 5", "torchtitan-2026"),
    label=Bilingual("activations, selective recomputation", "激活（选择性重计算）"),
)
def kept_selectively(*, layer: Byte, layers: Ratio, fraction: Ratio) -> Byte:
    """Cheap operations are computed again."""
    return layer * layers * fraction


@rule(
    "activations.recomputed",
    cites=("korthikanti-2022#sec. 5", "checkpointing-2016#sec. 4"),
    label=Bilingual("activations, full recomputation", "激活（完全重计算）"),
)
def recomputed(
    *, tokens: Ratio, hidden: Ratio, element: Byte, layers: Ratio, tensor_parallel: Ratio, context_parallel: Ratio, layer: Byte
) -> Byte:
    """Only the inputs of `layers` are kept, and one layer lives while it is computed again. The first pipeline stage holds all
    layers' worth; where inputs wait in host memory, those on their way are here."""
    return tokens * hidden * element * layers / (tensor_parallel * context_parallel) + layer


@rule(
    "activations.beyond_logits",
    cites=("checkpointing-2016#sec. 4", "liger-2024"),
    label=Bilingual("live layer beyond the logits", "超出 logits 的单层激活"),
)
def beyond_logits(*, layer: Byte, logits: Byte) -> Byte:
    """The logits are gone before the first layer is computed again: the larger of the two makes the peak."""
    return greatest(layer, logits) - logits


@rule(
    "activations.logits",
    cites=("liger-2024", "korthikanti-2022#sec. 4.3", "ml-engineering#training/performance"),
    label=Bilingual("logits and loss", "logits 与损失"),
)
def logits(*, tokens: Ratio, vocab: Ratio, kept: Byte, tensor_parallel: Ratio, context_parallel: Ratio) -> Byte:
    """Logits in 16 bits, their fp32 copy and the gradients of both: `kept` bytes per token and vocabulary entry."""
    return tokens * vocab * kept / (tensor_parallel * context_parallel)


@rule("activations.logits_once", cites=("liger-2024",), label=Bilingual("logits, one copy", "单份 logits"))
def logits_once(*, tokens: Ratio, vocab: Ratio, element: Byte) -> Byte:
    """One number for every token and vocabulary entry."""
    return tokens * vocab * element


@rule("activations.forward", cites=("vllm-2023#sec. 1",), label=Bilingual("forward pass", "前向计算缓冲"))
def forward(*, tokens: Ratio, hidden: Ratio, width: Ratio, element: Byte, tensor_parallel: Ratio) -> Byte:
    """One layer lives at a time: residual, normed input, attention in and out, and two maps of feed-forward width."""
    return tokens * element * (4 * hidden + 2 * width / tensor_parallel)


@rule("activations.tokens", cites=("korthikanti-2022#sec. 4",), label=Bilingual("tokens of a micro-batch", "微批次 token 数"))
def tokens(*, sequences: Ratio, length: Ratio) -> Ratio:
    """Sequences times their length."""
    return sequences * length


@rule(
    "activations.layer_with_scores",
    cites=("korthikanti-2022#eq. 1",),
    label=Bilingual("activations of one layer with scores", "含注意力分数的单层激活"),
)
def layer_with_scores(*, layer: Byte, scores: Byte) -> Byte:
    """Without FlashAttention the scores are kept too."""
    return layer + scores


@rule(
    "activations.with_logits", cites=("korthikanti-2022#sec. 4.3",), label=Bilingual("activations and logits", "激活与 logits")
)
def with_logits(*, activations: Byte, logits: Byte) -> Byte:
    """All that a forward pass leaves for the backward pass."""
    return activations + logits


@rule(
    "activations.micro_batch", cites=("narayanan-2021#sec. 3.1",), label=Bilingual("tokens of a micro-batch", "微批次 token 数")
)
def micro_batch(*, sequences: Ratio, length: Token) -> Token:
    """Sequences times their length."""
    return sequences * length


@rule(
    "activations.batch_tokens",
    cites=("narayanan-2021#sec. 3.1",),
    label=Bilingual("tokens of the global batch", "全局批次 token 数"),
)
def batch_tokens(*, replicas: Ratio, sequences: Ratio, length: Token) -> Token:
    """A micro-batch on every replica."""
    return replicas * sequences * length
