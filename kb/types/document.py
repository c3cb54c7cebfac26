"""Documents and the passages they are cut into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kb.types.source import DocumentId, PassageId, Source, SourceKind, Stance

PassageLanguage = Literal["zh", "en"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A span of a document that rests on a bibliographic source; `stance` is our verdict on what that source says there."""

    start: int
    end: int
    source: Source
    stance: Stance | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One article, ingested file or rendered table row. `text` is the cleaned text that all spans point into (NFC)."""

    id: DocumentId
    kind: SourceKind
    title: str
    url: str
    language: PassageLanguage
    text: str
    claims: tuple[Claim, ...] = ()
    topic: str = ""  # translations of one article share a topic
    collection: str = "corpus"
    published: str | None = None
    retrieved: str | None = None
    explains: tuple[str, ...] = ()  # ids of the sizing rules it explains
    entity: tuple[str, str] | None = None  # (table, row) of a rendered spec row
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)  # by heading: how people ask what it answers


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrievable piece: document.text[start:end] == text, always."""

    id: PassageId
    document: DocumentId
    heading_path: tuple[str, ...]
    start: int
    end: int
    text: str
