"""Amounts of memory, bandwidths and lengths: a G may be any of them, a K a length or money."""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.found import Found
from kb.understanding.numbers.cues import (
    CACHE,
    CORPUS,
    CURRENCY_AFTER,
    DISK,
    LENGTH_AFTER,
    LENGTH_BEFORE,
    MODEL_AFTER,
    MODEL_BEFORE,
    MONEY_BEFORE,
    NETWORK,
    PERCENT,
    PHONE,
    RAM,
    SYMBOL,
    VRAM,
    WIRED,
)
from kb.understanding.numbers.numerals import Numeral
from kb.understanding.numbers.parameters import Parameters
from kb.understanding.numbers.units import CURRENCIES, bandwidth_unit, memory_unit


class Sizes(Parameters):
    """Readers of memory, bandwidth and lengths."""

    def _bandwidth(self, n: Numeral, m: re.Match[str], before: str) -> Found:
        if m["bwzh"]:
            unit, open_case = {"吉": "Gb/s", "太": "Tb/s", "兆": "Mb/s"}[m["bwzh"].strip()[0]], False
        else:
            unit, open_case = bandwidth_unit(m["bw"])
        return self._make(n, m.end(), "bandwidth", n.value, unit, before, **({"ambiguous": True} if open_case else {}))

    def _memory(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        low, end = self.low, m.end()
        written = m["mem"]
        unit = memory_unit(written) if written else {"吉": "GB", "太": "TB", "兆": "MB"}[m["memzh"][0]]
        after = low[end : end + 14]
        if unit == "GB" and len(written or "") > 1 and WIRED.match(after):
            return self._make(n, end, "bandwidth", n.value, "Gb/s", before)
        if (written and len(written) == 1) or written in ("Gb", "Tb", "Mb"):
            letter = (written or "g")[0].lower()
            if letter == "m" and (MODEL_AFTER.match(after) or MODEL_BEFORE.search(before)):
                return self._make(n, end, "parameters", self._scaled(n, 1e6), "params", before)
            if letter == "m" and re.match(r"\s?(?:上下文|context|ctx|窗口|window|token)", after):
                return self._length(n, end, False, True, before)
            if letter == "t" and (
                re.match(
                    r"\s?(?:个)?(?:参数|params?|parameters?|(?:的)?(?:moe|稠密|dense)?\s?(?:大)?(?:模型|model)|moe)", after
                )
                or re.search(r"\ue002[ -]?$", before)
            ):
                return self._make(n, end, "parameters", self._scaled(n, 1e12), "params", before)
            if letter == "t" and re.match(r"\s?(?:flops?|算力|ops)", after):
                return None
            if (
                letter == "t"
                and CORPUS.search(before)
                and re.search(r"训|炼|train", low[:2000])
                and not DISK.search(low[:2000])
            ):
                return self._make(n, end, "tokens", self._scaled(n, 1e12), "tokens", before)
            clause = re.split(r"[，,;；。]", after)[0]
            if NETWORK.search(clause) or NETWORK.search(re.split(r"[，,;；。]", before[-12:])[-1]):
                if n.value == 5 and letter == "g" and not re.search(r"网卡|网口|ib|以太", clause):
                    return None
                return self._make(n, end, "bandwidth", n.value, f"{letter.upper()}b/s", before)
            if letter == "m" and not (RAM.search(after) or DISK.search(after) or CACHE.search(after) or "显存" in after):
                return None
        if not self.field and written and len(written) == 1 and (len(low) > end - n.start + 6 or PHONE.match(after)):
            return None
        extra: dict[str, Any] = {"role": self._memory_role(n.start, end)}
        if re.search(r"(?:每卡|单卡|每张卡?|per (?:gpu|card))[^,，。;]{0,6}$", before) or re.match(
            r"\s?(?:/|per |每)\s?(?:gpu|card|卡|张)", after
        ):
            extra["per"] = "gpu"
        if re.search(r"(?:共|总共|合计|一共|总计|total(?: of)?)\s?$", before):
            extra["role2"] = "total"
        return self._make(n, end, "memory", n.value, unit, before, **extra)

    def _memory_role(self, start: int, end: int) -> str:
        aside = re.search(
            r"(?<![a-z])(?:to|onto|into|over|from)(?![a-z])", self.low[end : end + 18]
        )  # where it goes is not what it is
        after = re.split(r"[，,;；。、]|\d", self.low[end : end + (12 if aside else 18)])[0]
        before = self.low[max(0, start - 12) : start]
        if re.match(r"\s?(?:l[123]\s?)?(?:cache|缓存)", self.low[end : end + 12]):
            return "cache"
        for text in (after, re.split(r"[;；。]|\d", before)[-1]):
            hits = [
                (m.start(), role)
                for role, p in (("vram", VRAM), ("ram", RAM), ("disk", DISK), ("cache", CACHE))
                if (m := p.search(text))
            ]
            if hits:
                return min(hits)[1] if text is after else max(hits)[1]
        earlier = [f for f in self.out if f.quantity == "memory" and f.end > start - 8]
        return str(earlier[-1].extra["role"]) if earlier and re.search(r"共|total", before) else "unspecified"

    def _kilo(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        end = m.end()
        symbol = SYMBOL.search(before)
        named = CURRENCY_AFTER.match(self.low, end)
        if named:
            return self._make_money(n, named.end(), self._scaled(n, 1e3), CURRENCIES[named[1]], before, n.start)
        if (
            symbol
            or MONEY_BEFORE.search(before)
            or self._is_price(n)
            or re.match(r"\s?的?(?:预算|budget)", self.low[end : end + 8])
        ):
            currency = CURRENCIES.get(symbol[1], "USD") if symbol else self._currency()
            begin = symbol.start() - len(before) + n.start if symbol else n.start
            return self._make_money(n, end, self._scaled(n, 1e3), currency, before, begin)
        if re.match(
            r"\s?(?:的)?(?:视频|电视|分辨率|屏|显示器|画质|图|照片|video|tv|monitor|image|picture|photo|resolution|瓦|人|users?|[dwm]au|(?:daily|weekly|monthly)|steps?|步|条|samples?|样本)",
            self.low[end : end + 10],
        ):
            return None
        if n.value is None or n.value > 4096:
            return None
        power_of_two = n.value > 0 and float(n.value).is_integer() and int(n.value) & (int(n.value) - 1) == 0
        if (
            (LENGTH_BEFORE.search(before) and not PERCENT.match(self.low, end))
            or LENGTH_AFTER.match(self.low, end)
            or (self.field and (power_of_two or n.value >= 100))
        ):
            return self._length(n, end, True, False, before)
        return None

    def _length(self, n: Numeral, end: int, kilo: bool, mega: bool, before: str) -> Found | None:
        value = n.value
        if value is None:
            return None
        accept: list[float] = []
        if kilo or mega:
            binary, decimal = (1024.0, 1000.0) if kilo else (1024.0**2, 1e6)
            two = value.is_integer() and value > 0 and int(value) & (int(value) - 1) == 0
            value, other = (value * binary, value * decimal) if two else (value * decimal, value * binary)
            accept = [other]
        elif n.chinese and value >= 1000:
            two = value / 1000 in (1, 2, 4, 8, 16, 32, 64, 128)
            accept = [value * 1.024] if two else []
        return self._make(n, end, "seq_len", value, "tokens", before, **({"accept": accept} if accept else {}))
