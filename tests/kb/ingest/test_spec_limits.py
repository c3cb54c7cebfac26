"""What no accelerator can exceed, and how a figure that does is refused."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kb.ingest.spec_limits import Limits, check_limits, check_silent, read_limits
from kb.ingest.specs import read_specs
from kb.types.source import Source
from kb.types.specs import Cell, Row

SOURCE = Source("sheet", "spec", "Sheet", "")
LIMITS = Limits(
    {"GDDR6": 20.0},
    {"Nova": 256, "Nova X": 512},
    {"bf16_dense_tflops": 1, "fp8_dense_tflops": 2},
    {},
    {"release_year": ["config.json"]},
)


def row(**values: float | str) -> Row:
    """A card of 256 bits and 100 units at 2 GHz: 640 GB/s, 51.2 TFLOP/s in 16-bit."""
    all_values = {
        "family_architecture": "Nova N1",
        "memory_type": "GDDR6 (soldered)",
        "memory_bus_bits": 256,
        "matrix_units": 100,
        "boost_clock_mhz": 2000,
    } | values
    return Row("accelerators", "x", "X", {c: Cell(v, None, "known", SOURCE, str(v)) for c, v in all_values.items()})


def faults(card: Row) -> list[str]:
    found: list[str] = []
    check_limits(card, LIMITS, lambda key, what: found.append(f"{key} {what}"))
    return found


def test_figures_that_the_hardware_reaches_pass() -> None:
    assert faults(row(memory_bandwidth_gb_s=640, bf16_dense_tflops=51.2, fp8_dense_tflops=102.4)) == []


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("memory_bandwidth_gb_s", 960, "GDDR6 on 256 bits reaches 640 GB/s at most"),
        ("bf16_dense_tflops", 102.4, "100 matrix units at 2000 MHz reach 51. A sparse figure?"),
        ("fp8_dense_tflops", 204.8, "reach 102. A sparse figure?"),
    ],
)
def test_a_figure_beyond_the_hardware_is_refused(column: str, value: float, says: str) -> None:
    (fault,) = faults(row(**{column: value}))
    assert fault.startswith(column) and says in fault


@pytest.mark.parametrize(("value", "right"), [(51.2, True), (51.3, True), (51.5, False), (25.3, False)])
def test_a_rate_said_to_be_derived_is_the_product(value: float, right: bool) -> None:
    """100 units x 256 operations x 2 GHz."""
    plain = row(bf16_dense_tflops=value)
    cell = dataclasses.replace(plain.cells["bf16_dense_tflops"], note="derived: 100 tensor cores x 256 x 2000 MHz")
    found = faults(dataclasses.replace(plain, cells={**plain.cells, "bf16_dense_tflops": cell}))
    assert faults(plain) == [] and bool(found) != right


def test_the_longest_name_of_an_architecture_counts() -> None:
    assert faults(row(family_architecture="Nova X2", bf16_dense_tflops=102.4)) == []


def test_nothing_is_said_of_what_is_not_known() -> None:
    assert faults(row(family_architecture="Other", memory_type="SRAM", memory_bandwidth_gb_s=1e6, bf16_dense_tflops=1e6)) == []


@pytest.mark.parametrize(("title", "faulty"), [("config.json of Nova/Nova-7B", True), ("Nova 7B: release notes", False)])
def test_what_a_sort_of_document_cannot_say_does_not_rest_on_it(title: str, faulty: bool) -> None:
    found: list[str] = []
    cell = Cell(2026, None, "known", Source("x", "model", title, ""), "2026")
    check_silent(Row("models", "x", "X", {"release_year": cell}), LIMITS, lambda key, what: found.append(f"{key} {what}"))
    assert found == (
        [f"release_year rests on {title!r}; 'config.json' is no source of it. Name what prints it"] if faulty else []
    )


def test_a_section_that_is_none_is_reported(tmp_path: Path) -> None:
    (tmp_path / "limits.toml").write_text("[pins]\nX = 1\n")
    found: list[str] = []
    read_limits(tmp_path / "limits.toml", lambda key, what: found.append(key))
    assert found == ["pins"]


def test_most_boards_of_the_corpus_can_be_checked() -> None:
    book = read_specs(Path(__file__).parents[3] / "corpus" / "specs")
    checked = [r for r in book.rows("accelerators") if r.number("matrix_units") and r.number("memory_bus_bits")]
    assert len(checked) > 90
