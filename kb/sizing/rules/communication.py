"""Traffic between GPUs."""

from __future__ import annotations

from kb.sizing.elementwise import greatest
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
    "communication.sharded",
    cites=("zero-2020#sec. 7.2.2",),
    label=Bilingual("traffic of full sharding per GPU", "完全分片的单卡通信量"),
)
def sharded(*, size: Byte, ranks: Ratio) -> Byte:
    """Weights gathered twice, gradients scattered once."""
    return 3 * (ranks - 1) / ranks * size


@rule("communication.time", cites=("narayanan-2021#sec. 3.3",), label=Bilingual("time of the traffic", "通信时间"))
def time(*, traffic: Byte, bandwidth: BytePerSecond) -> Second:
    """Bytes sent over the link's bandwidth in one direction."""
    return traffic / bandwidth


@rule(
    "communication.bandwidth",
    cites=("narayanan-2021#sec. 3.3",),
    label=Bilingual("network per GPU that hides the traffic", "可掩盖通信的单卡网络带宽"),
)
def bandwidth(*, traffic: Byte, time: Second) -> BytePerSecond:
    """The traffic of a step in the time of a step."""
    return traffic / time


@rule("communication.batch", cites=("narayanan-2021#sec. 2",), label=Bilingual("tokens of a step", "每步 token 数"))
def batch(*, usual: Token, smallest: Token) -> Token:
    """The batch that is wanted, and at least one micro-batch on every replica."""
    return greatest(usual, smallest)


@rule("communication.bubble", cites=("narayanan-2021#sec. 2.2",), label=Bilingual("pipeline bubble", "流水线气泡"))
def bubble(*, stages: Ratio, micro_batches: Ratio, virtual: Ratio) -> Ratio:
    """Idle time over useful time."""
    return (stages - 1) / (virtual * micro_batches)
