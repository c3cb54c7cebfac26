"""Who claims something is not what is asked about: a name before `says` is no model of the question."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    "question",
    [
        "chatgpt says one 3090 supports fp8, true?",
        "gemini claims that the T4 supports bf16, correct?",
        "claude told me the T4 does fp8",
        "I asked deepseek, is an A100 80GB enough for bf16 training",
        "chatgpt说V100支持bf16，对吗",
        "通义千问告诉我3090支持FP8，真的吗",
        "问了deepseek，它说A100不支持FP8，对不对",
    ],
)
def test_who_says_it_is_no_model_of_the_question(reader: Reader, question: str) -> None:
    reading = reader.read(question)
    assert not reading.unknown_entities
    assert "model" not in reading.slots
    assert [p.entities[0][0] for p in reading.parts if p.entities] == ["accelerators"]


@pytest.mark.parametrize(
    ("question", "model"),
    [
        ("claude says llama 3 70b fits on a 4090 in int4, true?", "llama3-70b"),
        ("llama 3 70b on a 4090: how much memory", "llama3-70b"),
        ("llama 3 70b 说明书上要多少显存", "llama3-70b"),
    ],
)
def test_the_model_it_is_said_of_stays(reader: Reader, question: str, model: str) -> None:
    assert reader.read(question).slots["model"] == model


@pytest.mark.parametrize(
    "question", ["朋友说4090能跑70B fp16，是真的吗", "chatgpt told me one 4090 runs 70b fp16, is that right?"]
)
def test_whether_it_is_true_is_no_question_of_its_own(reader: Reader, question: str) -> None:
    assert [p.intent for p in reader.read(question).parts] == ["size"]
