"""Chinese answers in the script of the asker."""

from __future__ import annotations

from kb.ingest.script import converter

WAYS = {"zh-Hant": "s2tw", "zh": "t2s"}


class Script:
    """Writes a text in the script of a language: traditional for `zh-Hant`, simplified for `zh`, English as it is."""

    def __init__(self, language: str) -> None:
        self._way = WAYS.get(language)

    def write(self, text: str) -> str:
        return str(converter(self._way).convert(text)) if self._way else text
