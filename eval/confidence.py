"""How much an answer's `confidence` is worth: the constants of kb/answering/confidence.py fitted to run records, cross-validated.

An answer's way is its kind, or the reason for which it was declined. For every way but quoted passages the constant is the share that
passed, add-one smoothed; for passages the line (log-odds over nearness) is corrected by Platt scaling of what the records were told.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from eval.runner import calibration_error
from kb.answering.confidence import PASSAGES

Record = dict[str, Any]
FOLDS = 5
STEPS = 50  # of Newton's method; it settles in fewer
RIDGE = 1.0  # pulls the correction to (0, 1): leave the line as it is


def way(case: Record) -> str:
    """The key of the constant that an answer's confidence came from."""
    return str(case.get("reason") or case["kind"])


def shares(cases: Sequence[Record]) -> dict[str, float]:
    """The share right of every way but passages."""
    held: dict[str, list[bool]] = defaultdict(list)
    for case in cases:
        held[way(case)].append(case["passed"])
    return {name: (sum(p) + 1) / (len(p) + 2) for name, p in sorted(held.items()) if name != "passages"}


def correction(cases: Sequence[Record]) -> tuple[float, float]:
    """(a, b) of right ~ logistic(a + b * told log-odds) over the passages; (0, 1) when there are none."""
    told = [(_log_odds(c["confidence"]), float(c["passed"])) for c in cases if way(c) == "passages"]
    a, b = 0.0, 1.0
    for _ in range(STEPS):
        ga, gb, haa, hab, hbb = RIDGE * a, RIDGE * (b - 1), RIDGE, 0.0, RIDGE
        for x, y in told:
            p = 1 / (1 + math.exp(-(a + b * x)))
            w = p * (1 - p)
            ga, gb, haa, hab, hbb = ga + p - y, gb + (p - y) * x, haa + w, hab + w * x, hbb + w * x * x
        determinant = haa * hbb - hab * hab
        a, b = a - (hbb * ga - hab * gb) / determinant, b - (haa * gb - hab * ga) / determinant
    return a, b


def fitted(cases: Sequence[Record]) -> tuple[Mapping[str, float], tuple[float, float]]:
    """The constants as they should be: shares, and the start and slope of the line of passages."""
    a, b = correction(cases)
    return shares(cases), (a + b * PASSAGES[0], b * PASSAGES[1])


def crossed(cases: Sequence[Record]) -> tuple[float | None, float | None]:
    """The calibration error as told, and of constants fitted to the other folds; case i is of fold i modulo their number."""
    again = []
    for fold in range(FOLDS):
        others = [c for i, c in enumerate(cases) if i % FOLDS != fold]
        known, (a, b) = shares(others), correction(others)
        for case in cases[fold::FOLDS]:
            x = _log_odds(case["confidence"])
            value = 1 / (1 + math.exp(-(a + b * x))) if way(case) == "passages" else known.get(way(case), 0.5)
            again.append({"passed": case["passed"], "confidence": value})
    return calibration_error(cases), calibration_error(again)


def _log_odds(p: float) -> float:
    p = min(max(p, 0.01), 0.99)
    return math.log(p / (1 - p))
