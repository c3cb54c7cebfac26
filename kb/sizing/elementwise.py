"""The few functions a rule's body may call, for one number as for an array of them (typed as the numbers they stand for)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

WRITTEN = {
    "least": "min",
    "greatest": "max",
    "ceiling": "ceil",
    "whole": "floor",
    "doublings": "log2",
}  # as a reader of formulas knows them


def least(one: float, other: float) -> float:
    """The smaller of the two, entry by entry when one of them is an array."""
    return np.minimum(one, other) if is_array(one) or is_array(other) else min(one, other)


def greatest(one: float, other: float) -> float:
    """The larger of the two, entry by entry when one of them is an array."""
    return np.maximum(one, other) if is_array(one) or is_array(other) else max(one, other)


def ceiling(value: float) -> float:
    """The next whole number."""
    return np.ceil(value) if is_array(value) else math.ceil(value)


def whole(value: float) -> float:
    """The whole part."""
    return np.floor(value) if is_array(value) else math.floor(value)


def doublings(value: float) -> float:
    """How often 1 is doubled to reach the value."""
    return np.log2(value) if is_array(value) else math.log2(value)


def is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)
