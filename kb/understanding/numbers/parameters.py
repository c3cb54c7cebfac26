"""Numbers of parameters: of a model in all, or of those that a token passes."""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.found import Found
from kb.understanding.numbers.numerals import Numeral
from kb.understanding.numbers.prices import Prices

# 12-16 B sharded: bytes of a parameter.
OF_A_PARAMETER = re.compile(
    r"\s?(?:each |are |is |of it )?(?:replicated|(?:not |un)?sharded|partitioned)(?![a-z])|\s?(?:/|per) ?param(?:eter)?s?(?![a-z])"
)

EACH = re.compile(r"(?:每|(?<![a-z])(?:per|each|every))\s?$")


class Parameters(Prices):
    """Readers of numbers of parameters."""

    def _params(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        if m["par"] == "M" and not m["parword"]:
            return None
        if re.match(r"\s?(?:铅笔|站|超|超市|pencil|座|栋|区|口)", self.low[m.end() : m.end() + 7]):
            return None
        if m["par"] != "M" and OF_A_PARAMETER.match(self.low, m.end()):
            return None
        factor = 1e6 if m["par"] == "M" else 1e9
        return self._parameters(n, m.end(), self._scaled(n, factor), before)

    def _parameters(self, n: Numeral, end: int, value: float | None, before: str) -> Found:
        extra: dict[str, Any] = {}
        if value == 1e9 and EACH.search(before):
            return self._make(n, end, "parameters_each", value, "params", before)  # a measure, of no model
        if re.search(r"(?:激活|active)\s?(?:参数)?(?:量)?\s?$", before) or re.match(
            r"\s?(?:激活(?!值|占|显存|要|需|多|有多|的?大小)|active)", self.low[end : end + 10]
        ):
            extra["role"] = "active"
        elif re.search(r"(?:总参数?(?:量)?|total)\s?$", before) or re.match(r"\s?total", self.low[end : end + 7]):
            extra["role"] = "total"
        return self._make(n, end, "parameters", value, "params", before, **extra)

    def _with_word(self, end: int) -> int:
        m = re.match(r"\s?(?:params?(?:eters?)?(?![a-z])|参数)", self.low[end : end + 11])
        return end + m.end() if m else end
