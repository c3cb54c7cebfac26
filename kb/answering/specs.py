"""Answers from the spec tables: one cell, several devices side by side, the rows that meet a condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kb.answering.cite import Composer
from kb.answering.render import amount, number
from kb.answering.wording import Wording
from kb.types.answer import Value
from kb.types.question import Part, Premise
from kb.types.source import Evidence
from kb.types.specs import Column, Row, SpecBook

# What a question about a device is about when it names no property.
USUAL = {
    "accelerators": ("memory_gb", "memory_bandwidth_gb_s", "bf16_dense_tflops", "interconnect_gb_s", "tdp_w"),
    "models": ("params_total", "params_active", "layers", "context", "attention"),
    "systems": (
        "accelerator_count",
        "accelerator_memory_total_gb",
        "ram_gb",
        "network_gbps_total",
        "local_storage_tb",
        "power_max_kw",
    ),
    "interconnects": ("gb_s_per_direction", "gb_s_bidirectional"),
    "storage_and_memory": ("seq_read_gb_s", "seq_write_gb_s", "gb_s_total"),
    "cpus": ("cores", "memory_channels", "memory_gb_s", "pcie_lanes", "tdp_w"),
}
FORMATS = {
    "bf16_dense_tflops": "BF16", "fp16_dense_tflops": "FP16", "fp8_dense_tflops": "FP8", "fp4_dense_tflops": "FP4",
    "tf32_dense_tflops": "TF32", "int8_dense_tops": "INT8",
}  # fmt: skip
BOTH_WAYS = "interconnect_gb_s"  # vendors quote the sum of both directions


def cell_evidence(row: Row, column: str) -> Evidence:
    """The cell as evidence, its source titled with the row's name: a reader sees what the figure is of."""
    evidence = row.evidence(column)
    return replace(evidence, source=replace(evidence.source, title=f"{row.name} · {evidence.source.title}"))


def lookup(part: Part, book: SpecBook, composer: Composer, w: Wording) -> bool:
    """State the cells asked for of each entity; False when there is nothing to state."""
    rows = [r for t, i in part.entities if (r := book.row(t, i))]
    said: list[Evidence] = []
    for row in rows:
        table = book.tables[row.table]
        columns = [c for n in _asked(row, part.columns or USUAL.get(row.table, ())) if (c := table.column(n))]
        facts, evidence = [], []
        for column in columns:
            cell = row.cells[column.name]
            label = column.label.of(w.language)
            if cell.status == "known":
                facts.append(w("fact", label=label, value=_shown(row, column, w)))
                evidence.append(cell_evidence(row, column.name))
                composer.values.append(_value(row, column))
            elif part.columns:
                _missing(row, column, composer, w)
        if facts:
            composer.say(w("lookup", name=row.name, facts=w.join(facts)), *evidence)
            said += evidence
        if any(c.name == BOTH_WAYS for c in columns) and part.columns and (both := row.number(BOTH_WAYS)):
            one = amount(both / 2, "GB/s", w)
            composer.values.append(Value("interconnect_gb_s_per_direction", both / 2, "GB/s", one, scope=row.id))
            composer.say(w("per_direction", value=one), cell_evidence(row, BOTH_WAYS))
    _date(said, composer, w)
    return bool(rows)


def compare(part: Part, book: SpecBook, composer: Composer, w: Wording) -> bool:
    """Entities side by side, with the ratio and difference where there are two."""
    rows = [r for t, i in part.entities if (r := book.row(t, i))]
    if len(rows) < 2:
        return lookup(part, book, composer, w)
    table = book.tables[rows[0].table]
    names = tuple(dict.fromkeys(n for r in rows for n in _asked(r, part.columns or USUAL.get(table.name, ()))))
    columns = [c for n in names if (c := table.column(n)) and any(r.cells[n].status != "unknown" for r in rows if n in r.cells)]
    for column in columns:
        if len(rows) == 2 and column.kind == "number":
            _difference(rows[0], rows[1], column, composer, w)
        for row in rows:
            if row.cells[column.name].status == "unsupported" and part.columns:
                _missing(row, column, composer, w)
    lines = []
    said = []
    for row in rows:
        evidence = [cell_evidence(row, c.name) for c in columns if c.name in row.cells]
        lines.append(([row.name, *(_shown(row, c, w) for c in columns)], evidence))
        said += evidence
        composer.values += [_value(row, c) for c in columns if row.cells[c.name].status == "known"]
    composer.tabulate([w("item"), *(c.label.of(w.language) for c in columns)], lines, w("source"))
    _date(said, composer, w)
    return True


def select(part: Part, book: SpecBook, composer: Composer, w: Wording) -> bool:
    """The rows that meet every condition and no others; of a list that the asker gave, also why the others do not."""
    name = part.entities[0][0] if part.entities else "accelerators"
    table = book.tables.get(name)
    conditions = [(c, op, v) for n, op, v in part.conditions if table and (c := table.column(n))]
    if not table or not conditions:
        return False
    listed = [r for t, i in part.entities if (r := book.row(t, i))]
    pool = listed or list(table.rows.values())
    matching = [r for r in pool if all(meets(r, c.name, op, v) for c, op, v in conditions)]
    key = next((c.name for c, _, _ in conditions if c.kind == "number"), None)
    if key:
        matching.sort(key=lambda r: (-(r.number(key) or 0), r.name))
    said = w.join([_condition(c, op, v, w) for c, op, v in conditions])
    composer.known.append(said)
    if not matching:
        nearest = max(pool, key=lambda r: r.number(key or "") or 0) if key else None
        standing = [cell_evidence(nearest, key)] if nearest and key else []
        composer.say(w("filter_none", condition=said), *standing) if standing else composer.note(
            w("filter_none", condition=said)
        )
    else:
        counted = Value("matches", float(len(matching)), "1", str(len(matching)))
        composer.values.append(counted)
        composer.say(
            w("filter", count=len(matching), condition=said), *(cell_evidence(matching[0], c.name) for c, _, _ in conditions)
        )
        shown = list(dict.fromkeys(c.name for c, _, _ in conditions))
        columns = [c for n in shown if (c := table.column(n))]
        lines = [([r.name, *(_shown(r, c, w) for c in columns)], [cell_evidence(r, c.name) for c in columns]) for r in matching]
        composer.tabulate([w("item"), *(c.label.of(w.language) for c in columns)], lines, w("source"))
        composer.values += [_value(r, c) for r in matching for c in columns if r.cells[c.name].status == "known"]
        _date([e for _, row in lines for e in row], composer, w)
    for row in listed:
        if row not in matching:
            column = next(c for c, op, v in conditions if not meets(row, c.name, op, v))
            known = row.cells[column.name].status == "known"
            words = w(
                "filter_misses" if known else "filter_lacks",
                name=row.name, label=column.label.of(w.language), value=_shown(row, column, w),
            )  # fmt: skip
            composer.say(words, cell_evidence(row, column.name))
    return True


def correct(premise: Premise, book: SpecBook, composer: Composer, w: Wording) -> None:
    """Put a wrong premise right, from the cell that contradicts it."""
    row = book.row(premise.table, premise.row)
    column = book.tables[premise.table].column(premise.column) if row else None
    if row is None or column is None:
        return
    evidence = cell_evidence(row, column.name)
    label = column.label.of(w.language)
    if row.cells[column.name].status == "unsupported":
        composer.say(_denied("premise_unsupported", row, column, w), evidence)
    else:
        words = w("premise_differs", name=row.name, label=label, value=_shown(row, column, w), claimed=premise.claimed)
        composer.say(words, evidence)
        composer.values.append(_value(row, column))


def meets(row: Row, column: str, op: str, wanted: Any) -> bool:
    """Whether a cell meets a condition; an unknown cell meets none, an unsupported one only `lacks`."""
    cell = row.cells.get(column)
    if cell is None or cell.status == "unknown":
        return False
    if op in ("has", "lacks"):
        return (cell.status == "known") == (op == "has")
    if cell.status == "unsupported":
        return False
    if op == "in":
        return any(
            str(x).lower() in str(cell.value).lower() for x in (wanted if isinstance(wanted, list | tuple) else [wanted])
        )
    if op == "==" and isinstance(cell.value, str):
        return str(wanted).lower() in cell.value.lower()
    value = row.number(column)
    if value is None:
        return False
    holds: bool = {
        ">=": value >= wanted,
        "<=": value <= wanted,
        ">": value > wanted,
        "<": value < wanted,
        "==": abs(value - wanted) <= 1e-9 * abs(wanted),
    }[op]
    return holds


def _difference(a: Row, b: Row, column: Column, composer: Composer, w: Wording) -> None:
    x, y = a.number(column.name), b.number(column.name)
    label = column.label.of(w.language)
    both = cell_evidence(a, column.name), cell_evidence(b, column.name)
    if x is None or y is None or not x or not y:
        return
    if x == y:
        composer.say(w("equal", label=label, value=_shown(a, column, w)), *both)
        return
    if x < y:
        a, b, x, y = b, a, y, x
    gap = amount(x - y, column.unit, w)
    scope = f"{a.id}/{b.id}"
    composer.values.append(Value("ratio", x / y, "1", number(x / y), scope=f"{column.name}:{scope}"))
    composer.values.append(Value("difference", x - y, column.unit, gap, scope=f"{column.name}:{scope}"))
    composer.say(w("ratio", label=label, a=a.name, b=b.name, ratio=number(x / y), difference=gap), *both)


def _missing(row: Row, column: Column, composer: Composer, w: Wording) -> None:
    evidence = cell_evidence(row, column.name)
    if composer.stands_on(evidence):
        return  # a premise was put right with it
    if row.cells[column.name].status == "unsupported":
        composer.say(_denied("unsupported", row, column, w), evidence)
    else:
        composer.say(w("unknown", name=row.name, label=column.label.of(w.language)), evidence)


def _denied(key: str, row: Row, column: Column, w: Wording) -> str:
    """That a row does not support what a column is about, in the words that fit the column."""
    label = column.label.of(w.language)
    if w.has(f"{key}:{column.name}"):
        return w(f"{key}:{column.name}", name=row.name, label=label)
    if column.name in FORMATS:
        return w(f"{key}_format", name=row.name, format=FORMATS[column.name])
    return w(key, name=row.name, label=label)


def _asked(row: Row, names: Sequence[str]) -> tuple[str, ...]:
    """The columns to state: that a card has no link says more than the name of none."""
    link = row.cells.get(BOTH_WAYS)
    if link and link.status == "unsupported":
        names = [BOTH_WAYS if n == "interconnect_name" else n for n in names]
    return tuple(dict.fromkeys(names))


def _date(said: Sequence[Evidence], composer: Composer, w: Wording) -> None:
    dates = sorted({e.source.published or e.source.retrieved or "" for e in said} - {""})
    if dates:
        newest = dates[-1]
        first = next(e for e in said if newest in (e.source.published, e.source.retrieved))
        composer.say(w("dated", date=newest), first)


def _shown(row: Row, column: Column, w: Wording) -> str:
    cell = row.cells[column.name]
    if cell.status != "known":
        return w(f"{cell.status}_fact", label=column.label.of(w.language))
    return cell.quote


def _value(row: Row, column: Column) -> Value:
    cell = row.cells[column.name]
    value = float(cell.value) if isinstance(cell.value, int | float) and not isinstance(cell.value, bool) else cell.value
    return Value(
        column.name, value if value is None or isinstance(value, float) else str(value), cell.unit, cell.quote, scope=row.id
    )


def _condition(column: Column, op: str, wanted: Any, w: Wording) -> str:
    value = (
        amount(wanted, column.unit, w)
        if isinstance(wanted, int | float)
        else (w.join([str(x) for x in wanted]) if isinstance(wanted, list | tuple) else str(wanted))
    )
    return w(f"op:{op}", label=column.label.of(w.language), value=value)
