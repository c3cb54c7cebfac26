"""Chinese answers in the script of the asker."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def _to_traditional() -> Any:
    import opencc

    return opencc.OpenCC("s2tw")


class Script:
    """Writes a text in the script of a language: traditional for `zh-Hant`, otherwise as it is."""

    def __init__(self, language: str) -> None:
        self._traditional = language == "zh-Hant"

    def write(self, text: str) -> str:
        return str(_to_traditional().convert(text)) if self._traditional else text
