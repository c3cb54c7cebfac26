"""Exact questions to a table."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import pytest

from kb.errors import InvalidInput, UnknownEntity
from kb.types.source import Source
from kb.types.spec_query import as_csv, parameter, query, written
from kb.types.specs import Bilingual, Cell, Column, Row, Table

SHEET = Source("sheet", "spec", "Data sheet", "https://example.org")


def cell(value: Any) -> Cell:
    status = value if value in ("unsupported", "unknown") else "known"
    return Cell(None if status != "known" else value, None, status, SHEET, str(value))


def table() -> Table:
    columns = (
        Column("vendor", "text", None, Bilingual("vendor", "厂商")),
        Column("memory_gb", "number", "GB", Bilingual("memory", "显存")),
        Column("fp8", "number", None, Bilingual("FP8", "FP8")),
    )
    figures = {"big": ("Acme", 80.0, 100), "small": ("Acme Labs", 24.5, "unsupported"), "new": ("Other", "unknown", 50)}
    rows = {
        id: Row("chips", id, id.title(), dict(zip(("vendor", "memory_gb", "fp8"), map(cell, values), strict=True)))
        for id, values in figures.items()
    }
    return Table("chips", Bilingual("chip", "芯片"), columns, rows)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("memory_gb>=80", ["big"]),
        ("memory_gb < 80", ["small"]),
        ("memory_gb!=80", ["small"]),
        ("memory_gb>=80 GB", ["big"]),
        ("memory_gb>0.05TB", ["big"]),
        ("memory_gb>=80GiB", []),  # 85.9 GB
        ("vendor=acme", ["big"]),
        ("vendor~acme", ["big", "small"]),
        ("vendor!=Acme", ["small", "new"]),
        ("fp8=unsupported", ["small"]),
        ("fp8=known", ["big", "new"]),
        ("memory_gb=unknown", ["new"]),
        ("id=new", ["new"]),
    ],
)
def test_a_written_condition_selects_its_rows_and_no_others(text: str, ids: list[str]) -> None:
    assert [r.id for r in query(table(), [written(text, table())])] == ids


@pytest.mark.parametrize("text", ["memory_gb>80 W", "memory_gb>eighty", "fp8>100 GB", "memory_gb>1.2.3"])
def test_a_figure_of_another_kind_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="holds numbers"):
        written(text, table())


def test_a_parameter_says_the_same_as_a_written_condition() -> None:
    assert parameter("memory_gb__gte", "80", table()) == written("memory_gb>=80", table())
    assert parameter("vendor", "Acme", table()) == written("vendor=Acme", table())
    assert [r.id for r in query(table(), [parameter("memory_gb__in", "80,24.5", table())])] == ["big", "small"]


def test_rows_without_the_value_come_last_in_either_direction() -> None:
    assert [r.id for r in query(table(), sort="memory_gb")] == ["small", "big", "new"]
    assert [r.id for r in query(table(), sort="-memory_gb")] == ["big", "small", "new"]


def test_chosen_rows_keep_the_order_they_were_named_in() -> None:
    assert [r.id for r in query(table(), ids=("new", "big", "new"))] == ["new", "big"]


def test_csv_says_what_is_unsupported_or_unknown() -> None:
    lines = list(csv.reader(io.StringIO(as_csv(table(), query(table(), sort="id")))))
    assert lines == [
        ["id", "name", "vendor", "memory_gb", "fp8"],
        ["big", "Big", "Acme", "80", "100"],
        ["new", "New", "Other", "unknown", "50"],
        ["small", "Small", "Acme Labs", "24.5", "unsupported"],
    ]


def test_csv_tells_what_is_not_published_from_what_is_unknown() -> None:
    known = table()
    row = known.rows["new"]
    cell = replace(row.cells["memory_gb"], quote="not published")
    rows = {"new": replace(row, cells={**row.cells, "memory_gb": cell})}
    assert as_csv(replace(known, rows=rows), rows.values()).splitlines()[1] == "new,New,Other,not published,50"
    assert query(replace(known, rows=rows), [written("memory_gb=unknown", known)])  # its value is unknown all the same


@pytest.mark.parametrize("text", ["memry>=1", "memory_gb>=much", "memory_gb>=nan", "vendor>3", "memory_gb"])
def test_what_cannot_be_asked_is_named(text: str) -> None:
    with pytest.raises(InvalidInput) as error:
        query(table(), [written(text, table())])
    assert text.partition(">")[0] in error.value.en and error.value.zh


def test_an_unknown_column_is_answered_with_the_columns_there_are() -> None:
    with pytest.raises(InvalidInput, match="vendor, memory_gb, fp8"):
        query(table(), sort="-memry")
    with pytest.raises(InvalidInput, match="gte"):
        parameter("memory_gb__over", "1", table())


def test_an_unknown_row_is_answered_with_its_neighbours() -> None:
    with pytest.raises(UnknownEntity) as error:
        query(table(), ids=("bi",))
    assert error.value.nearest == ("big",)
