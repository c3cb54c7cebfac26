"""The spec tables of the corpus: they read, they are complete, and they hold the figures amateurs get wrong."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from kb.ingest.spec_text import spec_documents
from kb.ingest.specs import dump_specs, load_specs, read_specs
from kb.types.specs import SpecBook

SPECS = Path(__file__).parents[2] / "corpus" / "specs"
TABLES = ("accelerators", "systems", "interconnects", "storage_and_memory", "cpus", "models", "prices")


@cache
def book() -> SpecBook:
    return read_specs(SPECS)


def test_every_table_is_there_with_its_rows() -> None:
    assert tuple(book().tables) == TABLES
    counts = {name: len(table.rows) for name, table in book().tables.items()}
    assert all(counts[name] >= least for name, least in zip(TABLES, (110, 57, 41, 21, 15, 156, 40), strict=True))


def test_every_price_is_of_a_day_and_says_where_it_is_printed() -> None:
    for row in book().rows("prices"):
        priced = [c for c in row.cells if "price_" in c and row.number(c)]
        assert len(priced) == 1, row.id
        source = row.cells[priced[0]].source
        assert source.published == row.text("observed") and source.url and (row.text("page") or "").startswith("https://"), (
            row.id
        )


def test_every_row_has_every_column_and_every_cell_a_dated_source() -> None:
    for table in book().tables.values():
        for row in table.rows.values():
            assert tuple(row.cells) == tuple(column.name for column in table.columns)
            assert all(cell.source.title and cell.source.retrieved and cell.confidence for cell in row.cells.values()), row.id


def test_notes_are_in_both_languages_with_the_same_figures() -> None:
    figures = re.compile(r"\d{3,}(?:\.\d+)?")
    for row in book().rows():
        assert bool(row.notes) == bool(row.notes_zh), row.id
        assert set(figures.findall(row.notes)) == set(figures.findall(row.notes_zh)), row.id


def test_a_tensor_rate_that_rests_on_a_database_of_shader_rates_says_how_it_was_derived() -> None:
    """TechPowerUp prints FP16 of the shaders and no tensor rate at all: 267.6 TFLOP/s for an H100."""
    for row in book().rows("accelerators"):
        for column in (c for c in row.cells if "_dense_t" in c and row.number("matrix_units")):
            cell = row.cells[column]
            if isinstance(cell.value, int | float) and cell.source.title.startswith("TechPowerUp"):
                assert cell.note, (row.id, column)


def test_a_database_of_sheets_is_cited_by_the_sheet() -> None:
    cells = {f"{row.id}.{name}": cell for row in book().rows() for name, cell in row.cells.items()}
    assert not [where for where, cell in cells.items() if cell.source.title == "TechPowerUp GPU database"]


def test_totals_of_a_system_follow_from_its_accelerators() -> None:
    for system in book().rows("systems"):
        accelerator = book().row("accelerators", system.text("accelerator_id") or "")
        count, total = system.number("accelerator_count"), system.number("accelerator_memory_total_gb")
        assert accelerator is not None, system.id
        each = accelerator.number("memory_gb")
        assert each and count and total == pytest.approx(each * count, rel=0.02), system.id
        for precision in ("fp8", "fp4"):
            rate, claimed = accelerator.cells[f"{precision}_dense_tflops"], system.cells[f"{precision}_dense_pflops_total"]
            assert (rate.status == "unsupported") == (claimed.status == "unsupported"), (system.id, precision)
            if isinstance(rate.value, int | float) and isinstance(claimed.value, int | float):
                assert claimed.value * 1000 == pytest.approx(rate.value * count, rel=0.02), (system.id, precision)
        link, linked = accelerator.number("interconnect_gb_s"), system.number("nvlink_total_tb_s")
        if link and linked:
            assert linked * 1000 == pytest.approx(link * count, rel=0.02), system.id


def test_a_link_carries_in_both_directions_twice_what_it_carries_in_one_and_its_lanes_add_up() -> None:
    for link in book().rows("interconnects"):
        one = link.number("gb_s_per_direction")
        assert link.number("gb_s_bidirectional") == (2 * one if one else None), link.id
        lane = re.fullmatch(r"([\d.]+) GB/s per direction", link.text("per_link_raw") or "")
        if lane and one:
            assert one == pytest.approx(float(lane[1]) * (link.number("links_per_gpu") or 0), rel=0.001), link.id


def test_parameters_follow_from_the_shape_of_plain_dense_models() -> None:
    """Projections of attention and MLP plus embeddings; norms, biases and learned positions stay under 1.5 %."""
    for model in book().rows("models"):
        n = {column: model.number(column) or 0 for column in model.cells}
        plain = (
            not n["moe_experts"]
            and "hybrid" not in (model.text("attention") or "")
            and model.id not in ("gpt3-xl", "gemma4-31b")
        )
        if not plain or not n["params_total"] or not n["ffn"]:
            continue
        mlp = (3 if model.cells["gated_mlp"].value else 2) * n["hidden"] * n["ffn"]
        attention = 2 * n["hidden"] * n["head_dim"] * (n["heads"] + n["kv_heads"])
        embeddings = n["vocab"] * n["hidden"] * (1 if model.cells["tied_embeddings"].value else 2)
        assert n["layers"] * (mlp + attention) + embeddings == pytest.approx(n["params_total"], rel=0.015), model.id


def test_the_compiled_copy_is_the_same_book() -> None:
    assert load_specs(dump_specs(book())) == book()


def test_every_row_is_rendered_in_both_languages_with_all_its_figures() -> None:
    documents = {document.id: document for document in spec_documents(book())}
    for row in book().rows():
        for language in ("zh", "en"):
            text = documents[f"specs/{row.table}/{row.id}.{language}"].text  # type: ignore[index]
            assert text.startswith(row.name)
            figures = (cell.quote.split(" ")[0] for cell in row.cells.values() if isinstance(cell.value, int | float))
            assert all(figure in text for figure in figures if figure not in ("yes", "no")), row.id
