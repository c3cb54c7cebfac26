"""Does it fit, on how many GPUs would it, and what is the cheapest change that makes it fit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kb.errors import InvalidInput
from kb.sizing.case import Case
from kb.sizing.defaults import laid_out, per_node, replicable
from kb.sizing.plans import pace, serving, training
from kb.sizing.plans.footprint import Footprint
from kb.sizing.plans.offered import usable
from kb.sizing.rules import cluster, memory
from kb.types.answer import Verdict
from kb.types.derivation import Node

MOST_GPUS = 200_000
ROUNDS = 40  # numbers of GPUs tried
OPEN = (
    "tensor_parallel",
    "pipeline_parallel",
    "context_parallel",
    "expert_parallel",
    "zero_stage",
    "shard_degree",
    "sequence_parallel",
)  # of a layout
RANKS = (2, 4, 8, 16, 32, 64)  # GPUs over which a sequence is split
WIDTHS, STAGES = (1, 2, 4, 8), (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class Fit:
    """A laid-out case, what it needs and what a GPU offers; `available` None when no memory size is known. `alone`: what the same job
    fills of one GPU, where that was tried on the way."""

    case: Case
    found: Footprint
    available: Node | None
    alone: float | None = None

    @property
    def ratio(self) -> float:
        return self.found.per_gpu.value / self.available.value if self.available else 0.0


def fit(case: Case, gpu_count: int) -> Fit:
    """The case on `gpu_count` GPUs. Raises InvalidInput when the layout that was asked for does not divide."""
    if case.adapted and replicable(case):
        whole = _trained(_placed(case.but(zero_stage=0), gpu_count))
        if whole.ratio <= 1 and _feeds(whole.case):
            return whole
    placed = _placed(case, gpu_count)
    if not placed.training:
        return Fit(placed, serving.footprint(placed), usable(placed))
    tried = _trained(placed)
    return _sparing(tried) if _waits(placed) else tried


def _trained(placed: Case) -> Fit:
    return Fit(placed, training.footprint(placed), usable(placed))


def _waits(case: Case) -> bool:
    """Whether full sharding, which nobody asked for, waits for what GPUs exchange."""
    r, open_still = case.request, case.asked.zero_stage is None and case.asked.shard_degree is None
    return open_still and r.zero_stage == 3 and pace.waits(case)


def _sparing(tried: Fit) -> Fit:
    """A faster layout that GPUs hold with room: the fastest of all states sharded inside each server and optimizer states alone sharded;
    else the first with layers or experts split inside servers and stages across, or states sharded inside the smallest groups of
    servers; else the one that was tried."""
    case, room, pace_there = tried.case, tried.case.constant("fits.below").value, pace.speed(tried.case)
    server = case.linked_gpus // case.degree("tensor_parallel")
    groups = [n for n in range(server, case.holders, server) if case.holders % n == 0]
    timed = case.request.workload == "pretrain" or (case.request.tokens and not case.adapted)
    inside = [case.but(shard_degree=n) for n in groups if n == server]
    across = [case.but(shard_degree=n) for n in groups[1:]]
    staged = _staged(case) if case.gpu_count > case.linked_gpus else ()

    def faster(placed: Case) -> Fit | None:
        found = _trained(placed)
        return found if found.ratio < room and pace.speed(placed) > pace_there else None

    near = [found for placed in (*inside, *([case.but(zero_stage=1)] if timed else ())) if (found := faster(placed))]
    if near:
        return max(near, key=lambda found: pace.speed(found.case))
    return next((found for placed in (*staged, *across) if (found := faster(placed))), tried)


def _staged(case: Case) -> Iterator[Case]:
    """Tensor parallelism inside servers, then as many pipeline stages as servers, or fewer: the fewer, the more traffic of gradients. Of
    a mixture experts are spread inside servers, over the fewest stages that hold it."""
    r = case.asked
    stated = r.tensor_parallel or r.pipeline_parallel or r.context_parallel or r.expert_parallel
    if case.adapted or stated or case.shape is None:
        return
    width, layers = 1 if case.shape.is_moe else _widest(case, case.gpu_count), case.shape["layers"].value
    group = width * case.degree("context_parallel")
    possible = [p for p in STAGES if case.gpu_count % (group * p) == 0 and p <= layers]
    for stages in possible if case.shape.is_moe else reversed(possible):
        yield laid_out(
            case.but(
                tensor_parallel=width, pipeline_parallel=stages, expert_parallel=None, zero_stage=1, sequence_parallel=None
            ),
            case.gpu_count,
        )


def _placed(case: Case, gpu_count: int) -> Case:
    """The case laid out. For pretraining, where that is open: the narrowest tensor and then context parallelism with which what no
    further GPU divides fits on one, and replicas are no more than the batch has micro-batches; with it pipeline stages, since gathering
    whole shards across servers then no longer hides. More GPUs never make it narrower, so they never need more memory each."""
    r = case.request
    stated = r.tensor_parallel or r.pipeline_parallel or r.context_parallel
    if stated or gpu_count == 1 or case.shape is None or case.available_memory is None:
        return laid_out(case, gpu_count)
    if r.workload != "pretrain":
        return _fed(case, gpu_count)
    # whoever says how states are sharded means no other split, unless the estimate is too high beyond its own uncertainty
    tolerated = 1 if r.zero_stage is None else 1 / case.constant("interval.training_memory.low").value
    widest, layout, placed = _widest(case, gpu_count), dict[str, int](), case
    for layout in _layouts(case, gpu_count):
        placed = laid_out(case.but(**layout), gpu_count)
        room = usable(placed)
        fits = room is None or sum(part.value for part in training.working(placed).values()) <= room.value * tolerated
        if fits and (
            r.zero_stage is not None
            or layout.get("tensor_parallel") == widest
            or placed.data_parallel <= _most_replicas(placed)
        ):
            break
    if r.zero_stage is None and "tensor_parallel" in layout and gpu_count > per_node(case):
        stages = _stages(case, gpu_count, layout)
        return laid_out(case.but(**layout, zero_stage=1, pipeline_parallel=stages), gpu_count)
    return placed


def _fed(case: Case, gpu_count: int) -> Case:
    """Fine-tuning laid out: replicas, and where a batch that was stated has too few micro-batches to feed all of them, the narrowest
    tensor and then context parallelism with which each has one."""
    placed = laid_out(case, gpu_count)
    if case.request.global_batch_tokens is None or case.request.zero_stage is not None:
        return placed
    most = _most_replicas(placed)
    found = (laid_out(case.but(**layout), gpu_count) for layout in _layouts(case, gpu_count))
    return next((one for one in found if one.data_parallel <= most), placed)


def _feeds(placed: Case) -> bool:
    """Whether a batch, where one was stated, has a micro-batch for every replica."""
    return placed.request.global_batch_tokens is None or placed.data_parallel <= _most_replicas(placed)


def _most_replicas(case: Case) -> float:
    """The micro-batches of a global batch."""
    return pace.batch(case.but(tensor_parallel=case.gpu_count)).value / (
        (case.request.micro_batch or 1) * (case.request.seq_len or 1)
    )


def _layouts(case: Case, gpu_count: int) -> Iterator[dict[str, int]]:
    """Tensor parallelism inside a server, then context parallelism across."""
    yield {}
    widest = _widest(case, gpu_count)
    yield from ({"tensor_parallel": t} for t in WIDTHS if 1 < t <= widest)
    for c in WIDTHS[1:]:
        if gpu_count % (widest * c) == 0 and (case.request.seq_len or 0) % c == 0:
            yield {"tensor_parallel": widest, "context_parallel": c}


def _widest(case: Case, gpu_count: int) -> int:
    """The widest usual tensor parallelism that a server, the GPUs and the heads allow."""
    shape = case.shape
    heads = int(shape["heads"].value) if shape and shape.known("heads") else per_node(case)
    return max(t for t in WIDTHS if t <= per_node(case) and gpu_count % t == 0 and heads % t == 0)


def _stages(case: Case, gpu_count: int, layout: dict[str, int]) -> int:
    """Pipeline stages whose weights and gradients leave a GPU most of its memory, and whose replicas a stated batch can feed; one that
    was not stated grows with the replicas."""
    assert case.shape is not None and case.available_memory is not None
    width = layout["tensor_parallel"] * layout.get("context_parallel", 1)
    held = 2 * case.shape["parameters"].value * case.constant("training_element.bf16").value / layout["tensor_parallel"]
    room = case.available_memory.value * case.constant("stage_share").value
    layers, fixed = case.shape["layers"].value, case.request.global_batch_tokens is not None
    most = _most_replicas(case.but(gpu_count=gpu_count, **layout)) if fixed else gpu_count
    possible = [p for p in STAGES if gpu_count % (width * p) == 0 and p <= layers]
    return next((p for p in possible if held / p <= room and gpu_count / (width * p) <= most), possible[-1])


def verdict(case: Case, ratio: float) -> Verdict:
    if ratio < case.constant("fits.below").value:
        return "fits"
    return "fits_with_conditions" if ratio <= case.constant("fits.up_to").value else "does_not_fit"


def smallest(case: Case) -> Fit | None:
    """The fewest GPUs, in practical numbers, whose usable memory holds the case, a sequence of tuning split over several where none
    holds one; None when no number would. Raises InvalidInput when not even the first can be laid out; a later one that cannot has more
    replicas than the global batch has sequences."""
    return _smallest(case) or splitting(case)


def splitting(case: Case) -> Fit | None:
    """The fewest GPUs, with room where that can be, with each sequence of tuning split over several of them; None where no number holds
    it so, or the layout was said."""
    r, room = case.request, case.constant("fits.below").value
    if not case.training or r.workload == "pretrain" or r.tensor_parallel or r.pipeline_parallel or r.context_parallel:
        return None
    found = (tried for n in RANKS if (r.seq_len or 0) % n == 0 and (tried := _smallest(case.but(context_parallel=n))))
    return min(found, key=lambda tried: (tried.ratio >= room, tried.case.gpu_count), default=None)


def _smallest(case: Case) -> Fit | None:
    count, alone = practical(case, 1), None
    for tries in range(ROUNDS):
        try:
            tried = fit(case, count)
        except InvalidInput:
            if not tries:
                raise
            return None
        alone = tried.ratio if count == 1 else alone
        if tried.available is None or tried.ratio <= 1:
            return replace(tried, alone=alone)
        least = least_gpus(tried)
        hopeless = least.value <= 0 and (not case.training or count >= per_node(case))  # a wider layout may still help
        if least.value > MOST_GPUS or hopeless:
            spare = case.training and case.request.recompute is None
            return _smallest(case.but(recompute="full")) if spare else None
        count = practical(case, max(int(least.value), count + 1))
    return None


def least_gpus(tried: Fit) -> Node:
    """The bare minimum: GPUs that hold what can be divided beside what each needs for itself."""
    assert tried.available is not None
    case, whole, parts = tried.case, tried.found.whole, tried.found.parts
    count = case.field("gpu_count")
    share = (
        whole["divisible_per_gpu"]
        if case.training
        else memory.serving_share(weights=parts["weights"], kv_cache=parts["kv_cache"])
    )
    slack = case.constant("no_slack")
    divided = memory.divided(share=share, slack=slack, gpu_count=count)
    fixed = memory.fixed(needed=tried.found.per_gpu, divided=divided, gpu_count=count)
    if fixed.value >= tried.available.value:
        return slack
    least = memory.gpus(divisible=divided, fixed=fixed, available=tried.available)
    asked = case.asked
    split = (asked.tensor_parallel or 1) * (asked.pipeline_parallel or 1) * int(case.degree("context_parallel"))
    return cluster.of_layout(least=least, split=case.group(split)) if 0 < least.value < split else least


def counted(tried: Fit, least: Node) -> Node:
    """The practical number as a step from the bare minimum."""
    case, chosen = tried.case, tried.case.gpu_count
    group = next(g for g in (1, 2, 4, per_node(case), chosen) if math.ceil(least.value / g) * g == chosen)
    return cluster.practical(least=least, group=case.group(group))


def practical(case: Case, count: int) -> int:
    """The next number of GPUs in which they come: a power of two inside a server, then whole servers, in whole replicas."""
    stages, expert = case.degree("pipeline_parallel"), case.degree("expert_parallel")
    per, step = per_node(case), math.lcm(case.model_parallel, stages * expert if case.training else 1)
    sizes = [1 << i for i in range(11) if 1 << i < per] + [per]
    inside = next((s for s in sizes if s >= count and s % step == 0), None)
    if inside:
        return inside
    unit = math.lcm(per, step) if step > 1 else per
    return math.ceil(count / unit) * unit
