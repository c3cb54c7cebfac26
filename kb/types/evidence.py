"""What retrieval hands on."""

from __future__ import annotations

from dataclasses import dataclass

from kb.types.document import Document, Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: `score` fused, in 0..1 within one search; `dense` a cosine, `lexical` a BM25 score, `headed` the cosine of its
    heading; `near` says how much nearer it is to the query than any two texts of these languages are to one another, up to 1."""

    passage: Passage
    document: Document
    score: float
    dense: float
    lexical: float
    headed: float = 0.0
    near: float = 0.0
