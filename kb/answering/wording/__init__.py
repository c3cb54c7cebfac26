"""Every phrase the program can say, by language; the same keys in each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kb.answering.wording import en, zh

HAN_BEFORE = re.compile(r"(?<=[\u4e00-\u9fff])(?=\{label\})")


class Wording:
    """The phrases of one language: `w("lookup", name=..., ...)`; lists joined in its manner."""

    def __init__(self, language: str) -> None:
        self.language = language
        module = en if language == "en" else zh
        self._phrases: Mapping[str, str] = module.PHRASES
        self._names: Mapping[str, str] = module.NAMES
        self._units: Mapping[str, tuple[str, str]] = module.UNITS
        self._comma: str = module.COMMA

    def __call__(self, key: str, **parts: object) -> str:
        phrase, label = self._phrases[key], str(parts.get("label", ""))
        if self.language != "en" and label[:1].isascii():  # Latin letters stand off from Han characters
            phrase = HAN_BEFORE.sub(" ", phrase)
        return phrase.format(**parts)

    def has(self, key: str) -> bool:
        return key in self._phrases

    def name(self, value: str) -> str:
        """The label of a value name, a slot, a workload, a breakdown component."""
        return self._names.get(value, value.replace("_", " "))

    def unit(self, symbol: str, single: bool = False) -> str:
        """A unit as words of the language, or its symbol; `single` for exactly one of it."""
        one, many = self._units.get(symbol, (symbol, symbol))
        return one if single else many

    def join(self, items: list[str] | tuple[str, ...]) -> str:
        return self._comma.join(items)
