"""Published runs decide constants, and are predicted by constants that they did not decide."""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path

import pytest

from eval import calibration
from eval.outcomes import RARELY_SAID, SPEED, Outcome, Prediction, outcomes, predictions, usually_asked
from kb.ingest.assumptions import read_assumptions
from kb.ingest.specs import read_specs

CORPUS = Path(__file__).parents[2] / "corpus"
FEW = ("Korthikanti 2022", "torchtitan", "Pythia", "TinyChat")


@pytest.fixture(scope="module")
def found() -> tuple[Prediction, ...]:
    return predictions(outcomes(), read_specs(CORPUS / "specs"), read_assumptions(CORPUS / "assumptions"))


@pytest.fixture(scope="module")
def few(found: tuple[Prediction, ...]) -> list[Prediction]:
    return [p for p in found if p.outcome.group in FEW and calibration.is_fitted(p.outcome)]


def test_every_published_row_is_answered_with_a_positive_value(found: tuple[Prediction, ...]) -> None:
    assert len(found) == len(outcomes()) > 300
    assert all(p.value > 0 for p in found)


def test_rows_say_where_they_were_read() -> None:
    assert all(r.group and r.kind and r.tier in ("A", "B") for r in outcomes())
    assert len({r.id for r in outcomes()}) == len(outcomes())


def test_a_derivation_run_again_with_the_same_constants_gives_the_same_value(few: list[Prediction]) -> None:
    shipped = {n: c.value for n, c in read_assumptions(CORPUS / "assumptions").constants.items() if n in calibration.EXPECTED}
    for p, program in zip(few, calibration.open_programs(few), strict=True):
        assert calibration.again(p, program, shipped) == pytest.approx(p.value)


def test_a_slower_world_is_fitted_by_slower_constants(few: list[Prediction]) -> None:
    speeds = [p for p in few if p.outcome.name == SPEED]
    programs = calibration.open_programs(speeds)
    here = calibration.fitted(speeds, programs, pull=3)
    there = calibration.fitted([_published(p, 0.7 * p.outcome.value) for p in speeds], programs, pull=3)
    ratios = [calibration.again(p, q, there) / calibration.again(p, q, here) for p, q in zip(speeds, programs, strict=True)]
    assert 0.6 < statistics.median(ratios) < 0.85 and there["reached.matrices"] < here["reached.matrices"]


def test_what_a_source_published_does_not_enter_its_own_prediction(few: list[Prediction]) -> None:
    before = {x.outcome.id: x.value for x in calibration.left_out(few)}
    doubled = [_published(p, 2 * p.outcome.value) if p.outcome.group == "Pythia" else p for p in few]
    after = {x.outcome.id: x.value for x in calibration.left_out(doubled)}
    own = [p.outcome.id for p in few if p.outcome.group == "Pythia"]
    assert [after[i] for i in own] == pytest.approx([before[i] for i in own])
    assert any(after[p.outcome.id] != pytest.approx(before[p.outcome.id]) for p in few if p.outcome.group != "Pythia")


def test_intervals_are_taken_from_rows_as_people_ask_them() -> None:
    """Who plans says neither the loss of a library nor the mean length of samples."""
    row = Outcome(
        "id", "fine-tuning", "A", "group", SPEED, 1.0, {"workload": "lora", "engine": "peft", "seq_len": 210}, {"seq_len": 768}
    )
    assert usually_asked(row).request == {"workload": "lora", "seq_len": 768}
    served = Outcome("id", "decode, one stream", "A", "group", "x", 1.0, {"workload": "inference", "engine": "vllm"})
    assert usually_asked(served).request == served.request
    assert all(set(r.asked) <= set(r.request) and not set(r.asked) & set(RARELY_SAID) for r in outcomes())


def test_intervals_hold_four_of_five_rows_that_they_come_from(found: tuple[Prediction, ...]) -> None:
    rows = [p.outcome for p in found if p.outcome.kind == "training, dense, 16 bits"]
    values = {p.outcome.id: p.value for p in found}
    low, high = calibration.multiples(rows, values)
    inside = sum(low <= r.value / values[r.id] <= high for r in rows) / len(rows)
    assert low < 1 < high and inside >= 0.8


def test_fitted_values_are_written_where_the_corpus_has_them(tmp_path: Path) -> None:
    file = tmp_path / "speed.toml"
    file.write_text(
        '[a.b]\nvalue = 1.0\nunit = "1"\n\n[interval.run.low]\nvalue = 1\n\n[interval.run.high]\nvalue = 1\n', "utf-8"
    )
    calibration.write(tmp_path, {"a.b": 0.12345}, {"run": (0.7, 1.4)})
    assert file.read_text("utf-8").count("value = ") == 3 and "value = 0.123\n" in file.read_text("utf-8")
    with pytest.raises(KeyError, match="nowhere"):
        calibration.write(tmp_path, {"nowhere": 1.0}, {})


def _published(p: Prediction, value: float) -> Prediction:
    outcome: Outcome = replace(p.outcome, value=value)
    return replace(p, outcome=outcome)
