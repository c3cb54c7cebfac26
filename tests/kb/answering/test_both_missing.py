"""A card that is only pointed at, for something that is not named either: both are asked for at once."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "model"),
    [
        ("can my card run it", "which model"),
        ("my gpu is it enough for this model?", "which model"),
        ("我的显卡能跑吗", "哪个模型"),
    ],
)
def test_model_and_card_are_asked_for_together(knowledge: KnowledgeBase, question: str, model: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "clarification" and model in answer.text


@pytest.mark.parametrize("question", ["can my gpu run qwen2.5 7b?", "我的卡跑7B够吗", "is my card any good?"])
def test_a_card_alone_is_asked_for_where_the_model_is_said_or_none_is_meant(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "clarification" and "which model" not in answer.text and "哪个模型" not in answer.text
