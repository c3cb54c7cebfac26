"""Traffic between GPUs."""

from __future__ import annotations

from kb.sizing.elementwise import greatest, least
from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Byte, BytePerSecond, Ratio, Second, Token


@rule(
    "communication.all_reduce",
    cites=("zero-2020#sec. 7",),
    label=Bilingual("traffic of an all-reduce per GPU", "单卡 all-reduce 通信量"),
)
def all_reduce(*, size: Byte, ranks: Ratio) -> Byte:
    """A ring sends every byte twice, less one share."""
    return 2 * (ranks - 1) / ranks * size


@rule(
    "communication.all_reduce_bound",
    cites=("zero-2020#sec. 7",),
    label=Bilingual("traffic of an all-reduce, many ranks", "all-reduce 通信量（多卡极限）"),
)
def all_reduce_bound(*, size: Byte) -> Byte:
    """What a ring sends of every byte when the ranks are many: twice."""
    return 2 * size


@rule(
    "communication.all_gather",
    cites=("nccl-tests", "zero-2020#sec. 7.2.2"),
    label=Bilingual("traffic of an all-gather per GPU", "单卡 all-gather 通信量"),
)
def all_gather(*, size: Byte, ranks: Ratio) -> Byte:
    """Of the whole that every rank ends up with it receives all but its own share."""
    return (ranks - 1) / ranks * size


@rule(
    "communication.reduce_scatter",
    cites=("nccl-tests", "zero-2020#sec. 7.2.2"),
    label=Bilingual("traffic of a reduce-scatter per GPU", "单卡 reduce-scatter 通信量"),
)
def reduce_scatter(*, size: Byte, ranks: Ratio) -> Byte:
    """Of the whole that every rank starts with it sends all but its own share."""
    return (ranks - 1) / ranks * size


@rule(
    "communication.all_to_all",
    cites=("nccl-tests",),
    label=Bilingual("traffic of an all-to-all per GPU", "单卡 all-to-all 通信量"),
)
def all_to_all(*, size: Byte, ranks: Ratio) -> Byte:
    """Every rank keeps one part of what it holds and sends the others."""
    return (ranks - 1) / ranks * size


@rule(
    "communication.rails",
    cites=("all-reduce-2025",),
    label=Bilingual("bandwidth of a server's network cards", "单机全部网卡带宽"),
)
def rails(*, network: BytePerSecond, gpus: Ratio) -> BytePerSecond:
    """GPUs of a server each send their share over a card of their own (rails): what a server sends leaves by all of them at once."""
    return network * gpus


@rule(
    "communication.sharded",
    cites=("zero-2020#sec. 7.2.2",),
    label=Bilingual("traffic of full sharding per GPU", "完全分片的单卡通信量"),
)
def sharded(*, size: Byte, ranks: Ratio) -> Byte:
    """Weights gathered twice, gradients scattered once."""
    return 3 * (ranks - 1) / ranks * size


@rule(
    "communication.gathered_frozen",
    cites=("zero-2020#sec. 7.2.2", "lora-2021#sec. 4.1"),
    label=Bilingual("traffic of sharded frozen weights per GPU", "冻结权重分片的单卡通信量"),
)
def gathered_frozen(*, size: Byte, ranks: Ratio, times: Ratio) -> Byte:
    """Weights gathered forward and backward for every micro-batch; none of their gradients is scattered."""
    return 2 * (ranks - 1) / ranks * size * times


@rule("communication.time", cites=("narayanan-2021#sec. 3.3",), label=Bilingual("time of the traffic", "通信时间"))
def time(*, traffic: Byte, bandwidth: BytePerSecond) -> Second:
    """Bytes sent over the link's bandwidth in one direction."""
    return traffic / bandwidth


@rule("communication.batch", cites=("narayanan-2021#sec. 2",), label=Bilingual("tokens of a step", "每步 token 数"))
def batch(*, usual: Token, smallest: Token) -> Token:
    """The batch that is wanted, and at least one micro-batch on every replica."""
    return greatest(usual, smallest)


@rule("communication.bubble", cites=("narayanan-2021#sec. 2.2",), label=Bilingual("pipeline bubble", "流水线气泡"))
def bubble(*, stages: Ratio, micro_batches: Ratio, virtual: Ratio) -> Ratio:
    """Idle time over useful time."""
    return (stages - 1) / (virtual * micro_batches)


@rule(
    "communication.bubble_share",
    cites=("narayanan-2021#sec. 2.2", "gpipe-2018#sec. 2.3"),
    label=Bilingual("idle share of the pipeline's time", "气泡占总时间的比例"),
)
def bubble_share(*, stages: Ratio, micro_batches: Ratio, virtual: Ratio) -> Ratio:
    """Idle time over all the time."""
    return (stages - 1) / (virtual * micro_batches + stages - 1)


@rule(
    "communication.tensor_parallel",
    cites=("korthikanti-2022#sec. 4.2.2", "megatron-2019#sec. 3"),
    label=Bilingual("tensor-parallel traffic of a micro-batch", "单个微批次的张量并行通信量"),
)
def tensor_parallel(
    *, tokens: Ratio, hidden: Ratio, element: Byte, layers: Ratio, passes: Ratio,
    tensor_parallel: Ratio, pipeline_parallel: Ratio, context_parallel: Ratio,
) -> Byte:  # fmt: skip
    """Four all-reduces a layer, two forward and two backward, half as many again when the forward pass runs twice (`passes`)."""
    return (
        8 * (tensor_parallel - 1) / tensor_parallel * tokens * hidden * element * layers * passes
        / (pipeline_parallel * context_parallel)
    )  # fmt: skip


@rule(
    "communication.experts",
    cites=("moe-2021#sec. 3",),
    label=Bilingual("expert-parallel traffic of a micro-batch", "单个微批次的专家并行通信量"),
)
def experts(
    *, tokens: Ratio, hidden: Ratio, element: Byte, layers: Ratio, top_k: Ratio, expert_parallel: Ratio, shares: Ratio
) -> Byte:
    """Every token goes to its experts and back, forward and backward."""
    return 4 * tokens * hidden * element * layers * top_k * (expert_parallel - 1) / (expert_parallel * shares)


@rule("communication.exposed", cites=("published-runs",), label=Bilingual("time of the traffic", "通信时间"))
def exposed(*, traffic: Byte, bandwidth: BytePerSecond, cost: Ratio) -> Second:
    """`cost` is what published runs pay of the ideal time: more than 1 for protocols, less where computing hides it."""
    return traffic * cost / bandwidth


@rule(
    "communication.waiting",
    cites=("zero-2020#sec. 7", "published-runs"),
    label=Bilingual("waiting for the network", "等待通信"),
)
def waiting(*, traffic: Second, computing: Second, hidden: Ratio) -> Second:
    """What of the traffic does not hide behind the share `hidden` of computing."""
    return greatest(traffic, hidden * computing) - hidden * computing


@rule(
    "communication.waiting_twice",
    cites=("zero-2020#sec. 7", "fsdp-2023#sec. 3.2.2"),
    label=Bilingual("waiting for both kinds of traffic", "等待两类通信"),
)
def waiting_twice(*, first: Second, second: Second) -> Second:
    """Under hybrid sharding for weights inside a group and for gradients across the groups; in a pipeline for gradients and for
    activations between its stages."""
    return first + second


@rule(
    "communication.between_stages",
    cites=("narayanan-2021#sec. 3.2", "narayanan-2021#sec. 4.1"),
    label=Bilingual("traffic between pipeline stages per GPU", "流水线级间的单卡通信量"),
)
def between_stages(*, tokens: Ratio, hidden: Ratio, element: Byte, times: Ratio, shares: Ratio) -> Byte:
    """The activations of every micro-batch forward and their gradients backward, of which each rank of a stage sends its share."""
    return 2 * tokens * hidden * element * times / shares


@rule(
    "communication.hideable",
    cites=("zero-2020#sec. 7",),
    label=Bilingual("computing that can hide traffic", "可掩盖通信的计算时间"),
)
def hideable(*, busy: Second, micro_batches: Ratio, usable: Ratio) -> Second:
    """Weights are gathered during all of a step; gradients are summed during its last micro-batches, `usable` of them."""
    return busy * least(micro_batches, usable)


@rule(
    "communication.across_servers",
    cites=("ml-engineering#network",),
    label=Bilingual("network of one GPU's data-parallel traffic", "单卡数据并行可用网络带宽"),
)
def across_servers(*, link: BytePerSecond, network: BytePerSecond, linked: Ratio, parts: Ratio) -> BytePerSecond:
    """Of the GPUs that a link joins every one of `parts` holds other values. Those that hold the same sum up among themselves first, and
    share the network of all of them; no faster than that link."""
    return least(link, network * greatest(linked / parts, 1))


@rule(
    "communication.across_domains",
    cites=("ml-engineering#network",),
    label=Bilingual("link of an all-reduce across servers", "跨机 all-reduce 的单卡带宽"),
)
def across_domains(*, link: BytePerSecond, network: BytePerSecond, linked: Ratio) -> BytePerSecond:
    """GPUs that a link joins sum up among themselves, and send the sum over the network ports of all of them at once."""
    return least(link, network * linked)


@rule(
    "communication.hiding_network",
    cites=("zero-2020#sec. 7", "ml-engineering#network"),
    label=Bilingual("network per GPU that hides the traffic", "可掩盖通信的单卡网络带宽"),
)
def hiding_network(
    *, traffic: Byte, cost: Ratio, computing: Second, hidden: Ratio, linked: Ratio, parts: Ratio
) -> BytePerSecond:
    """The traffic of linked GPUs that hold the same weights, in the time of the computing that hides it."""
    return traffic * cost / (hidden * computing * greatest(linked / parts, 1))


@rule(
    "communication.port_share",
    cites=("ml-engineering#network",),
    label=Bilingual("network of one GPU", "单卡网络带宽"),
)
def port_share(*, port: BytePerSecond, sharers: Ratio) -> BytePerSecond:
    """GPUs that send over one port share it."""
    return port / sharers


@rule("communication.one_way", cites=("ml-engineering#network",), label=Bilingual("link in one direction", "单向互联带宽"))
def one_way(*, link: BytePerSecond) -> BytePerSecond:
    """Data sheets add up both directions."""
    return link / 2


@rule(
    "communication.gathered_per_step",
    cites=("zero-2020#sec. 7.2.2",),
    label=Bilingual("full-sharding traffic of a step", "每步完全分片通信量"),
)
def gathered_per_step(*, once: Byte, times: Ratio) -> Byte:
    """Weights are gathered for every micro-batch anew."""
    return once * greatest(times, 1)


@rule(
    "communication.model_chunks",
    cites=("narayanan-2021#sec. 2.2.2",),
    label=Bilingual("model chunks per stage", "每级模型块数"),
)
def model_chunks(*, layers: Ratio, stages: Ratio, layers_per_chunk: Ratio) -> Ratio:
    """Interleaved pipelines cut a stage's layers into chunks; one chunk at least."""
    return greatest(layers / (stages * layers_per_chunk), 1)
