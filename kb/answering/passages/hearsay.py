"""What another text claims, and our verdict on it, is for those who ask about that text or its claim."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from kb.answering.passages.sections import spans_of
from kb.index.lexical import tokens
from kb.ingest.chunk import leans
from kb.retrieval.ground import Ground
from kb.types.document import Document
from kb.understanding.asks.hearing import heard

FIGURE = re.compile(r"(?<![a-zA-Z\d.])\d+")  # of an amount, not of a name
CLAIMED = 2.0  # times as much of what was asked as any sentence of ours there holds: the reported one is what was asked about


def unheard(found: Ground, question: str) -> Ground:
    """The sentences without those that only report a source we contradict, and what leans on them, where nobody asked about it:
    a question that holds a figure of such a sentence does. The first sentence of a section stays, which answers its heading."""
    if heard(question):
        return found
    spans = {q.hit.passage.id: (q.hit.document, spans_of(q.hit)) for q in found.quotable}
    reports = {(n, at[0]) for n, (document, within) in spans.items() for at in within[1:] if _only_reports(document, *at)}
    own = dict.fromkeys(spans, 0.0)
    for q in found.quotable:
        if (q.hit.passage.id, q.start) not in reports:
            own[q.hit.passage.id] = max(own[q.hit.passage.id], q.match)
    figures = set(FIGURE.findall(question))
    asked = [q for q in found.quotable if q.match > CLAIMED * own[q.hit.passage.id] or figures & set(tokens(q.text))]
    reports -= {(q.hit.passage.id, q.start) for q in asked}
    for n, (document, within) in spans.items():
        for before, at in pairwise(within):
            if (n, before[0]) in reports and leans(document.text[slice(*at)]):
                reports.add((n, at[0]))
    kept = tuple(q for q in found.quotable if (q.hit.passage.id, q.start) not in reports)
    return replace(found, quotable=kept, withheld=found.withheld | reports)


def _only_reports(document: Document, start: int, end: int) -> bool:
    """Whether a sentence rests on nothing but sources that the document contradicts somewhere."""
    contradicted = {c.source.id for c in document.claims if c.stance}
    sources = {c.source.id for c in document.claims if c.start < end and start < c.end}
    return bool(sources) and sources <= contradicted
