"""Every number of a sentence against what the sentence stands on. What is unsupported does not leave."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

NUMBER = re.compile(r"(?<![A-Za-z0-9_.])(?<![A-Za-z]-)\d[\d,]*(?:\.\d+)?")
MARK = re.compile(r"\[\d+\]")
LISTED = re.compile(r"(?m)^\s*\d+[.)、]\s+")


def figures(text: str) -> list[float]:
    """The numbers of a text: not the 100 of A100 or the 3 of ZeRO-3, not citation marks, not list numerals."""
    flat = unicodedata.normalize("NFKC", text)
    flat = re.sub(r"(?<=\d),(?=\d{3}\b)", "", LISTED.sub(" ", MARK.sub(" ", flat)))
    return [float(m.group().replace(",", "")) for m in NUMBER.finditer(flat)]


def unsupported(text: str, standing_on: Iterable[str]) -> list[float]:
    """Numbers of `text` that occur in none of the texts it stands on."""
    have = {f for source in standing_on for f in figures(source)}
    return [f for f in figures(text) if f not in have]
