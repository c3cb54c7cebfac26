"""Units as words of a language: for one of it, and for several. A unit that is not here is written as its symbol."""

from __future__ import annotations

EN = {
    "GPU-h": ("GPU-hour", "GPU-hours"), "week": ("week", "weeks"), "month": ("month", "months"), "day": ("day", "days"),
    "h": ("hour", "hours"), "minute": ("minute", "minutes"), "s": ("second", "seconds"), "1/s": ("token/s", "tokens/s"),
}  # fmt: skip
ZH = {
    unit: (word, word)
    for unit, word in {
        "GPU-h": "卡时", "week": "周", "month": "个月", "day": "天", "h": "小时", "minute": "分钟", "s": "秒", "ms": "毫秒", "1/s": "token/s",
        "CNY": "元", "USD": "美元", "EUR": "欧元", "JPY": "日元", "TWD": "新台币", "HKD": "港元", "GBP": "英镑", "KRW": "韩元",
    }.items()
}  # fmt: skip
PRICED = ("CNY", "USD", "EUR", "JPY", "TWD", "HKD", "GBP", "KRW")  # of which a price is so much per something
