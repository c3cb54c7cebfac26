"""Columns that follow from two others of a row: a ratio (`memory_gb/tdp_w`) or a product (`fp8_dense_tflops*sparsity_factor`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from kb.answering.render import number
from kb.answering.wording import Wording
from kb.types.specs import Bilingual, Cell, Column, Row, SpecBook, Table

NAME = re.compile(r"(\w+)([/*])(\w+)")
EN, ZH = Wording("en"), Wording("zh")  # labels are of both languages


def parents(name: str) -> tuple[str, ...]:
    """The columns that a column rests on: itself, or the two it follows from."""
    found = NAME.fullmatch(name)
    return (found[1], found[3]) if found else (name,)


def with_derived(book: SpecBook, names: Iterable[str]) -> SpecBook:
    """The book with the derived columns of these names in every table that has what they follow from."""
    asked = [m for n in dict.fromkeys(names) if (m := NAME.fullmatch(n))]
    return SpecBook({name: _widened(table, asked) for name, table in book.tables.items()}) if asked else book


def _widened(table: Table, asked: Iterable[re.Match[str]]) -> Table:
    for found in asked:
        a, b = table.column(found[1]), table.column(found[3])
        if a and b:
            column = _column(found.group(), a, b, found[2])
            rows = {id: replace(r, cells=_cells(r, column, found)) for id, r in table.rows.items()}
            table = replace(table, columns=(*table.columns, column), rows=rows)
    return table


def _column(name: str, a: Column, b: Column, sign: str) -> Column:
    if sign == "*":
        sparse = Bilingual(
            a.label.en.replace(EN("rate:dense"), EN("rate:sparse")), a.label.zh.replace(ZH("rate:dense"), ZH("rate:sparse"))
        )
        return replace(a, name=name, label=sparse)
    en, zh = (w(f"one:{b.unit}") if w.has(f"one:{b.unit}") else b.label.of(w.language) for w in (EN, ZH))
    label = Bilingual(EN("ratio", label=a.label.en, one=en), ZH("ratio", label=a.label.zh, one=zh))
    return Column(name, "number", f"{a.unit}/{b.unit}", label)


def _cells(row: Row, column: Column, found: re.Match[str]) -> Mapping[str, Cell]:
    first, second = row.cells[found[1]], row.cells[found[3]]
    a, b = row.number(found[1]), row.number(found[3])
    if a is None or b is None or not b:
        lacking = first if a is None else second
        status = lacking.status if lacking.status != "known" else "unknown"
        cell = replace(lacking, value=None, unit=column.unit, status=status, disagreement=None)
    else:
        value = a / b if found[2] == "/" else a * b
        confidence = " ".join(filter(None, (first.confidence, second.confidence)))
        quote = f"{number(value)} {column.unit}"
        cell = replace(first, value=value, unit=column.unit, quote=quote, confidence=confidence, disagreement=None)
    return {**row.cells, column.name: cell}
