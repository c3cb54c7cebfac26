"""The best case of decoding is the bound by memory bandwidth."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    "asked",
    [
        "8B int8 on a 4090, best case tok/s?",
        "best-case decode speed for 8B int8 on a 4090",
        "max theoretical tokens per second of 8B int8 on a 4090",
        "fastest possible tok/s, 8B int8, 4090",
        "8B int8 在 4090 上解码速度最好情况是多少",
        "4090 跑 8B int8，最好情况每秒多少 token",
        "4090 跑 8B int8 最快每秒多少 token",
    ],
)
def test_best_case_asks_the_ceiling(knowledge: KnowledgeBase, asked: str) -> None:
    answer = knowledge.ask(asked)
    ceiling = next(v for v in answer.values if v.name == "decode_ceiling")
    assert ceiling.text in answer.text.split("\n\n")[0]


def test_a_plain_speed_is_no_ceiling(knowledge: KnowledgeBase) -> None:
    first = knowledge.ask("how many tok/s does 8B int8 reach on a 4090?").text.split("\n\n")[0]
    assert "Highest" not in first
