"""Documents cut into passages, and text into sentences; pure. Offsets are code points into the text given, half-open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kb.ingest.structure import Block, Span, announced, blocks, leans, sentences, stripped
from kb.types.document import Document, Passage
from kb.types.source import PassageId

__all__ = ["announced", "chunk", "leans", "sentences"]

LIMIT = {"en": 900, "zh": 320}  # code points; both about 200 tokens, well inside what encoders read
SLACK = 1.25  # a piece may exceed the limit by this factor rather than leave a stub
STUB = 0.25
SOFT_BORDERS = " \t\n,;:，、；：)）"


def chunk(document: Document) -> tuple[Passage, ...]:
    """The document's passages in order: its sections, cut at paragraph and then sentence borders where they are long.

    A table row or a sentence stays whole unless it alone exceeds the limit (then only the sentence is cut). Headings are in
    the `heading_path`, not in the text, unless nothing follows them. A rendered table row is one passage.
    """
    text = document.text
    pieces: list[tuple[tuple[str, ...], Span]]
    if document.entity is not None:
        whole = stripped(text, 0, len(text))
        pieces = [((document.title,), whole)] if whole[0] < whole[1] else []
    else:
        limit = LIMIT[document.language]
        pieces = [
            (path, piece) for path, section in _sections(document) for piece in _pieces(text, section, limit, document.language)
        ]
    return tuple(
        Passage(PassageId(f"{document.id}#{start}"), document.id, path, start, end, text[start:end])
        for path, (start, end) in pieces
    )


def _sections(document: Document) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """Heading path and content blocks of every section with content; a childless heading is its own content."""
    stack: list[tuple[int, str]] = []
    heading: Block | None = None
    content: list[Block] = []

    def path() -> tuple[str, ...]:
        titles = [title for _, title in stack]
        return tuple(titles if titles[:1] == [document.title] else [document.title, *titles])

    for block in blocks(document.text):
        if block.kind != "heading":
            content.append(block)
            continue
        if content:
            yield path(), content
        elif heading is not None and block.level <= heading.level:
            yield path(), [heading]
        heading, content = block, []
        while stack and stack[-1][0] >= block.level:
            stack.pop()
        stack.append((block.level, block.title))
    if content:
        yield path(), content
    elif heading is not None:
        yield path(), [heading]


def _pieces(text: str, section: Sequence[Block], limit: int, language: str) -> list[Span]:
    """Spans of at most about `limit` code points that together cover the section."""
    if section[-1].end - section[0].start <= limit * SLACK:
        return [(section[0].start, section[-1].end)]
    atoms: list[Span] = []
    for block in section:
        if block.kind == "row" or block.end - block.start <= limit:
            atoms.append((block.start, block.end))
        else:
            within = sentences(text[block.start : block.end], language)
            spans = [cut for s, e in within for cut in _cut(text, block.start + s, block.start + e, limit)]
            atoms.extend(_packed(spans, limit))
    return _without_stub(_packed(atoms, limit), limit)


def _packed(spans: Sequence[Span], limit: int) -> list[Span]:
    """Neighbours joined for as long as they fit."""
    packed: list[Span] = []
    for start, end in spans:
        if packed and end - packed[-1][0] <= limit:
            packed[-1] = (packed[-1][0], end)
        else:
            packed.append((start, end))
    return packed


def _without_stub(packed: list[Span], limit: int) -> list[Span]:
    """A last piece too short to stand alone goes to the one before it."""
    for before, last in list(pairwise(packed))[-1:]:
        if last[1] - last[0] < limit * STUB and last[1] - before[0] <= limit * SLACK:
            return [*packed[:-2], (before[0], last[1])]
    return packed


def _cut(text: str, start: int, end: int, limit: int) -> Iterator[Span]:
    """An overlong sentence cut at the last soft border before the limit, or at the limit."""
    while end - start > limit:
        border = max(text.rfind(mark, start, start + limit) for mark in SOFT_BORDERS) + 1
        middle = border if border > start + limit // 2 else start + limit
        span = stripped(text, start, middle)
        if span[0] < span[1]:
            yield span
        start = middle
    span = stripped(text, start, end)
    if span[0] < span[1]:
        yield span
