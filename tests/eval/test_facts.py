"""The spec tables examined: totals, oldest facts and the sample."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from eval import facts
from eval.__main__ import main
from kb.ingest.assumptions import read_assumptions
from kb.ingest.specs import read_specs
from kb.types.specs import SpecBook, Table

CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.fixture(scope="module")
def book() -> SpecBook:
    return read_specs(CORPUS / "specs")


def models(book: SpecBook, *ids: str, **quotes: float) -> SpecBook:
    """A book of a few model rows, with some of their numbers replaced."""
    table = book.tables["models"]
    rows = {}
    for id in ids:
        row = table.rows[id]
        cells = dict(row.cells) | {c: dataclasses.replace(row.cells[c], value=v) for c, v in quotes.items()}
        rows[id] = dataclasses.replace(row, cells=cells)
    return SpecBook({"models": Table(table.name, table.label, table.columns, rows)})


def test_every_total_follows_from_the_shape_or_a_reason_is_given() -> None:
    found = facts.audit(CORPUS)
    assert found.unexplained == () and found.totals.given > 150


def test_a_misprinted_width_shows_in_the_total(book: SpecBook) -> None:
    assumptions = read_assumptions(CORPUS / "assumptions")
    assert facts.totals_of(models(book, "llama3-8b"), assumptions).off == {}
    assert facts.totals_of(models(book, "llama3-8b", ffn=14337 * 2), assumptions).off.keys() == {"llama3-8b"}


def test_rows_of_what_has_no_public_data_sheet_are_told_apart(book: SpecBook) -> None:
    found = facts.gaps_of(book, "accelerators", ["memory_gb", "tdp_w"])
    assert "mlu590" in found.sheetless and "h100-sxm5-80gb" not in found.sheetless
    assert found.full == found.rows - len(found.sheetless)  # memory and power are open in no row


def test_a_sample_is_of_cells_that_rest_on_a_document(book: SpecBook) -> None:
    drawn = facts.sample(book, 7, 10**6)
    assert {s.cell.confidence for s in drawn} >= {"datasheet"} and all(s.cell.confidence != "convention" for s in drawn)


def test_a_row_lacks_what_its_source_prints_not_or_what_nobody_could_read(book: SpecBook) -> None:
    row = next(iter(book.rows("accelerators")))
    cell = row.cells["tdp_w"]
    states = {
        "a": cell,
        "b": dataclasses.replace(cell, value=None, status="unsupported", quote="unsupported"),
        "c": dataclasses.replace(cell, value=None, status="unknown", quote="not published"),
        "d": dataclasses.replace(cell, value=None, status="unknown", quote="unknown"),
    }
    rows = {id: dataclasses.replace(row, id=id, cells={**row.cells, "tdp_w": held}) for id, held in states.items()}
    table = book.tables["accelerators"]
    found = facts.gaps_of(
        SpecBook({"chips": Table("chips", table.label, table.columns, rows)}), "chips", ["memory_gb", "tdp_w"]
    )
    assert (found.rows, found.complete, found.full, found.sheetless) == (4, 2, 3, ())
    read = (("tdp_w",), cell.source.title, cell.source.retrieved)
    assert [(g.row, g.columns, g.source, g.read) for g in found.unpublished] == [("c", *read)]
    assert [(g.row, g.columns, g.source, g.read) for g in found.unknown] == [("d", *read)]


def test_the_report_counts_rows_and_names_what_was_read_in_vain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["facts"]) == 0
    told = capsys.readouterr().out
    assert "rows are complete" in told and "not published by the source that was read:" in told and "2026-" in told


def test_a_sample_is_of_its_seed_and_of_known_cells(book: SpecBook) -> None:
    first, again, other = facts.sample(book, 1, 100), facts.sample(book, 1, 100), facts.sample(book, 2, 100)
    assert first == again != other and len({(s.row.table, s.row.id, s.column) for s in first}) == 100
    assert all(s.cell.status == "known" and s.cell.source.title for s in first)


def test_the_oldest_facts_come_first(book: SpecBook) -> None:
    dates = [date for date, _, _ in facts.oldest_of(book, 20)]
    assert dates == sorted(dates) and len(dates) == 20


def test_the_command_prints_cells_with_their_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cells", "--seed", "1", "--count", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and all(" = " in line and "[" in line for line in lines)


def test_a_corpus_that_does_not_read_fails_with_every_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("specs", "articles", "terms", "assumptions"):
        (tmp_path / folder).mkdir()
    assert main(["facts", "--corpus", str(tmp_path)]) == 1
    assert "schema.toml" in capsys.readouterr().err
