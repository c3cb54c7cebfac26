"""Speed and capacity of serving."""

from __future__ import annotations

from kb.sizing.elementwise import ceiling, greatest, least, whole
from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import (
    Byte,
    BytePerSecond,
    Flop,
    FlopPerSecond,
    FlopPerToken,
    Ratio,
    Second,
    Token,
    TokenPerSecond,
    TransferPerSecond,
)


@rule("serving.weights_read", cites=("pope-2022#sec. 2",), label=Bilingual("weights read per step", "每步读取的权重"))
def weights_read(*, weights: Byte, parameters: Ratio, multiplied: Ratio) -> Byte:
    """Every matrix that is multiplied is read once; the input embedding is only looked up."""
    return weights * multiplied / parameters


@rule(
    "serving.expert_weights_read",
    cites=("pope-2022#sec. 2", "moe-2021#sec. 2"),
    label=Bilingual("weights read per step", "每步读取的权重"),
)
def expert_weights_read(*, weights: Byte, parameters: Ratio, multiplied: Ratio, concurrency: Ratio) -> Byte:
    """Every sequence reads its own active experts, all together no more than there are."""
    return least(weights, weights * multiplied * concurrency / parameters)


@rule("serving.widened", cites=("glm-130b-2022#docs/quantization",), label=Bilingual("weights read per step", "每步读取的权重"))
def widened(*, read: Byte, multiplied: Ratio, wide: Byte, moves: Ratio) -> Byte:
    """Engines without a product of quantized weights widen every matrix first: it is written and read again in 16 bits."""
    return read + multiplied * wide * moves


@rule("serving.bytes_read", cites=("pope-2022#sec. 2",), label=Bilingual("bytes read per step", "每步读取的数据"))
def bytes_read(*, weights_read: Byte, kv_cache: Byte) -> Byte:
    """Weights and cached keys and values, once per generated token of the batch."""
    return weights_read + kv_cache


@rule("serving.memory_time", cites=("roofline-2009", "pope-2022#sec. 2"), label=Bilingual("time to read them", "读取时间"))
def memory_time(
    *, bytes_read: Byte, bandwidth: BytePerSecond, tensor_parallel: Ratio, reached: Ratio, layers: Ratio, latency: Second
) -> Second:
    """Tensor parallelism adds up bandwidth, a split by layers does not; engines reach a fraction of it, and every layer costs a
    fixed time however little is read."""
    return bytes_read / (bandwidth * tensor_parallel * reached) + layers * latency


@rule("serving.compute_time", cites=("roofline-2009", "pope-2022#sec. 2"), label=Bilingual("time to compute them", "计算时间"))
def compute_time(
    *, per_token: FlopPerToken, batch: Token, peak: FlopPerSecond, tensor_parallel: Ratio, reached: Ratio
) -> Second:
    """The work of one token for each sequence."""
    return per_token * batch / (peak * tensor_parallel * reached)


@rule(
    "serving.exchange",
    cites=("pope-2022#sec. 3.2", "megatron-2019#sec. 3", "all-reduce-2025"),
    label=Bilingual("tensor-parallel exchange", "张量并行通信时间"),
)
def exchange(
    *, tokens: Ratio, hidden: Ratio, element: Byte, layers: Ratio, tensor_parallel: Ratio, link: BytePerSecond, latency: Second
) -> Second:
    """Two all-reduces a layer, of every token's activations: each sends them twice less one share, and takes its latency; none on one
    GPU."""
    return (
        2
        * layers
        * (
            2 * (tensor_parallel - 1) / tensor_parallel * tokens * hidden * element / link
            + latency * least(tensor_parallel - 1, 1)
        )
    )


@rule(
    "serving.step_time",
    cites=("roofline-2009", "pope-2022#sec. 3.2"),
    label=Bilingual("time per generated token", "每个生成 token 的时间"),
)
def step_time(*, memory_time: Second, compute_time: Second, exchange: Second) -> Second:
    """Reading and computing overlap: the longer of the two; then the GPUs of a replica exchange."""
    return greatest(memory_time, compute_time) + exchange


@rule(
    "serving.decode_speed_per_request",
    cites=("pope-2022#sec. 2",),
    label=Bilingual("decode speed per request", "单请求解码速度"),
)
def decode_speed_per_request(*, token: Token, step_time: Second) -> TokenPerSecond:
    """One token per step."""
    return token / step_time


@rule("serving.decode_speed", cites=("pope-2022#sec. 2",), label=Bilingual("decode speed of all requests", "总解码速度"))
def decode_speed(*, batch: Token, step_time: Second) -> TokenPerSecond:
    """One token per step for every sequence in flight."""
    return batch / step_time


@rule(
    "serving.decode_ceiling",
    cites=("roofline-2009", "pope-2022#sec. 2"),
    label=Bilingual("decode ceiling by memory bandwidth", "按显存带宽的解码上限"),
)
def decode_ceiling(*, batch: Token, bytes_read: Byte, bandwidth: BytePerSecond, tensor_parallel: Ratio) -> TokenPerSecond:
    """What the memory would give if every byte came at its rated bandwidth and nothing else took time: no engine reaches it."""
    return batch * bandwidth * tensor_parallel / bytes_read


@rule("serving.prefill_work", cites=("pope-2022#sec. 2",), label=Bilingual("work of the prompt", "处理提示词的计算量"))
def prefill_work(*, per_token: FlopPerToken, prompt: Token) -> Flop:
    """A forward pass over the prompt."""
    return per_token * prompt


@rule("serving.prefill_time", cites=("pope-2022#sec. 2",), label=Bilingual("prefill time", "预填充时间"))
def prefill_time(*, work: Flop, peak: FlopPerSecond, gpus: Ratio, reached: Ratio, reading: Second, exchange: Second) -> Second:
    """A long prompt is bound by compute, a short one by reading the weights once; then the GPUs of a replica exchange. Waiting in a
    queue is not counted."""
    return greatest(work / (peak * gpus * reached), reading) + exchange


@rule(
    "serving.time_to_first_token",
    cites=("vllm-issue-770", "pope-2022#sec. 2"),
    label=Bilingual("time to first token", "首 token 延迟"),
)
def time_to_first_token(*, prefill: Second, overhead: Second) -> Second:
    """Prefill, and what a server takes of every request whatever its length: tokenising, scheduling, starting kernels."""
    return prefill + overhead


@rule("serving.prefill_speed", cites=("pope-2022#sec. 2",), label=Bilingual("prefill speed", "预填充速度"))
def prefill_speed(*, prompt: Token, time: Second) -> TokenPerSecond:
    """Prompt tokens per second."""
    return prompt / time


@rule(
    "serving.sequences_of_replica",
    cites=("pope-2022#sec. 3",),
    label=Bilingual("sequences on one replica", "单个副本上的并发数"),
)
def sequences_of_replica(*, concurrency: Ratio, replicas: Ratio) -> Ratio:
    """Replicas of the model share the sequences out; the fullest counts."""
    return ceiling(concurrency / replicas)


@rule("serving.batch", cites=("pope-2022#sec. 2",), label=Bilingual("tokens per step of one replica", "单个副本每步 token 数"))
def batch(*, sequences: Ratio, token: Token) -> Token:
    """One token for each of its sequences."""
    return sequences * token


@rule("serving.of_replicas", cites=("pope-2022#sec. 3",), label=Bilingual("of all replicas", "全部副本合计"))
def of_replicas(*, one: Ratio, replicas: Ratio) -> Ratio:
    """What one replica holds, on each of them."""
    return one * replicas


@rule(
    "serving.free",
    cites=("vllm-2023#sec. 1",),
    label=Bilingual("memory left for the KV cache per GPU", "单卡可留给 KV 缓存的显存"),
)
def free(*, available: Byte, weights: Byte, activations: Byte, overhead: Byte) -> Byte:
    """Usable memory less weights, forward pass and runtime; never less than nothing."""
    return greatest(available - weights - activations - overhead, 0 * available)


@rule("serving.max_concurrency", cites=("vllm-2023#sec. 1",), label=Bilingual("most sequences at once", "最大并发数"))
def max_concurrency(*, free: Byte, kv_per_sequence: Byte) -> Ratio:
    """Whole sequences whose cache fits."""
    return whole(free / kv_per_sequence)


@rule("serving.max_context", cites=("vllm-2023#sec. 1",), label=Bilingual("longest context", "最大上下文长度"))
def max_context(*, free: Byte, kv_per_token: Byte, concurrency: Ratio) -> Ratio:
    """Tokens per sequence whose cache fits; the model may allow fewer."""
    return whole(free / (kv_per_token * concurrency))


@rule("serving.gpus_for_load", cites=("roofline-2009",), label=Bilingual("GPUs for the load", "满足负载的显卡数"))
def gpus_for_load(*, demanded: TokenPerSecond, speed: TokenPerSecond, gpu_count: Ratio) -> Ratio:
    """Whole replicas of `gpu_count` GPUs whose decode speed covers the load."""
    return ceiling(demanded / speed) * gpu_count


@rule("serving.demanded", cites=("pope-2022#sec. 2",), label=Bilingual("demanded decode speed", "所需解码速度"))
def demanded(*, requests: Ratio, second: Second, output: Token) -> TokenPerSecond:
    """Requests of one second, each with its output."""
    return requests * output / second


@rule("serving.sustained", cites=("pope-2022#sec. 2",), label=Bilingual("pace with prompts", "含提示词处理的持续速度"))
def sustained(*, sequences: Ratio, replicas: Ratio, output: Token, each: TokenPerSecond, first: Second) -> TokenPerSecond:
    """The sequences of a replica decode together, but their prompts are processed one after another."""
    return sequences * output / (sequences / replicas * first + output / each)


@rule(
    "serving.max_windowed_context",
    cites=("vllm-2023#sec. 1", "window-2023#sec. 2"),
    label=Bilingual("longest context", "最大上下文长度"),
)
def max_windowed_context(*, free: Byte, kv_per_token: Byte, concurrency: Ratio, window: Ratio, windowed: Ratio) -> Ratio:
    """Within the window every layer grows, beyond it only the layers without one."""
    return whole(
        greatest(
            least(free / (kv_per_token * concurrency), window),
            (free / (kv_per_token * concurrency) - windowed * window) / (1 - windowed),
        )
    )


@rule("serving.layers_on_gpus", cites=("llama-cpp-offload",), label=Bilingual("layers on the GPUs", "可放在显卡上的层数"))
def layers_on_gpus(*, free: Byte, gpu_count: Ratio, weights: Byte, kv_cache: Byte, layers: Ratio) -> Ratio:
    """Whole layers with their cache, taken from the end; the rest stays in host memory."""
    return least(layers, whole(free * gpu_count * layers / (weights + kv_cache)))


@rule(
    "serving.left_on_host",
    cites=("llama-cpp-offload",),
    label=Bilingual("host memory for the other layers", "其余层占用的内存"),
)
def left_on_host(*, weights: Byte, kv_cache: Byte, layers: Ratio, on_gpus: Ratio) -> Byte:
    """Weights and cache of the layers that are not on the GPUs."""
    return (weights + kv_cache) * (1 - on_gpus / layers)


@rule(
    "serving.experts_on_host", cites=("ktransformers-2025",), label=Bilingual("experts in host memory", "放在内存中的专家权重")
)
def experts_on_host(*, weights: Byte, experts: Ratio) -> Byte:
    """The routed experts, the fraction `experts` of the parameters."""
    return weights * experts


@rule(
    "serving.beside_experts",
    cites=("ktransformers-2025",),
    label=Bilingual("memory per GPU without experts", "不含专家的单卡显存"),
)
def beside_experts(
    *, weights: Byte, experts: Byte, kv_cache: Byte, activations: Byte, overhead: Byte, gpu_count: Ratio
) -> Byte:
    """Attention, shared parts and cache, divided by layers, and what every GPU needs for itself."""
    return (weights - experts + kv_cache) / gpu_count + activations + overhead


@rule(
    "serving.experts_left",
    cites=("ktransformers-2025",),
    label=Bilingual("experts left to host memory", "留在内存中的专家权重"),
)
def experts_left(*, experts: Byte, rest: Byte, available: Byte, gpu_count: Ratio) -> Byte:
    """Experts that find no room beside the rest on the GPUs."""
    return greatest(experts - greatest(available - rest, 0 * rest) * gpu_count, 0 * experts)


@rule("serving.split_pace", cites=("llama-cpp-offload", "pope-2022#sec. 2"), label=Bilingual("decode speed", "解码速度"))
def split_pace(*, by_host: TokenPerSecond, by_gpus: TokenPerSecond, layers: Ratio, on_gpus: Ratio) -> TokenPerSecond:
    """Layers run one after another: each takes the time of the memory that it stands in."""
    return layers / ((layers - on_gpus) / by_host + on_gpus / by_gpus)


@rule("serving.cached_tokens", cites=("vllm-2023#sec. 4",), label=Bilingual("tokens whose cache fits", "可缓存的 token 数"))
def cached_tokens(*, free: Byte, kv_per_token: Byte) -> Ratio:
    """Of all sequences together."""
    return whole(free / kv_per_token)


@rule(
    "serving.adapters_beside",
    cites=("lora-2021#sec. 4.1", "vllm-2023#sec. 4"),
    label=Bilingual("adapters that fit", "可放下的适配器数"),
)
def adapters_beside(*, free: Byte, kv_cache: Byte, adapter: Byte) -> Ratio:
    """Of what weights and buffers leave over, and beside the cache of the requests."""
    return whole((free - kv_cache) / adapter)


@rule(
    "serving.tokens_on_host",
    cites=("vllm-2023#sec. 4",),
    label=Bilingual("tokens whose cache the host holds", "内存可缓存的 token 数"),
)
def tokens_on_host(*, memory: Byte, kv_per_token: Byte) -> Ratio:
    """Of all histories together, with nothing else in that memory."""
    return whole(memory / kv_per_token)


@rule("serving.within_context", cites=("yarn-2023",), label=Bilingual("longest context", "最大上下文长度"))
def within_context(*, fits: Ratio, context: Ratio) -> Ratio:
    """What fits, but no more than the model was made for."""
    return least(fits, context)


@rule("serving.channels", cites=("ml-engineering#compute/cpu-memory",), label=Bilingual("memory bandwidth", "内存带宽"))
def channels(*, sockets: Ratio, channels: Ratio, rate: TransferPerSecond, width: Byte) -> BytePerSecond:
    """Every channel of every processor carries so many bytes at a transfer."""
    return sockets * channels * rate * width


@rule("serving.sockets", cites=("ml-engineering#compute/cpu-memory",), label=Bilingual("memory bandwidth", "内存带宽"))
def sockets(*, sockets: Ratio, each: BytePerSecond) -> BytePerSecond:
    """Processors each with its own memory."""
    return sockets * each
