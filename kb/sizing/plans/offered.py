"""What a GPU offers."""

from __future__ import annotations

from kb.sizing.case import Case
from kb.sizing.defaults import usable_fraction
from kb.sizing.rule import Rule
from kb.sizing.rules import memory
from kb.types.derivation import Node


def reserved(case: Case) -> Node | None:
    """What the engine that was named takes in advance; None for one that takes memory as it needs it, or of which nothing is known."""
    capacity, own = case.chip.get("memory") if case.chip else None, f"reserves.{case.engine}"
    return _part(case, memory.reserved, capacity, own) if capacity and own in case.assumptions.constants else None


def usable(case: Case) -> Node | None:
    """Memory of one GPU that is the job's; None when its size is not known."""
    capacity = case.chip.get("memory") if case.chip else None
    if capacity is None:
        return None
    return _part(case, memory.usable, capacity, usable_fraction(case))


def _part(case: Case, rule: Rule, capacity: Node, usual: str) -> Node:
    """The part of the memory that is said, or that the assumption `usual` says."""
    said = case.asked.gpu_memory_utilization is not None
    fraction = case.field("gpu_memory_utilization") if said else case.constant(usual)
    visible = case.constant("visible_unified" if case.chip and case.chip.unified else "visible_memory")
    return rule(capacity=capacity, visible=visible, fraction=fraction)
