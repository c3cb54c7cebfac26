"""The language of a question, by counting scripts: libraries that guess languages fail on short, mixed text."""

from __future__ import annotations

import re
from functools import cache

import opencc

from kb.types.question import Language

HAN = re.compile(r"[㐀-鿿]")
LATIN = re.compile(r"[A-Za-z]{2,}")
TO_SIMPLIFIED, TO_TRADITIONAL = opencc.OpenCC("t2s"), opencc.OpenCC("s2t")


@cache
def _only_in(character: str) -> Language | None:
    """The script that alone writes a character so, if one does: 顯 is Traditional, 显 Simplified, 中 both."""
    if TO_SIMPLIFIED.convert(character) != character:
        return "zh-Hant"
    return "zh" if TO_TRADITIONAL.convert(character) != character else None


def language_of(text: str, fallback: Language = "en") -> Language:
    """zh when a fair part is Chinese, zh-Hant when its telling characters are Traditional, else en; `fallback` when nothing tells."""
    sample = text[:20_000]
    han = len(HAN.findall(sample))
    latin = len(LATIN.findall(sample))
    if not han:
        return "en" if latin >= 2 or (latin and fallback == "en") else fallback
    if latin > 4 * han:
        return "en"
    scripts = [_only_in(ch) for ch in HAN.findall(sample[:2000])]
    traditional, simplified = scripts.count("zh-Hant"), scripts.count("zh")
    if traditional > simplified:
        return "zh-Hant"
    if not traditional and not simplified and fallback == "zh-Hant":
        return "zh-Hant"
    return "zh"
