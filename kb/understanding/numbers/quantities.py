"""Numbers with their kinds: parameters, tokens, memory, lengths, bandwidth, time, money, power, batches.

Works on a masked text: names are runs of private characters, so that a name's digits are never read as a quantity.
"""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.found import Found
from kb.understanding.numbers.counts import CARD, MODEL
from kb.understanding.numbers.cues import (
    BATCH_BEFORE,
    BEFORE_PER,
    EACH_AFTER,
    EACH_BEFORE,
    GLUED,
    LENGTH_AFTER,
    LENGTH_BEFORE,
    MONEY_BEFORE,
    NOT_PARAMS,
    OF_A_CORPUS,
    OF_A_RUN,
    PER_DAY,
    PER_GB_MONTH,
    PER_GPU_HOUR,
    PER_HOUR,
    PER_KWH,
    PERCENT,
    PRICED_AT,
    SUPPLY,
    SYMBOL,
    TIME_ONLY,
    TOKENS_A_DAY,
    TOKENS_A_SECOND,
)
from kb.understanding.numbers.numerals import Numeral, scan
from kb.understanding.numbers.sizes import Sizes
from kb.understanding.numbers.units import CURRENCIES, SCALE, TIMES, UNIT, memory_unit

WAN_AND = re.compile(r"w([1-9])(?![\da-z])")
# A bare power of two between commas, where activations are asked for, is the length: `7B, 4096, batch 1`.
OF_ACTIVATIONS = re.compile(r"激活|(?<![a-z])activations?(?![a-z])")
LISTED, END_OF_ITEM = re.compile(r"[、,，]\s?$"), re.compile(r"\s?(?:[、,，。?？]|的|$)")
OF_TEXT = re.compile(r"\s?(?:个?(?:汉|中文)?字|(?:words?|char\w*)(?![a-z]))")  # which is no number of tokens
# A bare power of two beside a card or a model, when it is no count: `A100 4096 7b`.
BEHIND_ONE = re.compile(rf"\s(?:{CARD}|\d{{1,4}}(?:\.\d)?b)|\s?[,，。?？]|$")
BEFORE_ONE = re.compile(
    rf"(?:^|[{CARD}{MODEL}]|\db|[,，]|(?<![a-z])(?:bs|batch)\s?\d{{1,3}}|(?<![a-z])(?:oom(?:s|ed)?|crash(?:es|ed)?|dies) at)\s?$"
)
LENGTHS = frozenset(float(2**i) for i in range(9, 21))
OF_POWER = re.compile(r"\s?c(?:t?s?)?(?![a-z])(?=\s?(?:/|per|an?|each|[,.;?!)]|$))")  # 12c, of a kilowatt-hour
LIMIT = re.compile(r"(?<![a-z])(?:in|within|under|less than)\s?$")  # 60 s, that something is to take
KINDS = ("gpu_hours", "rate", "tokens", "bandwidth", "memory", "params", "kilo", "money", "power", "time", "precision", "wan")


class Quantities(Sizes):
    """The quantities of one masked text."""

    def read(self) -> list[Found]:
        """All quantities, left to right."""
        self._expert_layouts()
        numerals = [n for n in scan(self.low) if not self._is_taken(n.start, n.end)]
        skip = -1
        for i, n in enumerate(numerals):
            if n.start < skip:
                continue
            n = self._joined_half(n, numerals[i + 1] if i + 1 < len(numerals) else None)
            if self._is_taken(n.start, n.end):
                continue
            found = self._one(n)
            if found:
                self._add(found)
                skip = found.end
        self._without_numeral()
        self.out.sort(key=lambda f: f.start)
        return self._ranges(self.out)

    def _joined_half(self, n: Numeral, following: Numeral | None) -> Numeral:
        """两个半小时: two and a half."""
        if (
            following
            and following.value == 0.5
            and n.value
            and self.low[n.end : following.start] == "个"
            and following.end - following.start == 1
        ):
            return Numeral(n.start, following.end, n.value + 0.5, chinese=True)
        return n

    def _one(self, n: Numeral) -> Found | None:
        low = self.low
        before = low[max(0, n.start - 24) : n.start]
        times = re.search(r"(?<![a-z])x$", before) and (m := UNIT.match(self.cased, n.end)) and m["tokens"]  # 10万条x1k token
        if not times and before and before[-1].isascii() and (before[-1].isalnum() or before[-1] in "_#") and not n.word:
            glued = (BATCH_BEFORE.search(before) and before[-1] == "s") or GLUED.search(before)
            if glued and (m := UNIT.match(self.cased, n.end)) and m["kilo"]:  # seq8k
                return self._kilo(n, m, before)
            return self._bare(n, None, before) if glued else None
        if before.endswith(("第", ".")) and not before.endswith("..") and (before.endswith("第") or before[-2:-1].isdigit()):
            return None
        if self.low[n.end : n.end + 1] == "兆":  # 千兆 and 万兆 are read apart
            counted = re.match(r"兆\s?(?:个|的)?\s?(tokens?|词元|参数)", self.low[n.end : n.end + 10])
            if counted:  # in Taiwan 1e12
                quantity, unit = ("parameters", "params") if counted[1] == "参数" else ("tokens", "tokens")
                return self._make(n, n.end + counted.end(), quantity, self._scaled(n, 1e12), unit, before)
            wide = re.match(r"兆\s?(?:的)?(?:带宽|宽带|网|光纤)", self.low[n.end : n.end + 6])
            return self._make(n, n.end + 1, "bandwidth", n.value, "Mb/s", before) if wide else None
        if (tail := WAN_AND.match(self.low, n.end)) and n.value is not None and self._in_wan(n, before):  # 1w8
            value = (n.value + int(tail[1]) / 10) * 1e4
            return self._make_money(n, tail.end(), value, self._currency(), before, n.start)
        m = UNIT.match(self.cased, n.end)
        kind = None
        if m:
            kind = next(k for k in KINDS if m[k] is not None)
        if SYMBOL.search(before) and kind in ("memory", "params", "kilo", "wan", "time", None):
            return self._bare(n, None, before)
        return getattr(self, f"_{kind or 'bare'}")(n, m, before)  # type: ignore[no-any-return]

    # Each of the following reads one kind; `m` is the match of UNIT behind the numeral.

    def _gpu_hours(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        card = "\ue000" in m.group() or re.search(r"gpu|card|卡|张", m.group().lower())
        if not card:
            return self._time(n, None, before)
        scale = SCALE.get((m["gscale"] or "").lower(), 1.0) * (1e4 if m["gscale2"] else 1.0)
        return self._make(n, m.end(), "gpu_hours", self._scaled(n, scale), "gpu_hours", before)

    def _rate(self, n: Numeral, m: re.Match[str], before: str) -> Found:
        per = next(unit for unit in ("second", "minute", "hour") if m[unit])
        return self._make(
            n, m.end(), "tokens", self._scaled(n, SCALE.get((m["rscale"] or "").lower(), 1.0)), "tokens", before, per=per
        )

    def _tokens(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        letter = (m["tscale"] or "").lower()
        value = self._scaled(n, SCALE.get(letter, 1.0))
        if value == 1e6 and re.search(r"(?:每一?|per |/)\s?$", before):
            return None  # of which a price is told
        end = m.end()
        if re.match(r"\s?(?:的)?\s?(?:global )?(?:batch|批)", self.low[end : end + 16]):
            return self._make(n, end, "batch", value, "tokens", before, role="global")
        if letter not in ("b", "t") and (value or 0) <= 2e7 and n.scaled <= 1e4 and self._of_one(n, end, value or 0, before):
            return self._length(n, end, letter == "k", letter == "m", before)
        batch = BATCH_BEFORE.search(before)
        if batch:
            return self._make(
                n, end, "batch", value, "tokens", before, role="micro" if batch.lastgroup == "micro" else "global"
            )
        extra: dict[str, Any] = {}
        if TOKENS_A_DAY.search(before) or PER_DAY.match(self.low, end):
            extra["per"] = "day"
        elif re.match(r"\s?(?:per|/|每个?)\s?param|\s?每(?:个)?参数", self.low[end : end + 16]) or re.search(
            r"每个?参数\s?$", before
        ):
            extra["per"] = "parameter"
        elif told := TOKENS_A_SECOND.search(before):
            extra["per"] = "minute" if told["minute"] else "second"
        elif re.match(r"\s?(?:per second|每秒|a second|/ ?s)", self.low[end : end + 14]):
            extra["per"] = "second"
        return self._make(n, end, "tokens", value, "tokens", before, **extra)

    def _of_one(self, n: Numeral, end: int, value: float, before: str) -> bool:
        """Whether so many tokens are those of one request, not of a corpus."""
        low = self.low
        if LENGTH_AFTER.match(low, end) or LENGTH_BEFORE.search(before):
            return True
        if re.match(r"\s?(?:/|per|每)", low[end : end + 6]) and not EACH_AFTER.match(low, end):
            return False
        learnt = OF_A_CORPUS.search(low[:2000])
        if not learnt and (EACH_AFTER.match(low, end) or EACH_BEFORE.search(before)):
            return True
        return value <= 4e6 and OF_A_RUN.search(low[:2000]) is not None and not (n.scaled and learnt)

    def _time(self, n: Numeral, m: re.Match[str] | None, before: str) -> Found | None:
        m = m or TIME_ONLY.match(self.cased, n.end)
        if not m:
            return None
        low, word = self.low, m["tu"].lower()
        key = word if word in TIMES else word.rstrip("s")
        unit = TIMES.get(key)
        value = n.value
        if unit is None or (not n.chinese and key in ("h", "d", "s") and not self.field and not LIMIT.search(before)):
            return None
        if (key == "月" and not m["ge"] and self.low[n.end - 1] != "半") or (
            key in ("天", "日") and re.search(r"月\s?$", before)
        ):
            return None
        if key == "年" and (value is None or value > 100 or re.match(r"\s?\d{1,2}\s?月|级|代", low[m.end() : m.end() + 5])):
            return None
        if SYMBOL.search(before) or re.search(r"[/每]\s?$", before):
            return self._bare(n, None, before)
        if value is not None and (m["half"] or m["after"]):
            value += 0.5
        if key == "秒" and value == 1 and re.match(r"\s?(?:能|可以|蹦|出|生成|几|多少)", low[m.end() : m.end() + 4]):
            return None
        if key in ("小时", "hour", "h", "hr", "时") and re.search(r"(?:元|块|刀|\$|¥|美元|usd)\s?/?\s?$", before):
            return None
        made = self._make(n, m.end(), "time", value, unit, before)
        if unit == "month" and value == 0.5:
            return Found(made.start, made.end, "time", value, unit, {**made.extra, "accept": [15]})
        return made

    def _precision(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        if n.value not in (2, 3, 4, 5, 6, 8, 16, 32, 64):
            return None
        if "浮点" in m.group():
            return Found(n.start, m.end(), "precision", f"fp{n.value:.0f}")
        named = {16: "fp16", 32: "fp32", 64: "fp64"}.get(int(n.value), f"{n.value:.0f}bit")
        return Found(n.start, m.end(), "precision", named)

    def _bare(self, n: Numeral, m: re.Match[str] | None, before: str) -> Found | None:
        """A number without a unit: what stands before it decides."""
        end = n.end
        batch = BATCH_BEFORE.search(before)
        if batch and n.value is not None and (not n.chinese or n.value):
            role = {"accum": "grad_accum", "globe": "global", "micro": "micro"}.get(batch.lastgroup or "")
            steps = re.match(r"\s?(?:步|steps?)", self.low[end : end + 6]) if role == "grad_accum" else None
            end += steps.end() if steps else 0
            return self._make(
                n,
                end,
                "batch",
                n.value,
                "steps" if role == "grad_accum" else "sequences",
                before,
                **({"role": role} if role else {}),
            )
        if (
            (LENGTH_BEFORE.search(before) or (LENGTH_AFTER.match(self.low, end) and (n.value or 0) >= 256))
            and (n.value or 0) >= 16
            and not (n.scaled > 1e4 or PERCENT.match(self.low, end) or OF_TEXT.match(self.low, end))
        ):
            return self._length(n, end, False, False, before)
        if SUPPLY.search(before) and 200 <= (n.value or 0) <= 20_000 and not n.scaled:
            return self._make(n, end, "power", n.value, "W", before, role="supply")
        symbol = SYMBOL.search(before)
        if symbol:
            scale = re.match(r"(k|m|b)(?![a-z0-9])", self.low[end : end + 2])
            factor = SCALE[scale[1]] if scale else 1.0
            start = symbol.start() - len(before) + n.start
            return self._make_money(
                n, end + (1 if scale else 0), self._scaled(n, factor), CURRENCIES.get(symbol[1], "USD"), before, start
            )
        if n.scaled and n.scaled < 1e8 and (MONEY_BEFORE.search(before) or self._is_sum(end, before)):
            return self._make_money(n, end, n.value, self._currency(), before, n.start)
        if MONEY_BEFORE.search(before) and (n.value or 0) >= 100 and not re.match(r"\s?[a-z%/*\d]", self.low[end : end + 2]):
            return self._make_money(n, end, n.value, self._currency(), before, n.start)
        each = re.match(r"\s?(?:each|apiece)(?![a-z])", self.low[end : end + 10])
        if each and re.search(r"(?:at|for|@)\s?$", before):
            unit = {"per": "gpu_hour"} if re.search(r"hours?|h(?![a-z])", self.low[: n.start]) else {"per": "gpu"}
            return Found(n.start, end, "money", n.value, self._currency(), unit)
        shared = re.match(r"\s?(?:-|~|到|至|to)\s?\d{1,4}(?:\.\d+)?\s?(b|gb|g|tb)(?![a-z0-9/])", self.low[end : end + 12])
        if shared and n.value is not None and not n.chinese and self.field:
            if shared[1] == "b":
                return self._make(n, end, "parameters", n.value * 1e9, "params", before)
            return self._make(n, end, "memory", n.value, memory_unit(shared[1]), before, role="unspecified")
        lead = BEFORE_PER.search(before)
        if (
            lead
            and lead.lastgroup == "kwh"
            and n.value is not None
            and n.value < 10
            and self.low[end : end + 1] not in ("度", "天", "月", "年", "个", "日")
        ):
            return self._make_money(n, end, n.value, self._currency(), before, n.start)
        cents = OF_POWER.match(self.low, end)
        if cents and n.value is not None and re.search(r"kwh|\d\s?kw", self.low):
            made = self._make_money(n, cents.end(), self._scaled(n, 0.01), "USD", before, n.start)
            return Found(made.start, made.end, "money", made.value, made.unit, {**made.extra, "per": "kwh"})
        per = PER_KWH.match(self.low, end) or PER_GPU_HOUR.match(self.low, end)
        if not per and (told := PER_HOUR.match(self.low, end) or PER_GB_MONTH.match(self.low, end)):
            per = told if PRICED_AT.search(before) or (told.re is PER_HOUR and self._is_rent(n)) else None
        if n.value is not None and per and not n.chinese:
            return self._make_money(n, end, n.value, self._currency(), before, n.start)
        beside = not n.chinese and BEFORE_ONE.search(before) and BEHIND_ONE.match(self.low, end)
        if beside and n.value in LENGTHS and (n.value or 0) >= 2048:
            return self._length(n, end, False, False, before)
        listed = LISTED.search(before) and END_OF_ITEM.match(self.low, end)
        if listed and n.value in LENGTHS and OF_ACTIVATIONS.search(self.low):
            return self._length(n, end, False, False, before)
        plain = (n.value or 0) >= 1e8 and (
            "e" in self.low[n.start : n.end] or re.match(r"\s?(?:个)?(?:param|参数)", self.low[end : end + 8])
        )
        if (
            (n.scaled >= 1e8 or plain)
            and not NOT_PARAMS.match(self.low, end)
            and (
                re.match(r"\s?(?:级|级别)?的?\s?(?:模型|参数)|\s?参数", self.low[end : end + 8])
                or not re.match(r"\s?[一-鿿]", self.low[end : end + 2])
                or re.match(r"\s?[到至]\s?[\d一二三四五六七八九十两几]", self.low[end : end + 4])
                or self.field
            )
        ):
            return self._parameters(n, self._with_word(end), n.value if n.value is not None else 1.0, before)
        return None
