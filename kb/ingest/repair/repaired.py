"""What a repair hands back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Repair:
    """One change: input[start:end] == before, half-open code points of the text as it came in."""

    kind: str
    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Flag:
    """Damage seen and left alone, or repaired only in part: text[start:end] of the repaired text."""

    kind: str
    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """All `repairs` put into the input give `text` (NFC); they are in order and do not overlap."""

    text: str
    repairs: tuple[Repair, ...] = ()
    flags: tuple[Flag, ...] = ()
