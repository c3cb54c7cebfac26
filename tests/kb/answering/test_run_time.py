"""How long a run takes: on which layout, and what stands between its utilization and its time."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "assumed"),
    [
        ("2×L40S pretraining a 1.3B on 10B tokens, how long", "ZeRO stage 1"),
        ("3*4090预训练一个1.1B，200亿token，大概几天", "ZeRO 阶段 1"),
        ("4*4090预训练0.5B，100亿token 多久", "ZeRO 阶段 1"),
        ("8 A100 80G, pretrain 7B on 100B tokens, how many days", "ZeRO stage 3"),
    ],
)
def test_the_stage_that_a_time_rests_on_is_named(knowledge: KnowledgeBase, question: str, assumed: str) -> None:
    assert assumed in knowledge.ask(question).text


@pytest.mark.parametrize(
    "question",
    [
        "8卡A100做7B增量预训练，3B tokens，MFU按45%，要几个小时",
        "130B on 400B tokens took 60 days on 768 A100, what MFU is that?",
    ],
)
def test_a_stage_that_a_time_does_not_rest_on_is_not(knowledge: KnowledgeBase, question: str) -> None:
    assert "ZeRO" not in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("1.3T tokens，7b预训练，千卡A800，多久", ("步内", "整段训练", "停顿", "重启、评测与检查点")),
        ("How long to pretrain 13B on 2T tokens with 512 H100?", ("inside a step", "over the whole run", "between steps")),
        ("What MFU and how many days for 70B on 2T tokens with 2048 H100?", ("inside a step", "over the whole run")),
    ],
)
def test_the_utilization_of_the_whole_run_explains_its_time(
    knowledge: KnowledgeBase, question: str, told: tuple[str, ...]
) -> None:
    answer = knowledge.ask(question)
    values = {(v.name, v.scope): v for v in answer.values}
    inside, whole, time = (values[key].value for key in (("mfu", None), ("mfu", "run"), ("training_time", None)))
    assert all(words in answer.text for words in (*told, values["mfu", "run"].text))
    work = next(v.value for v in answer.values if v.name == "training_flops")
    slots, peak = answer.understanding.parts[0].slots, 312e12 if "A800" in question else 989.4e12
    assert whole == pytest.approx(work / (slots["gpu_count"] * peak * time * 86400), rel=0.01) and whole < inside


@pytest.mark.parametrize("question", ["一张4090 训练 0.1B，10亿token 多久", "13B on 2T tokens, 512 H100, 45 % MFU: how long?"])
def test_a_run_that_loses_nothing_has_one_utilization(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "步内" not in text and "inside a step" not in text
