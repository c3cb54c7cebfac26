"""Fields of a request as the asker stated them."""

from __future__ import annotations

from kb.sizing.case import Case
from kb.types.derivation import Node


def stated(case: Case, *slots: str) -> Node | None:
    """The first of the fields that the request states."""
    return next((case.field(s) for s in slots if getattr(case.request, s) is not None), None)


def format_of(case: Case) -> str | None:
    """The number format of the weights that was said."""
    said = case.asked.quantization or case.asked.precision
    return "bf16" if said == "pure_bf16" else said
