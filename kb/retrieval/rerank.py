"""The first passages in a better order: how near heading, words and meaning are, weighed as questions with a known section say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kb.index.lexical import Lexical, tokens, words
from kb.types.evidence import Hit

# Log-odds per unit of each feature, fitted by `sizewright eval ranking` on the questions of eval/finding.
FEATURES = ("fused score", "cosine of the passage", "cosine of the heading", "words in the heading", "words in the passage")
WEIGHTS = np.array([5.4, 2.45, 3.0, 2.0, 2.9])
SOFTNESS = (
    3.0  # by which the difference of log-odds is divided, so that a passage that is nearly as near keeps nearly the score
)


def features(query: str, hits: Sequence[Hit], lexical: Lexical) -> NDArray[np.float64]:
    """What the order is made of, (n, 5): FEATURES; words are weighed by how rare they are, as shares of the query's."""
    weights = {t: lexical.weight(t) for t in sorted(words(query))}
    total = sum(weights.values()) or 1.0

    def share(held: set[str]) -> float:
        return sum(w for t, w in weights.items() if t in held) / total

    rows = []
    for hit in hits:
        headed = set(tokens(" ".join(hit.passage.heading_path)))
        asked = hit.document.asked.get(hit.passage.heading_path[-1], ()) if hit.passage.heading_path else ()
        named = max([share(headed), *(share(set(tokens(text))) for text in asked)])
        rows.append((hit.score, hit.dense, hit.headed, named, share(headed | set(tokens(hit.passage.text)))))
    return np.array(rows, dtype=np.float64).reshape(len(hits), len(FEATURES))


def rerank(query: str, hits: Sequence[Hit], lexical: Lexical) -> tuple[Hit, ...]:
    """The hits by their odds of being the section asked for; the best keeps the best score, the others less by how much less likely."""
    if not hits:
        return ()
    odds = features(query, hits, lexical) @ WEIGHTS
    top, best = max(h.score for h in hits), float(odds.max())
    order = sorted(range(len(hits)), key=lambda i: (-odds[i], hits[i].passage.id))
    return tuple(replace(hits[i], score=top * float(np.exp((odds[i] - best) / SOFTNESS))) for i in order)
