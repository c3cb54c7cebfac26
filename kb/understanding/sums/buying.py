"""A purchase held against a rent: prices that stand without a currency or a unit, hours of use by the month, what comes on top a month."""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.numbers.numerals import scan
from kb.understanding.numbers.units import CURRENCIES
from kb.understanding.sums.figures import Slots, Sum

CURRENCY = r"(?:usd|dollars?|bucks|us\$|元|块钱?|刀|美元|美金|人民币|rmb|cny|euros?|eur|欧元)"
AMOUNT = (
    r"(?<![\d.a-z])[$¥€]?\s?(?P<{0}>\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d{{1,7}}(?:\.\d{{1,3}})?(?!\d|,\d{{3}}|\.\d))\s?(?P<{0}x>k(?![a-z])|[万千w](?![a-z]))?"
    rf"\s?(?:{CURRENCY})?"
)
SCALE = {"k": 1e3, "千": 1e3, "万": 1e4, "w": 1e4}
AN_HOUR = r"(?:\s?(?:/|per |an? |each |every |每|一)\s?(?:gpu[- ]?|card[- ]?)?个?(?:hours?|hrs?|h|小时|钟头)(?![a-z]))"
HOUR_OF = (
    r"(?:(?:每|一)个?(?:小时|钟头)|时租|(?<![a-z])(?:hourly(?: (?:rate|price|rent))?|per hour))"
    r"(?:租金|租|是|要|的|of|is|at|for|:|\s)*"
)
A_MONTH = r"(?:\s?(?:/|per |an? |each |every |每|一)\s?个?(?:months?|mo|月)(?![a-z]))"
MONTH_OF = (
    r"(?:月租金?|(?:每|一)个?月(?:的|租金|租|再|还|要|加|多|另外?|花|交|付|得)*|(?<![a-z])monthly(?: rent)?(?: of| is)?)\s?"
)
NOT_OF_IT = r"(?!\s?(?:租金|要|是|才|大概|约|只要)?\s?[\d$¥])"  # 4090 一个月 900: what comes before is a name
HOURLY = re.compile(
    rf"{AMOUNT.format('n')}{AN_HOUR}{NOT_OF_IT}|{HOUR_OF}{AMOUNT.format('m')}(?!\s?(?:小时|hours?|h(?![a-z])|张|卡|台))"
)
MONTHLY = re.compile(rf"{AMOUNT.format('n')}{A_MONTH}{NOT_OF_IT}|{MONTH_OF}{AMOUNT.format('m')}(?!\s?(?:个?小时|hours?|天|次))")
# A rent that is told without a time is that of an hour, where it is no more than this.
RENT_OF = re.compile(
    rf"(?:租(?:金|价|用|卡)?|(?<![a-z])rent(?:ing|al)?)(?:是|要|的话|at|for|is|:|\s)*{AMOUNT.format('n')}(?!\s?[\d小天月gt%])"
)
MOST_OF_AN_HOUR = 200.0
# What running costs, beside a sum by the month.
RUNNING = re.compile(
    r"电|托管|运维|维护|机房|场地|网费|(?<![a-z])(?:power|electric\w*|colo\w*|hosting|upkeep|maintenance|running|support|internet)(?![a-z])"
)
BEHIND = r"(?!\s?(?:[gt]b?(?![a-z])|tok|hours?|hrs?|h(?![a-z])|days?|months?|years?|[张卡台块个小天月年%]|x\s|×|ti(?![a-z])|super|\.?\d))"
PRICES = (
    re.compile(
        r"(?:买(?:卡|机器|服务器|一?[张台块])?|购(?:买|入)?|售价|价格|要价|原价|(?:显?卡|机器|服务器)(?:价格?|要|是|卖|得)?"
        r"|(?<![a-z])(?:buy|buying|bought|purchase|costs?|price[ds]?|gpus?|cards?|servers?|machines?|box|rig|pay|paid|own(?:ing)?))"
        rf"(?:(?:花了?|要|是|价|了|约|大概|would|be|costs?|at|for|is|it|one|of|a|the|:|\s)*){AMOUNT.format('n')}{BEHIND}"
    ),
    re.compile(
        rf"(?:(?<![a-z])(?:buy|buying|bought|purchase|own)(?![a-z])[^,;?]{{0,28}}?(?:for|at)\s?){AMOUNT.format('n')}{BEHIND}"
    ),
    re.compile(rf"{AMOUNT.format('n')}{BEHIND}\s?(?:,|，)?\s?(?:vs\.?|versus|or|against|对比?|还是|比)(?![a-z])"),
)
# Whose hour is paid for.
OF_A_SERVER = re.compile(r"服务器|整机|机器|一台|(?<![a-z])(?:servers?|nodes?|machines?|box(?:es)?|rigs?)(?![a-z])")
OF_A_CARD = re.compile(r"每[张块]?卡|单卡|卡时|(?:per|each|/) ?(?:gpu|card)|gpu[- ]?(?:hours?|hr|h)(?![a-z])")
LEAST_PRICE = 100.0
A_MONTH_OF_DAYS = 30
EVEN = re.compile(
    r"回本|打平|划算|划得来|合算|值不值|盈亏|还是|对比|break[- ]?even|pa(?:ys?|id)[ -]?(?:for itself|off|back)|recoup"
    r"|(?<![a-z])(?:vs\.?|versus|or|cheaper|worth)(?![a-z])"
)
OF_RENT = re.compile(
    r"租|云|(?:每|一)个?小时|/\s?(?:h|hr|hour)(?![a-z])"
    r"|(?<![a-z])(?:rent\w*|cloud|lease|leasing|hourly|vast|runpod|autodl)(?![a-z])"
)
HOURS = (
    re.compile(r"(?<![\d.])(?P<n>\d{1,3})\s?(?:hours?|hrs?|h)\s?(?:a|per|/|each|every)\s?(?P<u>month|week)(?![a-z])"),
    re.compile(
        r"(?:每个?|一个?)(?P<u>月|周|星期|礼拜)(?:里|内|大概|大约|最多|只|就|才|也|会|能|要|用|跑|开|使用|约|平均)*\s?(?P<n>\d{1,3})\s?个?(?:小时|钟头)"
    ),
)
# How long a rent by the month runs: for 36 months, 三年.
PERIOD = re.compile(
    r"(?<![a-z])(?:for|over|in) (?P<n>\d{1,3}) (?P<u>months?|years?)(?![a-z])"
    r"|(?<![\d.])(?P<m>\d{1,3}|[一二两三四五六七八九十]{1,2})\s?(?P<v>个月|年)(?!前|以?后)"
)
MONTHS = {"y": 12, "年": 12}
DAYS_OF_A_MONTH = 365 / 12
DAYS = {"month": 30, "月": 30, "week": 7, "周": 7, "星期": 7, "礼拜": 7}
RENTS = ("price_per_gpu_hour", "price_per_hour", "price_per_day", "price_per_month")
HAN = re.compile(r"[一-鿿]")
NAMED = re.compile("|".join(map(re.escape, CURRENCIES)) + "|" + CURRENCY)


def of_buying(low: str, slots: Slots) -> Sum | None:
    """What is bought and what its rent costs, where it is asked which of them, or when the purchase has paid off."""
    said: dict[str, Any] = {}
    known = any(slots.get(s) for s in RENTS), bool(slots.get("purchase_price") or slots.get("budget"))
    if slots.get("price_per_million_tokens") or not (all(known) or (EVEN.search(low) and OF_RENT.search(low))):
        return None
    hours = next((m for pattern in HOURS if (m := pattern.search(low))), None)
    rest = low if hours is None else low[: hours.start()] + " " * len(hours[0]) + low[hours.end() :]
    if hours is not None:
        said["hours_per_day"] = float(hours["n"]) / DAYS[hours["u"]]
    for found in MONTHLY.finditer(rest):
        beside = rest[max(0, found.start() - 16) : found.start()].rpartition(",")[2] + rest[found.start() : found.end() + 24]
        if RUNNING.search(re.split(r"[,，;；。?]", beside)[0]):
            said["running_per_day"] = _value(found) / 30
        elif not known[0]:
            said["price_per_month"] = _value(found)
        rest = rest[: found.start()] + " " * len(found[0]) + rest[found.end() :]
    if not known[0] and "price_per_month" not in said:
        hourly = HOURLY.search(rest) or next((m for m in RENT_OF.finditer(rest) if _value(m) <= MOST_OF_AN_HOUR), None)
        if hourly is None:
            return None
        whole = (slots.get("gpu_count") or 1) > 1 and OF_A_SERVER.search(low) and not OF_A_CARD.search(low)
        said["price_per_hour" if whole else "price_per_gpu_hour"] = _value(hourly)
        rest = rest[: hourly.start()] + " " * len(hourly[0]) + rest[hourly.end() :]
    if "price_per_month" in said and (period := PERIOD.search(rest)):
        said["days"] = _months(period) * DAYS_OF_A_MONTH
    name = str(slots.get("gpu") or "")
    if not slots.get("purchase_price"):
        prices = (m for pattern in PRICES for m in pattern.finditer(rest))
        price = next((m for m in prices if _value(m) >= LEAST_PRICE and (_sure(m) or not _digits(m, name))), None)
        if price is None and not slots.get("budget"):
            return None
        if price is not None:
            said["purchase_price"] = _value(price)
    usual = "CNY" if HAN.search(low) else "USD"
    told = (
        slots.get("currency") in (None, usual) and EVEN.search(low) and OF_RENT.search(low) and re.search(r"\d", rest)
    )  # in this very turn
    if told and not NAMED.search(low):
        said |= {"currency": usual, "currency_open": True}
    if not said:
        return None
    if not slots.get("currency"):
        said.setdefault("currency", usual)
    misread = {"budget", "context_len", "seq_len"} if "purchase_price" in said else set()
    monthly = MONTHLY.search(low) and slots.get("days") == A_MONTH_OF_DAYS  # which were read of its rent
    misread |= {"hours", "days", "seconds"} if hours is not None else {"days"} if monthly else set()
    misread |= {"days", "hours"} if "days" in said else set()
    misread |= {"gpu"} if any(_is_of(name, said.get(s)) for s in ("price_per_month", "purchase_price")) else set()
    return Sum(("break_even",), said, frozenset(misread | {"of_electricity", "parameters", "per_gpu_hour"}))


def _months(period: re.Match[str]) -> float:
    count = scan(period["n"] or period["m"])
    return float(count[0].value or 0) * MONTHS.get((period["u"] or period["v"])[0], 1) if count else 0.0


def _value(found: re.Match[str]) -> float:
    named = "n" if found["n"] else "m"
    return float(found[named].replace(",", "")) * SCALE.get(found[f"{named}x"] or "", 1.0)


def _sure(found: re.Match[str]) -> bool:
    """Whether an amount is one of money by what stands with it."""
    return NAMED.search(found[0]) is not None


def _digits(found: re.Match[str], card: str) -> bool:
    """Whether the figures of an amount are those of the name of a card."""
    return _is_of(card, _value(found))


def _is_of(card: str, amount: object) -> bool:
    return isinstance(amount, float) and f"{amount:.0f}" in re.findall(r"\d+", card)
