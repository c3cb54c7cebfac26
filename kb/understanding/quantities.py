"""Numbers with their kinds: parameters, tokens, memory, lengths, bandwidth, time, money, power, batches.

Works on a masked text: names are runs of private characters, so that a name's digits are never read as a quantity.
"""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.found import Found
from kb.understanding.numerals import Numeral, scan
from kb.understanding.units import CURRENCIES, SCALE, TIMES, UNIT, bandwidth_unit, memory_unit

MOE = re.compile(r"(?<![\d.a-z])(\d{1,3})\s?[x*]\s?(\d{1,3}(?:\.\d{1,2})?)b(?![a-z0-9])")
ACTIVE = re.compile(r"(?<![\d.a-z])(\d{1,4}(?:\.\d{1,2})?)b-a(\d{1,3}(?:\.\d{1,2})?)b(?![a-z0-9])")
NETWORK = re.compile(
    r"网卡|网口|网络|网(?!页|站|上)|以太|光模块|光纤|宽带|组网|(?<![a-z])(?:ib|infiniband|ethernet|nics?|roce|rdma|hdr|ndr|edr|xdr|lan|thunderbolt|links?)(?![a-z])"
)
VRAM = re.compile(
    r"显存|显示记忆体|vram|(?<![a-z])hbm|gddr|gpu (?:ram|memory)|video memory|统一内存|统一记忆体|每卡|卡(?![时间])"
)
RAM = re.compile(
    r"(?<!显示)(?<!统一)(?:内存|记忆体)|主存|(?<![a-z])(?:(?:system |host |cpu )?ram|ddr\d?|system memory|host memory)(?![a-z])"
)
DISK = re.compile(r"硬盘|固态|机械盘|存储|磁盘|(?<![a-z])(?:nvme|ssd|hdd|disk|storage|nfs)")
CACHE = re.compile(r"缓存(?!.{0,3}kv)|(?<!kv )(?<!kv)cache|(?<![a-z])l[12](?![a-z0-9])")
LENGTH_BEFORE = re.compile(
    r"(?:序列长度|序列|长度|上下文长度|上下文|窗口|(?:max|seq|sequence|context|cutoff|prompt|model)[ _-]?(?:seq[ _-]?)?(?:len(?:gth)?)?|seq|ctx|context|cutoff|输入|最长只?到|拉到|@|(?<![a-z])n_ctx)"
    r"(?:能?到|大小|size|of|是|为|用|开到?|设为?|拉到)?\s{0,2}[:=]?\s{0,2}(?:到)?$"
)
LENGTH_AFTER = re.compile(
    r"\s{0,2}(?:的|tokens?|个?词元)?\s{0,2}(?:的)?(?:上下文|ctx|context|窗口|window|长度|序列|长文本|长的|length|seq|sequences?|prompt|输入|input|cutoff|(?:的)?kv(?![a-z]))"
)
BATCH_BEFORE = re.compile(
    r"(?P<accum>梯度累[积加](?:步数)?|gradient[ _-]accumulation(?:[ _-]steps)?|grad[ _-]?accum|(?<![a-z])ga)[\s:=为设x]{0,4}$"
    r"|(?P<globe>全局批(?:次|量|大小)?|global[ _-]?batch(?:[ _-]?size)?|(?<![a-z])gbs)(?:大小)?[\s:=为设]{0,4}$"
    r"|(?P<micro>micro[ _-]?batch(?:[ _-]?size)?|微批次?|mbs|per[ _-]device(?:[ _-]train)?[ _-]batch(?:[ _-]size)?|(?<![a-z])bs(?:都)?(?:压到|降到|调到|设为)?)(?:大小)?[\s:=为设]{0,4}$"
    r"|(?P<plain>batch(?:[ _-]?size)?|批次(?:大小)?|批大小|批量(?:大小)?)(?:of|设为?|是|为)?[\s:=为]{0,3}$"
)
MONEY_BEFORE = re.compile(
    r"(?:预算|报价|售价|价格|价钱|总价|成本|花了?|月租|租金|budget|quote[sd]?|price[ds]?|costs?|买一?[张台块]?|卖|只有|¥)\s?(?:只有|大概|大约|约|是|为|of|at|is|was|都?要)?\s{0,2}[:：]?\s{0,2}$"
)
SYMBOL = re.compile(r"(?:us)?([$€¥£])\s?$")
PER_GPU_HOUR = re.compile(
    r"\s?(?:/|per |a |an |每)\s?(?:gpu|card|卡|张)\s?(?:[-·/ ]|per )?\s?(?:h(?:ou)?rs?|h|小时|时)(?![a-z])"
)
PER_HOUR = re.compile(r"\s?(?:/|per |an? |每|一)\s?(?:h(?:ou)?rs?|h|个?小时|时|钟头)(?![a-z])")
PER_MONTH = re.compile(r"\s?(?:/|per |a |每|一)\s?(?:months?|mo|个?月)(?![a-z])")
PER_KWH = re.compile(r"\s?(?:/|per |a |每|一)\s?(?:kwh|度|千瓦时)")
PER_GPU = re.compile(r"\s?(?:/|per |a |each|每|一)\s?(?:gpu|card|张|卡|块)?(?![a-z])")
BEFORE_PER = re.compile(
    r"(?P<gpu_hour>每(?:张卡?|卡|块)每?个?(?:小时|卡时|时))(?:要|是|为)?\s?$|(?P<hour>(?:每|一)个?(?:小时|钟头))(?:要|是)?\s?$|(?P<month>月租|每个?月|一个月)(?:要|是)?\s?$|(?P<kwh>电价|电费|每度电?|一度电?)(?:按|是|要|为)?\s?$"
)
RANGE = re.compile(r"\s?(?:~|-|到|至|to)\s?$")
ABOUT = re.compile(r"(?:约|大约|大概|差不多|about|around|roughly|approx\.?|~)\s?$")
AT_LEAST = re.compile(r"(?:不低于|不少于|至少|大于等于|超过|大于|起码|以上|at least|more than|over|>=|≥|>)\s?$")
AT_MOST = re.compile(r"(?:不超过|不高于|最多|小于|低于|少于|at most|less than|under|below|within|<=|≤|<)\s?$")
ABOVE = re.compile(r"\s?(?:以上|及以上|起步|起|or more|\+)")
BELOW = re.compile(r"\s?(?:以内|之内|以下|内(?!存)|or less)")
PARAM_CUE = re.compile(r"参数|模型|params?|parameter|model|moe|激活|规模")
NOT_PARAMS = re.compile(r"\s?(?:岁|人(?!工)|元|美元|美金|块|人民币|用户|条|次|铅笔|欧元|日元|吨|公里|年|词|字|台|名|股)")
DATE = re.compile(r"\s?月\s?\d{1,2}\s?[日号]|\s?[日号](?!志)")
ABSENT = re.compile(r"[a-z_./#]$|第$|版本$|version $|[a-z]-$")
TRAINED = re.compile(r"训|train|语料|corpus|数据|data|chinchilla")


class Quantities:
    """The quantities of one masked text. `field`: whether the question is of the field at all."""

    def __init__(self, cased: str, low: str, field: bool, taken: list[tuple[int, int]]) -> None:
        self.cased, self.low, self.field = cased, low, field
        self.covered = bytearray(len(low))
        for start, end in taken:
            self._cover(start, end)
        self.out: list[Found] = []

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

    def _is_taken(self, start: int, end: int) -> bool:
        return any(self.covered[start:end])

    def _cover(self, start: int, end: int) -> None:
        self.covered[start:end] = b"\x01" * (end - start)

    def _add(self, found: Found) -> None:
        self.out.append(found)
        self._cover(found.start, found.end)

    def _expert_layouts(self) -> None:
        for m in MOE.finditer(self.low):
            if not self._is_taken(*m.span()):
                self._add(Found(m.start(), m.end(), "parameters", None, "params", {"moe": [int(m[1]), float(m[2]) * 1e9]}))
        for m in ACTIVE.finditer(self.low):
            if not self._is_taken(*m.span()):
                self._add(Found(m.start(), m.end(1) + 1, "parameters", float(m[1]) * 1e9, "params", {"role": "total"}))
                self._add(Found(m.start(2) - 1, m.end(), "parameters", float(m[2]) * 1e9, "params", {"role": "active"}))

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
        if before and before[-1].isascii() and (before[-1].isalnum() or before[-1] in "_#") and not n.word:
            return self._bare(n, None, before) if BATCH_BEFORE.search(before) and before[-1] == "s" else None
        if before.endswith(("第", ".")) and not before.endswith("..") and (before.endswith("第") or before[-2:-1].isdigit()):
            return None
        if self.low[n.end : n.end + 1] == "兆":
            return None  # 万兆 is a network's speed, read apart
        m = UNIT.match(self.cased, n.end)
        kind = None
        if m:
            kind = next(k for k in KINDS if m[k] is not None)
        if SYMBOL.search(before) and kind in ("memory", "params", "kilo", "wan", "time", None):
            return self._bare(n, None, before)
        return getattr(self, f"_{kind or 'bare'}")(n, m, before)  # type: ignore[no-any-return]

    def _make(self, n: Numeral, end: int, quantity: str, value: float | None, unit: str, before: str, **extra: Any) -> Found:
        if n.range:
            scale = value if value is not None else 1.0
            extra["range"] = [bound * scale for bound in n.range]
            value = None
        if n.approx or ABOUT.search(before):
            extra["approx"] = True
        if AT_LEAST.search(before) or ABOVE.match(self.low, end):
            extra["op"] = ">="
        elif AT_MOST.search(before) or (BELOW.match(self.low, end) and quantity in ("time", "memory", "power", "money")):
            extra["op"] = "<="
        return Found(n.start, end, quantity, value, unit, extra)

    def _scaled(self, n: Numeral, factor: float) -> float | None:
        return factor if n.value is None else n.value * factor

    # Each of the following reads one kind; `m` is the match of UNIT behind the numeral.

    def _gpu_hours(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        card = "\ue000" in m.group() or re.search(r"gpu|card|卡|张", m.group().lower())
        if not card:
            return self._time(n, None, before)
        scale = SCALE.get((m["gscale"] or "").lower(), 1.0) * (1e4 if m["gscale2"] else 1.0)
        return self._make(n, m.end(), "gpu_hours", self._scaled(n, scale), "gpu_hours", before)

    def _rate(self, n: Numeral, m: re.Match[str], before: str) -> Found:
        return self._make(
            n, m.end(), "tokens", self._scaled(n, SCALE.get((m["rscale"] or "").lower(), 1.0)), "tokens", before, per="second"
        )

    def _tokens(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        letter = (m["tscale"] or "").lower()
        value = self._scaled(n, SCALE.get(letter, 1.0))
        end = m.end()
        if re.match(r"\s?(?:的)?\s?(?:global )?(?:batch|批)", self.low[end : end + 16]):
            return self._make(n, end, "batch", value, "tokens", before, role="global")
        if (
            letter != "b"
            and letter != "t"
            and (value or 0) <= 2e7
            and not n.scaled
            and (
                LENGTH_AFTER.match(self.low, end)
                or LENGTH_BEFORE.search(before)
                or (
                    (value or 0) <= 4e6
                    and re.search(r"(?<![a-z])(?:kv|ctx|context|prompt|ttft|input)(?![a-z])|上下文|首字|缓存", self.low[:2000])
                    and not re.match(r"\s?(?:/|per|每)", self.low[end : end + 6])
                )
            )
        ):
            return self._length(n, end, letter == "k", letter == "m", before)
        extra: dict[str, Any] = {}
        if re.match(r"\s?(?:per|/|每个?)\s?param|\s?每(?:个)?参数", self.low[end : end + 16]):
            extra["per"] = "parameter"
        elif re.search(r"(?:每秒|每秒钟|per second)\s?$", before) or re.match(
            r"\s?(?:per second|每秒|a second|/ ?s)", self.low[end : end + 14]
        ):
            extra["per"] = "second"
        return self._make(n, end, "tokens", value, "tokens", before, **extra)

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
        if written and len(written) == 1 or written in ("Gb", "Tb", "Mb"):
            letter = (written or "g")[0].lower()
            if letter == "m" and re.match(r"[ -]?(?:个)?(?:参数|params?|parameters?|model)", after):
                return self._make(n, end, "parameters", self._scaled(n, 1e6), "params", before)
            if letter == "m" and re.match(r"\s?(?:上下文|context|ctx|窗口|window|token)", after):
                return self._length(n, end, False, True, before)
            if letter == "t" and (
                re.match(r"\s?(?:个)?(?:参数|params?|parameters?)", after) or re.search(r"\ue002[ -]?$", before)
            ):
                return self._make(n, end, "parameters", self._scaled(n, 1e12), "params", before)
            if letter == "t" and re.match(r"\s?(?:flops?|算力|ops)", after):
                return None
            clause = re.split(r"[，,;；。]", after)[0]
            if NETWORK.search(clause) or NETWORK.search(re.split(r"[，,;；。]", before[-12:])[-1]):
                if n.value == 5 and letter == "g" and not re.search(r"网卡|网口|ib|以太", clause):
                    return None
                return self._make(n, end, "bandwidth", n.value, f"{letter.upper()}b/s", before)
            if letter == "m" and not (RAM.search(after) or DISK.search(after) or CACHE.search(after) or "显存" in after):
                return None
        if not self.field and written and len(written) == 1 and len(low) > end - n.start + 6:
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
        after, before = re.split(r"[，,;；。、]|\d", self.low[end : end + 12])[0], self.low[max(0, start - 12) : start]
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

    def _params(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        if m["par"] == "M" and not m["parword"]:
            return self._memory(n, UNIT.match(self.cased, n.end), before)  # type: ignore[arg-type]
        if re.match(r"\s?(?:铅笔|站|超|超市|pencil|座|栋|区|口)", self.low[m.end() : m.end() + 7]):
            return None
        factor = 1e6 if m["par"] == "M" else 1e9
        return self._parameters(n, m.end(), self._scaled(n, factor), before)

    def _parameters(self, n: Numeral, end: int, value: float | None, before: str) -> Found:
        extra: dict[str, Any] = {}
        if re.search(r"(?:激活|active)\s?(?:参数)?(?:量)?\s?$", before) or re.match(
            r"\s?(?:激活|active)", self.low[end : end + 8]
        ):
            extra["role"] = "active"
        elif re.search(r"(?:总参数?(?:量)?|total)\s?$", before) or re.match(r"\s?total", self.low[end : end + 7]):
            extra["role"] = "total"
        return self._make(n, end, "parameters", value, "params", before, **extra)

    def _kilo(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        end = m.end()
        symbol = SYMBOL.search(before)
        if symbol or MONEY_BEFORE.search(before):
            return self._make_money(
                n,
                end,
                self._scaled(n, 1e3),
                CURRENCIES.get(symbol[1], "USD") if symbol else self._currency(),
                before,
                symbol.start() - len(before) + n.start if symbol else n.start,
            )
        if re.match(
            r"\s?(?:视频|电视|分辨率|屏|显示器|画质|video|tv|monitor|瓦|人|users?|steps?|步|条|samples?|样本)",
            self.low[end : end + 10],
        ):
            return None
        if n.value is None or n.value > 4096:
            return None
        power_of_two = (
            n.value is not None and n.value > 0 and float(n.value).is_integer() and int(n.value) & (int(n.value) - 1) == 0
        )
        if (
            LENGTH_BEFORE.search(before)
            or LENGTH_AFTER.match(self.low, end)
            or (self.field and (power_of_two or (n.value or 0) >= 100))
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

    def _money(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        cur = m["cur"].lower()
        end = m.end()
        if cur == "毛":
            tail = re.match(r"(\d|[一二三四五六七八九])?(?:钱)?", self.low[end : end + 2])
            return self._make_money(n, end + (tail.end() if tail else 0), self._scaled(n, 0.1), "CNY", before, n.start)
        if cur == "块" and re.match(r"\s?(?:\ue000|显卡|卡|gpu|网卡|硬盘|盘|ssd|nvme|板|主板)", self.low[end : end + 8]):
            return None
        value = self._scaled(n, 1e4 if cur == "万元" else 1.0)
        cents = re.match(r"(\d|[一二三四五六七八九])(?!\d|[十百千万])", self.low[end : end + 2]) if cur == "块" else None
        if cents and value is not None:
            tenths = scan(cents[1])[0].value or 0.0
            value, end = value + tenths / 10, end + 1
        symbol = SYMBOL.search(before)
        start = symbol.start() - len(before) + n.start if symbol else n.start
        return self._make_money(n, end, value, CURRENCIES.get(cur, "CNY"), before, start)

    def _make_money(self, n: Numeral, end: int, value: float | None, currency: str, before: str, start: int) -> Found:
        per = None
        lead = BEFORE_PER.search(before)
        for name, pattern in (("gpu_hour", PER_GPU_HOUR), ("kwh", PER_KWH), ("hour", PER_HOUR), ("month", PER_MONTH)):
            m = pattern.match(self.low, end)
            if m:
                per, end = name, m.end()
                break
        else:
            if lead:
                per = next(k for k, v in lead.groupdict().items() if v)
        if per == "hour" and lead and re.search(r"(?:\d|[一二两三四五六七八九十])\s?卡\s?$", before[: lead.start()]):
            per = "hour"
        made = self._make(n, end, "money", value, currency, before, **({"per": per} if per else {}))
        return Found(start, end, made.quantity, made.value, made.unit, made.extra)

    def _currency(self) -> str:
        if "$" in self.low or "美元" in self.low or "usd" in self.low:
            return "USD"
        return "CNY" if re.search(r"[一-鿿]", self.low) else "USD"

    def _power(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        written, end = m["pow"], m.end()
        low = written.lower()
        if low == "w" and (
            MONEY_BEFORE.search(before)
            or re.match(r"(?:条|块|元|人|预算|左右的?预算|张图|个?样本|字|token)", self.low[end : end + 6])
        ):
            if re.match(r"(?:条|人|张图|个?样本|字|token)", self.low[end : end + 6]):
                return None
            return self._make_money(n, end, self._scaled(n, 1e4), self._currency(), before, n.start)
        unit = "MW" if written == "MW" or low == "兆瓦" else "kW" if low in ("kw", "千瓦") or low.startswith("kilo") else "W"
        if unit == "W" and len(written) == 1 and not self.field and not re.search(r"功耗|tdp|电源|power", self.low):
            return None
        extra = {}
        if re.match(r"\s?(?:/|per |a |each |每)\s?(?:gpu|card|卡|张)|\s?each", self.low[end : end + 10]) or re.search(
            r"(?:单卡|每卡|每张)[^,，]{0,3}$", before
        ):
            extra["per"] = "gpu"
        elif re.search(r"(?:单柜|每柜|机柜|rack|per rack)[^,，]{0,6}$", before) or re.match(
            r"\s?(?:/|per |每)\s?(?:rack|柜|机柜)", self.low[end : end + 9]
        ):
            extra["per"] = "rack"
        return self._make(n, end, "power", n.value, unit, before, **extra)

    def _time(self, n: Numeral, m: re.Match[str] | None, before: str) -> Found | None:
        m = m or TIME_ONLY.match(self.cased, n.end)
        if not m:
            return None
        low, word = self.low, m["tu"].lower()
        key = word if word in TIMES else word.rstrip("s")
        unit = TIMES.get(key)
        value = n.value
        if unit is None or (not n.chinese and key in ("h", "d", "s") and not self.field):
            return None
        if key == "月" and not m["ge"] or key in ("天", "日") and re.search(r"月\s?$", before):
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

    def _wan(self, n: Numeral, m: re.Match[str], before: str) -> Found | None:
        return self._power(n, m, before)

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
            and not n.scaled > 1e4
        ):
            return self._length(n, end, False, False, before)
        symbol = SYMBOL.search(before)
        if symbol:
            scale = re.match(r"(k|m|b)(?![a-z0-9])", self.low[end : end + 2])
            factor = SCALE[scale[1]] if scale else 1.0
            start = symbol.start() - len(before) + n.start
            return self._make_money(
                n, end + (1 if scale else 0), self._scaled(n, factor), CURRENCIES.get(symbol[1], "USD"), before, start
            )
        if n.scaled and n.scaled < 1e8 and MONEY_BEFORE.search(before):
            return self._make_money(n, end, n.value, self._currency(), before, n.start)
        if MONEY_BEFORE.search(before) and (n.value or 0) >= 100 and not self.low[end : end + 1].isascii():
            return self._make_money(n, end, n.value, self._currency(), before, n.start)
        each = re.match(r"\s?(?:each|apiece|per hour|an hour)(?![a-z])", self.low[end : end + 10])
        if each and re.search(r"(?:at|for|@)\s?$", before):
            per = {"per": "gpu_hour"} if re.search(r"hours?|h(?![a-z])", self.low[: n.start]) else {"per": "gpu"}
            return Found(n.start, end, "money", n.value, self._currency(), per)
        shared = re.match(r"\s?(?:-|~|到|至|to)\s?\d{1,4}(?:\.\d+)?\s?(b|gb|g|tb)(?![a-z0-9/])", self.low[end : end + 12])
        if shared and n.value is not None and not n.chinese and self.field:
            if shared[1] == "b":
                return self._make(n, end, "parameters", n.value * 1e9, "params", before)
            return self._make(n, end, "memory", n.value, memory_unit(shared[1]), before, role="unspecified")
        lead = BEFORE_PER.search(before)
        if lead and lead.lastgroup == "kwh" and n.value is not None and n.value < 10:
            return self._make_money(n, end, n.value, self._currency(), before, n.start)
        if n.value is not None and (per := PER_KWH.match(self.low, end) or PER_GPU_HOUR.match(self.low, end)) and not n.chinese:
            return self._make_money(n, end, n.value, self._currency(), before, n.start) if per else None
        if (n.scaled >= 1e8 or (n.value or 0) >= 1e8) and not NOT_PARAMS.match(self.low, end):
            if (
                re.match(r"\s?(?:级|级别)?的?\s?(?:模型|参数)|\s?参数", self.low[end : end + 8])
                or not re.match(r"\s?[一-鿿]", self.low[end : end + 2])
                or self.field
            ):
                return self._parameters(n, self._with_word(end), n.value if n.value is not None else 1.0, before)
        return None

    def _with_word(self, end: int) -> int:
        m = re.match(r"\s?(?:params?(?:eters?)?(?![a-z])|参数)", self.low[end : end + 11])
        return end + m.end() if m else end

    def _without_numeral(self) -> None:
        for m in re.finditer(
            r"(?<![0-9])(?:(\d{1,3})\s?|([十百]))?(千兆|万兆)(?=网|以太|光|口|卡|$|\s|,|，|的|局域)", self.low
        ):
            if self._is_taken(m.start(3), m.end()):
                continue
            base = 1.0 if m[3] == "千兆" else 10.0
            if m[1]:
                self._add(
                    Found(
                        m.start(),
                        m.end(),
                        "bandwidth",
                        float(m[1]) * base,
                        "Gb/s",
                        {"ambiguous": True, "accept": [float(m[1])]},
                    )
                )
            else:
                factor = {"十": 10.0, "百": 100.0}.get(m[2] or "", 1.0)
                self._add(Found(m.start(), m.end(), "bandwidth", base * factor, "Gb/s"))
        for m in re.finditer(r"(?<![a-z])(?:a )?fortnight(?![a-z])", self.low):
            self._add(Found(m.start(), m.end(), "time", 2.0, "week"))

    def _ranges(self, found: list[Found]) -> list[Found]:
        """8G到16G, 3B~14B: lowest and highest."""
        out = list(found)
        for i in range(1, len(out)):
            a, b = out[i - 1], out[i]
            between = self.low[a.end : b.start]
            if (
                a.quantity == b.quantity
                and a.unit == b.unit
                and len(between) <= 4
                and re.fullmatch(r"\s?(?:~|-|到|至|to)\s?", between)
            ):
                key = "role2" if a.quantity == "memory" else "role"
                out[i - 1] = Found(a.start, a.end, a.quantity, a.value, a.unit, {**a.extra, key: "min"})
                out[i] = Found(b.start, b.end, b.quantity, b.value, b.unit, {**b.extra, key: "max"})
        return out


TIME_ONLY = re.compile(r"[ ]{0,2}-?(?P<ge>个)?(?P<half>半)?[ ]{0,2}(?P<tu>[Hh]ours?|[Hh]rs?|h)(?![A-Za-z0-9])(?P<after>半)?")
KINDS = ("gpu_hours", "rate", "tokens", "bandwidth", "memory", "params", "kilo", "money", "power", "time", "precision", "wan")
