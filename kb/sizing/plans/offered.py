"""What a GPU offers."""

from __future__ import annotations

from kb.sizing.case import Case
from kb.sizing.defaults import usable_fraction
from kb.sizing.rule import Rule
from kb.sizing.rules import memory
from kb.types.derivation import Node


def reserved(case: Case) -> Node | None:
    """What the engine that was named takes in advance; None for one that takes memory as it needs it, or of which nothing is known."""
    own = f"reserves.{case.engine}"
    return _part(case, memory.reserved, memory.reserved_of_shown, own) if own in case.assumptions.constants else None


def usable(case: Case) -> Node | None:
    """Memory of one GPU that is the job's; None when its size is not known."""
    return _part(case, memory.usable, memory.usable_of_shown, usable_fraction(case))


def _part(case: Case, of_sold: Rule, of_shown: Rule, usual: str) -> Node | None:
    """The part that is said, or that the assumption `usual` says, of what the driver shows: as the table has it, or as is usual for
    the size as sold."""
    shown, capacity = (case.chip.get(n) if case.chip else None for n in ("driver_memory", "memory"))
    said = case.asked.gpu_memory_utilization is not None
    fraction = case.field("gpu_memory_utilization") if said else case.constant(usual)
    if shown:
        return of_shown(shown=shown, fraction=fraction)
    if capacity is None:
        return None
    visible = case.constant("visible_unified" if case.chip and case.chip.unified else "visible_memory")
    return of_sold(capacity=capacity, visible=visible, fraction=fraction)
