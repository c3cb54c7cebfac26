"""Which sentences of the hits are good enough to stand on; or none are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.index.lexical import Lexical, tokens, words
from kb.ingest.chunk import sentences
from kb.types.evidence import Hit

CIRCUMSTANCE = 0.5  # of a figure or part number beside a word: it says what one has, rarely what one asks
LOST = "\ufffd"  # a character that the source had lost: such a sentence is not quoted
ENDED = re.compile(r"[。！？；.!?;:：][”’\"')）]*\s*$")


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence of a document, with the score that chose it and the share of the question's words that its passage covers; `match` is
    the share that the sentence covers itself, figures counting less."""

    hit: Hit
    start: int
    end: int
    score: float
    coverage: float
    match: float = 0.0

    @property
    def text(self) -> str:
        return self.hit.document.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Ground:
    """The sentences to quote, best first, and how well the best passage covers what was asked (0..1).

    `dense` is the nearest cosine of any passage or heading, `foremost` that of the passage that is quoted first; `withheld` are
    sentences, by passage and start, that are not said even where others lead to them."""

    quotable: tuple[Quotable, ...]
    coverage: float
    dense: float
    foremost: float = 0.0
    withheld: frozenset[tuple[str, int]] = frozenset()


def _figure(token: str) -> bool:
    return any(c.isdigit() for c in token)


def _title_like(text: str) -> bool:
    """A short line that ends like no sentence: a heading of a document whose headings are not marked."""
    return len(text) < 40 and not ENDED.search(text)


def ground(question: str, hits: Sequence[Hit], lexical: Lexical, *, also: Sequence[str] = (), most: int = 40) -> Ground:
    """Choose sentences by the weight of the question's words in them and by the passage they stand in."""
    asked = sorted(words(question))  # in one order: sums of floats differ in another
    weights = {t: lexical.weight(t) for t in asked}
    for term in also:
        weights |= {t: 0.5 * lexical.weight(t) for t in tokens(term) if t not in weights}
    total = sum(lexical.weight(t) for t in asked) or 1.0
    best: list[Quotable] = []
    widest = 0.0
    for hit in hits:
        passage = hit.passage
        heading = set(tokens(" ".join(passage.heading_path)))
        inside = set(tokens(passage.text)) | heading
        coverage = min(1.0, sum(w for t, w in weights.items() if t in inside) / total)
        widest = max(widest, coverage * hit.score)
        for start, end in sentences(passage.text, hit.document.language):
            text = passage.text[start:end]
            if (
                text.lstrip().startswith(("#", "|"))
                or LOST in text
                or (hit.document.collection != "corpus" and _title_like(text))
            ):
                continue
            held = set(tokens(text))
            match = sum(w * (CIRCUMSTANCE if _figure(t) else 1) for t, w in weights.items() if t in held) / total
            best.append(
                Quotable(hit, passage.start + start, passage.start + end, 0.6 * hit.score + 0.4 * match, coverage, match)
            )
    best.sort(key=lambda q: (-q.score, q.hit.document.id, q.start))
    near = [max(h.dense, h.headed) for h in hits]
    first = max((q.hit for q in best), key=lambda h: h.score, default=None)
    return Ground(tuple(best[:most]), widest, max(near, default=0.0), max(first.dense, first.headed) if first else 0.0)
