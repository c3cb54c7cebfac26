"""Exact questions to a spec table: conditions, order, chosen rows, and the rows as CSV or for a reader."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kb.errors import InvalidInput, UnknownEntity
from kb.types.specs import Cell, Column, Row, Table
from kb.types.units import SCALE, base_of, from_base, to_base

IDENTITY = ("id", "name")
STATUSES = ("known", "unsupported", "unknown")
FIGURE = re.compile(r"([-+.\d]+(?:e[-+]?\d+)?)\s*(\S.*)?", re.I)
UNITS = {unit.casefold(): unit for unit in SCALE}
WRITTEN = re.compile(r"\s*(\w+)\s*(>=|<=|!=|==|=|>|<|~)\s*(.*?)\s*", re.S)
SUFFIXES = {"gte": ">=", "lte": "<=", "gt": ">", "lt": "<", "ne": "!=", "eq": "==", "contains": "in", "in": "one of"}
SAME = {"=": "==", "~": "in"}


@dataclass(frozen=True, slots=True)
class Condition:
    """`wanted` is a number for a column of numbers, a status, or text; `one of` takes a tuple of texts."""

    column: str
    op: str
    wanted: Any


def written(text: str, table: Table) -> Condition:
    """`memory_gb>=80`, `memory_gb>=0.1 TB`, `vendor=NVIDIA`, `form_factor~SXM`, `fp8_dense_tflops=unsupported`;

    raises InvalidInput."""
    match = WRITTEN.fullmatch(text)
    if match is None:
        raise InvalidInput(
            "where",
            text,
            f"cannot read the condition {text!r}: write a column, one of = != >= <= > < ~ (contains), and a value",
            f"无法解读条件“{text}”：请写列名、= != >= <= > < ~（包含）之一和值",
        )
    return _condition(match[1], SAME.get(match[2], match[2]), match[3], table)


def parameter(name: str, value: str, table: Table) -> Condition:
    """A condition as a parameter of an address: `memory_gb__gte=80`, `vendor=NVIDIA`; raises InvalidInput."""
    column, _, suffix = name.partition("__")
    if suffix and suffix not in SUFFIXES:
        raise InvalidInput(
            name,
            value,
            f"{name}: no comparison {suffix!r}: there are {', '.join(SUFFIXES)}",
            f"{name}：没有比较方式“{suffix}”：现有 {'、'.join(SUFFIXES)}",
        )
    return _condition(column, SUFFIXES.get(suffix, "=="), value, table, field=name)


def query(
    table: Table, conditions: Iterable[Condition] = (), sort: str | None = None, ids: Sequence[str] = ()
) -> tuple[Row, ...]:
    """Rows that meet all conditions, of `ids` in their order or of the whole table.

    `sort`: columns separated by commas, a minus before one for descending; rows without the value come last. Raises InvalidInput.
    """
    if unknown := next((i for i in ids if i not in table.rows), None):
        raise UnknownEntity("ids", unknown, _nearest(unknown, table))
    pool = [table.rows[i] for i in dict.fromkeys(ids)] if ids else list(table.rows.values())
    rows = [r for r in pool if all(meets(r, c.column, c.op, c.wanted) for c in conditions)]
    for key in reversed([k.strip() for k in (sort or "").split(",") if k.strip()]):
        column, falling = key.lstrip("-+"), key.startswith("-")
        _known_column(column, table, "sort")
        rows.sort(key=lambda r: _order(_held(r, column), falling), reverse=falling)
    return tuple(rows)


def as_csv(table: Table, rows: Iterable[Row]) -> str:
    """Id, name and every column; a cell without a value says why."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*IDENTITY, *(c.name for c in table.columns)])
    for row in rows:
        writer.writerow([row.id, row.name, *(_plain(row.cells.get(c.name)) for c in table.columns)])
    return out.getvalue()


def listed(rows: Sequence[Row], columns: Iterable[str]) -> str:
    """A line for each row: id, name, and the columns that were asked about."""
    shown = [c for c in dict.fromkeys(columns) if rows and c in rows[0].cells]
    return "\n".join(f"{r.id:32} {r.name:36} {'  '.join(f'{r.cells[c].quote:>16}' for c in shown)}".rstrip() for r in rows)


def side_by_side(table: Table, rows: Sequence[Row]) -> str:
    """A line for each column of which something is known, the rows side by side."""
    lines = [("", [r.name for r in rows])]
    lines += [(c.name, [r.cells[c.name].quote for r in rows]) for c in table.columns]
    told = [(name, quotes) for name, quotes in lines if set(quotes) != {"unknown"}]
    widths = [max(len(quotes[n]) for _, quotes in told) for n in range(len(rows))]
    return "\n".join(
        f"{name:28} {'  '.join(q.ljust(w) for q, w in zip(quotes, widths, strict=True))}".rstrip() for name, quotes in told
    )


def meets(row: Row, column: str, op: str, wanted: Any) -> bool:
    """Whether a cell meets a condition; an unknown cell meets none but its status, an unsupported one only `lacks`."""
    held = _held(row, column)
    status = held.status if isinstance(held, Cell) else "known"
    value = held.value if isinstance(held, Cell) else held
    if isinstance(wanted, str) and wanted in STATUSES and op in ("==", "!="):
        return (status == wanted) == (op == "==")
    if held is None or status == "unknown":
        return False
    if op in ("has", "lacks"):
        return (status == "known") == (op == "has")
    if status == "unsupported":
        return False
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _text_meets(("yes" if value else "no") if isinstance(value, bool) else str(value), op, wanted)
    return _number_meets(float(value), op, wanted)


def _text_meets(value: str, op: str, wanted: Any) -> bool:
    value = value.casefold()
    several = [str(w).casefold() for w in (wanted if isinstance(wanted, list | tuple) else [wanted])]
    if op == "in":
        return any(w in value for w in several)
    same = value in several
    return same if op in ("==", "one of") else not same if op == "!=" else False


def _number_meets(value: float, op: str, wanted: Any) -> bool:
    if op == "in":  # one of several, or the figure as it is written
        return any(str(w) in f"{value:g}" for w in (wanted if isinstance(wanted, list | tuple) else [wanted]))
    if op == "one of":
        return any(_number_meets(value, "==", w) for w in wanted)
    same = abs(value - wanted) <= 1e-9 * abs(wanted)
    holds: bool = {
        ">=": value >= wanted or same,
        "<=": value <= wanted or same,
        ">": value > wanted and not same,
        "<": value < wanted and not same,
        "==": same,
        "!=": not same,
    }[op]
    return holds


def _condition(column: str, op: str, raw: str, table: Table, field: str | None = None) -> Condition:
    _known_column(column, table, field or "where")
    found = table.column(column)
    if raw in STATUSES and op in ("==", "!="):
        return Condition(column, op, raw)
    if found is None or found.kind != "number" or op == "in":
        if op in (">=", "<=", ">", "<"):
            raise InvalidInput(
                field or column,
                raw,
                f"{column} holds text: compare it with = != or ~ (contains)",
                f"{column} 是文本列：请用 = != 或 ~（包含）比较",
            )
        words = {"true": "yes", "false": "no"} if found is not None and found.kind == "flag" else {}
        wanted = words.get(raw.lower(), raw)
        return Condition(column, op, tuple(w.strip() for w in raw.split(",")) if op == "one of" else wanted)
    if op == "one of":
        return Condition(column, op, tuple(_number(found, w, field) for w in raw.split(",")))
    return Condition(column, op, _number(found, raw, field))


def _number(column: Column, raw: str, field: str | None) -> float:
    """A number in the unit of the column, or in another of its kind that is written after it: 1.5 TB of a column in GB."""
    match = FIGURE.fullmatch(raw.strip())
    try:
        number = float(match[1]) if match else float("nan")
    except ValueError:
        number = float("nan")
    unit = re.sub(r"OPS$", "OP/s", (match[2] or "") if match else "", flags=re.I)  # TFLOPS, TOPS
    if unit and unit.casefold() != (column.unit or "").casefold():
        unit, own = UNITS.get(unit.casefold(), ""), column.unit or ""
        alike = unit and own in SCALE and base_of(unit) == base_of(own)
        number = from_base(to_base(number, unit), own) if alike else float("nan")
    if number - number != 0:  # not a finite number
        of, zh = (f" of {column.unit}", f"（{column.unit}）") if column.unit else ("", "")
        raise InvalidInput(
            field or column.name,
            raw,
            f"{column.name} holds numbers{of}: {raw!r} is none",
            f"{column.name} 是数值列{zh}：“{raw}”不是数值",
        )
    return number


def _known_column(column: str, table: Table, field: str) -> None:
    if column not in IDENTITY and table.column(column) is None:
        names = [*IDENTITY, *(c.name for c in table.columns)]
        raise InvalidInput(
            field,
            column,
            f"{table.name} has no column {column!r}: there are {', '.join(names)}",
            f"{table.name} 没有“{column}”列：现有 {'、'.join(names)}",
        )


def _held(row: Row, column: str) -> Cell | str | None:
    return str(getattr(row, column)) if column in IDENTITY else row.cells.get(column)


def _order(held: Cell | str | None, falling: bool) -> tuple[bool, bool, float, str]:
    """Sorts numbers by size, text by letter, and what is not known behind both."""
    value = held.value if isinstance(held, Cell) else held
    if value is None:
        return not falling, False, 0.0, ""
    number = isinstance(value, int | float)
    return falling, not number, float(value) if number else 0.0, "" if number else str(value).casefold()


def _plain(cell: Cell | None) -> Any:
    if cell is None or cell.status != "known":
        return cell.quote if cell else "unknown"
    value = cell.value
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:.15g}" if isinstance(value, float) else value


def _nearest(id: str, table: Table) -> tuple[str, ...]:
    squeezed = re.sub(r"\W", "", id).casefold()
    return tuple(i for i in table.rows if squeezed and squeezed in re.sub(r"\W", "", i).casefold())[:5]
