"""Money, and watts, which share a letter with it: 20w is two hundred thousand behind a budget and twenty watts behind a card."""

from __future__ import annotations

import re

from kb.understanding.found import Found
from kb.understanding.numbers.cues import (
    AT,
    BEFORE_PER,
    CURRENCY_AFTER,
    MONEY_BEFORE,
    PER_DAY,
    PER_GB_MONTH,
    PER_GPU_HOUR,
    PER_HOUR,
    PER_KWH,
    PER_MILLION,
    PER_MONTH,
    PER_YEAR,
    SYMBOL,
)
from kb.understanding.numbers.measure import Measure
from kb.understanding.numbers.numerals import Numeral, scan
from kb.understanding.numbers.units import CURRENCIES

OF_ONE = re.compile(r"\s?(?:/|per |a |each |每)\s?(?:gpu|card|卡|张)|\s?(?:each|apiece|一张|一块|每张|每卡|单卡)")
LIMITED = re.compile(  # what a card is set to draw
    r"(?:限功率?|限制?(?:功率|功耗)?|功耗墙|功率墙|锁(?:功耗|功率)?|压到"
    r"|(?<![a-z])(?:cap(?:ped)?|limit(?:ed)?|power[- ]?limit(?:ed)?|-?pl|undervolted))"
    r"(?:功率|功耗)?\s?(?:到|在|成|为|to|at|of|=|:)?\s?$"
)
OF_MACHINE = re.compile(  # 10.2 kW servers
    r"\s?(?:的)?\s?(?:服务器|机器|整机|(?:gpu )?(?:servers?|machines?|nodes?|boxes)(?![a-z]))(?!\s?(?:supply|psu|电源))"
)
CENTS = ("cent", "cents", "¢", "美分")
PER = (
    ("gb_month", PER_GB_MONTH),
    ("million_tokens", PER_MILLION),
    ("gpu_hour", PER_GPU_HOUR),
    ("kwh", PER_KWH),
    ("hour", PER_HOUR),
    ("day", PER_DAY),
    ("month", PER_MONTH),
    ("year", PER_YEAR),
)
ONE_OF = r"(?![一1]\s?(?:[度个小张卡]|千瓦时|kwh))"  # 一块一度: one yuan for one kWh, no 1.1 yuan


BUYING = re.compile(
    r"(?<![a-z])(?:own(?:ed|ing|ership)?|buy(?:ing)?|bought|purchas\w*|paid|quot\w+|depreciat\w*|amorti[sz]\w*|capex)(?![a-z])|折旧|摊销|购|买"
)
RENTED = re.compile(
    r"(?<![a-z])(?:costs?|prices?|priced|pay\w*|rent\w*|spot|on[- ]?demand|bill|total|cloud|budget)(?![a-z])"
    r"|[$¥€£]|多少钱|费用|花费|[租价]|总共|一共|成本"
)
LENGTHS = re.compile(r"tok|词元|上下文|序列|长度|(?<![a-z])(?:context|ctx|seq|length|prompts?|users?|samples?)(?![a-z])")


READ_FOR_MONEY = 2000  # characters
MOST_AN_HOUR = 100  # of a price that has cents
LEAST_WATTS = 40  # of a chip that models are run on
SPENT = re.compile(
    r"折旧|摊到?每|[租买卖花]|入手|预算|经费|报价|售价|价格|给了|投入|成本|批了|拨了|整机|一台|老板|导师|元|块钱|多少钱"
)
WATTS_BEFORE = re.compile(r"(?:功耗|功率|瓦数|tdp|power|满载|限|空载|待机|耗电)[^,，。;]{0,6}$")


class Prices(Measure):
    """Readers of money and power."""

    def _money(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        cur = m["cur"].lower()
        end = m.end()
        if cur == "毛":
            tail = re.match(rf"(?:{ONE_OF}(\d|[一二三四五六七八九]))?(?:钱)?", self.low[end : end + 5])
            return self._make_money(n, end + (tail.end() if tail else 0), self._scaled(n, 0.1), "CNY", before, n.start)
        if cur in CENTS:
            return self._make_money(n, end, self._scaled(n, 0.01), "USD", before, n.start)
        if cur == "块" and re.match(
            r"\s?(?:\ue000|显卡|卡|gpu|网卡|硬盘|盘|ssd|nvme|板|主板|\d{1,3}(?:\.\d{1,2})?\s?[tg]b?\s?(?:的)?\s?(?:nvme|ssd|硬盘"
            r"|盘|固态|内存|网卡|网口|口))",
            self.low[end : end + 14],
        ):
            return None
        value = self._scaled(n, 1e4 if cur == "万元" else 1.0)
        cents = (
            re.match(rf"{ONE_OF}(\d|[一二三四五六七八九])(?!\d|[十百千万]|\s?[a-z])", self.low[end : end + 5])
            if cur == "块"
            else None
        )
        if cents and value is not None:
            tenths = scan(cents[1])[0].value or 0.0
            value, end = value + tenths / 10, end + 1
        symbol = SYMBOL.search(before)
        start = symbol.start() - len(before) + n.start if symbol else n.start
        return self._make_money(n, end, value, CURRENCIES.get(cur, "CNY"), before, start)

    def _make_money(self, n: Numeral, end: int, value: float | None, currency: str, before: str, start: int) -> Found:
        per = None
        lead = BEFORE_PER.search(before)
        for name, pattern in PER:
            m = pattern.match(self.low, end)
            if m:
                per, end = name, m.end()
                break
        else:
            if lead:
                per = next(k for k, v in lead.groupdict().items() if v)
            elif AT.search(before) and any(f.quantity == "gpu_hours" for f in self.out):
                per = "gpu_hour"
        made = self._make(n, end, "money", value, currency, before, **({"per": per} if per else {}))
        return Found(start, end, made.quantity, made.value, made.unit, made.extra)

    def _is_sum(self, end: int, before: str) -> bool:
        """Whether so many tens of thousands are money: a budget, or what a machine costs."""
        machine = re.search(r"(?:整机|机器|服务器)(?:价格?)?\s?$", before)
        each = re.search(r"[一每单][张台块]\s?\ue000*\s?(?:要|卖|约|大概)?\s?$", before) and re.search(
            r"租|买|购|回本|预算", self.low
        )
        priced = re.search(r"\ue000\s?(?:二手|全新|现价|现在|大概|约|要|卖|价格?|一张|单价)*\s?$", before)  # a card's price
        bought = re.search(r"(?:买|购|入手|报价|售价|总价|花)[^,，。;?]{0,20}$", self.low[max(0, end - 36) : end])
        fee = re.search(r"(?:费用?|租金?|托管|运维|维保|维护|每个?月|每年|月租|年费)[^,，。;?\d]{0,6}$", before)
        alone = re.match(r"\s?(?:左右|上下|出头)?\s?(?:[,，。;?!、]|$)", self.low[end : end + 4])
        return (
            bool(machine or each or (fee and alone) or (bought and alone) or (priced and re.search(r"租|买|购|回本", self.low)))
            or re.match(r"\s?(?:的|左右的?)?预算", self.low[end : end + 6]) is not None
        )

    def _is_price(self, n: Numeral) -> bool:
        """Whether so many thousands without a sign are money: something is bought, and no length or number of tokens is spoken of."""
        two = n.value is not None and float(n.value).is_integer() and int(n.value) & (int(n.value) - 1) == 0
        return not two and BUYING.search(self.low) is not None and LENGTHS.search(self.low) is None

    def _is_rent(self, n: Numeral) -> bool:
        """Whether a bare number an hour is what the hour costs: cents are written, or money is spoken of."""
        cents = n.value is not None and n.value < MOST_AN_HOUR and not float(n.value).is_integer()
        return cents or RENTED.search(self.low, 0, READ_FOR_MONEY) is not None

    def _currency(self) -> str:
        if "$" in self.low or "美元" in self.low or "usd" in self.low:
            return "USD"
        return "CNY" if re.search(r"[一-鿿]", self.low) else "USD"

    def _power(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        written, end = m["pow"], m.end()
        low = written.lower()
        named = CURRENCY_AFTER.match(self.low, end) if low == "w" else None
        if named:
            return self._make_money(n, named.end(), self._scaled(n, 1e4), CURRENCIES[named[1]], before, n.start)
        if low == "w" and (
            MONEY_BEFORE.search(before)
            or self._in_wan(n, before)
            or re.match(r"(?:条|块|元|人|预算|左右的?预算|张图|个?样本|字|token)", self.low[end : end + 6])
        ):
            if re.match(r"(?:条|人|张图|个?样本|字|token)", self.low[end : end + 6]):
                return None
            return self._make_money(n, end, self._scaled(n, 1e4), self._currency(), before, n.start)
        unit = "MW" if written == "MW" or low == "兆瓦" else "kW" if low in ("kw", "千瓦") or low.startswith("kilo") else "W"
        if unit == "W" and written == "w" and not self.field and not re.search(r"功耗|tdp|电源|power", self.low):
            return None
        extra = {}
        if OF_ONE.match(self.low, end) or re.search(r"(?:单卡|每卡|每张|每块)[^,，]{0,3}$", before) or LIMITED.search(before):
            extra["per"] = "gpu"
        elif re.search(r"(?:单柜|每柜|机柜|rack|per rack)[^,，]{0,6}$", before) or re.match(
            r"\s?(?:/|per |每|的)?\s?(?:rack|柜|机柜|cabinet)", self.low[end : end + 10]
        ):
            extra["per"] = "rack"
        elif (
            OF_MACHINE.match(self.low, end)
            or re.search(r"每台(?:机器|服务器)?[^,，\d]{0,3}$|(?:servers|machines|nodes|boxes) (?:of|at|with) $", before)
            or re.match(r"\s?(?:/|per |a |each |每)\s?(?:server|node|machine|box|台)", self.low[end : end + 12])
        ):
            extra["per"] = "server"
        return self._make(n, end, "power", n.value, unit, before, **extra)

    def _in_wan(self, n: Numeral, before: str) -> bool:
        """Whether a `w` behind a small number is ten thousand of money: no chip draws so little, and money is spoken of."""
        return (n.value or 0) < LEAST_WATTS and SPENT.search(self.low) is not None and not WATTS_BEFORE.search(before)

    def _wan(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        return self._power(n, m, before)
