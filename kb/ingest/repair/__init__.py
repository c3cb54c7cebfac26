"""Damaged text → text, with every change and every doubt on record; pure.

Only what the text itself proves is repaired; what is lost is flagged and never invented. The script stays as it is: traditional
and simplified forms meet in the search, not here. A second run over repaired text changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kb.ingest.repair import encoding, furniture, markup, readings, width
from kb.ingest.repair.edits import Edit, apply, compose, disjoint
from kb.ingest.repair.flags import find_flags
from kb.ingest.repair.repaired import Flag, Repair, Repaired
from kb.types.plain import plain

__all__ = ["Flag", "Repair", "Repaired", "clean_plain", "repair"]

Pass = Callable[[str], list[Edit]]

# Bytes first, before anything that would blur their traces; then marks in the text; then what stands around it.
PASSES: tuple[Pass, ...] = (
    encoding.gbk_read_as_latin,
    encoding.utf8_read_as_latin,
    encoding.utf8_read_as_gbk,
    encoding.gbk_read_one_byte_late,
    width.fold_line_ends,
    markup.drop_readings_and_mark_powers,
    markup.drop_tags,
    markup.unescape_entities,
    markup.unescape_entities,  # again: what was escaped twice
    markup.decode_escapes,
    width.drop_invisible,
    width.fold_width,
    markup.fold_look_alikes,
    width.compose_characters,
    width.fold_empty_lines,
    furniture.drop_navigation,
    furniture.drop_promotion,
    furniture.drop_head,
    furniture.drop_keyword_lines,
    furniture.drop_repeats,
)

MENDED = {
    "misaligned_gbk": ("guessed_byte", "paired anew; half of the first and of the last character is gone"),
    "lost_bytes": ("lost_bytes", "paired anew; bytes at both ends are gone, perhaps a digit among them"),
}


def repair(text: str, page_proven: bool = False) -> Repaired:
    """The text repaired; `page_proven` says that the page is known to carry machine-inserted readings."""
    edits: list[Edit] = []
    now = text
    for step in (lambda t: readings.remove_readings(t, page_proven), *PASSES):
        if new := disjoint(step(now)):
            edits, now = compose(edits, new, now), apply(now, new)
    edits = [e for e in edits if text[e.start : e.end] != e.after]
    repairs = tuple(Repair(e.kind, e.start, e.end, text[e.start : e.end], e.after) for e in edits)
    return Repaired(now, repairs, find_flags(now, _mended(edits)))


def _mended(edits: list[Edit]) -> tuple[Flag, ...]:
    """Where the byte-level repairs with missing ends stand in the result, as flags."""
    flags, grown = [], 0
    for edit in edits:
        start = edit.start + grown
        if edit.kind in MENDED:
            flags.append(Flag(MENDED[edit.kind][0], start, start + len(edit.after), MENDED[edit.kind][1]))
        grown += len(edit.after) - (edit.end - edit.start)
    return tuple(flags)


def clean_plain(text: str, mode: str | None = None) -> dict[str, Any]:
    """{"text", "repairs", "flags"} as plain structures; mode "page_proven" as in `repair`."""
    out: dict[str, Any] = plain(repair(text, page_proven=mode == "page_proven"))
    return out
