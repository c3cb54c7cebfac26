"""Numbers and units as a reader sees them."""

from __future__ import annotations

from kb.types.answer import Value

GIB = 2**30 / 1e9


def number(value: float, digits: int = 3) -> str:
    """A plain figure with about `digits` significant digits: 1008, 119.7, 0.5, 2.79M never in exponents."""
    if value == 0 or value != value:
        return "0"
    if abs(value) >= 1000 or float(value).is_integer():
        return f"{value:.0f}"
    if abs(value) >= 100:
        return f"{value:.1f}".rstrip("0").rstrip(".")
    shown = f"{value:.{digits}g}"
    return f"{float(shown):.10f}".rstrip("0").rstrip(".") if "e" in shown else shown


def amount(value: float, unit: str | None, language: str) -> str:
    """A figure with its unit; GiB also in GB, the unit on data sheets; large counts with B and T, or 亿 and 万亿."""
    if unit == "GiB" and value * 2**30 < 1e8:
        return f"{number(value * 2**20)} KiB" if value * 2**30 < 1e6 else f"{number(value * 2**10)} MiB"
    if unit == "GiB":
        big = value >= 2048
        return (
            f"{number(value / 1024 if big else value)} {'TiB' if big else 'GiB'}（{_gb(value, big)}）"
            if language != "en"
            else (f"{number(value / 1024 if big else value)} {'TiB' if big else 'GiB'} ({_gb(value, big)})")
        )
    if unit in (None, "", "1"):
        return number(value)
    if unit == "1/s":
        return f"{number(value)} tokens/s"
    if unit in _NAMED:
        one, many, zh = _NAMED[unit]
        return f"{number(value)} {zh}" if language != "en" else f"{number(value)} {one if number(value) == '1' else many}"
    return f"{number(value)} {unit}"


_NAMED = {"day": ("day", "days", "天"), "h": ("hour", "hours", "小时"), "s": ("second", "seconds", "秒")}


def _gb(gib: float, big: bool) -> str:
    return f"{number(gib * GIB / 1000)} TB" if big else f"{number(gib * GIB)} GB"


def value_text(value: Value, language: str) -> str:
    """A value as written in an answer, with its 80 % interval where it has one."""
    if not isinstance(value.value, int | float):
        return str(value.value)
    text = amount(float(value.value), value.unit, language)
    if value.low is not None and value.high is not None and value.low < value.high:
        span = f"{number(value.low)}–{number(value.high)}"
        return f"{text}（80% 区间 {span}）" if language != "en" else f"{text} (80 % interval {span})"
    return text
