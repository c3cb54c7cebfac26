"""Chinese answers in the script of the asker, and for Taiwan in its words."""

from __future__ import annotations

from kb.answering.wording import taiwan
from kb.ingest.script import converter

KEPT = "昇"  # written so in both scripts where it is of a name (昇腾)
WAYS = {"zh-Hant": "s2tw", "zh": "t2s"}


class Script:
    """Writes a text in the script of a language: traditional for `zh-Hant`, simplified for `zh`, English as it is."""

    def __init__(self, language: str) -> None:
        self._way = WAYS.get(language)
        self._said = taiwan.said if language == "zh-Hant" else str

    def write(self, text: str) -> str:
        convert = converter(self._way).convert if self._way else str
        return self._said(KEPT.join(str(convert(piece)) for piece in text.split(KEPT)))
