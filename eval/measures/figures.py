"""The numbers of a text as a reader counts them."""

from __future__ import annotations

import re
import unicodedata

MARK = re.compile(r"\[(\d+)\]")
NUMBERING = re.compile(r"(?m)^\s*(?:#+\s*)?\d+[.)、]\s+")
# Not the 100 of a product name or the 3 of "stage-3".
FIGURE = re.compile(r"(?<![A-Za-z0-9_.])(?<![A-Za-z]-)\d+(?:,\d{3})*(?:\.\d+)?")


def figures(text: str) -> list[str]:
    """Every number of the text that is not part of a name, a citation mark or the numbering of a list."""
    plain = NUMBERING.sub(" ", MARK.sub(" ", unicodedata.normalize("NFKC", text)))
    return FIGURE.findall(plain)


def number(figure: str) -> float:
    return float(figure.replace(",", ""))
