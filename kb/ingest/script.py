"""What Chinese characters tell: script, and how common they are."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


@cache
def converter(way: str) -> Any:
    """The OpenCC conversion of that name: `t2s` traditional to simplified, `s2tw` simplified to the script of Taiwan."""
    import opencc

    return opencc.OpenCC(way)


def simplified(text: str) -> str:
    """Traditional characters as simplified ones; of the same length, or the text itself."""
    out = str(converter("t2s").convert(text))
    return out if len(out) == len(text) else text


@lru_cache(maxsize=20_000)
def is_traditional(char: str) -> bool:
    """A Chinese character that simplification changes."""
    return bool(HAN.match(char)) and simplified(char) != char


@lru_cache(maxsize=20_000)
def is_common(char: str) -> bool:
    """Among the 3,755 most used: level 1 of GB 2312 (lead bytes B0 to D7), traditional forms counted as simplified."""
    try:
        lead = simplified(char).encode("gb2312")
    except UnicodeEncodeError:
        return False
    return len(lead) == 2 and 0xB0 <= lead[0] <= 0xD7


def commonness(text: str) -> float:
    """Share of common characters among all Chinese, private-use and unassigned ones; 0 for a text without any."""
    han = [c for c in text if HAN.match(c) or unicodedata.category(c) in ("Co", "Cn")]
    return sum(map(is_common, han)) / len(han) if han else 0.0
