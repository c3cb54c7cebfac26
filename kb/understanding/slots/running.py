"""How something is run, as request fields: hours a day, what is added for failures, failures, saves by the step."""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.numbers.numerals import scan

N = r"(\d{1,7}(?:[.,]\d{1,3})?\s?[万千百k]?|[一二两三四五六七八九十百千万]{1,6}|an?|half a|半)"
HOURS = r"\s?(?:个)?(?:小时|钟头|h(?:ou)?rs?|h)(?![a-z])"
HOURS_A_DAY = re.compile(
    rf"(?:每天|一天|每日|天天|(?<![a-z])(?:daily|per day|a day|each day|every day))(?:只|才|就|大概|大约|平均|要|会|能)?"
    rf"(?:开机?|跑|用|训练?|运行|使用|工作|for|about)?(?:大概|大约|平均)?\s?{N}{HOURS}"
    rf"|(?<![\d.]){N}{HOURS}\s?(?:of use |a day's use )?(?:/|a|per|each|every|每|一)\s?(?:day|天|日)"
)
OF_ONE_GPU = re.compile(  # a speed
    r"(?:每(?:张|块)?卡|单卡|(?<![a-z])(?:per|each) (?:gpu|card))[^,，。;?]{0,14}(?:tok|词元|每秒)"
    r"|(?:tok\w*/s(?:ec)?|t/s|(?:per|a) second|token|每秒)\s?(?:/|per |each |a |on each |每)\s?(?:gpu|card|卡|张)"
)
SURCHARGE = re.compile(
    r"(?:plus|add|adding|with|\+|allow(?:ing)?|reserve)\s?(?:another |an? (?:extra |further )?)?(\d{1,3}(?:\.\d)?)\s?(?:%|percent)"
    r"(?! ?(?:discount|off|rebate|cheaper|reduction)(?![a-z]))\s?(?:extra|more|on top|margin|overhead|buffer|reserve|contingency"
    r"|for (?:failed|failures|retries|reruns|restarts|overhead|waste|safety))?"
    r"|(?:再加|加上?|上浮|多留|预留|另加|外加|留出?)\s?(?:个)?(\d{1,3}(?:\.\d)?)\s?%|(\d{1,3})\s?%\s?的?(?:余量|冗余|失败|重跑|损耗|缓冲)"
)
DIES = (
    r"(?:挂|崩|宕机?|故障|坏|中断|出错|掉卡|(?<![a-z])(?:dies?|dying|fails?|failing|failures?|crash(?:es|ing)?|breaks?|goes down"
    r"|gets killed|interrupt\w*)(?![a-z]))"
)
UNIT = r"(?P<{0}u>小时|钟头|天|日|周|h(?:ou)?rs?|h|days?|d|weeks?)(?![a-z])"
EVERY = (
    r"(?:每隔?|平均|(?<![a-z])(?:every|each|once (?:every|in|per)|about every|mean time))\s?(?:about |around |大约|大概|约)?\s?"
)
FAILS = (
    re.compile(rf"{DIES}[^,，。;?\d]{{0,20}}{EVERY}{N.replace('(', '(?P<an>', 1)}\s?(?:个)?{UNIT.format('a')}"),
    re.compile(rf"{EVERY}{N.replace('(', '(?P<bn>', 1)}\s?(?:个)?{UNIT.format('b')}[^,，。;?\d]{{0,10}}{DIES}"),
)
AMPERES = re.compile(r"(?<![a-z\d.])(\d{1,3}(?:\.\d)?)\s?-?(?:a|amps?|amperes?|安培?)(?![a-z\d])")
THREE_PHASE = re.compile(r"三相|(?<![a-z\d])(?:three|3)[- ]?(?:phase|ph)(?![a-z])")
VOLTS = re.compile(r"(?<![a-z\d.])(\d{2,3})\s?-?(?:v|vac|volts?|伏)(?![a-z\d])")
MAINS = re.compile(
    r"插座|插排|排插|空开|断路器|线路|电路|一路|市电|入户|机柜|pdu|(?<![a-z])(?:outlets?|sockets?|circuits?|breakers?|mains|wall plug"
    r"|plugs?|racks?|cabinets?|feeds?)(?![a-z])"
)
HOME_VOLTS = {10: 230.0, 13: 230.0, 15: 120.0, 16: 230.0, 20: 120.0, 32: 230.0}  # where such breakers are usual
OF_CHINA = 220.0
BETWEEN_PHASES = 400.0
PIECES = (
    r"(?<![\d.a-z])(?P<n>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|ten|twelve|sixteen|[一二两三四五六七八九十]{1,2})\s?"
    r"(?:x |× ?|块|个|张|根|片)?\s?(?:\d{1,4}(?:\.\d{1,2})? ?[tg]b?(?:e|ps|it|/s)? )?"
)
DRIVES = re.compile(PIECES + r"(?:u\.[23] |m\.2 |pcie )?(?:nvme|ssds?(?![a-z])|固态)")
ADAPTERS = re.compile(
    PIECES + r"(?:cx-?[5678] |connectx-?[5678] |infiniband |ib |ethernet |roce |高速)?"
    r"(?:nics?(?![a-z])|hcas?(?![a-z])|网卡|network (?:cards?|adapters?))"
)
WIDTH = re.compile(r"(?:(?<![a-z])(?:gpus?|cards?)(?![a-z])|卡)[^,，。;?]{0,12}(?<![a-z])x\s?(16|8|4)(?!\d)")
LASTS = {"小": 1, "钟": 1, "h": 1, "天": 24, "日": 24, "d": 24, "周": 168, "w": 168}
STEPS = r"\s?(?:个)?(?:steps?|iterations?|iters?|步|次迭代)"
EVERY_STEPS = re.compile(
    rf"(?:每隔?|(?<![a-z])every )\s?{N}{STEPS}|(?:save[_ -]steps|save[_ -]interval|保存步数)\s?[:=]?\s?(\d{{1,7}})"
)
ALL_STEPS = re.compile(
    rf"(?:max[_ -]steps|total[_ -]steps|train[_ -]iters|num[_ -]train[_ -]steps|总步数)\s?(?:是|为|of)?\s?[:=]?\s?(\d{{1,8}}\s?k?)"
    rf"|(?:共|一共|总共|总计|训练?|跑|练"
    rf"|(?<![a-z])(?:for|total(?: of)?|over|out of|of|train(?:ing|ed)?|run(?:ning)?))\s?(?:一共|共|了)?\s?{N}{STEPS}"
    rf"|{N}{STEPS}\s?(?:in total|total|altogether|overall|of training|long|run)"
)

MAC = re.compile(
    r"苹果电脑|(?<![a-z])(?:imac|mac)s?(?: (?:mini|studio|pro))?(?![a-z])"
)  # in one piece, whose chip is not named
DESKTOP = re.compile(
    r"桌面|家用|台式|消费级\s?cpu|锐龙|酷睿|(?<![a-z])(?:desktop|consumer|mainstream|ryzen|core i[579])(?![a-z])"
)
# Of the power the cards' alone is asked for.
CARDS_ALONE = re.compile(
    r"(?<![a-z])(?:gpus?|cards?) (?:only|alone)(?![a-z])|(?<![a-z])(?:only|just) the (?:gpus?|cards?)(?! (?:and|with))(?![a-z])"
    r"|(?:显卡|gpu|卡)\s?(?:本身|自身|部分)|(?:只|仅|光)(?:算|看|是)?(?:显卡|gpu|卡)|不(?:含|算|包括)(?:主机|服务器|cpu|整机)"
)
# Whether so much RAM will do.
RAM_ENOUGH = re.compile(
    r"(?<![a-z])(?:is|are|will|would) \d{1,5} ?[gt]b? (?:of )?(?:system |host |cpu )?(?:ram|memory)(?![a-z])[^,.?]{0,12}"
    r"(?<![a-z])(?:enough|sufficient|ok|okay|fine|plenty|do)(?![a-z])"
    r"|\d{1,5} ?[gt]b? (?:of )?(?:system |host |cpu )?ram (?:be )?(?:enough|sufficient|ok|okay|fine|plenty)(?![a-z])"
    r"|\d{1,5} ?[gt]b?\s?(?:的)?(?:系统|主机)?内存(?:就|是否|能|算)?(?:够|行|可以|足够)"
)


def read_running(low: str) -> dict[str, Any]:
    """Slots of how a machine or a job is run, from a clause."""
    slots: dict[str, Any] = {}
    if (hours := HOURS_A_DAY.search(low)) and (count := _number(hours)) and count <= 24:
        slots["hours_per_day"] = count
    if "pcie" in low or "通道" in low or "lane" in low:
        for slot, pattern in (("drives", DRIVES), ("adapters", ADAPTERS)):
            if pieces := pattern.search(low):
                slots[slot] = int(_value(pieces["n"]) or 1)
        if width := WIDTH.search(low):
            slots["gpu_lanes"] = int(width[1])
    if MAC.search(low):
        slots["mac"] = True
    if CARDS_ALONE.search(low):
        slots["cards_alone"] = True
    if DESKTOP.search(low):
        slots["desktop"] = True
    if RAM_ENOUGH.search(low):
        slots["of_ram"] = True
    if extra := SURCHARGE.search(low):
        slots["surcharge"] = float(next(g for g in extra.groups() if g)) / 100
    amperes, volts = AMPERES.search(low), VOLTS.search(low)
    if amperes and ("amp" in amperes[0] or volts or MAINS.search(low) or THREE_PHASE.search(low)):
        three = THREE_PHASE.search(low) is not None
        usual = (
            BETWEEN_PHASES
            if three
            else OF_CHINA
            if re.search(r"[一-鿿]", low)
            else HOME_VOLTS.get(int(float(amperes[1])), 230.0)
        )
        slots |= {"circuit_a": float(amperes[1]), "circuit_v": float(volts[1]) if volts else usual} | (
            {"circuit_phases": 3} if three else {}
        )
    for pattern, side in zip(FAILS, "ab", strict=True):
        if (fails := pattern.search(low)) and (count := _value(fails[f"{side}n"])):
            slots |= {"mtbf_hours": count * LASTS[fails[f"{side}u"][0]], "mtbf_of_all": True}
            break
    if (every := EVERY_STEPS.search(low)) and (count := _number(every)):
        slots["every_steps"] = count
        rest = f"{low[: every.start()]} {low[every.end() :]}"
        if (steps := ALL_STEPS.search(rest)) and (total := _number(steps)) and total > count:
            slots["steps"] = total
    return slots


def _number(found: re.Match[str]) -> float | None:
    return _value(next(g for g in found.groups() if g))


def _value(text: str) -> float | None:
    """The number of a numeral of any kind; of an article one, of a half 0.5."""
    text = text.strip().replace(",", "")
    if text in ("a", "an", "half a", "半"):
        return 1.0 if text.startswith("a") else 0.5
    if text.endswith("k"):
        return float(text[:-1]) * 1000
    found = scan(text)
    return found[0].value if found else None
