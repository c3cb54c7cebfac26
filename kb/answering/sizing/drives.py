"""Files that are read from, or written to, kinds of drives: the rate of each kind from the table, where none is stated."""

from __future__ import annotations

from dataclasses import replace
from statistics import median_low

from kb.answering.draft import Tools
from kb.answering.tables.specs import cell_evidence
from kb.types.question import Part
from kb.types.source import Evidence
from kb.types.specs import Row

TABLE, RATE = "storage_and_memory", "disk_gb_s"
COLUMNS = {"load_time": "seq_read_gb_s", "write_time": "seq_write_gb_s"}
STATED = frozenset({RATE, "bandwidth_gb_s", "network_gbps"})


def placed(part: Part, tools: Tools) -> Part:
    """A part with the rates of the drives that it names, each with its name (slot `rated`); as it is where one rate is stated."""
    kinds, column = part.slots.get("drive_kinds", ()), next((c for n, c in COLUMNS.items() if n in part.wanted), "")
    if not kinds or not column:
        return part
    field, listed = part.slots.get("each", ("", []))
    if field == RATE and len(listed) == len(kinds):
        return replace(part, slots={**part.slots, "rated": dict(zip(listed, kinds, strict=True))})
    rows = [row for kind in kinds if (row := _usual(kind, column, tools))]
    if field or STATED & part.slots.keys() or len(rows) != len(kinds):
        return part
    rates = {float(row.number(column) or 0): row.name for row in rows}
    slots = {**part.slots, "rated": rates, RATE: next(iter(rates))} | ({"each": (RATE, list(rates))} if len(rates) > 1 else {})
    return replace(part, slots=slots)


def evidence(part: Part, rate: float, tools: Tools) -> tuple[Evidence, ...]:
    """The cell that a rate of a kind of drive was taken from; nothing for one that was stated."""
    column = next((c for n, c in COLUMNS.items() if n in part.wanted), "")
    name = part.slots.get("rated", {}).get(rate)
    return tuple(
        cell_evidence(r, column) for r in tools.book.rows(TABLE) if column and r.name == name and r.number(column) == rate
    )


def _usual(kind: str, column: str, tools: Tools) -> Row | None:
    """The drive of a kind whose rate is in the middle of those on file."""
    rows = {r.number(column): r for r in tools.book.rows(TABLE) if kind in r.name and r.number(column)}
    return rows[median_low([rate for rate in rows if rate])] if rows else None
