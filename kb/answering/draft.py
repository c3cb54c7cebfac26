"""An answer in the making, and what it may draw on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from kb.answering.cite import Composer
from kb.answering.wording import Wording
from kb.index.lexical import Lexical
from kb.types.answer import Assumed, Component, Declined, DerivationLine, Kind, Verdict
from kb.types.derivation import Assumption
from kb.types.evidence import Hit
from kb.types.planning import PlanResult, Purchase
from kb.types.question import Part
from kb.types.sizing import SizingRequest, SizingResult
from kb.types.source import Evidence
from kb.types.specs import SpecBook


class Search(Protocol):
    def __call__(self, query: str, k: int, language: str | None) -> tuple[Hit, ...]:
        """The best passages of articles; only those of a language, when one is given."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What an answer may draw on."""

    book: SpecBook
    lexical: Lexical
    search: Search
    size: Callable[[Mapping[str, Any], Sequence[str], str], SizingResult]
    plan: Callable[[Mapping[str, Any], str], PlanResult]
    buy: Callable[[Mapping[str, Any], float, str, bool], tuple[Purchase, ...]]
    rate: Callable[[str], Assumption | None]
    constant: Callable[[str], Assumption | None]
    related: Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Dispute:
    """Sources that contradict one another about a cell: what is claimed, the evidence taken, the other evidence, and why."""

    claim: str
    taken: Evidence
    others: tuple[Evidence, ...]
    why: str


@dataclass(slots=True)
class Draft:
    """An answer in the making; the first part decides its kind."""

    composer: Composer
    wording: Wording
    kind: Kind | None = None
    verdict: Verdict | None = None
    declined: Declined | None = None
    assumptions: list[Assumed] = field(default_factory=list)
    derivation: list[DerivationLine] = field(default_factory=list)
    breakdown: tuple[Component, ...] | None = None
    follow_ups: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sized: list[tuple[SizingRequest, tuple[str, ...]]] = field(default_factory=list)  # what was computed, and for which values
    disputes: list[Dispute] = field(default_factory=list)
    unanswered: list[Part] = field(default_factory=list)  # of several, those that nothing supports
    believed: bool = False  # a common belief was put right, which answers the question that held it
    split: bool = False  # the way out of it was told for the number of GPUs that was named
    carded: set[str] = field(default_factory=set)  # columns of the card that went into what was computed
    further: tuple[str, Sequence[Evidence]] | None = None  # what stands below what a phrase finds
    judged: str = ""  # the phrase of the wording by which more is found about what was measured
    ways: set[str] = field(default_factory=set)  # kinds of what was said
    nearness: float = 2.0  # of the passages quoted, to the question: the least

    @contextmanager
    def of_one_piece(self, whole: bool) -> Iterator[None]:
        """Words, while it lasts, that speak of one computer without cards, where what is told is `whole`."""
        spoken = self.wording
        self.wording = spoken.in_one_piece() if whole else spoken
        try:
            yield
        finally:
            self.wording = spoken

    def settle(self, kind: Kind, nearness: float = 2.0) -> None:
        self.kind = self.kind or kind
        self.ways.add(kind)
        self.nearness = min(self.nearness, nearness)
