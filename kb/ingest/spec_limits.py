"""What no accelerator can exceed: a bandwidth that its memory does not reach, a rate above its matrix units x clock; and what no
document of a sort can say.

specs/limits.toml says how fast a pin of a memory type, a matrix unit of an architecture and a number format can be.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.ingest.spec_schema import Complain, read_toml
from kb.types.specs import Row

SLACK = 1.025  # figures are rounded, and boards differ from their reference clock
ROUNDING = 0.004  # of a rate that is derived from units, clock and a power of two
SECTIONS = ("pin_gbit_s", "matrix_ops", "format_speed", "uncounted", "silent")


@dataclass(frozen=True, slots=True)
class Limits:
    """`pin_gbit_s` by memory type; `matrix_ops` per unit and clock by the beginning of an architecture; `format_speed` by
    column, relative to 16-bit; `uncounted`: model rows whose total is no count of their shape, and why; `silent` by column: words
    in the titles of documents that print no such thing."""

    pin_gbit_s: Mapping[str, float]
    matrix_ops: Mapping[str, float]
    format_speed: Mapping[str, float]
    uncounted: Mapping[str, str]
    silent: Mapping[str, Sequence[str]]


def read_limits(file: Path, complain: Complain) -> Limits:
    """The limits of a file, or none when there is no such file."""
    raw: dict[str, Any] = read_toml(file, complain) if file.exists() else {}
    for key in sorted(raw.keys() - set(SECTIONS)):
        complain(key, f"is no section; sections are {', '.join(SECTIONS)}")
    return Limits(*({str(k): v for k, v in raw.get(section, {}).items()} for section in SECTIONS))


def check_limits(row: Row, limits: Limits, complain: Complain) -> None:
    """Complain of cells that the hardware of the row cannot reach, and of rates derived from its units and clock that are no such
    product; says nothing where bus, units or clock are unknown."""
    bandwidth, bus = row.number("memory_bandwidth_gb_s"), row.number("memory_bus_bits")
    kind = (row.text("memory_type") or "").partition(" ")[0]
    if bandwidth and bus and (pin := limits.pin_gbit_s.get(kind)) and bandwidth * 8 > bus * pin * SLACK:
        complain(
            "memory_bandwidth_gb_s", f"is {bandwidth:g} GB/s; {kind} on {bus:g} bits reaches {bus * pin / 8:.0f} GB/s at most"
        )
    units, clock = row.number("matrix_units"), row.number("boost_clock_mhz")
    ops = _longest(row.text("family_architecture") or "", limits.matrix_ops)
    if not (units and clock and ops):
        return
    for column, cell in row.cells.items():
        if (rate := row.number(column)) and (cell.note or "").startswith("derived") and "tensor cores x" in (cell.note or ""):
            product = units * clock / 1e6
            whole = product * 2 ** round(math.log2(rate / product))
            if abs(rate / whole - 1) > ROUNDING:
                complain(column, f"is {rate:g}, said to be derived; {units:g} matrix units at {clock:g} MHz make {whole:.4g}")
    for column, speed in limits.format_speed.items():
        most = units * ops * speed * clock / 1e6
        if (rate := row.number(column)) and rate > most * SLACK:
            complain(column, f"is {rate:g}; {units:g} matrix units at {clock:g} MHz reach {most:.0f}. A sparse figure?")


def check_silent(row: Row, limits: Limits, complain: Complain) -> None:
    """Complain of cells that rest on a document of a sort that cannot say it, like a year on a config.json."""
    for column, words in limits.silent.items():
        cell = row.cells.get(column)
        if cell and cell.status == "known" and (word := next((w for w in words if w in cell.source.title), None)):
            complain(column, f"rests on {cell.source.title!r}; {word!r} is no source of it. Name what prints it")


def _longest(text: str, by_beginning: Mapping[str, float]) -> float | None:
    """The value of the longest key that `text` begins with."""
    return next((by_beginning[key] for key in sorted(by_beginning, key=len, reverse=True) if text.startswith(key)), None)
