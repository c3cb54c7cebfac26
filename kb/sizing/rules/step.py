"""The time of one training step, from what hardware promises and what published runs reach of it."""

from __future__ import annotations

from kb.sizing.elementwise import ceiling, doublings, greatest, least
from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import (
    Byte,
    BytePerSecond,
    FlopPerJoule,
    FlopPerSecond,
    FlopPerToken,
    Ratio,
    Second,
    Token,
    TokenPerSecond,
    Watt,
)


@rule("step.reached", cites=("published-runs",), label=Bilingual("reached share of the peak", "可达到的峰值比例"))
def reached(*, usual: Ratio, peak: FlopPerSecond, power: Watt, reference: FlopPerJoule, falling: Ratio, most: Ratio) -> Ratio:
    """A chip that promises more compute per watt reaches less of its promise: `usual` is reached at `reference` per watt, and never
    more than `most`."""
    return least(usual * (reference * power / peak) ** falling, most)


@rule("step.matrices", cites=("narayanan-2021#appendix A", "roofline-2009"), label=Bilingual("matrix products", "矩阵乘"))
def matrices(
    *, work: FlopPerToken, recomputation: Ratio, tokens: Token, shares: Ratio, peak: FlopPerSecond, reached: Ratio, gain: Ratio
) -> Second:
    """One micro-batch on one GPU of the `shares` that hold a replica; low precision speeds it up by `gain`."""
    return work * recomputation * tokens / (shares * peak * reached * gain)


@rule(
    "step.kept",
    cites=("fp8-2022", "nvfp4-2025"),
    label=Bilingual("share of the products kept in 16 bits", "保留 16 位的矩阵乘比例"),
)
def kept(*, vocab: Ratio, hidden: Ratio, multiplied: Ratio, layers_kept: Ratio) -> Ratio:
    """The output layer, and the share `layers_kept` of the others."""
    return least(vocab * hidden / multiplied + layers_kept, 1)


@rule(
    "step.gain",
    cites=("fp8-2022", "published-runs"),
    label=Bilingual("gain of low precision", "低精度加速比"),
)
def gain(*, low: FlopPerSecond, peak: FlopPerSecond, reached: Ratio, kept: Ratio) -> Ratio:
    """What runs in low precision gains the ratio of the peaks, as far as it is `reached`; what is `kept` in 16 bits gains nothing."""
    return 1 / (kept + (1 - kept) * peak / (low * reached))


@rule("step.attention", cites=("flash-2022#sec. 3", "roofline-2009"), label=Bilingual("attention scores", "注意力计算"))
def attention(
    *, work: FlopPerToken, recomputation: Ratio, tokens: Token, shares: Ratio, peak: FlopPerSecond, reached: Ratio
) -> Second:
    """One micro-batch on one GPU, in 16 bits whatever the precision of the matrix products."""
    return work * recomputation * tokens / (shares * peak * reached)


@rule("step.traffic", cites=("roofline-2009",), label=Bilingual("memory traffic", "显存读写"))
def traffic(
    *, layer: Byte, layers: Ratio, passes: Ratio, recomputation: Ratio, logits: Byte, shares: Ratio, bandwidth: BytePerSecond
) -> Second:
    """Norms, activations and residuals between the products: every kept byte is moved `passes` times; and the loss."""
    return (layer * layers * passes * recomputation + logits) / (shares * bandwidth)


@rule("step.launch", cites=("published-runs",), label=Bilingual("starting the kernels", "算子启动"))
def launch(
    *, layers: Ratio, stages: Ratio, latency: Second, adapters: Ratio, adapter_kernels: Ratio, recomputation: Ratio
) -> Second:
    """A micro-batch too small to keep the GPU busy waits for its kernels to start; each of a layer's adapters adds the share
    `adapter_kernels` of the layer's own."""
    return layers / stages * latency * (1 + adapters * adapter_kernels) * recomputation


@rule(
    "step.widening",
    cites=("qlora-2023#sec. 3", "roofline-2009"),
    label=Bilingual("widening of quantized weights", "权重反量化"),
)
def widening(*, parameters: Ratio, traffic: Byte, passes: Ratio, shares: Ratio, bandwidth: BytePerSecond) -> Second:
    """Quantized weights are widened anew in every pass of every micro-batch."""
    return parameters * traffic * passes / (shares * bandwidth)


@rule(
    "step.expert_launch", cites=("published-runs", "moe-2021"), label=Bilingual("small products of experts", "专家小矩阵开销")
)
def expert_launch(*, layers: Ratio, stages: Ratio, experts: Ratio, expert_parallel: Ratio, latency: Second) -> Second:
    """Every expert on a GPU is a product of its own."""
    return layers / stages * experts / expert_parallel * latency


@rule("step.busy", cites=("roofline-2009",), label=Bilingual("a micro-batch on one GPU", "单卡单个微批次"))
def busy(*, matrices: Second, attention: Second, traffic: Second, launch: Second) -> Second:
    """Computing and moving data take turns; starting kernels runs beside them."""
    return greatest(matrices + attention + traffic, launch)


@rule("step.busy_widening", cites=("qlora-2023#sec. 3",), label=Bilingual("a micro-batch on one GPU", "单卡单个微批次"))
def busy_widening(*, plain: Second, widening: Second) -> Second:
    """With quantized weights."""
    return plain + widening


@rule("step.busy_mixture", cites=("moe-2021", "roofline-2009"), label=Bilingual("a micro-batch on one GPU", "单卡单个微批次"))
def busy_mixture(*, dense: Second, experts: Second, exchange: Second) -> Second:
    """With experts: their small products, and tokens sent to them and back."""
    return greatest(dense, experts) + exchange


@rule("step.micro_batches", cites=("narayanan-2021#sec. 2.2",), label=Bilingual("micro-batches per step", "每步微批次数"))
def micro_batches(*, batch: Token, replicas: Ratio, tokens: Token) -> Ratio:
    """Of each replica; less than one where fewer replicas than the layout has would do."""
    return batch / (replicas * tokens)


@rule("step.accumulation", cites=("narayanan-2021#sec. 2.2",), label=Bilingual("gradient accumulation steps", "梯度累积步数"))
def accumulation(*, batch: Token, length: Token, micro_batch: Ratio, replicas: Ratio) -> Ratio:
    """Whole micro-batches of each replica that make a batch of so many tokens."""
    return ceiling(batch / (length * micro_batch * replicas))


@rule(
    "step.accumulation_of_sequences",
    cites=("narayanan-2021#sec. 2.2",),
    label=Bilingual("gradient accumulation steps", "梯度累积步数"),
)
def accumulation_of_sequences(*, batch: Ratio, micro_batch: Ratio, replicas: Ratio) -> Ratio:
    """Whole micro-batches of each replica that make a batch of so many sequences."""
    return ceiling(batch / (micro_batch * replicas))


@rule(
    "step.at_least_one",
    cites=("narayanan-2021#sec. 2.2",),
    label=Bilingual("micro-batches in the pipeline", "流水线中的微批次数"),
)
def at_least_one(*, count: Ratio) -> Ratio:
    """A pipeline is never filled with less than one micro-batch."""
    return greatest(count, 1)


@rule("step.optimizer", cites=("zero-2020#sec. 3.1", "roofline-2009"), label=Bilingual("optimizer step", "优化器更新"))
def optimizer(*, parameters: Ratio, state: Byte, passes: Ratio, shards: Ratio, bandwidth: BytePerSecond) -> Second:
    """Weights, gradients and states of one GPU's share are read and written."""
    return parameters * state * passes / (shards * bandwidth)


@rule(
    "step.trips",
    cites=("offload-2021#sec. 4.1", "zero-2020#sec. 7.2.2"),
    label=Bilingual("trips between host and GPU", "主机与显卡间的传输次数"),
)
def trips(*, micro_batches: Ratio, passes: Ratio) -> Ratio:
    """Gradients leave once a step; weights come once, or in each of the `passes` of every micro-batch where none stay."""
    return 1 + greatest(micro_batches * passes, 1)


@rule("step.offloaded", cites=("offload-2021#sec. 4.1",), label=Bilingual("optimizer step on the host", "主机上的优化器更新"))
def offloaded(
    *, parameters: Ratio, element: Byte, trips: Ratio, shards: Ratio, link: BytePerSecond,
    state: Byte, passes: Ratio, nodes: Ratio, host: BytePerSecond,
) -> Second:  # fmt: skip
    """Each GPU's share of gradients and weights crosses its link to the host, whose processors update the states of their server."""
    return parameters * (element * trips / (shards * link) + state * passes / (nodes * host))


@rule("step.time", cites=("narayanan-2021#sec. 3", "published-runs"), label=Bilingual("time per step", "单步时间"))
def time(
    *, micro_batches: Ratio, busy: Second, tensor: Second, bubble: Ratio, waiting: Second, optimizer: Second,
    gpu_count: Ratio, scale: Ratio,
) -> Second:  # fmt: skip
    """Micro-batches with their tensor-parallel traffic and the idle share of the pipeline, waiting for gradients or weights, the
    optimizer; every doubling of the GPUs costs the share `scale` (stragglers, congestion)."""
    return (micro_batches * (busy + tensor) * (1 + bubble) + waiting + optimizer) * (1 + scale * doublings(gpu_count))


@rule("step.speed", cites=("mfu-2022#appendix B",), label=Bilingual("training speed", "训练速度"))
def speed(*, batch: Token, step_time: Second) -> TokenPerSecond:
    """Tokens of the global batch over the time of a step."""
    return batch / step_time


@rule("step.speed_per_gpu", cites=("mfu-2022#appendix B",), label=Bilingual("training speed per GPU", "单卡训练速度"))
def speed_per_gpu(*, speed: TokenPerSecond, gpu_count: Ratio) -> TokenPerSecond:
    """Each GPU's share."""
    return speed / gpu_count


@rule("step.achieved", cites=("mfu-2022#sec. 4.1",), label=Bilingual("achieved compute per GPU", "单卡实际算力"))
def achieved(*, per_gpu: TokenPerSecond, per_token: FlopPerToken) -> FlopPerSecond:
    """Model FLOPs; recomputation does not count."""
    return per_gpu * per_token


@rule("step.mfu", cites=("mfu-2022#sec. 4.1",), label=Bilingual("model FLOPs utilization", "模型算力利用率（MFU）"))
def mfu(*, achieved: FlopPerSecond, peak: FlopPerSecond) -> Ratio:
    """The share of the dense 16-bit peak that does useful work."""
    return achieved / peak


@rule("step.run", cites=("published-runs",), label=Bilingual("training time", "训练时间"))
def run(*, tokens: Token, batch: Token, step_time: Second, pause: Second, goodput: Ratio) -> Second:
    """All steps, each with a `pause` (data, logging, synchronization), in the share of the time that goes into steps."""
    return tokens / batch * (step_time + pause) / goodput


@rule("step.goodput", cites=("failures-2024", "published-runs"), label=Bilingual("useful share of a run", "有效训练时间占比"))
def goodput(*, lost: Ratio, gpu_count: Ratio, large: Ratio) -> Ratio:
    """Restarts, evaluation and checkpoints take the share `lost` of a run on `large` GPUs, less on fewer, nothing on one."""
    return 1 - lost * (1 - greatest(1 - doublings(gpu_count) / doublings(large), 0))


@rule("step.steps_of_samples", cites=("published-runs",), label=Bilingual("optimizer steps", "优化步数"))
def steps_of_samples(*, samples: Ratio, epochs: Ratio, batch: Ratio) -> Ratio:
    """Samples gone through so often, so many to a step; the last step is begun."""
    return ceiling(samples * epochs / batch)


@rule("step.time_of_steps", cites=("published-runs",), label=Bilingual("time of the steps", "各步总耗时"))
def time_of_steps(*, steps: Ratio, each: Second) -> Second:
    """As measured: checkpoints, evaluation and pauses come on top where the measure has none."""
    return steps * each
