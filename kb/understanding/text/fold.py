"""Folding: width, case, script and invisible characters are levelled, and every folded character knows where it came from."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import opencc

INVISIBLE = frozenset(
    map(chr, [0x00AD, 0x034F, 0x061C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF])
)
PLAIN = {
    "×": "x",
    "✕": "x",
    "∗": "*",
    "＊": "*",
    "－": "-",
    "–": "-",
    "—": "-",
    "−": "-",
    "‑": "-",
    "～": "~",
    "〜": "~",
    "’": "'",
    "“": '"',
    "”": '"',
}
PLAIN |= {"²": "^2", "³": "^3", "⁹": "^9", "¹": "^1", "⁰": "0", "　": " "}


# Words of Taiwan and Hong Kong for which the mainland has another of the same length, after folding to simplified characters.
WORDS = {
    "频宽": "带宽", "网路": "网络", "硬碟": "硬盘", "丛集": "集群", "快取": "缓存", "推论": "推理", "伺服器": "服务器", "晶片": "芯片",
    "使用者": "用户 ", "效能": "性能", "乙太": "以太", "位元": "比特", "固态碟": "固态盘",
}  # fmt: skip
_WORD = re.compile("|".join(WORDS))
# Numerals as cheques have them, before what they count.
FORMAL = dict(zip("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千", strict=True))
_FORMAL = re.compile(rf"[{''.join(FORMAL)}]+(?=\s?[张块台卡片枚颗路个节万亿人天元])")


class _Script(dict[int, str]):
    """str.translate table that fills itself: one character to what it folds to (Simplified, half width, case kept)."""

    def __init__(self) -> None:
        super().__init__()
        self._converter = opencc.OpenCC("t2s")

    def __missing__(self, code: int) -> str:
        ch = chr(code)
        if ch in INVISIBLE:
            out = ""
        elif ch in PLAIN:
            out = PLAIN[ch]
        elif code < 0x2E80:
            out = unicodedata.normalize("NFKC", ch) if code >= 0x80 else ch
        else:
            out = unicodedata.normalize("NFKC", ch)
            if len(out) == 1 and "一" <= out <= "鿿":
                out = self._converter.convert(out)
        self[code] = out
        return out


_SCRIPT = _Script()


class _Lower(dict[int, str]):
    def __missing__(self, code: int) -> str:
        low = chr(code).lower()
        self[code] = low if len(low) == 1 else chr(code)
        return self[code]


_LOWERED = _Lower()


@dataclass(frozen=True, slots=True)
class Folded:
    """`cased` and `low` are equally long; folded character i stems from source[origin[i]]. `origin` None: one to one."""

    source: str
    cased: str
    low: str
    origin: tuple[int, ...] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Span of the source of the folded span [start, end); both half-open."""
        if self.origin is None or start >= end:
            return start, end
        return self.origin[start], self.origin[end - 1] + 1


def fold(text: str) -> Folded:
    """Fold a text; linear in its length."""
    cased = _WORD.sub(lambda m: WORDS[m.group()], text.translate(_SCRIPT))
    cased = _FORMAL.sub(lambda m: "".join(FORMAL[c] for c in m.group()), cased)
    origin: tuple[int, ...] | None = None
    if len(cased) != len(text) or any(len(_SCRIPT[c]) != 1 for c in set(map(ord, text))):
        origin = tuple(i for i, ch in enumerate(text) for _ in _SCRIPT[ord(ch)])
    return Folded(text, cased, cased.translate(_LOWERED), origin)


def level(text: str) -> str:
    """A text folded, in lower case."""
    return fold(text).low
