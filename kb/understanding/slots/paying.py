"""Two prices of the same hours, what is taken off a price, and what of the work is lost: as request fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kb.understanding.found import Found

LESS = (
    r"(?:(?<![a-z])(?:spot|pre-?empt\w*|reserved?|reservations?|commit(?:ted|ment)?|contract|interruptible)(?![a-z])"
    r"|包[年月季]|预留|抢占式?|竞价|长租|年付|合约)"
)
FULL = (
    r"(?:(?<![a-z])(?:on[- ]?demand|pay[- ]as[- ]you[- ]go|list price|full price|regular(?: price)?)(?![a-z])"
    r"|按需|按量|原价|官方价|刊例价|标价)"
)
NEAR = r"(?:(?!(?<![a-z])(?:vs|versus|against|or|and|than)(?![a-z])|还是|比|对)[^,，;；。?\d]){0,20}"
BEFORE = tuple(re.compile(rf"{kind}{NEAR}$") for kind in (LESS, FULL))
AFTER = tuple(
    re.compile(rf"\s?(?:/|per|an?|each|every|\(|的|for)?\s?(?:gpu[- ]?hours?|hours?|hr|h)?\s?(?:for |with |of )?{kind}")
    for kind in (LESS, FULL)
)
OFF = re.compile(
    r"(?<![\d.])(\d{1,2}(?:\.\d)?)\s?(?:%|percent)\s?(?:off|discount|cheaper|rebate|reduction|优惠|折扣)"
    r"|(?:discount of|优惠|便宜|降价?)\s?(?:了)?\s?(\d{1,2}(?:\.\d)?)\s?%"
)
ZHE = re.compile(r"(?<![\d.])(\d{1,2}(?:\.\d)?|[一二三四五六七八九]{1,2})\s?折(?![旧合算腾叠扣])")
LOST = re.compile(
    r"(\d{1,2}(?:\.\d)?)\s?(?:%|percent) (?:of (?:the |my |our |all )?(?:work|time|hours|steps|progress|compute|gpu[- ]hours) )?"
    r"(?:is |are |being |gets |get )?(?:lost|wasted|redone|repeated|recomputed|rerun)"
    r"|(?:los(?:e|es|ing)|wast(?:e|es|ing)) (?:about |around |some )?(\d{1,2}(?:\.\d)?)\s?%"
    r"|(\d{1,2}(?:\.\d)?)\s?%\s?的?(?:工作|进度|时间|卡时|算力)?(?:量)?(?:会|被|要)?(?:丢失|损失|丢掉|白跑|浪费|作废)"
    r"|(?:损失|丢失|浪费|白跑)(?:掉)?(?:约|大约|大概)?\s?(\d{1,2}(?:\.\d)?)\s?%"
)
RATES = (None, "hour", "gpu_hour")
# 租的话 2 块 8 一卡: rent of a card that is told without a time is that of an hour, where it is no more than this.
RENT = re.compile(r"(?:租|(?<![a-z])rent(?:ing|ed|al)?(?![a-z]))[^,，。;；?\d]{0,10}$")
OF_ONE = re.compile(r"\s?(?:/|per |each |an? |一|每|单)?\s?(?:张?卡|张|gpu|card|each|apiece)(?!\s?[天月年])")
ONE_OF = re.compile(
    r"(?:每(?:一)?[张块卡片]|单[卡张价]|(?<![a-z])(?:each|apiece|per (?:card|gpu)|unit price))[^,，。;；?\d]{0,8}$"
)
RENTS = ("price_per_gpu_hour", "price_per_hour", "price_per_day", "price_per_month")
MOST_OF_AN_HOUR = 200.0


def read_paying(slots: dict[str, Any], here: Sequence[Found], low: str, start: int, end: int) -> None:
    """Fill in, in place, what is paid of two prices that are told apart, what of a price is left, and what share of work is lost."""
    clause = low[start:end]
    if any(c.isdecimal() for c in clause) or "折" in clause:
        if off := OFF.search(clause):
            slots["discount"] = round(1 - float(off[1] or off[2]) / 100, 4)
            slots.pop("surcharge", None)
        elif zhe := ZHE.search(clause):
            slots["discount"] = _tenths(zhe[1])
        if lost := LOST.search(clause):
            slots["lost_share"] = float(next(g for g in lost.groups() if g)) / 100
            slots.pop("surcharge", None)
    prices = [f for f in here if f.quantity == "money" and f.value and f.extra.get("per") in RATES]
    kinds = [_kind(low, f, prices[i - 1].end if i else start, end) for i, f in enumerate(prices)]
    for f in prices:
        cheap = f.extra.get("per") is None and (f.value or 0) <= MOST_OF_AN_HOUR
        if cheap and RENT.search(low, start, f.start) and OF_ONE.match(low, f.end):
            slots["price_per_gpu_hour"] = f.value
            slots.pop("budget", None)
    count = slots.get("gpu_count") or 1
    for f in [f for f in prices if f.extra.get("per") is None and any(slots.get(s) for s in RENTS)]:
        bought = next((s for s in ("purchase_price", "budget") if slots.get(s) == f.value), None)
        if bought and count > 1 and (OF_ONE.match(low, f.end) or ONE_OF.search(low, start, f.start)):
            slots.pop(bought)
            slots["purchase_price"] = float(f.value or 0) * count  # that of all
    if set(kinds) >= {0, 1}:
        less, full = (float(prices[kinds.index(kind)].value or 0) for kind in (0, 1))
        for slot in ("budget", "purchase_price", "price_per_hour"):
            if slots.get(slot) in (less, full):
                slots.pop(slot)
        slots |= {"price_per_gpu_hour": less, "full_price_per_gpu_hour": full}


def _kind(low: str, f: Found, since: int, end: int) -> int | None:
    """0 of a price for less, 1 of the full one: by the word next to it, before or behind."""
    return next(
        (
            kind
            for patterns, at in ((BEFORE, low[since : f.start]), (AFTER, low[f.end : end]))
            for kind, pattern in enumerate(patterns)
            if (pattern.search(at) if patterns is BEFORE else pattern.match(at))
        ),
        None,
    )


def _tenths(written: str) -> float:
    """八 and 8 are eight tenths, 八五, 85 and 8.5 are 85 hundredths."""
    digits = "".join(str("零一二三四五六七八九".index(c)) if c in "一二三四五六七八九" else c for c in written if c != ".")
    return float(f"0.{digits}")
