"""Damage that cannot be undone, or not proven: seen, said, left alone."""

from __future__ import annotations

import re

from kb.ingest.repair.readings import LETTERS, flag_readings
from kb.ingest.repair.repaired import Flag
from kb.ingest.script import HAN, commonness

UNIT = r"\s?(?:[KMGT]i?B(?:/s)?|[KMGT]?Hz|[kM]?W|TFLOPS?|块|张|卡|核|元|万|°C)"
LOST = "bytes were lost before the text reached us"
SIGN = "a sign was printed as a question mark"
PATTERNS = (
    ("replacement_char", re.compile(r"\ufffd+"), LOST),
    ("replacement_char", re.compile(r"(?:锟斤拷)+|烫{2,}|屯{2,}"), LOST),
    (
        "superscript_lost",
        re.compile(r"[×x*]\s?10[12][0-9](?!\d)|\d\s?[×x]\s?10(?:12|15|18|21|24)(?!\d)"),
        "an exponent mark is gone",
    ),
    ("superscript_lost", re.compile(r"(?<![\d.])10[-−][3-9](?!\d)"), "perhaps a negative power of ten"),
    ("ocr_digits", re.compile(rf"(?<![A-Za-z0-9])(?=[Ool]*\d)(?=\d*[Ool])[\dOol]+(?={UNIT})"), "a letter where a digit is due"),
    ("lost_symbol", re.compile(r"(?<=\d)\s?\?(?=[A-Za-z])|(?<=[a-z])\?(?=/[a-z])"), SIGN),
    ("lost_symbol", re.compile(r"(?<=[A-Za-z])\?(?=\s+[A-Z][a-z]+\?)|(?<=\s)\?(?=\s)"), SIGN),
)
LINE = re.compile(r"[^\n]+")
LATIN = re.compile(r"[\u00a1-\u00ff]")
SWALLOWED = re.compile(rf"(?<=[)\u3400-\u9fff])\?(?![{LETTERS}]{{1,6}}\))(?=[A-Z\u3400-\u9fff])")


def find_flags(text: str, known: tuple[Flag, ...] = ()) -> tuple[Flag, ...]:
    """All flags in order: those `known` from repairs made only in part, and those the text shows."""
    found = [*known, *flag_readings(text)]
    found += [Flag(kind, *m.span(), reason) for kind, pattern, reason in PATTERNS for m in pattern.finditer(text)]
    if any(f.kind == "broken_annotation" for f in found):
        found += [Flag("lost_bytes", *m.span(), "two bytes were swallowed here") for m in SWALLOWED.finditer(text)]
    for line in LINE.finditer(text):
        improbable = len(HAN.findall(line.group())) >= 3 and commonness(line.group()) < 0.55 and "锟" not in line.group()
        foreign = len(LATIN.findall(line.group())) >= max(6, 0.4 * len(line.group()))
        if improbable or foreign:
            found.append(
                Flag("mojibake", *line.span(), "improbable characters: perhaps read in the wrong encoding, with bytes lost")
            )
    return tuple(sorted(set(found), key=lambda f: (f.start, f.end, f.kind)))
