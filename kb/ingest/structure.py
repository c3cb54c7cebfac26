"""Where blocks and sentences begin and end in a text, Markdown or plain; pure. Offsets are code points, half-open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from markdown_it import MarkdownIt

Span = tuple[int, int]
BlockKind = Literal["heading", "paragraph", "row", "code"]

LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")  # the line ends markdown-it counts
KINDS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "thead_open": "row",
    "tr_open": "row",
    "fence": "code",
}
PLAIN = ["code", "lheading", "html_block", "reference"]  # of Markdown, what damaged plain text resembles too easily
CLOSERS = "\"'”’）)】》」』]"
TERMINATOR = re.compile(rf"(?:[。！？；]+|[.!?;]+)[{re.escape(CLOSERS)}]*|\n")
ABBREVIATION = re.compile(
    r"(?:^|[\s(（])(?:e\.g|i\.e|etc|vs|cf|al|approx|ca|resp|incl|fig|figs|eq|sec|vol|dr|mr|ms|prof|(?-i:(?<!\d\s)[A-Z]))\.$",
    re.IGNORECASE,
)
LEANING = re.compile(
    r"(?:So|That|Those|This|These|It|Its|They|Their|Them|Then|But|Both|Neither|None of (?:them|these)|All (?:two|three|four)|Others?"
    r"|Otherwise|Therefore|Hence|However|Here|There|Newer ones|The (?:first|second|third|former|latter|other|others|rest|same)|Either)\b"
    r"|所以|因此|于是|这|那|该|其|它|他们|但|不过|然而|则|此外|另外|同时|反之|反过来|否则|而|因为|两者|二者|三者|前者|后者|两种|后一|前一|上述|同样|也"
    r"|[^，,。；;]{2,16}的话[，,]"
)
COUNTED = {n: c for c, names in enumerate(("二 两 two", "三 three", "四 four", "五 five", "六 six"), 2) for n in names.split()}
ANNOUNCING = re.compile(
    rf"(?:^|[^第])({'|'.join(n for n in COUNTED if n[0] > 'z')})(?:个|种|类|点|步|件|处|样|条)[^，,；;：:。]{{0,10}}[。：:]$"
    rf"|\b({'|'.join(n for n in COUNTED if n[0] <= 'z')})\b (?:\w+ )?(?:\w+s)\b[^,;:.]{{0,16}}[.:]$",
    re.IGNORECASE,
)
ANNOUNCEMENT = {True: 64, False: 24}  # characters of a sentence that does nothing but announce others, in Latin letters or not
NAME = re.compile(r"[a-z]+(?:[A-Z]|\.[a-z]{2})")  # vLLM, llama.cpp: a name in small letters may begin a sentence
ENUMERATOR = re.compile(r"\s*(?:[-*+>]\s*)*\(?(?:\d{1,3}|[a-zA-Z])\.")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph (also of a list item), a table row (the head with its rule), or a piece of code."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""


def stripped(text: str, start: int, end: int) -> Span:
    """The span without the blanks at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def blocks(text: str) -> Iterator[Block]:
    """The blocks in order; they do not overlap, and every character that is no blank is in one."""
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").disable(PLAIN)
    parser.core.ruler.enableOnly(["normalize", "block"])
    bounds = [match.span() for match in LINE.finditer(text)]
    tokens = parser.parse(text)
    at = 0  # the first line that no block has yet
    for token, follower in pairwise([*tokens, None]):
        kind = KINDS.get(token.type) if token is not None else None
        if token is None or kind is None or token.map is None or token.map[1] <= at or token.map[0] >= len(bounds):
            continue
        first, last = max(token.map[0], at), min(token.map[1] + (token.type == "thead_open"), len(bounds))
        yield from _block(text, bounds, at, first, "paragraph")
        if kind == "heading" and follower is not None:
            yield from _block(text, bounds, first, last, kind, int(token.tag[1:]), follower.content.strip())
        else:
            yield from _block(text, bounds, first, last, kind)
        at = last
    yield from _block(text, bounds, at, len(bounds), "paragraph")


def _block(
    text: str, bounds: list[Span], first: int, last: int, kind: BlockKind, level: int = 0, title: str = ""
) -> Iterator[Block]:
    if first < last:
        start, end = stripped(text, bounds[first][0], bounds[last - 1][1])
        if start < end:
            yield Block(kind, start, end, level, title)


def sentences(text: str, language: str) -> tuple[Span, ...]:
    """Spans of the sentences in order; every character that is no blank is in exactly one.

    A heading, a table row and a line of code are one span each; a list mark belongs to the first sentence of its item.
    """
    return tuple(span for block in blocks(text) for span in _sentences(text, block, language))


def leans(sentence: str) -> bool:
    """Whether a sentence begins with a word that points to the one before it, so that it says little alone."""
    return LEANING.match(sentence.lstrip()) is not None


def announced(sentence: str) -> int:
    """How many things a short sentence says that follow it: `Usually one of four things.`, `要核对三件事：`; 0 where it announces none."""
    said = sentence.strip()
    short = len(said) <= ANNOUNCEMENT[said[:1] < "\u3400"] and not any(c.isdigit() for c in said)
    found = ANNOUNCING.search(said) if short else None
    return COUNTED[(found[1] or found[2]).lower()] if found else 0


def _sentences(text: str, block: Block, language: str) -> Iterator[Span]:
    if block.kind in ("heading", "row"):
        yield block.start, block.end
        return
    start = block.start
    for match in TERMINATOR.finditer(text, block.start, block.end):
        if match[0] == "\n" if block.kind == "code" else _ends(text, start, block.end, match, language):
            span = stripped(text, start, match.end())
            if span[0] < span[1]:
                yield span
                start = match.end()
    span = stripped(text, start, block.end)
    if span[0] < span[1]:
        yield span


def _ends(text: str, start: int, end: int, match: re.Match[str], language: str) -> bool:
    """Whether a terminator ends the sentence that began at `start`."""
    mark, after = match[0], text[match.end() : min(match.end() + 40, end)]
    if mark == "\n":
        wrapped = after.lstrip()[:1]
        return not (wrapped.islower() and text[start : match.start()].rstrip()[-1:] not in "。！？；.!?;:：")
    if mark[0] in "。！？；":
        return True
    spaced = not after or after[0].isspace()
    if mark[0] == ";" and after.lstrip()[:1].islower():
        return False  # a clause, not a sentence
    if mark[0] in "!?;":
        return spaced or (language == "zh" and not after[0].isascii())
    before = text[start : match.start() + 1]
    if not spaced or ENUMERATOR.fullmatch(before):
        return False
    following = after.lstrip()
    return not (ABBREVIATION.search(before) and mark == ".") and (
        not following[:1].islower() or NAME.match(following) is not None
    )
