"""Values: the named number, in whichever unit of its dimension, within the tolerance."""

from __future__ import annotations

from eval.cases import Case
from eval.measures.score import Library, Plain, Score
from kb.types.units import SCALE, base_of, from_base, to_base

TOLERANCE = 0.02  # relative, where a case says nothing


def value(case: Case, answer: Plain, library: Library | None) -> list[Score]:
    return [_score(expected, answer["values"]) for expected in case.expect if expected["kind"] == "value"]


def _score(expected: Plain, values: list[Plain]) -> Score:
    name, scope = expected["name"], expected.get("scope")
    named = [v for v in values if v["name"] == name and (scope is None or v.get("scope") == scope)]
    found = [in_unit(v["value"], v["unit"], expected["unit"]) for v in named if isinstance(v["value"], int | float)]
    if "value" in expected:
        allowed = expected.get("tolerance", TOLERANCE) * abs(expected["value"])
        low, high = expected["value"] - allowed, expected["value"] + allowed
    else:
        low, high = expected.get("low", float("-inf")), expected.get("high", float("inf"))
    # a relative guard against the last bit: a value on the bound is within it
    slack = 1e-9 * max(abs(low) if low > float("-inf") else 0, abs(high) if high < float("inf") else 0)
    if any(f is not None and low - slack <= f <= high + slack for f in found):
        return Score("value", 1.0)
    given = ", ".join(f"{v['value']} {v['unit']}" for v in named) or "nothing"
    return Score("value", 0.0, f"{name}: {low:.6g} to {high:.6g} {expected['unit'] or ''} expected, {given} given")


def in_unit(value: float, unit: str | None, wanted: str | None) -> float | None:
    """`value` in the wanted unit, or None when the dimensions differ; no unit counts as 1."""
    unit, wanted = unit or "1", wanted or "1"
    if unit == wanted:
        return float(value)
    if unit not in SCALE or wanted not in SCALE or base_of(unit) != base_of(wanted):
        return None
    return from_base(to_base(value, unit), wanted)
