"""The section that a passage is a piece of: a section answers its heading as a whole, and its first sentence says what it is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from kb.ingest.chunk import sentences
from kb.ingest.structure import Span, blocks, stripped
from kb.types.evidence import Hit

OURS = "corpus"  # the collection of articles that are written section by section
MARKER = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


def sectioned(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits with the whole section in the place of each passage of an article, once each: the best hit of a section stands for it."""
    out: dict[tuple[str, int], Hit] = {}
    for hit in hits:
        start, end = section_of(hit)
        out.setdefault((hit.document.id, start), _spread(hit, start, end))
    return tuple(out.values())


def section_of(hit: Hit) -> Span:
    """Where the section of a passage begins and ends in its document; of other documents the passage alone."""
    passage = hit.passage
    if hit.document.collection != OURS:
        return passage.start, passage.end
    text = hit.document.text
    heads = _headings(text)
    start = max((end for _, end in heads if end <= passage.start), default=0)
    return stripped(text, start, min((begin for begin, _ in heads if begin >= passage.end), default=len(text)))


def spans_of(hit: Hit) -> list[tuple[int, int]]:
    """The sentences of a passage in the document; of a list that began earlier, also the words that lead to it."""
    document, passage = hit.document, hit.passage
    spans = [(passage.start + a, passage.start + b) for a, b in sentences(passage.text, document.language)]
    if spans and MARKER.match(document.text[slice(*spans[0])]):
        before = sentences(document.text[: passage.start], document.language)
        lead = next((s for s in reversed(before) if not MARKER.match(document.text[slice(*s)])), None)
        if lead and not document.text[slice(*lead)].lstrip().startswith(("#", "|")):
            return [lead, *spans]
    return spans


def _spread(hit: Hit, start: int, end: int) -> Hit:
    return replace(hit, passage=replace(hit.passage, start=start, end=end, text=hit.document.text[start:end]))


@lru_cache(maxsize=1000)
def _headings(text: str) -> tuple[Span, ...]:
    return tuple((b.start, b.end) for b in blocks(text) if b.kind == "heading")
