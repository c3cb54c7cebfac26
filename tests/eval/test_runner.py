"""A run on a fake knowledge base, its record and its scoreboard."""

import json
from pathlib import Path

import pytest
from answers import FakeBase, answer, declined

from eval import report
from eval.__main__ import main
from eval.cases import Case, CaseSet
from eval.runner import calibration_error, run

GOLDEN = Path(__file__).parent / "golden"
VALUE = {"kind": "value", "name": "memory_gb", "unit": "GB", "value": 80}
CASES = CaseSet(
    "tiny",
    Path("tiny.jsonl"),
    "0123456789abcdef",
    (
        Case("t-1", "lookup", "zh", "卡甲的显存？", (VALUE,), pair="p"),
        Case("t-2", "lookup", "en", "Memory of card A?", (VALUE,), pair="p"),
        Case("t-3", "refusal", "zh", "明天下雨吗？", ({"kind": "declined"},)),
        Case("t-4", "follow_up", "zh", "那显存呢？", (VALUE,), history=("卡甲怎么样？",)),
    ),
)
ENGLISH = answer(kind="spec", text="Card A has 48 GB of memory.", citations=[], values=[], confidence=0.4, language="en")


def base(**changed):
    known = {"卡甲的显存？": answer(), "Memory of card A?": ENGLISH, "明天下雨吗？": declined()}
    return FakeBase({**known, "那显存呢？": answer(), "卡甲怎么样？": answer(conversation_id="con_7"), **changed})


def test_the_record_holds_the_scores_of_every_case():
    record = run(CASES, base())
    assert [c["passed"] for c in record["cases"]] == [True, False, True, True]
    assert record["summary"]["passed"] == [3, 4]
    assert record["summary"]["by_category"] == {"follow_up": [1, 1], "lookup": [1, 2], "refusal": [1, 1]}
    assert record["summary"]["by_language"] == {"en": [0, 1], "zh": [3, 3]}
    assert record["summary"]["pairs_alike"] == [0, 1]
    assert record["versions"] == {"index": "i1", "corpus": "c1", "model": "m1"}


def test_invariants_are_measured_beside_what_a_case_expects():
    failed = {i["about"]: i["value"] for i in run(CASES, base())["cases"][1]["invariants"]}
    assert failed["claims cited"] == 0
    assert failed["numbers stand"] == 0
    assert failed["language"] == 1


def test_earlier_turns_are_asked_in_the_same_conversation():
    asked = base()
    run(CASES, asked)
    assert asked.asked[-2:] == [("卡甲怎么样？", None), ("那显存呢？", "con_7")]


def test_two_runs_differ_in_nothing_but_the_timings():
    ticks = iter(range(10**6))
    first, second = run(CASES, base()), run(CASES, base(), clock=lambda: next(ticks))
    assert first.pop("timings_ms") != (timings := second.pop("timings_ms"))
    assert first == second
    assert timings["median"] == 1000


def test_a_question_that_breaks_the_program_fails_and_hides_no_other():
    asked = base()
    del asked._answers["Memory of card A?"]
    record = run(CASES, asked)
    assert record["cases"][1]["kind"] == "error"
    assert "KeyError" in report.why(record["cases"][1])
    assert record["summary"]["passed"] == [3, 4]


def test_confidence_is_compared_with_what_passed():
    told = [{"confidence": 0.8, "passed": True}] * 3 + [{"confidence": 0.8, "passed": False}]
    assert calibration_error(told) == pytest.approx(0.05)
    assert calibration_error([{"confidence": None, "passed": True}]) is None


def test_the_scoreboard_reads_as_recorded():
    check_golden("scoreboard.md", report.scoreboard(run(CASES, base())))


def test_the_comparison_reads_as_recorded():
    better = answer(text="Card A has 80 GB of memory. [1]", citations=answer()["citations"][:1])
    after = run(
        CASES, base(**{"Memory of card A?": better, "明天下雨吗？": answer(), "那显存呢？": answer(text="80 GB。[1][2]")})
    )
    check_golden("comparison.md", report.compare(run(CASES, base()), after))


def check_golden(name, text):
    path = GOLDEN / name
    if not path.is_file():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
        pytest.fail(f"{path} was written: read it and commit it")
    assert path.read_text(encoding="utf-8") == text + "\n"


def test_the_sign_test_is_exact():
    assert report.sign_test(0, 0) == 1
    assert report.sign_test(5, 0) == 0.0625
    assert report.sign_test(3, 3) == 1


def test_the_command_runs_sets_and_compares_records(tmp_path, monkeypatch, capsys):
    path = tmp_path / "tiny.jsonl"
    line = {"id": "t-1", "category": "lookup", "language": "zh", "question": "卡甲的显存？", "expect": [VALUE]}
    path.write_text(json.dumps(line), encoding="utf-8")
    monkeypatch.setattr("eval.__main__.open_base", lambda home: base())
    out = tmp_path / "run.json"
    assert main(["run", str(path), "--out", str(out)]) == 0
    assert "# tiny" in capsys.readouterr().out
    assert main(["run", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["passed"] == [1, 1]
    assert main(["compare", str(out), str(out)]) == 0
    assert "won 0, lost 0, unchanged 1" in capsys.readouterr().out


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    assert main(["run", "nothing"]) == 1
    assert "no such set" in capsys.readouterr().err
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    assert "no run record" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stopped:
        main(["run"])
    assert stopped.value.code == 2
