"""What a GPU offers."""

from __future__ import annotations

from kb.sizing.case import Case
from kb.sizing.defaults import usable_fraction
from kb.sizing.rules import memory
from kb.types.derivation import Node


def reserved(case: Case) -> Node | None:
    """What the engine that was named takes in advance; None for one that takes memory as it needs it, or of which nothing is known."""
    own, visible = f"reserves.{case.engine}", _visible(case)
    if visible is None or own not in case.assumptions.constants:
        return None
    return memory.reserved(visible=visible, fraction=_fraction(case, own))


def usable(case: Case) -> Node | None:
    """Memory of one GPU that is the job's; None when its size is not known."""
    visible = _visible(case)
    return memory.usable(visible=visible, fraction=_fraction(case, usable_fraction(case))) if visible else None


def _visible(case: Case) -> Node | None:
    """The memory that software sees: as the driver shows it, where the table has that, or what is usual for the size as sold."""
    shown = case.chip.get("driver_memory") if case.chip else None
    capacity = case.chip.get("memory") if case.chip else None
    if shown or capacity is None:
        return shown
    ratio = case.constant("visible_unified" if case.chip and case.chip.unified else "visible_memory")
    return case.once("visible", lambda: memory.visible(capacity=capacity, ratio=ratio))


def _fraction(case: Case, usual: str) -> Node:
    """The part of the memory that is said, or that the assumption `usual` says."""
    said = case.asked.gpu_memory_utilization is not None
    return case.field("gpu_memory_utilization") if said else case.constant(usual)
