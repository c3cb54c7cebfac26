"""Chinese answers in the script of the asker, and for Taiwan in its words."""

from __future__ import annotations

import re

from kb.answering.wording import taiwan
from kb.ingest.script import converter

# Written so in both scripts here: of a name (昇腾), and 只 as only, which never counts animals.
KEPT = re.compile("(昇|只)")
WAYS = {"zh-Hant": "s2tw", "zh": "t2s"}


class Script:
    """Writes a text in the script of a language: traditional for `zh-Hant`, simplified for `zh`, English as it is."""

    def __init__(self, language: str) -> None:
        self._way = WAYS.get(language)
        self._said = taiwan.said if language == "zh-Hant" else str

    def write(self, text: str) -> str:
        convert = converter(self._way).convert if self._way else str
        if self._way == WAYS["zh-Hant"]:
            return self._said("".join(str(convert(piece)) for piece in KEPT.split(text)).replace("髮", "發"))  # never the hair
        return "".join(str(convert(piece)) for piece in KEPT.split(text))
