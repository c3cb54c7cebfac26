"""Sizes that are as good as a name: `671B` without another word is the mixture that is known to have so many parameters."""

from __future__ import annotations

from typing import Any

from kb.types.specs import Row, SpecBook

NAMED_FROM = 4e11  # parameters from which two significant digits tell models apart; below it takes three
NEAR = 0.01  # of a total that is not printed to the parameter
FIGURES = frozenset({"model", "model_family", "parameters_list", "layers", "hidden", "experts", "attention"})


def mixture_of(slots: dict[str, Any], book: SpecBook) -> str | None:
    """The row of the only shape that so many parameters in all (and active ones, where they are said) fit, when it is a mixture of
    experts; a round size of training is of a model that somebody plans."""
    size, active = slots.get("parameters"), slots.get("active_parameters")
    if not size or slots.keys() & FIGURES:
        return None
    digits = len(f"{size:.4g}".partition("e")[0].replace(".", "").rstrip("0")) or 1
    trains = slots.get("task") in ("train", "finetune") or slots.get("workload") not in (None, "inference")
    if active is None and ((digits < 3 and size < NAMED_FROM) or (digits < 2 and trains)):
        return None
    rows = [(row, total) for row in book.rows("models") if (total := row.number("params_total"))]
    exact = [row for row, total in rows if float(f"{total:.{digits - 1}e}") == size and abs(total - size) <= 0.05 * size]
    found = [row for row in exact or (r for r, total in rows if abs(total - size) <= NEAR * size) if _active(row, active)]
    shapes = {tuple(row.number(c) for c in ("layers", "hidden", "moe_experts")) for row in found}
    if len(shapes) != 1 or (found[0].number("moe_experts") or 0) <= 1:
        return None
    return min(found, key=lambda row: (row.number("release_year") or 0, len(row.id))).id


def _active(row: Row, said: float | None) -> bool:
    """Whether a model uses as many parameters per token as is said."""
    own = row.number("params_active")
    return said is None or bool(own and abs(own - said) <= 0.15 * said)
