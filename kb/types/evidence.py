"""What retrieval hands on."""

from __future__ import annotations

from dataclasses import dataclass

from kb.types.document import Document, Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: `score` fused, in 0..1 within one search; `dense` a cosine, `lexical` a BM25 score, `headed` the cosine of its
    heading."""

    passage: Passage
    document: Document
    score: float
    dense: float
    lexical: float
    headed: float = 0.0
