"""The first passages in a better order: how near heading, words and meaning are, weighed as questions with a known section say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kb.index.lexical import Lexical, words
from kb.types.evidence import Hit

# Log-odds per unit of each feature, fitted by `sizewright eval ranking` on the questions of eval/finding.
FEATURES = (
    "fused score", "cosine of the passage", "cosine of the nearest heading", "words in a heading", "words in the passage",
    "words shared with a heading",
)  # fmt: skip
WEIGHTS = np.array([3.55, 1.67, 3.41, 2.25, 2.22, 2.73])
LIKELY = 8.0  # log-odds that no question of another field comes near to: the highest of 70 such has 7.1
RARE = 4.0  # inverse document frequency of a word that few passages hold
MEANT = 0.45  # cosine of a heading that is about what was asked
SOFTNESS = 3.0  # divides the difference of log-odds, so that a passage that is nearly as near keeps nearly the score


def features(query: str, hits: Sequence[Hit], lexical: Lexical) -> NDArray[np.float64]:
    """What the order is made of, (n, 6): FEATURES; words are weighed by how rare they are: those of the query found in a text as a share
    of the query's, those shared with a heading as a share of both (Dice)."""
    asked = frozenset(words(query))

    def weight(held: frozenset[str]) -> float:
        return sum(lexical.weight(t) for t in sorted(held))

    total = weight(asked) or 1.0
    rows = []
    for hit in hits:
        path = hit.passage.heading_path
        above = _words(" ".join(path))
        headings = [_words(text) for text in (*path[-1:], *hit.document.asked.get(path[-1] if path else "", ()))]
        named = max((weight(asked & held) / total for held in (above, *headings)), default=0.0)
        shared = max((2 * weight(asked & held) / (total + weight(held)) for held in headings), default=0.0)
        inside = weight(asked & (above | _words(hit.passage.text))) / total
        rows.append((hit.score, hit.dense, hit.headed, named, inside, shared))
    return np.array(rows, dtype=np.float64).reshape(len(hits), len(FEATURES))


def likely(query: str, hits: Sequence[Hit], lexical: Lexical) -> bool:
    """Whether the best of the hits surely is what was asked, by its heading or what people ask it by: these mean it, or hold a
    rare word of it."""
    if not hits or float(features(query, hits[:1], lexical)[0] @ WEIGHTS) < LIKELY:
        return False
    path = hits[0].passage.heading_path
    headed = _words(" ".join((*path, *hits[0].document.asked.get(path[-1] if path else "", ()))))
    return hits[0].headed >= MEANT or any(lexical.weight(t) >= RARE for t in words(query) & headed)


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(words(text))


def rerank(query: str, hits: Sequence[Hit], lexical: Lexical) -> tuple[Hit, ...]:
    """The hits by their odds of being the section asked for; the best keeps the best score, the others less by how much less likely."""
    if not hits:
        return ()
    odds = features(query, hits, lexical) @ WEIGHTS
    top, best = max(h.score for h in hits), float(odds.max())
    order = sorted(range(len(hits)), key=lambda i: (-odds[i], hits[i].passage.id))
    return tuple(replace(hits[i], score=top * float(np.exp((odds[i] - best) / SOFTNESS))) for i in order)
