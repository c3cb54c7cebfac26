"""Rates of compute that a condition states: `FP8 over 2000 TFLOPS`, `500T 以上`, `带宽1T以上`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.understanding.asks.columns import COMPUTE, FORMAT_COLUMNS
from kb.understanding.found import Found

# A T that stands alone is short for TFLOPS or TB/s: the words around it say which, and no card has tens of TB of memory.
RATE = re.compile(
    r"(?<![a-z\d.])(?P<n>\d+(?:\.\d+)?)\s?(?P<scale>[gtpe])"
    r"(?P<unit>flops?(?:/s)?|ops?(?:/s)?|flop/s)?(?![a-z\d/])"
)
SCALE = {"g": 1e-3, "t": 1.0, "p": 1e3, "e": 1e6}
OF_BANDWIDTH = re.compile(r"带宽|(?<![a-z])(?:bandwid?th|bw)(?![a-z])")
OF_MEMORY = re.compile(r"显存|内存|记忆体|容量|(?<![a-z])(?:v-?ram|memory|mem|hbm\w?|capacity)(?![a-z])")
LEAST_ALONE = 10.0  # T, from which a bare one is of compute


@dataclass(frozen=True, slots=True)
class Stated:
    """`value` in the unit of the column (TFLOP/s, TOP/s, or GB/s), said at low[start:end]."""

    start: int
    end: int
    column: str
    value: float


def rates_of(low: str, start: int, end: int, found: Sequence[Found]) -> list[Stated]:
    """The thresholds of compute or bandwidth in low[start:end], each with the column that its words name."""
    formats = [f for f in found if f.quantity == "precision" and f.value in FORMAT_COLUMNS and start <= f.start < end]
    names = [f for f in found if f.quantity in ("gpu", "model") and start <= f.start < end]
    out = []
    for m in RATE.finditer(low, start, end):
        if any(f.start < m.end() and m.start() < f.end for f in names):
            continue
        value, before = float(m["n"]) * SCALE[m["scale"]], low[start : m.start()]
        computes = m["unit"] or (m["scale"] in "tp" and (COMPUTE.search(low, start, end) or formats or value >= LEAST_ALONE))
        if not m["unit"] and (m["scale"] == "g" or OF_MEMORY.search(OF_BANDWIDTH.sub(" ", before)[-12:])):
            continue
        if not m["unit"] and OF_BANDWIDTH.search(low, start, end) and not COMPUTE.search(before):
            out.append(Stated(m.start(), m.end(), "memory_bandwidth_gb_s", value * 1e3))
        elif computes:
            nearest = min(formats, key=lambda f: abs(f.start - m.start()), default=None)
            usual = "int8_dense_tops" if (m["unit"] or "").startswith("op") else "bf16_dense_tflops"
            out.append(Stated(m.start(), m.end(), FORMAT_COLUMNS[str(nearest.value)] if nearest else usual, value))
    return out
