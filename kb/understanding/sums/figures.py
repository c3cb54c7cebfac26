"""Figures as they stand in a question, and the sum that they are put into."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Slots = Mapping[str, Any]
NUM = (
    r"(\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,4})?)\s?(k(?![a-z])|thousand|m(?:illion|n)?(?![a-z])|b(?:illion|n)(?![a-z])|万|亿)?"
)
SEC = r"(?:s|secs?|seconds?)(?![a-z])"
SCALE = {"k": 1e3, "t": 1e3, "m": 1e6, "b": 1e9, "万": 1e4, "亿": 1e8}


def value(number: str, scale: str | None) -> float:
    return float(number.replace(",", "")) * SCALE.get((scale or " ")[0], 1.0)


def first(pattern: re.Pattern[str], low: str) -> float | None:
    """The number of the alternative that matched, each of a numeral and its scale."""
    m = pattern.search(low)
    if m is None:
        return None
    at = next(i for i in range(1, len(m.groups()) + 1, 2) if m[i])
    return value(m[at], m[at + 1])


@dataclass(frozen=True, slots=True)
class Sum:
    """What is asked for, the fields that figures fill, and the fields into which they were read before."""

    wanted: tuple[str, ...]
    slots: Slots
    instead_of: frozenset[str] = frozenset()
