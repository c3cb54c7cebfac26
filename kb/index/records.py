"""Documents and passages as JSON on disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kb.types.document import Claim, Document, Passage
from kb.types.plain import plain
from kb.types.source import Source


def save(path: Path, values: Sequence[Document] | Sequence[Passage]) -> None:
    path.write_text(json.dumps([plain(v) for v in values], ensure_ascii=False), encoding="utf-8")


def documents(records: Any) -> tuple[Document, ...]:
    """Documents of their plain structures (one, or a list)."""
    return tuple(
        Document(
            **{
                **r,
                "claims": tuple(Claim(**{**c, "source": Source(**c["source"])}) for c in r["claims"]),
                "explains": tuple(r["explains"]),
                "entity": tuple(r["entity"]) if r.get("entity") else None,
                "asked": {heading: tuple(texts) for heading, texts in r.get("asked", {}).items()},
            }
        )
        for r in (records if isinstance(records, list) else [records])
    )


def load_documents(path: Path) -> tuple[Document, ...]:
    return documents(json.loads(path.read_text(encoding="utf-8")))


def load_passages(path: Path) -> tuple[Passage, ...]:
    return tuple(
        Passage(**{**r, "heading_path": tuple(r["heading_path"])}) for r in json.loads(path.read_text(encoding="utf-8"))
    )


def headings(passage: Passage, document: Document) -> tuple[str, ...]:
    """What a passage is headed by, in our articles the question that it answers; then other ways in which people ask it."""
    own = passage.heading_path[-1] if passage.heading_path else document.title
    return (own, *document.asked.get(own, ()))


def embedding_text(passage: Passage, document: Document) -> str:
    """What is embedded and indexed: the passage under its headings, so that a short section still knows its subject."""
    above = " › ".join(h for h in passage.heading_path if h not in passage.text[: len(h) + 4])
    return f"{above}\n{passage.text}" if above else passage.text
