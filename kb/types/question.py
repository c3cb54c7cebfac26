"""What was asked, and how it was understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Language = Literal["zh", "zh-Hant", "en"]

Intent = Literal[
    "lookup",  # one or several cells of named entities
    "compare",  # two or more entities side by side
    "filter",  # which rows meet conditions
    "size",  # memory, fit, GPU count, time, throughput, cost: anything the rules compute
    "explain",  # general advice, concepts, how and why: passages
    "troubleshoot",  # an error or symptom
    "out_of_scope",
]

# Why a question of the field is declined without being looked into: the reasons of a declined answer that a question itself shows.
Refusal = Literal["not_published", "not_in_corpus", "unsafe"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or quantity in the question: text == question[start:end], code points of the question as sent.

    `quantity`, `value`, `unit` follow the quantities schema; `slot` is the request field it fills; `extra` the other keys.
    """

    text: str
    start: int
    end: int
    quantity: str
    value: Any
    unit: str | None = None
    slot: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Premise:
    """A statement of the question to be corrected first: one that a cell contradicts (NVLink on a card that has none), or, with
    an empty `table`, a common belief that the corpus puts right; then `kind` names the belief."""

    kind: str
    table: str
    row: str
    column: str
    claimed: str
    variants: tuple[str, ...] = ()  # rows of the same name that differ in that column


@dataclass(frozen=True, slots=True)
class Symptom:
    """What a log or a complaint shows; `figures` as it states them, memory in GiB."""

    kind: str
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing asked. `slots` are this part's own; `columns` the spec columns asked for; `wanted` the value names asked for
    (names of CONTRACT section 4); `conditions` of a filter as (column, operator, value),
    of a comparison what it is to decide: (column or use, operator, the columns that decide)."""

    intent: Intent
    text: str
    slots: Mapping[str, Any] = field(default_factory=dict)
    entities: tuple[tuple[str, str], ...] = ()  # (table, row)
    columns: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    conditions: tuple[tuple[str, str, Any], ...] = ()
    asks_verdict: bool = False
    pointing: bool = False  # at a card that is not named
    settled: bool = False  # by the belief put right: it asks nothing else
    unread: bool = False  # a further turn of which nothing was understood: the wish before is not its wish


@dataclass(frozen=True, slots=True)
class Understanding:
    """The reading of a question: deterministic, no search, no model."""

    language: Language
    intents: tuple[Intent, ...]
    is_follow_up: bool
    slots: Mapping[str, Any]
    mentions: tuple[Mention, ...]
    question: str = ""  # the standalone question, follow-ups filled in
    parts: tuple[Part, ...] = ()
    premises: tuple[Premise, ...] = ()
    assumed: Mapping[str, str] = field(default_factory=dict)  # slot -> reason, for slots filled by a default (A100 -> 80 GB)
    unknown_entities: tuple[str, ...] = ()  # well-formed names that are not in the tables
    recent: tuple[tuple[str, str], ...] = ()  # (table, row) of what the conversation named last, the latest last
    symptoms: tuple[Symptom, ...] = ()
    unpublished: bool = False  # all the unknown names are of models whose makers publish nothing
    off_topic: bool = False
    refusal: Refusal | None = None  # the future, what others own, the asker's own affair, misuse
    problem: tuple[str, str] | None = None  # (field, what is wrong): 0 GPUs, -7B, NaN, empty
