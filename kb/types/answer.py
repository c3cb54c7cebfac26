"""The answer, field for field as the outside sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from kb.types.question import Language, Understanding
from kb.types.source import Locator, Source

Kind = Literal["passages", "spec", "sizing", "clarification", "declined"]
Verdict = Literal["fits", "fits_with_conditions", "does_not_fit"]
DeclineReason = Literal["not_in_corpus", "out_of_scope", "not_published", "unsafe", "missing_input"]


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open, in code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Citation:
    """`answer_spans` are what it supports in the answer; `quote` the exact text or cell; `references` what an article rests on."""

    n: int
    source: Source
    locator: Locator
    answer_spans: tuple[Span, ...]
    quote: str
    references: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """A key number. `text` is how the answer writes it; `scope` tells values of one name apart."""

    name: str
    value: float | str | None
    unit: str | None
    text: str = ""
    low: float | None = None
    high: float | None = None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Assumed:
    """A default that was filled in, for the reader to change."""

    slot: str
    value: Any
    reason: str


@dataclass(frozen=True, slots=True)
class Quantity:
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Input:
    """`from_`: `given`, `assumption`, `table/row/column` of a fact, or the id of an earlier line."""

    value: float
    unit: str
    from_: str


@dataclass(frozen=True, slots=True)
class DerivationLine:
    """One applied rule; `citation` is the number of its citation, `text` the calculation as the answer shows it."""

    id: str
    rule: str
    formula: str
    inputs: Mapping[str, Input]
    result: Quantity
    citation: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Component:
    """A share of the memory of the fullest GPU."""

    component: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class AnswerTable:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Nearest:
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Declined:
    reason: DeclineReason
    nearest: tuple[Nearest, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Sources that contradict one another: numbers of citations, the one followed, and why."""

    claim: str
    sources: tuple[int, ...]
    taken: int
    why: str


@dataclass(frozen=True, slots=True)
class Phrased:
    """What a language model did to the words: sentences `rephrased` and `dropped` because they failed a check. `fallback` is why the
    deterministic answer stands: slow, unreachable, error, unreadable, or unsupported when no sentence held."""

    model: str
    rephrased: int
    dropped: int
    fallback: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    id: str
    question: str
    language: Language
    conversation_id: str
    kind: Kind
    text: str
    citations: tuple[Citation, ...]
    values: tuple[Value, ...]
    verdict: Verdict | None
    understanding: Understanding
    assumptions: tuple[Assumed, ...]
    derivation: tuple[DerivationLine, ...]
    confidence: float
    index_version: str
    breakdown: tuple[Component, ...] | None = None
    table: AnswerTable | None = None
    declined: Declined | None = None
    disagreements: tuple[Disagreement, ...] | None = None
    follow_ups: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    phrased: Phrased | None = None
