"""A compiled copy of the spec tables, one JSON text: sources and cells once each, rows as lists of cell numbers."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from kb.types.source import Source
from kb.types.specs import Bilingual, Cell, Column, Disagreement, Dissent, Row, SpecBook, Table


def dump_specs(book: SpecBook) -> str:
    """The book as JSON; `load_specs` gives back an equal book. Every row holds the columns of its table, in their order."""
    sources: dict[Source, int] = {}
    cells: dict[Cell, int] = {}
    tables = [
        {
            "name": table.name,
            "label": [table.label.en, table.label.zh],
            "columns": [[c.name, c.kind, c.unit, c.label.en, c.label.zh, c.low, c.high] for c in table.columns],
            "rows": [
                [
                    row.id,
                    row.name,
                    row.notes,
                    row.notes_zh,
                    [cells.setdefault(row.cells[c.name], len(cells)) for c in table.columns],
                ]
                for row in table.rows.values()
            ],
        }
        for table in book.tables.values()
    ]
    packed = [_packed(cell, sources) for cell in cells]
    listed = [[getattr(source, field.name) for field in dataclasses.fields(Source)] for source in sources]
    return json.dumps({"sources": listed, "cells": packed, "tables": tables}, ensure_ascii=False, separators=(",", ":"))


def load_specs(text: str) -> SpecBook:
    """The book that `dump_specs` wrote; equal cells are one object."""
    raw = json.loads(text)
    sources = [Source(*fields) for fields in raw["sources"]]
    cells = [_unpacked(fields, sources) for fields in raw["cells"]]
    return SpecBook({table["name"]: _table(table, cells) for table in raw["tables"]})


def _table(raw: dict[str, Any], cells: list[Cell]) -> Table:
    columns = tuple(
        Column(name, kind, unit, Bilingual(en, zh), low, high) for name, kind, unit, en, zh, low, high in raw["columns"]
    )
    names = [column.name for column in columns]
    rows = {
        id: Row(raw["name"], id, name, dict(zip(names, map(cells.__getitem__, numbers), strict=True)), notes, notes_zh)
        for id, name, notes, notes_zh, numbers in raw["rows"]
    }
    return Table(raw["name"], Bilingual(*raw["label"]), columns, rows)


def _packed(cell: Cell, sources: dict[Source, int]) -> list[Any]:
    def number(source: Source) -> int:
        return sources.setdefault(source, len(sources))

    dispute = cell.disagreement
    told = dispute and [dispute.taken, [[o.value, number(o.source)] for o in dispute.others], dispute.why.en, dispute.why.zh]
    return [cell.value, cell.unit, cell.status, number(cell.source), cell.quote, cell.note, cell.confidence, told]


def _unpacked(raw: list[Any], sources: list[Source]) -> Cell:
    value, unit, status, source, quote, note, confidence, told = raw
    dispute = None
    if told:
        taken, others, en, zh = told
        dispute = Disagreement(taken, tuple(Dissent(v, sources[n]) for v, n in others), Bilingual(en, zh))
    return Cell(value, unit, status, sources[source], quote, note, confidence, dispute)
