"""Layouts to try on one kind of GPU, as columns: an array for each number of a layout, an entry in each for every layout."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.sizing.case import Case
from kb.sizing.defaults import per_node
from kb.types.specs import Bilingual

Array = NDArray[Any]
Columns = Mapping[str, Array]

GRAINS = (0, 1, 2, 3, 4)  # eight, four, two steps to a doubling of GPUs, then one; from the third, other axes are thinned too
MICRO_BATCHES = (1, 2, 4, 8)
MOST_OF_REPLICA = 1024  # sequences at once
DEGREES = ("tensor_parallel", "pipeline_parallel", "context_parallel")

# Why a layout cannot be, before any memory or time is computed.
FAULTS = {
    "server": Bilingual("tensor parallelism would leave the server", "张量并行超出单台服务器"),
    "heads": Bilingual("tensor parallelism does not divide the attention heads", "张量并行度不能整除注意力头数"),
    "layers": Bilingual("the layers do not divide into even pipeline stages", "层数无法均匀分到各流水线阶段"),
    "stages": Bilingual(
        "DeepSpeed does not combine ZeRO-2 or ZeRO-3 with pipeline stages", "DeepSpeed 不支持 ZeRO-2、ZeRO-3 与流水线并行同用"
    ),
    "batch": Bilingual(
        "replicas × micro-batch does not divide the sequences of the global batch", "副本数×微批次不能整除全局批次的序列数"
    ),
}


def layouts(case: Case, most: int, grain: int = 0) -> Columns:
    """Every layout of up to `most` GPUs whose parallel degrees divide them; what the asker fixed is kept. `grain`, one of GRAINS,
    says how coarse the steps are."""
    asked = case.asked
    tensor, pipeline = _tensor(case), _pipeline(case, most)
    if not case.training:
        return _serving(case, _counts(case, most, grain), tensor, pipeline, _stride(grain))
    made = _product(
        gpu_count=_counts(case, most, grain), tensor_parallel=tensor, pipeline_parallel=pipeline,
        context_parallel=_context(case, _stride(grain)), expert_parallel=_experts(case, _stride(grain)),
        micro_batch=[asked.micro_batch] if asked.micro_batch else MICRO_BATCHES[:: _stride(grain)],
    )  # fmt: skip
    made = _where(made, made["gpu_count"] % _of_replica(made) == 0)
    replicas = made["gpu_count"] // (made["tensor_parallel"] * made["pipeline_parallel"])
    return _where(made, replicas % made["expert_parallel"] == 0)


def _serving(case: Case, counts: Sequence[int], tensor: Sequence[int], pipeline: Sequence[int], stride: int) -> Columns:
    """Replicas share the sequences that are said, or each has as many as any other; without a demand there is but one."""
    said = case.asked.concurrency
    made = _product(
        gpu_count=counts, tensor_parallel=tensor, pipeline_parallel=pipeline, context_parallel=[case.degree("context_parallel")],
        concurrency=[said] if said else _powers(MOST_OF_REPLICA)[::stride],
    )  # fmt: skip
    made = _where(made, made["gpu_count"] % _of_replica(made) == 0)
    replicas = made["gpu_count"] // _of_replica(made)
    if not said:
        made = {**made, "concurrency": made["concurrency"] * replicas}
    return _where(made, replicas <= made["concurrency"] if demanded(case) else replicas == 1)


def demanded(case: Case) -> bool:
    """Whether it is said how much a service has to serve; otherwise the best use of one replica is sought."""
    return case.asked.concurrency is not None or case.asked.requests_per_second is not None


def faults(case: Case, columns: Columns) -> dict[str, Array]:
    """By reason, which layouts cannot be; each is counted under its first reason."""
    shape, r = case.shape, case.request
    assert shape is not None
    tensor, stages = columns["tensor_parallel"], columns["pipeline_parallel"]
    found = {"server": tensor > per_node(case)}
    if shape.known("heads"):
        heads, groups = (int(shape[n].value) for n in ("heads", "kv_heads"))
        found["heads"] = (heads % tensor != 0) | ((groups % tensor != 0) & (tensor % groups != 0))
    layers = int(shape["layers"].value) if shape.known("layers") else _usual(shape["layers"].value)
    found["layers"] = np.ceil(layers / stages) * stages > case.constant("search.uneven_stages").value * layers
    if case.training and r.global_batch_tokens and r.seq_len:
        at_once = columns["gpu_count"] // _of_replica(columns) * columns["micro_batch"]
        found["batch"] = max(1, r.global_batch_tokens // r.seq_len) % at_once != 0
    seen = np.zeros(len(tensor), dtype=bool)
    for reason, mask in found.items():
        found[reason], seen = mask & ~seen, seen | mask
    return found


def _usual(layers: float) -> int:
    """The number of layers nearest to an estimate that models of that size are built with: they come in eights."""
    return max(8, 8 * round(layers / 8))


def _stride(grain: int) -> int:
    """Of the powers of two of an axis, every first, second or fourth."""
    return (1, 1, 2, 2, 4)[grain]


def _counts(case: Case, most: int, grain: int) -> Sequence[int]:
    """The number said; or those that divide a server, then whole servers in steps that grow with their number."""
    if case.asked.gpu_count:
        return [case.asked.gpu_count]
    per, unit = per_node(case), fixed(case)
    group = math.lcm(per, unit)
    found = {*_divisors(per), *(group * n for n in _steps(most // group, grain))}
    return sorted(n for n in found if n <= most and n % unit == 0)


def fixed(case: Case) -> int:
    """GPUs of one replica by the degrees that were said."""
    return math.prod(getattr(case.asked, d) or 1 for d in DEGREES)


def _steps(limit: int, grain: int) -> Iterator[int]:
    n = 1
    while n <= limit:
        yield n
        n += 1 << max(0, n.bit_length() - 4 + min(grain, 3))


def _tensor(case: Case) -> Sequence[int]:
    if case.asked.tensor_parallel:
        return [case.asked.tensor_parallel]
    return [1] if case.splits_layers else _divisors(per_node(case))


def _pipeline(case: Case, most: int) -> Sequence[int]:
    """Powers of two, and what divides the layers exactly."""
    if case.asked.pipeline_parallel:
        return [case.asked.pipeline_parallel]
    assert case.shape is not None
    layers = int(case.shape["layers"].value)
    exact = _divisors(layers) if case.shape.known("layers") else []
    return sorted({n for n in (*exact, *_powers(layers)) if n <= most})


def _context(case: Case, stride: int) -> Sequence[int]:
    """Long sequences only: every rank keeps a slice that is worth its communication."""
    if case.asked.context_parallel:
        return [case.asked.context_parallel]
    length = case.request.seq_len or 1
    slices = int(length // case.constant("search.context_slice").value)
    return [n for n in _powers(max(1, slices))[::stride] if length % n == 0]


def _experts(case: Case, stride: int) -> Sequence[int]:
    if case.asked.expert_parallel:
        return [case.asked.expert_parallel]
    if case.shape is None or not case.shape.is_moe or case.adapted:
        return [1]
    experts = int(case.shape["experts"].value)
    return [n for n in _powers(experts)[::stride] if experts % n == 0]


def _of_replica(columns: Columns) -> Array:
    """GPUs of one replica of the model."""
    return columns["tensor_parallel"] * columns["pipeline_parallel"] * columns["context_parallel"]


def _product(**axes: Sequence[int]) -> Columns:
    grid = np.meshgrid(*(np.array(a, dtype=np.int64) for a in axes.values()), indexing="ij")
    return {name: column.ravel() for name, column in zip(axes, grid, strict=True)}


def _where(columns: Columns, mask: Array) -> Columns:
    return {name: column[mask] for name, column in columns.items()}


def _divisors(count: int) -> list[int]:
    return [n for n in range(1, count + 1) if count % n == 0]


def _powers(most: int) -> list[int]:
    return [1 << i for i in range(max(1, most).bit_length())]
