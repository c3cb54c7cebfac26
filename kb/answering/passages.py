"""General questions: the sentences of the corpus that answer, in order, quoted and cited."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.answering.cite import Composer
from kb.answering.wording import Wording
from kb.ingest.chunk import sentences
from kb.retrieval.ground import Ground, Quotable
from kb.types.document import Document
from kb.types.evidence import Hit
from kb.types.source import ArticleLocator, Evidence, Source

BUDGET = {"en": 900, "zh": 360}  # characters of an answer, about 150 words
SHORT = {"en": 24, "zh": 12, "zh-Hant": 12}  # a sentence of so few characters says little without its heading
NEAR = 0.6  # of the best sentence's score
REPORTED = {"wrong", "outdated", "vague"}  # what a source says and we do not: never without what follows it
MARKER = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


def quote(found: Ground, composer: Composer) -> tuple[Hit, ...]:
    """Say the best sentences, passage by passage; returns the passages that were used."""
    if not found.quotable:
        return ()
    floor = NEAR * found.quotable[0].score
    chosen: dict[tuple[str, int], tuple[Hit, int]] = {}
    for q in found.quotable:
        if q.score >= floor:
            for start, end in (*_verdict(q, composer.language), *_with_correction(q)):
                chosen[q.hit.document.id, start] = (q.hit, end)
    budget = BUDGET["en" if composer.language == "en" else "zh"]
    order: list[str] = list(dict.fromkeys(q.hit.passage.id for q in found.quotable))
    lines = sorted(chosen.items(), key=lambda item: (order.index(item[1][0].passage.id), item[0][1]))
    used: dict[str, Hit] = {}
    begun: set[str] = set()
    for (_, start), (hit, end) in lines:
        text = hit.document.text[start:end]
        if budget < 0 or "|" in text[:2] or composer.stands_on(evidence(hit, start, end)):
            continue
        budget -= len(text)
        if hit.passage.id not in used and used:
            composer.break_paragraph()
        used[hit.passage.id] = hit
        shown = re.sub(r"\s+", " ", MARKER.sub("", text)).strip()
        if hit.passage.id not in begun:
            begun.add(hit.passage.id)
            shown = _introduced(shown, hit, Wording(composer.language))
        (composer.point if MARKER.match(text) else composer.say)(shown, evidence(hit, start, end))
    return tuple(used.values())


def evidence(hit: Hit, start: int, end: int) -> Evidence:
    """A span of a document as evidence, with the sources that the span rests on."""
    document = hit.document
    claims = [c for c in document.claims if c.start < end and start < c.end]
    first = claims[0] if claims else None
    source = Source(
        document.id,
        document.kind,
        document.title,
        first.source.url if first and first.source.url else document.url,
        first.source.published if first else document.published,
        first.source.retrieved if first else document.retrieved,
        next((c.stance for c in claims if c.stance), None),
    )
    locator = ArticleLocator(hit.passage.heading_path, start, end)
    return Evidence(source, locator, document.text[start:end], tuple(dict.fromkeys(c.source for c in claims)))


def nearest(hits: Sequence[Hit], most: int = 3) -> tuple[Document, ...]:
    """The documents of the best hits, once each."""
    return tuple({h.document.id: h.document for h in hits}.values())[:most]


def _introduced(sentence: str, hit: Hit, w: Wording) -> str:
    """The first sentence taken from a passage: a bare yes or no with the heading it answers, a document's word as its word."""
    heading = hit.passage.heading_path[-1] if hit.passage.heading_path else ""
    if hit.document.collection != "corpus":
        return w("according", title=hit.document.title, sentence=sentence)
    if len(sentence) <= SHORT[w.language] and heading and not any(c.isdigit() for c in heading):
        return w("headed", heading=heading, sentence=sentence)
    return sentence


def _verdict(q: Quotable, language: str) -> list[tuple[int, int]]:
    """The bare yes or no that a passage opens with: what follows is its reason and does not stand without it."""
    passage = q.hit.passage
    spans = sentences(passage.text, q.hit.document.language)
    if not spans or spans[0][1] - spans[0][0] > SHORT[language] or q.hit.document.collection != "corpus":
        return []
    return [(passage.start + spans[0][0], passage.start + spans[0][1])]


def _with_correction(q: Quotable) -> list[tuple[int, int]]:
    """The sentence; where it only reports a claim that we do not endorse, also those that put it right."""
    document, passage = q.hit.document, q.hit.passage
    spans = [(passage.start + a, passage.start + b) for a, b in sentences(passage.text, document.language)]
    at = spans.index((q.start, q.end))
    out = [spans[at]]
    while at + 1 < len(spans) and _reported(document, *spans[at]):
        at += 1
        out.append(spans[at])
    return out


def _reported(document: Document, start: int, end: int) -> bool:
    return any(c.stance in REPORTED for c in document.claims if c.start < end and start < c.end)
