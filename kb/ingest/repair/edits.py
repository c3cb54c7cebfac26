"""Edits of a text, and how edits of an edited text become edits of the original."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """text[start:end] becomes `after`."""

    start: int
    end: int
    after: str
    kind: str


def substitute(
    pattern: re.Pattern[str], text: str, kind: str, after: str | Callable[[re.Match[str]], str | None]
) -> list[Edit]:
    """An edit a match; `after` gives the replacement, or None to leave a match alone."""
    out = []
    for match in pattern.finditer(text):
        new = after(match) if callable(after) else after
        if new is not None and new != match.group():
            out.append(Edit(match.start(), match.end(), new, kind))
    return out


def outside(code: re.Pattern[str], text: str, edits: Iterable[Edit]) -> list[Edit]:
    """The edits that do not begin within what `code` matches."""
    spans = [m.span() for m in code.finditer(text)]
    return [e for e in edits if not any(start <= e.start < end for start, end in spans)]


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits (in order, disjoint) put in."""
    parts, at = [], 0
    for edit in edits:
        parts += [text[at : edit.start], edit.after]
        at = edit.end
    return "".join([*parts, text[at:]])


def disjoint(edits: Iterable[Edit]) -> list[Edit]:
    """In order; of two edits that overlap the one that starts first stays, of equals the longer."""
    out: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, -e.end)):
        if not out or edit.start >= out[-1].end:
            out.append(edit)
    return out


def compose(first: Sequence[Edit], second: Sequence[Edit], middle: str) -> list[Edit]:
    """Edits of the original that do what `first` (original → middle) and then `second` (middle → result) do.

    An edit of `second` that reaches into what `first` wrote is joined with it; the later kind names the whole.
    """
    placed: list[tuple[int, int, int, Edit]] = []  # start and end in the middle text, 0 first or 1 second
    grown = 0
    for edit in first:
        placed.append((edit.start + grown, edit.start + grown + len(edit.after), 0, edit))
        grown += len(edit.after) - (edit.end - edit.start)
    placed += [(edit.start, edit.end, 1, edit) for edit in second]
    placed.sort(key=lambda p: p[:3])

    out: list[Edit] = []
    shift = at = 0  # the original offset of a place in the middle text is place - shift
    while at < len(placed):
        low, high, *_ = placed[at]
        stop = at + 1
        while stop < len(placed) and placed[stop][0] < high:
            high = max(high, placed[stop][1])
            stop += 1
        group = placed[at:stop]
        later = [Edit(e.start - low, e.end - low, e.after, e.kind) for _, _, order, e in group if order]
        start = low - shift
        shift += sum(len(e.after) - (e.end - e.start) for _, _, order, e in group if not order)
        kind = later[-1].kind if later else group[-1][3].kind
        out.append(Edit(start, high - shift, apply(middle[low:high], later), kind))
        at = stop
    return _joined(out)


def _joined(edits: list[Edit]) -> list[Edit]:
    """A pure insertion joins the edit it touches: no two edits then start at one place."""
    out: list[Edit] = []
    for edit in edits:
        if out and out[-1].end == edit.start and (out[-1].start == out[-1].end or edit.start == edit.end):
            out[-1] = Edit(out[-1].start, edit.end, out[-1].after + edit.after, edit.kind)
        else:
            out.append(edit)
    return out
