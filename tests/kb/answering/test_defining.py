"""Names are defined before they are compared; what nothing on file defines is told."""

from __future__ import annotations

import pytest

from kb.answering.passages.defining import glossed, holds
from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("PagedAttention vs FlashAttention 傻傻分不清", ("小块", "FlashAttention")),
        ("difference between tensor and expert parallelism", ("weight matri", "experts")),
        ("张量并行和专家并行有什么区别", ("权重矩阵", "专家")),
        ("tensor parallelism vs pipeline parallelism", ("weight matrix", "first layers")),
        ("张量并行和流水线并行有什么区别", ("权重矩阵", "最前面的层")),
    ],
)
def test_each_side_of_a_difference_is_defined(knowledge: KnowledgeBase, question: str, says: tuple[str, ...]) -> None:
    text = knowledge.ask(question).text
    assert all(word in text for word in says)


@pytest.mark.parametrize(
    "question", ["什么是 Zorblax 调度", "what is zorblax scheduling of GPUs", "difference between zorblax and quuxnet GPUs"]
)
def test_a_name_that_stands_nowhere_is_not_explained_by_something_else(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "declined"


def test_a_name_is_found_together_apart_and_in_brackets() -> None:
    assert holds("Paged attention stores blocks.", "PagedAttention") and holds("FlashAttention runs.", "flash attention")
    assert not holds("Ring attention passes keys on.", "PagedAttention")
    assert glossed("分页注意力（PagedAttention）和连续批处理是什么？", "PagedAttention") == ("分页注意力",)
    assert glossed("What is expert parallelism (EP), and which links does it need?", "EP") == ("expert parallelism",)
    assert glossed("What is expert parallelism (EP)?", "expert parallelism") == ("EP",)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("is a used 3090 still worth buying in 2026", "936"),
        ("二手 3090 还值得买来跑大模型吗", "936"),
        ("self-host an open-weight model or use an API?", "per million"),
        ("自己部署还是调 API 便宜", "每百万"),
        ("zero2 or zero3 or fsdp, 4x3090 pcie, lora on a 14b??", "28 GB"),
        ("做 lora 用 ddp 还是 zero3", "28 GB"),
        ("tp2 pp2 or tp4, 4x3090 no nvlink 32b vllm", "pipeline"),
        ("4 张 4090 没有 nvlink，vllm 跑 32b，tp4 还是 tp2 pp2", "流水线并行"),
    ],
)
def test_a_choice_is_made_in_the_first_paragraph(knowledge: KnowledgeBase, question: str, says: str) -> None:
    assert says in knowledge.ask(question).text.split("\n\n")[0]


@pytest.mark.parametrize("question", ["vLLM 和 LMDeploy 有什么区别", "difference between vLLM and LMDeploy"])
def test_what_is_not_mentioned_in_the_quotes_is_named(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert any(words in answer.text for words in ("没有提到 LMDeploy", "not mention LMDeploy"))


@pytest.mark.parametrize("question", ["A100和H100有什么区别", "what is the difference between the A100 and the H100"])
def test_two_cards_are_told_apart_by_their_figures(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).kind == "spec"
