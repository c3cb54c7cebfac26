"""Mandarin readings that a rewriting tool left behind traditional characters: 訓(xùn)練."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator

from kb.ingest.repair.edits import Edit
from kb.ingest.repair.repaired import Flag
from kb.ingest.script import HAN, is_traditional

TONES = "\u0304\u0301\u030c\u0300"
LETTERS = "a-züāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹḿ"
NOTE = re.compile(rf"(?<=(.))\(([{LETTERS}]{{1,6}})\)", re.DOTALL)
TORN = re.compile(rf"\?([{LETTERS}]{{1,6}})\)")
STOP_CUT = re.compile(rf"\?([，。])([A-Za-z])\(([{LETTERS}]{{1,6}})\)")
SYLLABLE = re.compile(
    r"(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?"
    r"(?:iang|iong|uang|ueng|ang|eng|ing|ong|ian|iao|uai|uan|van|an|en|in|un|vn|ai|ei|ao|ou|ia|ie|iu|io|ua|uo|ui|ue|ve|er|[aoeiuv])"
)


def is_reading(text: str) -> bool:
    """One syllable with exactly one tone mark."""
    plain = unicodedata.normalize("NFD", text)
    bare = "".join(c for c in plain if c not in TONES).replace("u\u0308", "v")
    return len(plain) - sum(c not in TONES for c in plain) == 1 and bool(SYLLABLE.fullmatch(bare))


def straddled(before: str, letter: str) -> str | None:
    """The character that the last GBK byte of `before` and an ASCII letter make, when it is a traditional one."""
    try:
        char = (before.encode("gbk")[-1:] + letter.encode("ascii")).decode("gbk")
    except UnicodeError:
        return None
    return char if len(char) == 1 and is_traditional(char) else None


def _notes(text: str) -> Iterator[re.Match[str]]:
    return (m for m in NOTE.finditer(text) if is_reading(m[2]))


def proven(text: str) -> bool:
    """Does the page show that a machine inserted the readings?

    At least three notes (two in a fragment with one every dozen characters), nine in ten of them behind traditional
    characters, one reading a character, and hardly an annotated character without its note.
    """
    behind = [(m[1], m[2]) for m in _notes(text) if HAN.match(m[1])]
    hits = [pair for pair in behind if is_traditional(pair[0])]
    readings = defaultdict(set)
    for char, reading in hits:
        readings[char].add(reading)
    counts = Counter(text)
    bare = sum(counts[char] for char in readings) - len(hits)
    dense = len(hits) >= 2 and bare == 0 and len(hits) > 0.08 * len(HAN.findall(text))
    return (
        (len(hits) >= 3 or dense)
        and len(hits) >= 0.9 * len(behind)
        and all(len(r) == 1 for r in readings.values())
        and bare <= 0.1 * len(hits) + 1
    )


def remove_readings(text: str, page_proven: bool = False) -> list[Edit]:
    """Deletes the notes of a proven page, mends a full stop cut in half; nothing on any other page."""
    if not (page_proven or proven(text)):
        return []
    edits: list[Edit] = []
    mended: set[int] = set()
    for match in STOP_CUT.finditer(text):  # A1 A3 | AC 46: a full stop and the lead byte of the next character
        char = straddled(match[1], match[2])
        if char and is_reading(match[3]):
            edits.append(Edit(match.start(), match.end(), "。" + char, "split_punct"))
            mended.update(range(*match.span()))
    for match in _notes(text):
        at = match.start()
        if at in mended:
            continue
        if is_traditional(match[1]):
            edits.append(Edit(at, match.end(), "", "pinyin_annotation"))
        elif match[1].isascii() and match[1].isalpha() and at >= 2 and straddled(text[at - 2], match[1]):
            edits.append(Edit(at, match.end(), "", "letter_annotation"))
    return edits


def flag_readings(text: str) -> list[Flag]:
    """Notes that were left in place, and readings torn from their character."""
    found = [
        Flag("pinyin_annotation", m.start(), m.end(), "looks like an inserted reading; too little evidence to remove it")
        for m in _notes(text)
        if HAN.match(m[1])
    ]
    torn = (m for m in TORN.finditer(text) if is_reading(m[1]))
    found += [Flag("broken_annotation", m.start(), m.end(), "a reading between the halves of two characters") for m in torn]
    return found
