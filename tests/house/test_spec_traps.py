"""Figures that are often got wrong, each of them right in the tables, in the notes of a row or in an article."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kb.ingest.specs import read_specs
from kb.types.specs import Row, SpecBook

CORPUS = Path(__file__).parents[2] / "corpus"
TRAPS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("spec_traps.toml").read_text(encoding="utf-8"))["trap"]


@cache
def book() -> SpecBook:
    return read_specs(CORPUS / "specs")


def row_at(place: str) -> Row:
    table, _, id = place.partition("/")
    row = book().row(table, id)
    assert row is not None, f"there is no {place}"
    return row


@pytest.mark.parametrize("trap", TRAPS, ids=[trap["of"] for trap in TRAPS])
def test_a_fact_that_is_often_got_wrong_is_right(trap: dict[str, Any]) -> None:
    assert trap.keys() & {"cells", "notes", "articles"}
    for cell in trap.get("cells", ()):
        place, _, expected = cell.partition(" = ")
        row, _, column = place.rpartition("/")
        found = row_at(row).cells[column]
        assert (found.status if found.value is None else str(found.value)) == expected, place
    for note in trap.get("notes", ()):
        place, _, words = note.partition(": ")
        assert words in row_at(place).notes, place
    for article in trap.get("articles", ()):
        topic, _, words = article.partition(": ")
        assert words in (CORPUS / "articles" / topic / "en.md").read_text(encoding="utf-8"), topic
