"""Where a fact comes from: a bibliographic source, and the place in it or in our tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NewType

SourceId = NewType("SourceId", str)
DocumentId = NewType("DocumentId", str)
PassageId = NewType("PassageId", str)
RuleId = NewType("RuleId", str)

SourceKind = Literal["article", "spec", "model", "rule", "price"]
Stance = Literal["right", "vague", "outdated", "wrong"]


@dataclass(frozen=True, slots=True)
class Source:
    """What a citation names. Dates are ISO 8601 (`2026-11-30`, `2024-03`)."""

    id: str
    kind: SourceKind
    title: str
    url: str
    published: str | None = None
    retrieved: str | None = None
    stance: Stance | None = None
    publisher: str | None = None


@dataclass(frozen=True, slots=True)
class ArticleLocator:
    """A span of a document's cleaned text, in code points, half-open: document.text[start:end] is the quote."""

    heading_path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CellLocator:
    """One cell of a spec table."""

    table: str
    row: str
    column: str


@dataclass(frozen=True, slots=True)
class RuleLocator:
    """A sizing rule (`memory.kv_cache`) or a cited assumption (`assumptions.mfu`)."""

    rule: str


Locator = ArticleLocator | CellLocator | RuleLocator


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something a sentence may stand on: the exact text or cell, where it is, and what that rests on in turn."""

    source: Source
    locator: Locator
    quote: str
    references: tuple[Source, ...] = ()
