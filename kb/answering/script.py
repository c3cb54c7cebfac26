"""Chinese answers in the script of the asker."""

from __future__ import annotations

from kb.ingest.script import converter

KEPT = "昇"  # written so in both scripts where it is of a name (昇腾)
WAYS = {"zh-Hant": "s2tw", "zh": "t2s"}


class Script:
    """Writes a text in the script of a language: traditional for `zh-Hant`, simplified for `zh`, English as it is."""

    def __init__(self, language: str) -> None:
        self._way = WAYS.get(language)

    def write(self, text: str) -> str:
        convert = converter(self._way).convert if self._way else str
        return KEPT.join(str(convert(piece)) for piece in text.split(KEPT))
