"""A turn that says how many times the load of before its peak is: `peak is 5x that`, `高峰是平均的5倍呢`."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.types.question import Part
from kb.understanding.context import Context
from kb.understanding.numbers.numerals import scan

_TIMES = r"(\d{1,3}(?:\.\d{1,2})?|[两二三四五六七八九十])\s?(?:倍|x(?![a-z\d])|times|-?fold)"
PEAK = re.compile(
    rf"(?:高峰|峰值|最忙|忙时|(?<![a-z])(?:peaks?|rush hours?|busiest)(?![a-z]))[^,，。;?\d]{{0,24}}?{_TIMES}"
    rf"|{_TIMES}[^,，。;?\d]{{0,16}}?(?:高峰|峰值|at (?:the )?peak|in the rush)"
)
LOADS = ("documents", "requests_per_second", "concurrency")  # fields that say how much is asked of a model that runs


def at_peak(c: Context) -> Part | None:
    """What was asked before, at a load so many times as high; None for any other turn, and where no load was said."""
    said = PEAK.search(c.low)
    load = next((name for name in LOADS if c.carried.get(name)), None)
    if said is None or load is None or c.earlier is None or c.earlier.intent != "size":
        return None
    times = scan(said[1] or said[2])[0].value or 1.0
    raised = float(c.carried[load]) * times
    slots = {**c.carried, load: raised if load == "requests_per_second" else round(raised)}
    kept = {k: v for k, v in c.earlier.slots.items() if k in ("daily", "days")}
    return replace(c.earlier, text=c.source(0, len(c.low)).strip(), slots={**slots, **kept})
