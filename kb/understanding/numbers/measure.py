"""A masked text being read for quantities: which stretches are taken, and how a numeral with a unit becomes a quantity."""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.found import Found
from kb.understanding.numbers.cues import ABOUT, ABOVE, ACTIVE, AT_LEAST, AT_MOST, BELOW, MOE, NOT_LESS, NOT_MORE, PERIOD
from kb.understanding.numbers.numerals import Numeral

# A network of one: what somebody's line to the outside carries is read elsewhere.
GIGABIT = re.compile(r"(?<![a-z\d])(?:gigabit|gbe)(?![a-z/])(?! (?:internet|fib\w+|line|connection|uplink|broadband|down\w*))")


class Measure:
    """The text, what was found in it, and which of its characters are spoken for. `field`: whether it is of the field at all."""

    def __init__(self, cased: str, low: str, field: bool, taken: list[tuple[int, int]]) -> None:
        self.cased, self.low, self.field = cased, low, field
        self.covered = bytearray(len(low))
        for start, end in taken:
            self._cover(start, end)
        self.out: list[Found] = []

    def _is_taken(self, start: int, end: int) -> bool:
        return any(self.covered[start:end])

    def _cover(self, start: int, end: int) -> None:
        self.covered[start:end] = b"\x01" * (end - start)

    def _add(self, found: Found) -> None:
        self.out.append(found)
        self._cover(found.start, found.end)

    def _make(self, n: Numeral, end: int, quantity: str, value: float | None, unit: str, before: str, **extra: Any) -> Found:
        if n.range:
            scale = value if value is not None else 1.0
            extra["range"] = [bound * scale for bound in n.range]
            value = None
        if n.approx or ABOUT.search(before):
            extra["approx"] = True
        if NOT_MORE.search(before):
            extra["op"] = "<="
        elif NOT_LESS.search(before):
            extra["op"] = ">="
        elif AT_MOST.search(before):
            extra["op"] = "<="
        elif (AT_LEAST.search(before) and not (quantity == "bandwidth" and before.rstrip().endswith("over"))) or ABOVE.match(
            self.low, end
        ):
            extra["op"] = ">="
        elif BELOW.match(self.low, end) and quantity in ("time", "memory", "power", "money"):
            extra["op"] = "<="
        return Found(n.start, end, quantity, value, unit, extra)

    def _scaled(self, n: Numeral, factor: float) -> float | None:
        return factor if n.value is None else float(f"{n.value * factor:.12g}")

    def _expert_layouts(self) -> None:
        for m in MOE.finditer(self.low):
            if not self._is_taken(*m.span()):
                self._add(Found(m.start(), m.end(), "parameters", None, "params", {"moe": [int(m[1]), float(m[2]) * 1e9]}))
        for m in ACTIVE.finditer(self.low):
            if not self._is_taken(*m.span()):
                self._add(Found(m.start(), m.end(1) + 1, "parameters", float(m[1]) * 1e9, "params", {"role": "total"}))
                self._add(Found(m.start(2) - 1, m.end(), "parameters", float(m[2]) * 1e9, "params", {"role": "active"}))

    def _ranges(self, found: list[Found]) -> list[Found]:
        """8G到16G, 3B~14B: lowest and highest."""
        out = list(found)
        for i in range(1, len(out)):
            a, b = out[i - 1], out[i]
            between = self.low[a.end : b.start]
            if (
                not (a.extra.get("role") == "total" or b.extra.get("role") == "active")
                and a.quantity == b.quantity
                and a.unit == b.unit
                and len(between) <= 4
                and re.fullmatch(r"\s?(?:~|-|到|至|to)\s?", between)
            ):
                key = "role2" if a.quantity == "memory" else "role"
                out[i - 1] = Found(a.start, a.end, a.quantity, a.value, a.unit, {**a.extra, key: "min"})
                out[i] = Found(b.start, b.end, b.quantity, b.value, b.unit, {**b.extra, key: "max"})
        return out

    def _without_numeral(self) -> None:
        for m in re.finditer(
            r"(?<![0-9])(?:(\d{1,3})\s?|([十百]))?(千兆|万兆)(?=网|以太|光|口|卡|$|\s|,|，|的|局域)", self.low
        ):
            if self._is_taken(m.start(3), m.end()):
                continue
            base = 1.0 if m[3] == "千兆" else 10.0
            if m[1]:
                self._add(
                    Found(
                        m.start(),
                        m.end(),
                        "bandwidth",
                        float(m[1]) * base,
                        "Gb/s",
                        {"ambiguous": True, "accept": [float(m[1])]},
                    )
                )
            else:
                factor = {"十": 10.0, "百": 100.0}.get(m[2] or "", 1.0)
                self._add(Found(m.start(), m.end(), "bandwidth", base * factor, "Gb/s"))
        for m in GIGABIT.finditer(self.low):
            if not self._is_taken(m.start(), m.end()):
                self._add(Found(m.start(), m.end(), "bandwidth", 1.0, "Gb/s"))
        for m in re.finditer(r"(?<![a-z])(?:a )?fortnight(?![a-z])", self.low):
            self._add(Found(m.start(), m.end(), "time", 2.0, "week"))
        for m in re.finditer(r"(?<![a-z])(?:in|within|under|less than) (an? minute)(?![a-z])", self.low):
            self._add(Found(m.start(1), m.end(1), "time", 1.0, "minute"))
        for m in PERIOD.finditer(self.low):
            if not self._is_taken(*m.span()):
                unit = next(k for k, v in m.groupdict().items() if v).rstrip("_")
                self._add(Found(m.start(), m.end(), "time", 1.0, unit, quiet=True))
