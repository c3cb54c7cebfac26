"""Who asks for a machine without a model or a purpose is asked back; what cards run is computed."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    "question",
    ["spec me a box", "build me a box for llms", "recommend a server", "部署客服系统要什么服务器", "企业知识库要什么配置的服务器"],
)  # fmt: skip
def test_a_machine_for_nothing_in_particular_is_asked_back(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "clarification"
    assert "model" in answer.text or "模型" in answer.text


@pytest.mark.parametrize(
    ("question", "count"),
    [("12 leftover 2080 tis, what can i run", 12), ("what models can 8x V100 run", 8), ("4 张 3090 能跑什么模型", 4),
     ("闲置的 6 张 P40 能跑哪些大模型", 6), ("what can I run on 4x 3090?", 4)],
)  # fmt: skip
def test_what_cards_can_run_is_the_largest_model(knowledge: KnowledgeBase, question: str, count: int) -> None:
    answer = knowledge.ask(question)
    assert "max_parameters" in {v.name for v in answer.values}
    assert str(count) in answer.text.splitlines()[0]


@pytest.mark.parametrize("question", ["what gpu can run a 70b", "哪张卡能跑 70B"])
def test_the_card_that_runs_a_model_is_another_question(knowledge: KnowledgeBase, question: str) -> None:
    assert "max_parameters" not in {v.name for v in knowledge.ask(question).values}
