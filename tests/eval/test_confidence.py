"""How much `confidence` is worth: shares by way of answering, the line of passages, and the curve of risk over coverage."""

import json

import pytest

from eval import confidence
from eval.__main__ import main
from eval.runner import risk_coverage


def case(passed, told, kind="spec", reason=None):
    return {"passed": passed, "confidence": told, "kind": kind, "reason": reason}


def test_a_share_is_smoothed_and_a_refusal_counts_under_its_reason():
    cases = [case(True, 0.9)] * 8 + [case(True, 0.9, "declined", "unsafe"), case(False, 0.7, "passages")]
    assert confidence.shares(cases) == {"spec": 0.9, "unsafe": pytest.approx(2 / 3)}


def test_the_line_of_passages_stays_where_it_is_right_and_falls_where_it_promises_too_much():
    right = [case(i % 10 < 8, 0.8, "passages") for i in range(200)]
    a, b = confidence.correction(right)
    assert abs(a) < 0.01 and abs(b - 1) < 0.01
    a, b = confidence.correction([case(i % 10 < 4, 0.8, "passages") for i in range(200)])
    assert a + b * confidence._log_odds(0.8) == pytest.approx(confidence._log_odds(0.4), abs=0.05)
    assert confidence.correction([]) == (0, 1)


def test_folds_that_were_left_out_judge_the_constants():
    told, crossed = confidence.crossed([case(i % 4 != 0, 0.2) for i in range(100)])
    assert told == pytest.approx(0.55) and crossed < 0.05


def test_the_curve_runs_from_the_surest_answers_to_all_of_them():
    cases = [case(True, 0.9), case(False, 0.5), case(True, 0.5), case(True, 0.95, "declined", "unsafe")]
    assert risk_coverage(cases) == [[0.9, 0.25, 0.0], [0.5, 0.75, 0.3333]]
    assert risk_coverage([case(True, None)]) == []


def test_the_command_reads_records_and_refuses_other_files(tmp_path, capsys):
    record = tmp_path / "run.json"
    record.write_text(json.dumps({"cases": [case(True, 0.9), case(True, 0.8, "passages")]}), encoding="utf-8")
    assert main(["confidence", str(record), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cases"] == 2
    record.write_text("{}", encoding="utf-8")
    assert main(["confidence", str(record)]) == 1
