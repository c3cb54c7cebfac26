"""Does a question find its section? The sections expected were written down before anything was searched."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.ingest.structure import blocks
from kb.types.document import Document
from kb.types.evidence import Hit

SET = Path(__file__).parent / "finding" / "sections.jsonl"
TOP = 3

Search = Callable[[str, int], Sequence[Hit]]


@dataclass(frozen=True, slots=True)
class Expected:
    """A question in both languages and the section that answers it, named by a part of its English heading.

    `asked`: the language people asked it in; the other one is our translation.
    """

    id: str
    asked: str
    topic: str
    section: str
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Found:
    """Cases whose section is among the first TOP passages, by how they were asked; `missed` as `language id`."""

    asked: int
    translated: int
    of: int
    missed: tuple[str, ...]


def load(path: Path = SET) -> tuple[Expected, ...]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return tuple(Expected(**json.loads(line)) for line in lines if line)


def headings(document: Document) -> list[str]:
    return [block.title for block in blocks(document.text) if block.kind == "heading"]


def resolved(expected: Expected, documents: Sequence[Document]) -> dict[str, str]:
    """The heading of the section in both languages; a LookupError when it is not exactly one."""
    own = {d.language: headings(d) for d in documents if d.kind == "article" and d.topic == expected.topic}
    at = [n for n, title in enumerate(own.get("en", ())) if expected.section in title]
    if len(at) != 1:
        raise LookupError(f"{expected.id}: {len(at)} sections of {expected.topic} are called {expected.section!r}")
    return {language: titles[at[0]] for language, titles in own.items()}


def measure(search: Search, documents: Sequence[Document], cases: Sequence[Expected]) -> Found:
    """A section counts in either language: a reader is served by both."""
    hits = {(case.id, language): _hit(search, documents, case, language) for case in cases for language in ("zh", "en")}
    asked = [hits[case.id, case.asked] for case in cases]
    translated = [hits[case.id, "en" if case.asked == "zh" else "zh"] for case in cases]
    return Found(
        sum(asked), sum(translated), len(cases), tuple(f"{language} {id}" for (id, language), hit in hits.items() if not hit)
    )


def shown(found: Found) -> str:
    lines = [
        f"section among the first {TOP}: as asked {found.asked} of {found.of}, translated {found.translated} of {found.of}"
    ]
    return "\n".join([*lines, *(f"  missed: {miss}" for miss in found.missed)])


def _hit(search: Search, documents: Sequence[Document], case: Expected, language: str) -> bool:
    wanted = set(resolved(case, documents).values())
    return any(wanted & set(titles) for titles in _first(search(getattr(case, language), TOP), case.topic))


def _first(hits: Sequence[Hit], topic: str) -> Iterator[tuple[str, ...]]:
    return (hit.passage.heading_path for hit in hits if hit.document.topic == topic)
