"""Memory, links, times, power and money as request fields: what surrounds the figure decides which field it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kb.understanding.found import Found
from kb.understanding.numbers.counts import CARD
from kb.understanding.numbers.numerals import ANY_WORD, scan

DAYS = {
    "us": 1e-6 / 86400,
    "ms": 1e-3 / 86400,
    "second": 1 / 86400,
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "month": 30.0,
    "year": 365.0,
}
GIGABYTES = {
    "MB": 1e-3,
    "GB": 1.0,
    "TB": 1e3,
    "PB": 1e6,
    "KB": 1e-6,
    "B": 1e-9,
    "MiB": 1.048576e-3,
    "GiB": 1.073741824,
    "TiB": 1099.511627776,
    "KiB": 1.024e-6,
}
GIGABITS = {"Gb/s": 1.0, "Tb/s": 1000.0, "Mb/s": 1e-3}
# Whose port a network's rate is of: what is said behind it, and before it.
PORT_OF = re.compile(
    r"(?:[a-z-]+ ?|网卡|网口|端口|的|带宽){0,3} ?(?:(?:per|/|for (?:each|every)|on (?:each|every)) ?|每[张块台个]?)"
    r"(gpu|card|node|server|卡|节点|服务器|机)"
)
PORT_BEFORE = re.compile(r"(?:每[张块台个]?|单)(gpu|卡|节点|服务器|机)[^,，。;]{0,6}$")
PORTS_BEFORE = re.compile(
    r"(?<![\d.a-z])(\d{1,2}) ?(?:[x*×]|(?:nics?|hcas?|ports?|rails?) ?(?:of|at|with|,)|[张块个条口路])\s?$"
)
DISK_SPEED = re.compile(r"硬盘|磁盘|(?<![a-z])(?:hdd|nvme|ssd|nfs|disk|read|write)|读|写|加载|下载|download")
LOADED = re.compile(  # weights from somewhere, so much a second
    r"(?:加载|载入|读取|(?<![a-z])(?:load|loading|read|reading)(?![a-z]))(?![^?]*(?:decode|解码|tok))[^?]{0,48}(?:model|weights|checkpoint|gb(?!/)|模型|权重|\dg(?!b/))"
)
CARD_AFTER = re.compile(
    r"\s?(?:的)?\s?(?:单)?(?:total capacity|卡|显卡|gpu|card|机器|显存(?!占|不|要|需)|vram(?! do| need)|版|laptop|笔记本)"
)
# 16 GB 够吗: what is to be enough, or to hold something, is what there is.
ENOUGH = re.compile(
    r"\s?(?:的)?(?:最大|最多)?(?:就|还|也|能|都)?(?:够|放得下|放不下|装得下|塞得下|能(?:放|装|塞|跑|训|微调|练|上)|跑得|行不行|行吗|可以吗)"
    r"|\s?(?:is |be |going to be |really |just )?(?:enough|sufficient|okay\?|ok\?|doable|do (?:it|the job)|cut it)(?![a-z])"
    r"|\s?(?:can|could|will) (?:run|hold|fit|serve|train|handle)(?![a-z])|,? (?:the )?(?:biggest|largest) (?:model|llm)(?![a-z])"
)
CARD_BEFORE = re.compile(
    r"(?:(?<![a-z])(?:fits? (?:in|into|on|within)|runs? (?:in|on|within)|my|on an?|on my|have|got|has|with|one|an?|each)|我的"
    r"|我这|只有|就|一[张块]|单[卡张块]|每[张块]|手里"
    r"|手上|显存(?:只有|为|是)?|有)\s?$"
)
OF_FILE = re.compile(
    r"[ -]?(?:的)?(?:gguf|safetensors|checkpoint|ckpt|weights|(?:model )?files?(?![a-z])|models?(?![a-z])|(?:模型)?文件|权重|模型)"
)
FILE_OF = re.compile(
    r"(?:gguf|文件|权重|(?<![a-z])(?:files?|weights))"
    r"\s?(?:有|是|为|共|大小|大约|大概|约|就|(?:is|are|of|takes?|has)(?![a-z])|about|around|~|\s)*$"
)
# A model known by its files alone.
FILES = re.compile(r"gguf|safetensors|权重|模型文件|(?<![a-z])(?:bin files|weight files|weights|shards)(?![a-z])")
# What an out-of-memory message counts up is no size that was asked about.
OF_ALLOCATOR = re.compile(
    r"(?:tried to allocate|total capacity of|of which|including|process \d{1,9} has)\s?(?:non-pytorch memory has )?$"
)
ALLOCATED = re.compile(r"\s?(?:total capacity|(?:is |are )?(?:already )?(?:allocated|free|reserved|in use|memory in use))")
# 8 张 A100 一小时: the price that follows is that of all of them.
COUNTED = re.compile(rf"(?:[2-9]|\d{{2,4}}|[两三四五六七八九十]+)\s?(?:张|块|卡)?\s?{CARD}+[^,，。]{{0,4}}(?:每|一个?)小时\s?$")
PUE = re.compile(
    r"(?<![a-z])pue ?(?:=|:|为|是|按|取|of|at|is|to|改成|改为|换成|降到|降为|降至|做到|优化到|drops? to|falls? to)?"
    r" ?([1-4](?:\.\d{1,2})?)(?![\d.])"
)
MOST_OF_A_CARD = 2000.0  # watts: what draws more each is a server
SERVER_CPU = re.compile(r"(?<![a-z])(?:threadripper|epyc|xeon)(?![a-z])|至强|霄龙|撕裂者")
# The power of a whole machine: what it is of, and that it is drawn.
MACHINE = (
    r"(?:(?<![a-z])(?:servers?|box(?:es)?|nodes?|machines?|systems?|workstations?|rigs?|chassis|[dh]gx)(?![a-z])"
    r"|整机|服务器|机器|工作站|主机|一体机)"
)
SEVERAL = re.compile(
    rf"(?<![\d.a-z])(\d{{1,3}}|{ANY_WORD}|[一二两三四五六七八九十]{{1,2}})\s?(?:[x×台个]\s?)?$"
)  # four 10 kW servers
DRAWN = re.compile(
    rf"{MACHINE}(?:[^,，。;?]{{0,24}}?(?:(?<![a-z])(?:draw(?:s|ing)?|pull(?:s|ing)?|us(?:es|ing)|consum(?:es|ing)|tak(?:es|ing)"
    rf"|burn(?:s|ing)?|rated|running|runs|averag(?:es|ing)|measured|at)(?![a-z])|功耗|耗电|功率|用电|吃|耗|实测|满载|跑)"
    rf"[^,，。;?\d]{{0,10}}|\s?[(（:：]\s?)$"
)
# 700W 的 4090 工作站: of the machine, before what it holds; 700W 的 4090: of the card.
OF_A_MACHINE = re.compile(
    rf"\s?(?:的)?\s?(?:(?:dual|single|quad|双|两张|四卡|\d ?(?:x|张|卡)) ?)?[a-z0-9 ]{{0,20}}(?:的)?{MACHINE}"
)
OF_A_CARD = re.compile(rf"\s?(?:的|版的?)\s?{CARD}")
# What a card is supposed to have: 假如 4090 有 48GB 显存, `suppose an H100 had 800 GB`.
SUPPOSED = re.compile(
    r"假[设如定]|设想|倘若"
    r"|(?<![a-z])(?:suppose|supposing|imagine|assume|assuming|pretend|hypothetical(?:ly)?)(?![a-z])[^.?]{0,32}(?<![a-z])(?:had|were)(?![a-z])"
)
OF_PROCESSOR = re.compile(r"\s?(?:的)?\s?(?:cpu|processor|threadripper|epyc|xeon|ryzen|处理器|至强|霄龙)(?![a-z])")
RUNNING = re.compile(
    r"电|维护|维保|运维|运营|托管|机房|场地"
    r"|(?<![a-z])(?:electric\w*|power|energy|run(?:ning|s)?|upkeep|maintenance|support|colo\w*|hosting|housing)(?![a-z])"
)
# An hour of what is priced: a machine with all its cards.
WHOLE = re.compile(
    r"整机|同(?:样|等|款|型号)?(?:的)?配置|同样|机器|服务器|实例|主机|台|[\d八四两二]卡每?个?小?时?$"
    r"|(?<![a-z])(?:same|nodes?|servers?|instances?|pods?|box(?:es)?|machines?|vms?|rigs?)(?![a-z])"
)
OF_A_MACHINE_EACH = re.compile(r"\s?(?:per|a|each|/|每)\s?(?:node|server|instance|machine|box|台|个?节点)")
IN_ALL = re.compile(
    r"\s?,?\s?(?:in )?(?:total|altogether|all in"
    r"|for (?:all|both|the (?:lot|whole)))(?![a-z])|\s?(?:合计|总共|一共|全部|整机)"
)
LEAST_OF_A_CARD = 1.0  # GB
RATES = {"hours_per_day", "tokens_per_day", "running_per_day", "price_per_day"}  # that are told of a day
OF_CPU = re.compile(r"(?:cpu|epyc|xeon|threadripper|ryzen|(?<![a-z])i[3579]|core|处理器|至强)[^,，。;]{0,8}$")
OF_CARD = re.compile(rf"{CARD}s?[ (\-]{{0,2}}$")  # behind the name of a card that no table has
ITS_CARD = re.compile(rf"\s?(?:的|版的?|unified(?: memory)? )?\s?{CARD}")


def read_resources(slots: dict[str, Any], here: Sequence[Found], low: str, masked: str) -> None:
    """Fill the fields of the quantities `here`, in place; what is there already stays."""
    if said := PUE.search(low):
        slots.setdefault("pue", float(said[1]))
    if SERVER_CPU.search(low) and not any(f.quantity == "row" and f.unit == "cpus" for f in here):
        slots.setdefault("processor", "server")
    for f in sorted(here, key=lambda f: f.quantity == "time"):  # which may be that of a rate
        around, after = low[max(0, f.start - 14) : f.start], low[f.end : f.end + 14]
        if f.value is None:
            continue
        if f.quantity == "memory":
            size = f.value * GIGABYTES.get(f.unit or "GB", 1.0)
            role = f.extra.get("role")
            if OF_ALLOCATOR.search(low, max(0, f.start - 24), f.start) or ALLOCATED.match(low, f.end):
                continue
            if role in ("vram", "unspecified") and "gpu" in slots and SUPPOSED.search(low):
                slots["gpu_memory_gb"] = size
            elif role == "ram":
                slots.setdefault("host_ram_gb", size)
            elif role == "disk":
                slots.setdefault("storage_gb", size)
            elif (
                role != "cache"
                and size >= LEAST_OF_A_CARD
                and not f.extra.get("op")
                and not FILE_OF.search(around)
                and (
                    f.extra.get("card")
                    or CARD_AFTER.match(after)
                    or OF_CARD.search(masked, max(0, f.start - 4), f.start)
                    or ITS_CARD.match(masked, f.end)
                    or (CARD_BEFORE.search(around) and not OF_FILE.match(after))
                    or ("host_ram_gb" not in slots and ENOUGH.match(after))
                    or f.extra.get("per") == "gpu"
                )
                and size <= 512
            ):
                slots.setdefault("own_memory_gb" if "gpu" in slots else "memory_gb", size)
            else:
                slots.setdefault("size_gb", size)
        elif f.quantity == "bandwidth":
            if f.unit in GIGABITS:
                slots.setdefault("network_gbps", f.value * GIGABITS[f.unit])
                of = PORT_OF.match(low[f.end :].lstrip()) or PORT_BEFORE.search(low[: f.start])
                ports = PORTS_BEFORE.search(low[: f.start])
                if of or ports:
                    owner = "GPU" if of and of[1] in ("gpu", "card", "卡") else "node"
                    several = f"{ports[1]}x" if ports else ""
                    slots.setdefault("interconnect", f"{several}{f.value * GIGABITS[f.unit]:g} Gb/s per {owner}")
            else:
                speed = f.value * {"GB/s": 1.0, "TB/s": 1000.0, "MB/s": 1e-3}.get(f.unit or "", 1.0)
                of_drive = DISK_SPEED.search(around + after) or ("gpu" not in slots and LOADED.search(low))
                slots.setdefault("disk_gb_s" if of_drive else "bandwidth_gb_s", speed)
        elif f.quantity == "time":
            days = f.value * DAYS[f.unit or "day"]
            if (
                re.search(r"(?:每天|/|每|per |every )\D{0,4}$", around)
                or re.search(r"(?:mtbf|故障)[^,，。;]*$", low[max(0, f.start - 28) : f.start])
                or re.match(r"\s?(?:a|per|/)\s?day", after)
                or (f.unit == "hour" and f.value in (slots.get("hours_per_day"), slots.get("mtbf_hours")))
                or any(
                    g.quantity == "money" and not low[f.end : g.start].strip() for g in here if g.start >= f.end
                )  # 一小时 7 块
                or (f.unit == "day" and f.value == 1 and RATES & slots.keys())
            ):
                continue
            slots.setdefault(
                "hours" if f.unit in ("hour", "minute") else "seconds" if f.unit in ("second", "ms", "us") else "days",
                days * (24 if f.unit in ("hour", "minute") else 86400 if f.unit in ("second", "ms", "us") else 1),
            )
        elif f.quantity == "gpu_hours":
            slots.setdefault("gpu_hours", f.value)
        elif f.quantity == "power":
            watts = f.value * {"W": 1.0, "kW": 1e3, "MW": 1e6}[f.unit or "W"]
            clause = re.split(r"[,，。;?]", around)[-1] + re.split(r"[,，。;?]", after)[0]
            supply = f.extra.get("role") == "supply" or (
                re.search(r"电源|psu|(?<![a-z])supply(?![a-z])", clause) and not OF_CPU.search(around)
            )
            rack = f.extra.get("per") == "rack" or re.search(r"rack|机柜|柜|櫃", around)
            if "gpu" in slots and f.extra.get("per") is None and (OF_CPU.search(around) or OF_PROCESSOR.match(low, f.end)):
                slots.setdefault("cpu_w", watts)
                continue
            drawn = not supply and not rack and "gpu" in slots and DRAWN.search(low, max(0, f.start - 60), f.start)
            drawn = drawn or (not supply and not rack and "gpu" in slots and OF_A_MACHINE.match(low, f.end))
            if not (drawn or supply or rack) and OF_A_CARD.match(masked, f.end):
                slots["power_per_gpu"] = True
            each = drawn or f.extra.get("per") == "server" or (f.extra.get("per") == "gpu" and watts > MOST_OF_A_CARD)
            if each and not supply:
                slots.setdefault("server_kw", watts / 1e3)
                if (counted := SEVERAL.search(low, max(0, f.start - 12), f.start)) and "nodes" not in slots:
                    slots["nodes"] = int(scan(counted[1])[0].value or 1)
                continue
            slots.setdefault("psu_w" if supply else "rack_w" if rack else "power_w", watts)
            if f.extra.get("per") == "gpu":
                slots["power_per_gpu"] = True
        elif f.quantity == "row" and f.unit == "cpus":
            slots.setdefault("processor", f.value)
        elif f.quantity == "money":
            _money(slots, f, around, after, low[max(0, f.start - 32) : f.start], masked)


def _money(slots: dict[str, Any], f: Found, around: str, after: str, before: str, low: str) -> None:
    slots.setdefault("currency", f.unit)
    per, running = (
        f.extra.get("per"),
        RUNNING.search(re.split(r"[,，。;]", around)[-1] + "." + re.split(r"[,，。;?]", after)[0]),
    )
    if per == "million_tokens":
        slots.setdefault("price_per_million_tokens", f.value)
    elif per == "gb_month":
        slots.setdefault("price_per_gb_month", f.value)
    elif per == "day":
        slots.setdefault("running_per_day" if running else "price_per_day", f.value)
    elif per in ("month", "year") and running:
        slots["running_per_day"] = slots.get("running_per_day", 0.0) + f.value / (30 if per == "month" else 365)
    elif per == "kwh" or re.search(r"电费|电价|electricity", around[-8:]):
        slots.setdefault("electricity_price", f.value)
    elif per == "gpu_hour":
        slots.setdefault("price_per_gpu_hour", f.value)
    elif per == "hour":
        all_of_them = IN_ALL.match(after) is not None
        slots |= {"price_of_all": True} if all_of_them else {}
        own = re.search(r"每[张卡块]|单卡|(?<![a-z])(?:per|each)(?![a-z])", around)
        whole = (
            (slots.get("system") and not own)
            or all_of_them
            or OF_A_MACHINE_EACH.match(after)
            or WHOLE.search(re.split(r"[,，。;；]", before)[-1])
            or (COUNTED.search(low, max(0, f.start - 24), f.start) and not own)
        )
        slots.setdefault("price_per_hour" if whole else "price_per_gpu_hour", f.value)
    elif per == "month":
        slots.setdefault("price_per_month", f.value)
    elif re.search(
        r"买|报价|售价|价格|卖|二手|全新|入手|quote|costs?|price|采购|购|bought|buy|sells?|sold",
        re.split(r"[,，。;?]", before)[-1],
    ):
        slots.setdefault("purchase_price", f.value)
    elif re.search(r"预算|budget", around) or "budget" not in slots:
        slots.setdefault("budget", f.value)
