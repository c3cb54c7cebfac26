"""The unit behind a numeral: one pattern, tried once at the end of each numeral. Letter case decides bits or bytes.

Generic unit libraries are no help: to them 80G is gauss, 128K kelvin, 7b barn and 1.3T tesla.
"""

from __future__ import annotations

import re

E = r"(?![A-Za-z0-9])"  # end of a Latin word
G = r"[ ]{0,2}"

UNIT = re.compile(
    rf"(?P<gpu_hours>(?P<gscale>[MmKk])?{G}(?:\ue000+s?[ -]{{0,2}})?(?:[Gg][Pp][Uu]"
    rf"|[Cc]ard)?[ \-·]{{0,2}}(?:[Hh]ours?{E}|[Hh]rs?{E})(?<=.)|(?P<gscale2>万)?{G}(?:[Gg][Pp][Uu]|卡"
    rf"|张)(?:时|小时))"
    rf"|(?P<rate>{G}-?(?P<rscale>[KkMmBb])?{G}(?:个)?(?:(?:output|generated|decoded?|total|new) )?(?:[Tt]okens?|[Tt]oks?|词元|t)"
    rf"(?:(?P<second>/s(?:ec)?{E}|/秒|[ ]per second| a second|每秒)"
    rf"|(?P<minute>/min(?:ute)?{E}|/分钟?|[ ](?:per|an?|each|every) min(?:ute)?{E}|每分钟)"
    rf"|(?P<hour>/h(?:ou?r)?{E}|/小时|[ ](?:per|an?|each|every) hour{E}|每小时)))"
    rf"|(?P<tokens>{G}-?(?P<tscale>[KkMmBbTt]){G}(?:个)?{G}(?:[Tt]okens?|[Tt]oks?|TOKENS?|词元"
    rf"|令牌)(?!(?!x\d)[A-Za-z0-9/])|{G}(?:个|条)?{G}(?:[Tt]okens?|[Tt]oks?|TOKENS?|词元|令牌)(?!(?!x\d)[A-Za-z0-9/]))"
    rf"|(?P<bandwidth>{G}(?P<bw>[GgTtMm][Bb]/s|[GgTtMm][Bb]ps|[GgTtMm]bits?/s|[GgMm]bits?|[Gg]igabits?|[GgTt]/s|[GgTt][Bb] ?/ ?秒|GbE"
    rf"|gbe){E}|(?P<bwzh>{G}[吉太兆]比特(?:每秒)?))"
    rf"|(?P<memory>{G}(?:个){{0,1}}{G}(?P<mem>[KMGTPkmgtp]i?[Bb]|[Gg]igs?|[Gg]igabytes?|[Tt]erabytes?"
    rf"|[MmGgTt]){E}(?![/])|{G}(?P<memzh>[吉太兆]字节))"
    rf"|(?P<params>{G}-?{G}(?:个)?(?P<par>[Bb](?:n)?|M){E}(?!/)(?:[ -]?{G}(?P<parword>[Pp]arams?(?:eters?)?{E}|参数))?)"
    rf"|(?P<kilo>{G}[Kk]{E}|(?<=\d)[Kk](?=[上的序长窗] ?))"
    rf"|(?P<money>{G}(?P<cur>万元|元|块钱|块(?!钱)|人民币|美元|美金|刀|欧元|日元|(?:新)?台币|港币|港元|英镑|韩元|[Rr][Mm][Bb]{E}|CNY{E}"
    rf"|USD{E}|TWD{E}|NTD{E}|HKD{E}|GBP{E}|[Pp]ounds?{E}|£|[Ee][Uu][Rr](?:[Oo]s?)?{E}|\$(?!\s?\d)|[Dd]ollars?{E}|[Uu]sd{E}|bucks?{E}|€|[Cc]ents?{E}|¢|美分|毛(?!病)))"
    rf"|(?P<power>{G}(?P<pow>[kK]?[Ww]|MW|[Ww]atts?|[Kk]ilowatts?|千瓦|兆瓦|瓦特?){E}(?!h))"
    rf"|(?P<time>{G}-?(?P<ge>个)?(?P<half>半)?{G}(?P<tu>ms|us|μs|[Mm]illiseconds?|毫秒|微秒|µs|[Ss]econds?"
    rf"|[Ss]ecs?|秒钟?|分钟|[Mm]inutes?|[Mm]ins?|小时|钟头|[Hh]ours?|[Hh]rs?|h|天|[Dd]ays?|周|星期|礼拜"
    rf"|[Ww]eeks?|月|[Mm]onths?|年|[Yy]ears?|yrs?|s|d){E}(?P<after>半)?)"
    rf"|(?P<precision>{G}-?(?:[Bb]its?{E}|比特|位量化|位浮点))"
    rf"|(?P<wan>[Ww]{E})"
)

BYTES = {"k": "KB", "m": "MB", "g": "GB", "t": "TB", "p": "PB"}
TIMES = {
    word: unit
    for unit, words in {
        "ms": "ms millisecond 毫秒",
        "us": "us μs 微秒",
        "second": "second sec 秒 秒钟 s",
        "minute": "分钟 minute min",
        "hour": "小时 钟头 hour hr h",
        "day": "天 day d",
        "week": "周 星期 礼拜 week",
        "month": "月 month",
        "year": "年 year yr",
    }.items()
    for word in words.split()
}
CURRENCIES = {
    word: code
    for code, words in {
        "CNY": "万元 元 块钱 块 人民币 rmb cny 毛 ¥",
        "USD": "美元 美金 刀 usd dollar dollars buck bucks cent cents ¢ 美分 $ us$",
        "EUR": "欧元 eur euro euros €",
        "JPY": "日元",
        "TWD": "台币 新台币 twd ntd nt$",
        "HKD": "港币 港元 hkd hk$",
        "GBP": "英镑 gbp pound pounds £",
        "KRW": "韩元",
    }.items()
    for word in words.split()
}
SCALE = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12}


def memory_unit(written: str) -> str:
    """G, gb, gig -> GB; GiB stays GiB; never folds bits to bytes (that is bandwidth's business)."""
    low = written.lower()
    if low.startswith(("gig", "tera")):
        return low[0].upper() + "B"
    return f"{low[0].upper()}iB" if low[1:2] == "i" else BYTES[low[0]]


def nominal_gb(value: float, unit: str | None) -> float:
    """GB of a size of GPU memory as people name it: the 24 GiB of a card are its 24 GB."""
    return value * {"TB": 1e3, "MB": 1e-3}.get(unit or "", 1.0)


def bandwidth_unit(written: str) -> tuple[str, bool]:
    """(unit, whether the case leaves bits or bytes open): GB/s, Gb/s, Gbps -> Gb/s, GBps -> GB/s, GbE -> Gb/s."""
    first, rest = written[0].upper(), written[1:].replace(" ", "")
    if rest.lower() == "be" or "bit" in rest:
        return f"{first}b/s", False
    if rest.startswith("/"):
        return f"{first}B/s", False
    if rest.startswith("B"):
        return f"{first}B/s", False
    if "ps" in rest:
        return f"{first}b/s", False
    return (f"{first}B/s", True) if written[0].islower() else (f"{first}b/s", False)
