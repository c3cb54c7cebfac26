"""Chinese answers in the script of the asker."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def _to_traditional() -> Any:
    import opencc

    return opencc.OpenCC("s2tw")


@cache
def _to_simplified() -> Any:
    import opencc

    return opencc.OpenCC("t2s")


class Script:
    """Writes a text in the script of a language: traditional for `zh-Hant`, simplified for `zh`, English as it is."""

    def __init__(self, language: str) -> None:
        self._converter = {"zh-Hant": _to_traditional, "zh": _to_simplified}.get(language)

    def write(self, text: str) -> str:
        return str(self._converter().convert(text)) if self._converter else text
