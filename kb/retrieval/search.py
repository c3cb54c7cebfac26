"""The passages nearest to a question: dense, lexical or both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from kb.index.centre import centre
from kb.index.lexical import tokens
from kb.index.opened import Index
from kb.index.store import Vectors
from kb.retrieval.fuse import convex
from kb.types.document import Document, PassageLanguage
from kb.types.evidence import Hit

Mode = Literal["hybrid", "dense", "lexical"]
Filters = Mapping[str, Sequence[str]]

POOL = 100  # candidates of each leg
WEIGHT = 0.5  # of the dense leg


def search(
    query: str,
    index: Index,
    encode: Callable[[Sequence[str]], Vectors],
    *,
    k: int = 10,
    mode: Mode = "hybrid",
    filters: Filters | None = None,
    language: PassageLanguage = "en",
    also: Sequence[str] = (),
) -> tuple[Hit, ...]:
    """The best k passages, best first; `filters` on collection, kind, source_id, language; `also` are further words to look for."""
    size = len(index.passages)
    if not size or k < 1:
        return ()
    admitted = [i for i, p in enumerate(index.passages) if admits(index.documents[p.document], filters)] if filters else None
    lexical = np.zeros(size, np.float32)
    if mode != "dense":
        lexical = index.lexical.scores(tokens(query))
        if also:
            lexical = lexical + 0.5 * index.lexical.scores([t for term in also for t in tokens(term)])
    dense = np.full(size, np.nan, np.float32)
    if mode != "lexical":
        vector = centre(encode([query]), [language], index.means)[0]
        positions, scores = index.vectors.search(vector, size if admitted is not None else max(POOL, k))
        dense[positions] = scores
    best_words = np.argsort(-lexical, kind="stable")[: size if admitted is not None else max(POOL, k)]
    candidates = {int(i) for i in best_words if lexical[i] > 0} | {int(i) for i in np.flatnonzero(~np.isnan(dense))}
    chosen = np.array(sorted(candidates if admitted is None else candidates & set(admitted)), dtype=np.int64)
    if not len(chosen):
        return ()
    if mode != "lexical":
        for i in chosen[np.isnan(dense[chosen])]:
            dense[i] = float(index.vectors.vector(int(i)) @ vector)
    legs = np.nan_to_num(dense[chosen]), lexical[chosen]
    match mode:
        case "hybrid":
            fused = convex(*legs, WEIGHT)
        case "dense":
            fused = legs[0]
        case "lexical":
            fused = legs[1]
    order = np.lexsort((chosen, -fused))[:k]
    return tuple(
        Hit(p, index.documents[p.document], float(fused[j]), float(legs[0][j]), float(legs[1][j]))
        for j in order
        for p in (index.passages[int(chosen[j])],)
    )


def admits(document: Document, filters: Filters | None) -> bool:
    """Whether a document meets every filter; a filter without values admits all."""
    fields = {
        "collection": document.collection,
        "kind": document.kind,
        "source_id": document.id,
        "language": document.language,
    }
    return all(not wanted or fields[name] in wanted for name, wanted in (filters or {}).items())
