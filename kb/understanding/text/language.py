"""The language of a question, by its scripts and small words: libraries that guess languages fail on short, mixed text."""

from __future__ import annotations

import re
from functools import cache

import opencc

from kb.types.question import Language

HAN = re.compile(r"[㐀-鿿]")
WIDE = re.compile(r"[，。？！：；、（）《》“”]")  # punctuation of Chinese writing
ASKING = re.compile(r"[吗呢吧啊么嘛了的是要能够会有没不请帮求想怎啥咋几多哪谁為为何办解換换用跑比和跟与還还這这那我你]")
# Words that only a sentence has: names, terms and figures stand in any language.
ENGLISH = re.compile(
    r"(?<![a-z])(?:an?|the|what|whats|how|why|which|who|when|where|is|are|was|were|do|does|did|can|could|should|would|will|may|i|im|my"
    r"|we|our|you|your|it|its|this|that|these|those|them|they|there|and|or|but|if|for|with|without|from|of|to|in|on|at|than|about|not"
    r"|no|yes|need|needs|want|have|has|much|many|long|fast|please|instead|use|using|now|then|also|only|just|same|again|make|try"
    r"|give|tell|compare|english|ok|okay|sorry|enough|per|mean|meant)(?![a-z])",
    re.IGNORECASE,
)
LOG = re.compile(
    r"^.*(?:error|exception|traceback|\[rank ?\d|nccl warn|file \"|tried to allocate).*$", re.IGNORECASE | re.MULTILINE
)
A_SENTENCE = 3  # such words that make an English sentence around a Chinese name
TO_SIMPLIFIED, TO_TRADITIONAL = opencc.OpenCC("t2s"), opencc.OpenCC("s2t")


@cache
def _only_in(character: str) -> Language | None:
    """The script that alone writes a character so, if one does: 顯 is Traditional, 显 Simplified, 中 both."""
    if TO_SIMPLIFIED.convert(character) != character:
        return "zh-Hant"
    return "zh" if TO_TRADITIONAL.convert(character) != character else None


def language_of(text: str, fallback: Language = "en") -> Language:
    """Chinese when any of it asks in Chinese, whatever English logs and terms stand around it, in the script of its telling
    characters; English when it holds words of an English sentence; `fallback` when it holds names, figures and logs alone."""
    sample = text[:20_000]
    han = HAN.findall(sample)
    if not han:
        if WIDE.search(sample):
            return fallback if fallback != "en" else "zh"
        return "en" if ENGLISH.search(LOG.sub("", sample)) else fallback
    if not any(ASKING.match(c) for c in han) and len(ENGLISH.findall(sample)) >= A_SENTENCE:
        return "en"
    scripts = [_only_in(ch) for ch in han[:2000]]
    traditional, simplified = scripts.count("zh-Hant"), scripts.count("zh")
    if traditional > simplified:
        return "zh-Hant"
    if not traditional and not simplified and fallback == "zh-Hant":
        return "zh-Hant"
    return "zh"
