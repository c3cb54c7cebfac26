"""Every phrase the program can say, by language; the same keys in each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from functools import reduce
from operator import or_

from kb.answering.wording import en, names, planning, tables, telling, training, units, zh

HAN, LATIN = "\u4e00-\u9fff", "A-Za-z0-9"
BLANK = re.compile(rf"(?P<before>(?<=[{HAN}]) ?)?\{{(?P<name>\w+)\}}(?P<after> ?(?=[{HAN}]))?")
MEETING = re.compile(rf"(?<=[{HAN}])(?=[{LATIN}])|(?<=[{LATIN}%])(?=[{HAN}])")
ONE_PIECE = (
    (" of a GPU's memory", " of the memory"), (" of GPU memory", " of the memory"), (" on the GPU", ""), (" per GPU", ""), ("on one card", ""),
    ("每卡显存", "内存"), ("单卡显存", "内存"), ("每卡可用显存", "可用内存"), ("可用显存", "可用内存"), ("每卡", ""), ("单卡", ""),
)  # fmt: skip
OF_A_FIGURE = re.compile(r"(?<=\d )[A-Za-z]+(?:-[A-Za-z]+)?(?:/[A-Za-z]+)?(?![\w/])")


class Wording:
    """The phrases of one language: `w("lookup", name=..., ...)`; lists joined in its manner."""

    def __init__(self, language: str) -> None:
        self.language = language
        module = en if language == "en" else zh
        beside = (m.EN if language == "en" else m.ZH for m in (planning, tables, telling, training))
        self._phrases: Mapping[str, str] = reduce(or_, beside, dict(module.PHRASES))
        self._names: Mapping[str, str] = names.EN if language == "en" else names.ZH
        self._units: Mapping[str, tuple[str, str]] = units.EN if language == "en" else units.ZH
        self._comma: str = module.COMMA

    def in_one_piece(self) -> Wording:
        """The same phrases said of one computer that has no cards: nothing is per GPU, and its memory is no graphics card's."""
        whole = copy(self)
        whole._phrases = {key: _whole(phrase) for key, phrase in self._phrases.items()}
        whole._names = {key: _whole(name) for key, name in self._names.items()}
        return whole

    def __call__(self, key: str, **parts: object) -> str:
        phrase = self._phrases[key]
        if self.language != "en":  # Latin letters and figures stand off from Han characters
            phrase = BLANK.sub(lambda m: _apart(m, str(parts.get(m["name"], ""))), phrase)
        return phrase.format(**parts)

    def has(self, key: str) -> bool:
        return key in self._phrases

    def name(self, value: str) -> str:
        """The label of a value name, a slot, a workload, a breakdown component."""
        return self._names.get(value, value.replace("_", " "))

    def unit(self, symbol: str, single: bool = False) -> str:
        """A unit as words of the language, or its symbol; `single` for exactly one of it."""
        top, slash, bottom = symbol.partition("/")
        if slash and top in units.PRICED:
            return self.unit(top, True) + slash + self.unit(bottom, True)
        one, many = self._units.get(symbol, (symbol, symbol))
        return one if single else many

    def spelled(self, calculation: str) -> str:
        """A line of a calculation with the units of its figures as words of the language."""
        return OF_A_FIGURE.sub(lambda m: self.unit(m[0]), self.spaced(calculation))

    def spaced(self, sentence: str) -> str:
        """A sentence in which Latin letters and figures stand off from Han characters."""
        return MEETING.sub(" ", sentence)

    def join(self, items: list[str] | tuple[str, ...]) -> str:
        return self._comma.join(items)


def _whole(phrase: str) -> str:
    return reduce(lambda said, change: said.replace(*change), ONE_PIECE, phrase)


def _apart(blank: re.Match[str], part: str) -> str:
    """A blank with a space between it and Han characters where what fills it is Latin there, and none where it is Han too."""
    before, after = blank["before"], blank["after"]
    if before is not None:
        before = " " if re.match(f"[{LATIN}]", part) else "" if re.match(f"[{HAN}]", part) else before
    if after is not None:
        after = " " if re.search(f"[{LATIN}%]$", part) else "" if re.search(f"[{HAN}]$", part) else after
    return f"{before or ''}{{{blank['name']}}}{after or ''}"
