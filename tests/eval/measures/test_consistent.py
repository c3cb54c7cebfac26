"""Numbers of the text must stand somewhere."""

import pytest
from answers import answer, case

from eval.measures.consistent import numbers
from eval.measures.figures import figures


def test_the_numbers_of_a_sound_answer_stand():
    assert numbers(case(), answer(), None).passed


def test_an_invented_number_is_named():
    score = numbers(case(), answer(text="显存为 80 GB，约 75 GiB。[1]"), None)
    assert score.value == 0.5
    assert score.detail == "75 stands nowhere else"


@pytest.mark.parametrize(
    "support",
    [
        {"derivation": [{"inputs": {"a": {"value": 75, "unit": "GiB"}}}]},
        {"assumptions": [{"slot": "mfu", "value": 75, "reason": ""}]},
        {"values": [{"name": "w", "value": 74.6, "unit": "GiB", "text": "75 GiB"}, {"name": "m", "value": 80, "unit": "GB"}]},
    ],
)
def test_derivation_assumptions_and_values_support_a_number(support):
    assert numbers(case(), answer(text="80 与 75", **support), None).passed


def test_the_question_supports_a_number():
    assert numbers(case(question="75 GB 够吗？"), answer(text="75 GB 与 80 GB"), None).passed


def test_names_marks_and_numbering_are_no_figures():
    assert figures("A100 与 ZeRO-3：共8张，1,024 卡 [12]，16-18") == ["8", "1,024", "16", "18"]
    assert figures("1. first\n2) second 3.5") == ["3.5"]
