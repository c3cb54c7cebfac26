"""All layouts of all kinds of GPU with what the recipes say of them, as one table of columns."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kb.errors import InvalidInput
from kb.sizing.case import Case
from kb.sizing.contradictions import check_run
from kb.sizing.defaults import per_node
from kb.sizing.search.layouts import FAULTS, GRAINS, Array, Columns, faults, layouts
from kb.sizing.search.measures import measured
from kb.types.sizing import SizingRequest
from kb.types.specs import Bilingual

MOST_LAYOUTS = 400_000
RECOMPUTE = ("none", "selective", "full")
STAGES = (0, 1, 2, 3)
SHARDS_GRADIENTS = 2  # from this stage on


@dataclass(frozen=True, slots=True)
class Fault:
    """Layouts that cannot be, and one of them as a request."""

    reason: str
    text: Bilingual
    count: int
    example: SizingRequest


@dataclass(frozen=True, slots=True)
class Tried:
    """`columns` hold an entry for every layout that can be: the numbers of the layout, `gpu` (its place in `kinds`), `zero_stage`,
    `recompute` (its place in RECOMPUTE), `filled`, `time`, `cost`, `speed` and `tight`."""

    kinds: Sequence[Case]
    columns: dict[str, Array]
    faults: Sequence[Fault]
    grain: int

    def __len__(self) -> int:
        return len(self.columns["gpu"]) if self.columns else 0

    def request(self, row: int) -> SizingRequest:
        """The layout of a row as a request that says all of it."""
        of = {name: int(column[row]) for name, column in self.columns.items() if column.dtype.kind == "i"}
        case = self.kinds[of.pop("gpu")]
        if case.training:
            return _request(case, of | {"recompute": RECOMPUTE[of["recompute"]]})
        return _request(case, of)


def tried(kinds: Sequence[Case], most: int) -> Tried:
    """Every layout of up to `most` GPUs on each kind, through the recipes; in coarser steps when they would be too many."""
    parts: list[dict[str, Array]] = []
    wrong: list[Fault] = []
    grain, grids = _grids(kinds, most)
    for place, case in enumerate(kinds):
        columns = grids[per_node(case)]
        ways = _ways(case)
        try:
            check_run(case)
        except InvalidInput as error:
            wrong.append(Fault("hardware", Bilingual(error.en, error.zh), len(columns["gpu_count"]) * len(ways), case.asked))
            continue
        masks = faults(case, columns)
        counts: dict[str, int] = defaultdict(int)
        examples: dict[str, Mapping[str, Any]] = {}
        for way in ways:
            sensible = _sensible(case, way, columns)
            failing = masks | {"stages": _unsupported(case, way, columns) & ~np.any(list(masks.values()), axis=0)}
            for reason, mask in failing.items():
                counts[reason] += int((mask & sensible).sum())
                if mask.any():
                    examples.setdefault(reason, {n: int(c[np.argmax(mask)]) for n, c in columns.items()} | way)
            kept = {n: c[sensible & ~np.any(list(failing.values()), axis=0)] for n, c in columns.items()}
            if len(kept["gpu_count"]):
                parts.append(_measured(case, way, kept, place))
        for reason, count in counts.items():
            if count:
                wrong.append(Fault(reason, FAULTS[reason], count, _request(case, examples[reason])))
    columns = {n: np.concatenate([p[n] for p in parts]) for n in parts[0]} if parts else {}
    return Tried(kinds, columns, wrong, grain)


def _grids(kinds: Sequence[Case], most: int) -> tuple[int, dict[int, Columns]]:
    """The layouts for each size of server, which is all that tells kinds apart here, and how coarse they had to be."""
    of_size = {per_node(case): case for case in kinds}
    for grain in GRAINS:
        grids = {size: layouts(case, most, grain) for size, case in of_size.items()}
        if sum(len(grids[per_node(case)]["gpu_count"]) * len(_ways(case)) for case in kinds) <= MOST_LAYOUTS:
            break
    return grain, grids


def _ways(case: Case) -> list[dict[str, Any]]:
    """What layouts share that are computed together: ZeRO stage and recomputation, as said or each of them."""
    if not case.training:
        return [{}]
    asked = case.asked
    stages = STAGES if asked.zero_stage is None else (asked.zero_stage,)
    kinds = RECOMPUTE if asked.recompute is None else (asked.recompute,)
    return [{"zero_stage": s, "recompute": k} for s in stages for k in kinds]


def _sensible(case: Case, way: Mapping[str, Any], columns: Columns) -> Array:
    """Without replicas there is nothing to shard: every stage would be the same."""
    if not way.get("zero_stage") or case.asked.zero_stage is not None:
        return np.ones(len(columns["gpu_count"]), dtype=bool)
    alone: Array = columns["tensor_parallel"] * columns["pipeline_parallel"] < columns["gpu_count"]
    return alone


def _unsupported(case: Case, way: Mapping[str, Any], columns: Columns) -> Array:
    """Pipelines sum whole gradients over their micro-batches: DeepSpeed (runtime/pipe/engine.py) refuses them where gradients are sharded.
    A stage that was asked for is tried all the same."""
    open_still = case.asked.zero_stage is None and way.get("zero_stage", 0) >= SHARDS_GRADIENTS
    staged: Array = (columns["pipeline_parallel"] > 1) & open_still
    return staged


def _measured(case: Case, way: Mapping[str, Any], columns: Columns, place: int) -> dict[str, Array]:
    sequence = {"sequence_parallel": case.asked.sequence_parallel is not False} if case.training else {}
    shared = case.but(**way, **sequence, gpus_per_node=per_node(case), purchase_price=None)
    found = dict(columns) | measured(shared, columns)
    entries = len(columns["gpu_count"])
    found["gpu"] = np.full(entries, place)
    if way:
        found["zero_stage"] = np.full(entries, way["zero_stage"])
        found["recompute"] = np.full(entries, RECOMPUTE.index(way["recompute"]))
    found["tight"] = (found["filled"] >= case.constant("fits.below").value).astype(float)
    return found


def _request(case: Case, layout: Mapping[str, Any]) -> SizingRequest:
    """A layout as a request. How the weights of a service are stored is part of it: what is assumed of them decides the verdict."""
    said = {**layout} if case.training else {"quantization": case.request.quantization, **layout}
    return dataclasses.replace(case.asked, **said)
