"""The passages nearest to a question: dense, lexical or both."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from kb.index.centre import centre, nearness
from kb.index.lexical import STOP, fold, tokens
from kb.index.opened import Index
from kb.index.store import Vectors
from kb.ingest.script import simplified
from kb.retrieval.fuse import Scores, convex
from kb.types.document import Document, PassageLanguage
from kb.types.evidence import Hit

Mode = Literal["hybrid", "dense", "lexical"]
Filters = Mapping[str, Sequence[str]]

POOL = 100  # candidates of each leg
HEADED = 20  # candidates by the nearest of their headings
WEIGHT = 0.5  # of the dense leg
ASKING = re.compile("|".join(sorted((w for w in STOP if len(w) > 1 and w[0] >= "\u3400"), key=len, reverse=True)))


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
        lexical = _by_words(query, index, also)
    dense = np.full(size, np.nan, np.float32)
    headed = np.zeros(size, np.float32)
    if mode != "lexical":
        raw = encode([simplified(query)])  # as what was embedded
        vector = centre(raw, [language], index.means)[0]
        headed = _headed(index, centre(raw, [language], index.heading_means)[0])
        positions, scores = index.vectors.search(vector, size if admitted is not None else max(POOL, k))
        dense[positions] = scores
    best_words = np.argsort(-lexical, kind="stable")[: size if admitted is not None else max(POOL, k)]
    candidates = {int(i) for i in best_words if lexical[i] > 0} | {int(i) for i in np.flatnonzero(~np.isnan(dense))}
    candidates |= {int(i) for i in np.argsort(-headed, kind="stable")[:HEADED] if headed[i] > 0}
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
            # a table under the right heading has neither the words nor the meaning of the question
            near = fused + headed[chosen]
        case "dense":
            fused = near = legs[0]
        case "lexical":
            fused = near = legs[1]
    order = np.lexsort((chosen, -near))[:k]
    best = [int(i) for i in chosen[order]]
    embedded = np.zeros(len(best), np.float32)
    if mode != "lexical":
        spoken = [index.documents[index.passages[i].document].language for i in best]
        embedded = nearness(raw[0], language, np.stack([index.vectors.vector(i) for i in best]), spoken, index.means)
    return tuple(
        Hit(p, index.documents[p.document], float(fused[j]), float(legs[0][j]), float(legs[1][j]), float(headed[i]), float(n))
        for j, i, n in zip(order, best, embedded, strict=True)
        for p in (index.passages[i],)
    )


def _headed(index: Index, vector: Vectors) -> Scores:
    """The cosine of each passage's nearest heading, (n,)."""
    first = np.searchsorted(index.headed, np.arange(len(index.passages)))
    return np.asarray(np.maximum.reduceat(index.headings @ vector, first), dtype=np.float32)


def _about(query: str) -> list[str]:
    """The tokens of what a query is about; all of its tokens, when it only asks.

    Chinese words that ask go first, so that no bigram is made of their halves.
    """
    return [t for t in tokens(ASKING.sub(" ", fold(query))) if t not in STOP] or tokens(query)


def _by_words(query: str, index: Index, also: Sequence[str]) -> Scores:
    """BM25 of what the query is about, and at half weight of the terms related to it, (n,)."""
    scores = index.lexical.scores(_about(query))
    return scores + 0.5 * index.lexical.scores([t for term in also for t in tokens(term)]) if also else scores


def admits(document: Document, filters: Filters | None) -> bool:
    """Whether a document meets every filter; a filter without values admits all."""
    fields = {
        "collection": document.collection,
        "kind": document.kind,
        "source_id": document.id,
        "language": document.language,
    }
    return all(not wanted or fields[name] in wanted for name, wanted in (filters or {}).items())
