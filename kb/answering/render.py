"""Numbers and units as a reader sees them."""

from __future__ import annotations

from dataclasses import replace

from kb.answering.wording import Wording
from kb.types.answer import Value

GIB = 2**30 / 1e9
COUNTS = (
    "max_parameters",
    "trainable_parameters",
    "params_total",
    "optimal_parameters",
    "optimal_tokens",
    "job_tokens",
    "host_cache_tokens",
)  # as people write numbers of parameters

SHARES = ("pipeline_bubble", "pipeline_idle", "mfu", "hfu", "saved_share")
GPU_TIME = ("gpu_hours", "affordable_gpu_hours")  # in hours of one GPU each


def number(value: float, digits: int = 3) -> str:
    """A plain figure with about `digits` significant digits: 1008, 119.7, 0.5; never an exponent."""
    if value == 0 or value != value:
        return "0"
    if abs(value) >= 1000 or float(value).is_integer():
        return f"{value:.0f}"
    if abs(value) >= 100:
        return f"{value:.1f}".rstrip("0").rstrip(".")
    shown = f"{value:.{digits}g}"
    return f"{float(shown):.10f}".rstrip("0").rstrip(".") if "e" in shown else shown


def amount(value: float, unit: str | None, w: Wording) -> str:
    """A figure with its unit; memory in binary units with the decimal ones of data sheets beside them."""
    if unit == "GiB":
        return _memory(value, w)
    if unit in (None, "", "1"):
        return number(value)
    if unit == "s" and value >= 600:
        many, more = ("h", 3600) if value >= 7200 else ("minute", 60)
        return w("both", binary=f"{number(value / more)} {w.unit(many)}", decimal=f"{number(value)} {w.unit('s')}")
    return f"{number(value)} {w.unit(str(unit), single=number(value) == '1')}"


def value_text(value: Value, w: Wording) -> str:
    """A value as written in an answer, with its 80 % interval where it has one."""
    if not isinstance(value.value, int | float):
        return str(value.value)
    if value.name in COUNTS and value.unit in (None, "", "1"):
        return size_name(float(value.value))
    if value.name in SHARES and value.unit != "%":
        return value_text(_in_parts(value, 100, "%"), w)
    if value.unit == "day" and 0 < value.value < 1:
        return value_text(_in_parts(value, *((24, "h") if value.value * 24 >= 1 else (1440, "minute"))), w)
    if value.unit == "s" and 0 < value.value < 1:
        return value_text(_in_parts(value, 1000, "ms"), w)
    if value.name in GPU_TIME and value.unit == "h":
        return value_text(replace(value, unit="GPU-h"), w)
    text = amount(float(value.value), value.unit, w)
    if value.low is not None and value.high is not None and value.low < value.high:
        scale, unit = (1 / 1024, "TiB") if value.unit == "GiB" and value.value >= 2048 else (1, value.unit)
        high = f"{number(value.high * scale)} {w.unit(unit)}" if unit not in (None, "", "1") else number(value.high)
        return w("interval", value=text, low=number(value.low * scale), high=high)
    return text


def _in_parts(value: Value, parts: int, unit: str) -> Value:
    """A short time in a unit of so many parts, for the text; the value of the answer keeps its own."""
    low, high = (None if end is None else end * parts for end in (value.low, value.high))
    return replace(value, value=float(value.value or 0) * parts, unit=unit, low=low, high=high)


def size_name(count: float) -> str:
    """A number of parameters as people write it."""
    if count < 4e8:
        return f"{number(count / 1e6)}M"
    return f"{number(count / 1e12)}T" if count >= 1e12 else f"{number(count / 1e9)}B"


def _memory(gib: float, w: Wording) -> str:
    if gib * 2**20 < 1024:
        return f"{number(gib * 2**20)} KiB"
    if gib < 0.1:
        return f"{number(gib * 2**10)} MiB"
    if gib >= 2048:
        return w("both", binary=f"{number(gib / 1024)} TiB", decimal=f"{number(gib * GIB / 1000)} TB")
    return w("both", binary=f"{number(gib)} GiB", decimal=f"{number(gib * GIB)} GB")
