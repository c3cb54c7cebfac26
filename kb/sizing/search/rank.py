"""Which of the layouts that are allowed to show: the best of each place, the Pareto front, the order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kb.sizing.search.layouts import Array
from kb.types.planning import Objective

SHOWN = 12
DIGITS = 9  # figures that agree so far are the same
SIMPLER = ("pipeline_parallel", "context_parallel", "tensor_parallel", "zero_stage")
ORDER: dict[Objective, tuple[str, ...]] = {
    "cost": ("cost", "time", "gpu_count"),
    "time": ("time", "cost", "gpu_count"),
    "gpus": ("gpu_count", "time", "cost"),
}


def best_of_each_place(table: dict[str, Array], objective: Objective, place: Sequence[str] = ("gpu", "gpu_count")) -> Array:
    """For every `place`, such as each kind and number of GPUs, the row of its best layout: one that fits with room
    before one that is tight, then the better by the objective, then the simpler and emptier. Rows in the order of the objective, those
    that fill more than the usable memory last."""
    first, *others = ORDER[objective]
    if "filled" in table:
        table = {**table, "over": np.asarray(table["filled"], dtype=float) > 1}
    keys = [*place, "over", "tight", first, *others, *SIMPLER, "filled"]
    order = np.lexsort([_rounded(table[k]) for k in reversed(keys) if k in table])
    held = np.stack([table[k][order] for k in place])
    new = np.ones(len(order), dtype=bool)
    new[1:] = (held[:, 1:] != held[:, :-1]).any(axis=0)
    best = order[new]
    ranking = ["over", first, *others, "tight", *place]
    return best[np.lexsort([_rounded(table[k][best]) for k in reversed(ranking) if k in table])]


def front(table: dict[str, Array], rows: Array) -> Array:
    """Which of the rows no other row beats: none is at least as good in cost, time and number of GPUs and better in one."""
    points = np.stack([_rounded(table[k][rows]) for k in ("cost", "time", "gpu_count")], axis=1)
    beaten = np.zeros(len(rows), dtype=bool)
    for point in points:
        beaten |= (point <= points).all(axis=1) & (point < points).any(axis=1)
    return ~beaten


def shown(table: dict[str, Array], ranked: Array, pareto: Array) -> list[int]:
    """Positions in `ranked` to show, at most SHOWN of them: the first, the best of each kind of GPU, the front from end to end, and
    what else ranks high."""
    kinds = table["gpu"][ranked]
    picked = [int(np.argmax(kinds == kind)) for kind in dict.fromkeys(kinds.tolist())][: SHOWN // 2]
    on_front = np.flatnonzero(pareto)
    spread = np.linspace(0, len(on_front) - 1, min(SHOWN - len(picked), len(on_front))).round().astype(int)
    picked += on_front[np.unique(spread)].tolist()
    picked += range(len(ranked))
    return sorted(list(dict.fromkeys(picked))[:SHOWN])


def _rounded(values: Array) -> Array:
    """To DIGITS significant digits, so that what differs by rounding alone ranks by the next criterion."""
    values = np.asarray(values, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 10.0 ** (DIGITS - 1 - np.floor(np.log10(np.abs(values))))
        rounded: Array = np.where(np.isfinite(scale), np.round(values * scale) / scale, values)
    return rounded
