"""The cited prose of an answer, taken out sentence by sentence and put back in other words, with marks and spans in their places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kb.types.answer import Answer, Citation, Span

MARK = re.compile(r"\[(\d+)\]")
TAIL = re.compile(r" ?(?:\[\d+\])+[。！？；.!?;:：”’\"')）]*")
LISTED = 6  # a sentence with more marks is a list of assumptions


@dataclass(frozen=True, slots=True)
class Piece:
    """A cited sentence of an answer: text[start:end] without its marks, which with the closing punctuation are the `tail`."""

    start: int
    end: int
    text: str
    tail: str
    marks: frozenset[int]
    joined: bool  # nothing but a space parts it from the piece before


def taken_out(answer: Answer) -> tuple[Piece, ...]:
    """The sentences to rephrase, in order: cited prose."""
    marks: dict[tuple[int, int], set[int]] = {}
    for citation in answer.citations:
        for span in citation.answer_spans:
            marks.setdefault((span.start, span.end), set()).add(citation.n)
    if any(one[1] > two[0] for one, two in pairwise(sorted(marks))):
        return ()  # spans that overlap: which words are whose is not plain
    out: list[Piece] = []
    for (start, end), cited in sorted(marks.items()):
        text, tail = answer.text[start:end], TAIL.match(answer.text, end)
        if text.startswith("|") or " = " in text or len(cited) > LISTED or not tail:
            continue
        before = out[-1].end + len(out[-1].tail) if out else -1
        out.append(
            Piece(start, end, text, tail.group(), frozenset(cited), answer.text[before:start] in ("", " ") and bool(out))
        )
    return tuple(out)


def put_back(answer: Answer, pieces: Sequence[Piece], edits: Sequence[tuple[int, int, str]]) -> Answer:
    """The answer with runs of pieces in other words: text, and the spans of its citations."""
    text, at = "", 0
    moved: dict[tuple[int, int], Span] = {}

    def stands(until: int) -> None:
        nonlocal text, at
        shift = len(text) - at
        moved.update({s: Span(s[0] + shift, s[1] + shift) for s in spans if at <= s[0] < until})
        text, at = text + answer.text[at:until], until

    spans = {(s.start, s.end) for c in answer.citations for s in c.answer_spans}
    for i, j, words in edits:
        stands(pieces[i].start)
        new = Span(len(text), len(text) + len(words))
        moved.update({(p.start, p.end): new for p in pieces[i : j + 1]})
        numbers = dict.fromkeys(m for p in pieces[i : j + 1] for m in MARK.findall(p.tail))
        gap, closing = " " if pieces[j].tail.startswith(" ") else "", MARK.sub("", pieces[j].tail).strip()
        text += words + gap + "".join(f"[{n}]" for n in numbers) + closing
        at = pieces[j].end + len(pieces[j].tail)
    stands(len(answer.text))

    def cited(c: Citation) -> Citation:
        return replace(c, answer_spans=tuple(dict.fromkeys(moved[s.start, s.end] for s in c.answer_spans)))

    return replace(answer, text=text, citations=tuple(cited(c) for c in answer.citations))
