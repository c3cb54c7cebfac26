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
