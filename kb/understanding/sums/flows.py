"""Downloads, files and their rates, and air."""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.slots.known import tells_model
from kb.understanding.sums.figures import NUM, SEC, Slots, Sum, first

LINK = re.compile(
    r"(?<![\d.a-z])(?P<n>\d{1,5}(?:\.\d{1,2})?)\s?(?P<u>[mg])(?:(?:ega|iga)?bits?|bps|b"
    r"|ig)?(?:\s?/\s?s)?(?: per second)?(?: (?:home|symmetric))?"
    r"\s?(?:的)?\s?(?:line|link|connection|internet|fib(?:er|re)|dsl|broadband|uplink|宽带|专线|带宽|光纤|网速|的网)"
    r"|(?<![\d.a-z])(?P<n2>\d{1,5}(?:\.\d{1,2})?)\s?(?P<u2>[mg])(?:bits?|bps)(?![a-z])"
    r"|(?<![a-z])(?:1[ -]?)?(?P<giga>gigabit|gbe)(?![a-z/])|(?P<zh>[百千万])兆"
)
DOWNLOADS = re.compile(
    r"(?<![a-z])(?:download(?:s|ing|ed)?|pull(?:ing)?|push(?:ing)?|upload(?:s|ing|ed)?|fetch(?:ing)?|snapshot_download)(?![a-z])|下载|下完|拉取|拉下来|上传|传完"
)
SIZED = re.compile(
    r"(?<![a-z])(?:how (?:big|large|many (?:gb|gigs))|(?:file )?size)(?![a-z])|多大|大小|(?:多少|几个?) ?g(?![a-z])"
)
WORDS = {"百": 0.1, "千": 1.0, "万": 10.0}


def of_download(low: str, slots: Slots) -> Sum | None:
    link = LINK.search(low)
    if not DOWNLOADS.search(low) or not (tells_model(slots) or slots.get("size_gb")):
        return None
    speed = slots.get("network_gbps")
    if link and not speed:
        number, unit = link["n"] or link["n2"], link["u"] or link["u2"]
        speed = float(number) * (1e-3 if unit == "m" else 1.0) if number else WORDS.get(link["zh"] or "千", 1.0)
    if not speed or slots.get("copies"):
        return None
    unread = frozenset(
        {"bandwidth_gb_s", "memory_gb", "own_memory_gb", "workloads", "context_len", "days", "hours", "interconnect"}
    )
    if slots.get("parameters") and slots.get("parameters", 0) <= 1e9 and slots.get("model"):
        unread |= {"parameters"}
    wanted = ("weights", "download_time") if SIZED.search(low) else ("download_time",)
    return Sum(wanted, {"network_gbps": speed, "workload": "inference"}, unread | {"task"})


CARRIED = re.compile(
    r"(?<![a-z])kv(?: ?cache)?(?![a-z])[^?。;]{0,60}(?:send|transfer|move|ship|migrat|over(?![a-z])|传|搬|迁移|发)"
    r"|(?:(?<![a-z])(?:send|transfer|mov|ship|migrat)|传|搬|迁移)[^?。;]{0,40}(?<![a-z])kv(?![a-z])"
)


def of_a_cache(low: str, slots: Slots) -> Sum | None:
    """The cache of a context over a network."""
    carried = CARRIED.search(low) and tells_model(slots) and (slots.get("network_gbps") or slots.get("bandwidth_gb_s"))
    if not carried:
        return None
    length = {"context_len": slots["seq_len"]} if slots.get("seq_len") and not slots.get("context_len") else {}
    return Sum(
        ("kv_transfer_time", "kv_cache"), {"workload": "inference", **length}, frozenset({"task", "seconds", "hours", "days"})
    )


FILE = r"(?:images?|imgs?|pics?|pictures?|photos?|frames?|files?|videos?|clips?|samples?|pdfs?|scans?|jpe?gs?)(?![a-z])"
FILE_ZH = r"(?:图片|图像|照片|文件|视频|样本|图)"
ITEMS = re.compile(rf"(?<![\d.a-z]){NUM}\s?{FILE}(?!\s?(?:/|per|a) ?s)|{NUM}\s?(?:张|个|份|条)?\s?{FILE_ZH}(?!\s?/)")
BYTES = re.compile(r"(?<![\d.a-z])(?P<n>\d{1,5}(?:\.\d{1,2})?)\s?(?P<u>[kmg])i?b(?![a-z/])(?!it)")
PIECES = rf"(?:[张个]\s?{FILE_ZH}|[张个](?!\s?(?:tok|词元|字|请求|并发))|{FILE_ZH})"
A_SECOND = re.compile(
    rf"(?<![\d.a-z]){NUM}\s?{FILE.replace('(?![a-z])', '')}\s?(?:/|per |an? )\s?{SEC}|每秒(?:要?读|处理|吃)?(?:取)?\s?{NUM}\s?{PIECES}"
    rf"|(?<![\d.a-z]){NUM}\s?{PIECES}\s?(?:/|每)\s?秒"
)
UNITS = {"k": 1e-6, "m": 1e-3, "g": 1.0}


def of_files(low: str, slots: Slots) -> Sum | None:
    size, rate = BYTES.search(low), first(A_SECOND, low)
    items = first(ITEMS, A_SECOND.sub(" ", low))
    if not size or not ((items and items >= 1000) or rate) or slots.get("model"):
        return None
    said: dict[str, Any] = {"size_gb": float(size["n"]) * UNITS[size["u"]]}
    said |= {"items": items} if items and items >= 1000 else {}
    said |= {"items_per_second": rate} if rate else {}
    wanted = (("dataset_size",) if "items" in said else ()) + (("read_bandwidth",) if rate else ())
    unread = {
        "memory_gb",
        "own_memory_gb",
        "context_len",
        "seq_len",
        "copies",
        "samples_per_second",
        "tokens",
        "concurrency",
        "task",
    }
    return Sum(wanted, said, frozenset(unread | {"parameters", "requests_per_second", "disk_gb_s"}))


AIR = re.compile(r"(?<![a-z])(?:cfm|air ?flow|cubic (?:feet|met(?:er|re)s))(?![a-z])|风量|送风")
RISE = re.compile(
    r"(?P<n>\d{1,2}(?:\.\d)?)\s?(?P<u>°? ?[cfk](?![a-z])|℃|℉|度|degrees?(?: [cf](?:elsius|ahrenheit)?)?)[^,.;?\d]{0,24}(?:rise"
    r"|delta|difference|warmer|温升|温差)"
    r"|(?:rise|delta[- ]?t|difference|温升|温差|dt)(?: of| is|是|为|=|:|按"
    r"|约)?\s?(?P<n2>\d{1,2}(?:\.\d)?)\s?(?P<u2>°? ?[cfk](?![a-z])|℃|℉|度|degrees?(?: [cf](?:elsius|ahrenheit)?)?)?"
)
FAHRENHEIT = re.compile(r"f|℉")


def of_air(low: str, slots: Slots) -> Sum | None:
    rise = RISE.search(low)
    if not AIR.search(low) or rise is None:
        return None
    if not any(slots.get(s) for s in ("power_w", "rack_w", "server_kw", "gpu", "system")):
        return None
    degrees = float(rise["n"] or rise["n2"]) * (5 / 9 if FAHRENHEIT.search(rise["u"] or rise["u2"] or "") else 1.0)
    watts = slots.get("rack_w") or slots.get("power_w") or (slots.get("server_kw") or 0) * 1000
    return Sum(
        ("airflow",), {"temperature_rise": degrees} | ({"rack_w": watts} if watts else {}), frozenset({"power_w", "server_kw"})
    )
