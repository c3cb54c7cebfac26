"""What no rule knows and a heading of the corpus names is answered by that section, and nothing of another field is."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what is HiCache", "HiCache"),
        ("what is SHARP", "SHARP"),
        ("what is a fat tree network", "leaf switch"),
        ("HBM3e 是什么", "HBM"),
        ("用 Whisper 做语音识别要多少显存", "1550M"),
        ("how much vram does whisper large need", "10 GB"),
    ],
)
def test_a_term_of_a_heading_is_of_the_field(knowledge: KnowledgeBase, question: str, told: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "passages" and told in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "how do i bake bread",
        "今天天气怎么样",
        "write me a poem about rain",
        "怎么做红烧肉",
        "how much does a haircut cost",
        "理发一次多少钱",
    ],
)
def test_another_field_stays_out_of_scope(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "declined" and answer.declined is not None and answer.declined.reason == "out_of_scope"
