"""Weights, gradients, optimizer states, KV cache and what surrounds them. Bytes throughout."""

from __future__ import annotations

from kb.sizing.elementwise import ceiling, greatest, least
from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Byte, Ratio


@rule("memory.weights", cites=("mixed-precision-2018#sec. 3.1",), label=Bilingual("weights", "权重"))
def weights(*, parameters: Ratio, element: Byte) -> Byte:
    """One copy of every parameter; all experts of a mixture must be resident."""
    return parameters * element


@rule("memory.quantized_weights", cites=("qlora-2023#sec. 2",), label=Bilingual("quantized weights", "量化后的权重"))
def quantized_weights(*, parameters: Ratio, element: Byte, kept: Ratio, kept_element: Byte) -> Byte:
    """Linear layers quantized, scales included in `element`; embeddings and head (`kept`) stay in 16 bits."""
    return (parameters - kept) * element + kept * kept_element


@rule("memory.gradients", cites=("zero-2020#sec. 3.1",), label=Bilingual("gradients", "梯度"))
def gradients(*, trained: Ratio, element: Byte) -> Byte:
    """One gradient for every trained parameter."""
    return trained * element


@rule("memory.optimizer_states", cites=("zero-2020#sec. 3.1",), label=Bilingual("optimizer states", "优化器状态"))
def optimizer_states(*, trained: Ratio, master: Byte, moments: Ratio, moment: Byte) -> Byte:
    """The fp32 master copy of mixed precision, and the optimizer's moments."""
    return trained * (master + moments * moment)


@rule(
    "memory.master", cites=("mixed-precision-2018#sec. 3.1", "zero-2020#sec. 3.1"), label=Bilingual("master weights", "主权重")
)
def master(*, trained: Ratio, element: Byte) -> Byte:
    """The 32-bit copy that the optimizer updates."""
    return trained * element


@rule("memory.moments", cites=("zero-2020#sec. 3.1",), label=Bilingual("moments of the optimizer", "优化器动量"))
def moments(*, trained: Ratio, moments: Ratio, element: Byte) -> Byte:
    """What the optimizer remembers of the gradients of every trained parameter."""
    return trained * moments * element


@rule("memory.ema", cites=("torch-averaging",), label=Bilingual("EMA copy", "EMA 副本"))
def ema(*, trained: Ratio, element: Byte) -> Byte:
    """A moving average of every trained parameter, kept beside the weights."""
    return trained * element


@rule(
    "memory.states_with_ema",
    cites=("torch-averaging", "zero-2020#sec. 3.1"),
    label=Bilingual("optimizer states and EMA copy", "优化器状态与 EMA 副本"),
)
def states_with_ema(*, optimizer_states: Byte, ema: Byte) -> Byte:
    """What stands beside weights and gradients and changes once a step."""
    return optimizer_states + ema


@rule("memory.model_states", cites=("zero-2020#sec. 3.1",), label=Bilingual("model states", "模型状态"))
def model_states(*, weights: Byte, gradients: Byte, optimizer_states: Byte) -> Byte:
    """What a model in training is, apart from activations."""
    return weights + gradients + optimizer_states


@rule("memory.with_adapter", cites=("lora-2021#sec. 4.1",), label=Bilingual("frozen weights and adapter", "冻结权重与适配器"))
def with_adapter(*, weights: Byte, adapter: Byte) -> Byte:
    """The frozen model and the small matrices that are trained beside it."""
    return weights + adapter


@rule("memory.share", cites=("zero-2020#sec. 5",), label=Bilingual("share of one GPU", "单卡份额"))
def share(*, total: Byte, shards: Ratio, tensor_parallel: Ratio, pipeline_parallel: Ratio) -> Byte:
    """Model parallelism divides everything; ZeRO divides further what its stage shards (`shards` 1: replicated)."""
    return total / (shards * tensor_parallel * pipeline_parallel)


@rule("memory.expert_share", cites=("moe-2021#sec. 5.4", "zero-2020#sec. 5"), label=Bilingual("share of one GPU", "单卡份额"))
def expert_share(
    *, total: Byte, experts: Ratio, expert_parallel: Ratio, shards: Ratio, tensor_parallel: Ratio, pipeline_parallel: Ratio
) -> Byte:
    """Expert parallelism divides only the fraction `experts` of the parameters, inside the data-parallel group."""
    return (
        total * ((1 - experts) / shards + experts / greatest(expert_parallel, shards)) / (tensor_parallel * pipeline_parallel)
    )


@rule(
    "memory.gathered_parameters",
    cites=("moe-2021#sec. 5.4", "zero-2020#sec. 7.2.2"),
    label=Bilingual("parameters that are gathered", "需聚集的参数"),
)
def gathered_parameters(*, parameters: Ratio, experts: Ratio, own: Ratio) -> Ratio:
    """All but the experts, and of these the share `own` that a rank of expert parallelism works on and does not hold whole."""
    return parameters * (1 - experts * (1 - own))


@rule("memory.gathered", cites=("zero-2020#sec. 7.2.2",), label=Bilingual("gathered layers", "聚集的层参数缓冲"))
def gathered(
    *,
    parameters: Ratio,
    embedding: Ratio,
    layers: Ratio,
    live: Ratio,
    element: Byte,
    kept_element: Byte,
    tensor_parallel: Ratio,
) -> Byte:
    """Full sharding gathers `live` layers in the format in which they are kept, and the embedding in 16 bits, before they are used."""
    return ((parameters - embedding) / layers * least(live, layers) * element + embedding / 2 * kept_element) / tensor_parallel


@rule("memory.widened", cites=("qlora-2023#sec. 3",), label=Bilingual("dequantized matrix", "反量化缓冲"))
def widened(*, hidden: Ratio, width: Ratio, element: Byte, tensor_parallel: Ratio) -> Byte:
    """Quantized weights are widened to 16 bits one matrix at a time, the largest of a layer."""
    return hidden * width * element / tensor_parallel


@rule("memory.gathered_and_widened", cites=("zero-2020#sec. 7.2.2", "qlora-2023#sec. 3"), label=Bilingual("buffers", "缓冲"))
def gathered_and_widened(*, gathered: Byte, widened: Byte) -> Byte:
    """Layers as they are gathered, and the matrix of them that is at work."""
    return gathered + widened


@rule("memory.kv_per_token", cites=("pope-2022#sec. 3.3",), label=Bilingual("KV cache per token", "每个 token 的 KV 缓存"))
def kv_per_token(*, layers: Ratio, kv_heads: Ratio, head_dim: Ratio, element: Byte) -> Byte:
    """A key and a value in every layer and every key-value head."""
    return 2 * layers * kv_heads * head_dim * element


@rule(
    "memory.latent_kv_per_token",
    cites=("mla-2024#sec. 2.1.4",),
    label=Bilingual("KV cache per token (MLA)", "每个 token 的 KV 缓存（MLA）"),
)
def latent_kv_per_token(*, layers: Ratio, kv_rank: Ratio, rope_dim: Ratio, element: Byte) -> Byte:
    """One compressed vector and one shared rotary key in every layer, for all heads."""
    return layers * (kv_rank + rope_dim) * element


@rule("memory.kv_cache", cites=("pope-2022#sec. 3.3", "vllm-2023#sec. 3"), label=Bilingual("KV cache", "KV 缓存"))
def kv_cache(*, per_token: Byte, context: Ratio, concurrency: Ratio) -> Byte:
    """Every token of every sequence held at once."""
    return per_token * context * concurrency


@rule(
    "memory.windowed_kv_cache",
    cites=("window-2023#sec. 2",),
    label=Bilingual("KV cache with sliding window", "滑动窗口 KV 缓存"),
)
def windowed_kv_cache(*, per_token: Byte, context: Ratio, concurrency: Ratio, window: Ratio, windowed: Ratio) -> Byte:
    """The fraction `windowed` of the layers keeps no more than the window."""
    return per_token * concurrency * ((1 - windowed) * context + windowed * least(context, window))


@rule(
    "memory.kv_share", cites=("gqa-2023#sec. 2.2", "vllm-2023#sec. 4.6"), label=Bilingual("KV cache of one GPU", "单卡 KV 缓存")
)
def kv_share(*, total: Byte, tensor_parallel: Ratio, kv_heads: Ratio, pipeline_parallel: Ratio) -> Byte:
    """Tensor parallelism divides the cache no further than there are key-value heads; above that heads are duplicated."""
    return total / (least(tensor_parallel, kv_heads) * pipeline_parallel)


@rule(
    "memory.fragmentation",
    cites=("torchtitan-2026", "ml-engineering#training/performance"),
    label=Bilingual("fragmentation", "显存碎片"),
)
def fragmentation(*, activations: Byte, logits: Byte, buffers: Byte, slack: Ratio) -> Byte:
    """What the allocator holds beyond what is asked of it: of all that comes and goes within a step."""
    return (activations + logits + buffers) * slack


@rule("memory.usable", cites=("visible-memory-2024", "vllm-2023"), label=Bilingual("usable memory per GPU", "单卡可用显存"))
def usable(*, capacity: Byte, visible: Ratio, fraction: Ratio) -> Byte:
    """The sold size in bytes as the driver shows it (`visible` bytes per decimal byte), and the fraction left to the job."""
    return capacity * visible * fraction


@rule("memory.usable_of_shown", cites=("vllm-2023",), label=Bilingual("usable memory per GPU", "单卡可用显存"))
def usable_of_shown(*, shown: Byte, fraction: Ratio) -> Byte:
    """The fraction left to the job of what the driver shows."""
    return shown * fraction


@rule("memory.total", cites=("zero-2020#sec. 3",), label=Bilingual("memory of all GPUs", "全部显卡的显存"))
def total(*, per_gpu: Byte, gpu_count: Ratio) -> Byte:
    """The sum over the GPUs, taking each to be as full as the fullest."""
    return per_gpu * gpu_count


@rule("memory.sum_training", cites=("zero-2020#sec. 3",), label=Bilingual("memory per GPU", "单卡显存"))
def sum_training(
    *, weights: Byte, gradients: Byte, optimizer_states: Byte, activations: Byte, logits: Byte, buffers: Byte, overhead: Byte
) -> Byte:
    """What the fullest GPU holds at the peak of a training step, before fragmentation."""
    return weights + gradients + optimizer_states + activations + logits + buffers + overhead


@rule("memory.sum_serving", cites=("vllm-2023#sec. 1",), label=Bilingual("memory per GPU", "单卡显存"))
def sum_serving(*, weights: Byte, kv_cache: Byte, activations: Byte, overhead: Byte) -> Byte:
    """What the fullest GPU needs while serving; an engine may reserve more."""
    return weights + kv_cache + activations + overhead


@rule("memory.with_fragmentation", cites=("torchtitan-2026",), label=Bilingual("memory per GPU", "单卡显存"))
def with_fragmentation(*, held: Byte, fragmentation: Byte) -> Byte:
    """What the driver reports at the peak."""
    return held + fragmentation


@rule("memory.filled", cites=("zero-2020#sec. 3",), label=Bilingual("share of usable memory", "可用显存占用比例"))
def filled(*, needed: Byte, available: Byte) -> Ratio:
    """Below 0.85 it fits, up to 1.05 under conditions, above not."""
    return needed / available


@rule("memory.gpus", cites=("zero-2020#sec. 3",), label=Bilingual("least number of GPUs", "最少显卡数"))
def gpus(*, divisible: Byte, fixed: Byte, available: Byte) -> Ratio:
    """GPUs whose usable memory, less what each needs for itself, holds what can be divided."""
    return ceiling(divisible / (available - fixed))


@rule("memory.divided", cites=("zero-2020#sec. 5",), label=Bilingual("memory that more GPUs divide", "可由更多显卡分摊的显存"))
def divided(*, share: Byte, slack: Ratio, gpu_count: Ratio) -> Byte:
    """Model states, or weights and KV cache, of all GPUs."""
    return share * (1 + slack) * gpu_count


@rule(
    "memory.fixed", cites=("zero-2020#sec. 5",), label=Bilingual("memory that every GPU needs for itself", "每卡固定占用的显存")
)
def fixed(*, needed: Byte, divided: Byte, gpu_count: Ratio) -> Byte:
    """Activations, buffers and overhead."""
    return needed - divided / gpu_count


@rule(
    "memory.serving_share", cites=("vllm-2023#sec. 1",), label=Bilingual("weights and KV cache per GPU", "单卡权重与 KV 缓存")
)
def serving_share(*, weights: Byte, kv_cache: Byte) -> Byte:
    """What is divided among the GPUs of a replica."""
    return weights + kv_cache


@rule("memory.largest", cites=("zero-2020#sec. 3",), label=Bilingual("largest model that fits", "可容纳的最大模型参数量"))
def largest(*, available: Byte, overhead: Byte, margin: Ratio, gpu_count: Ratio, each: Byte) -> Ratio:
    """Parameters that leave room for cache or activations: `margin` of the usable memory, less the runtime's share."""
    return (available * margin - overhead) * gpu_count / each


@rule(
    "memory.beside_states",
    cites=("zero-2020#sec. 3",),
    label=Bilingual("memory beside the model states", "模型状态以外的显存"),
)
def beside_states(*, needed: Byte, states: Byte) -> Byte:
    """Activations, logits, buffers, overhead and fragmentation."""
    return needed - states


@rule(
    "memory.largest_trained",
    cites=("zero-2020#sec. 3",),
    label=Bilingual("largest model that can be trained", "可训练的最大模型参数量"),
)
def largest_trained(*, available: Byte, margin: Ratio, beside: Byte, each: Byte) -> Ratio:
    """Parameters whose states, `each` bytes on a GPU, fill what `margin` of its usable memory leaves beside all else of such a model."""
    return (available * margin - beside) / each


@rule(
    "memory.bytes_per_parameter",
    cites=("zero-2020#sec. 3.1",),
    label=Bilingual("model states per parameter", "每参数的模型状态"),
)
def bytes_per_parameter(*, model_states: Byte, parameters: Ratio) -> Byte:
    """The factor by which a total can be checked: 16 for mixed-precision Adam."""
    return model_states / parameters


@rule("memory.reserved", cites=("vllm-2023#sec. 4",), label=Bilingual("memory that the engine reserves", "引擎预留的显存"))
def reserved(*, capacity: Byte, visible: Ratio, fraction: Ratio) -> Byte:
    """Taken in advance, whatever the model needs: the monitor shows this, not the need."""
    return capacity * visible * fraction


@rule(
    "memory.reserved_of_shown",
    cites=("vllm-2023#sec. 4",),
    label=Bilingual("memory that the engine reserves", "引擎预留的显存"),
)
def reserved_of_shown(*, shown: Byte, fraction: Ratio) -> Byte:
    """Taken in advance of what the driver shows."""
    return shown * fraction
