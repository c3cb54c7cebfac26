"""What slots tell, by whichever of them: a model, a card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def tells_model(slots: Mapping[str, Any]) -> bool:
    """Whether a model is told, by name or by size."""
    return bool(slots.get("model") or slots.get("parameters"))


def tells_card(slots: Mapping[str, Any]) -> bool:
    """Whether a card is told, by name or by its memory."""
    return bool(slots.get("gpu") or slots.get("memory_gb"))


def tells_both(slots: Mapping[str, Any]) -> bool:
    """Whether it is told which model is to go on which card."""
    return tells_model(slots) and tells_card(slots)
