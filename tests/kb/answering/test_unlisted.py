"""A model that is in no table: the articles that name it answer."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    "question",
    ["用 Whisper 做语音识别要多少显存？", "how much vram for whisper large", "4090 跑 SDXL 够吗", "bge-reranker-v2-m3 显存"],
)
def test_the_section_that_names_a_model_of_no_table_answers(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).kind == "passages"


@pytest.mark.parametrize(
    "question", ["RTX 8090 有 NVLink 吗", "GPT-5 用了多少张 H100 训练", "Does the Ascend 990Z support FP4?"]
)
def test_what_no_section_names_stays_unanswered(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).kind == "declined"
