"""Which card runs a model faster: of those that hold it, by the speed that is computed."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("gpt-oss-120b 用 RTX 5090 还是 DGX Spark 跑得快", "更快的是 DGX Spark"),
        ("DeepSeek-R1 在 5090 和 M3 Ultra 512G 上哪个快", "更快的是 Apple M3 Ultra"),
        ("which is faster for Llama 70B Q4: RTX 4090 or Mac Studio M2 Ultra 192GB?", "Apple M2 Ultra 192GB is the faster one"),
        ("3090 和 4090 跑 Qwen2.5-14B int4 哪个快", "更快的是 RTX 4090"),
        ("4090 和 A6000 跑 70B FP8 哪个快", "在这些卡上都放不下"),
    ],
)
def test_the_faster_of_cards_holds_the_model(knowledge: KnowledgeBase, question: str, said: str) -> None:
    answer = knowledge.ask(question)
    assert said in answer.text.split("\n")[0] and answer.kind == "sizing"


@pytest.mark.parametrize(
    "question", ["4090 和 3090 哪个快", "A100 和 H100 训练 7B 哪个快", "which has more memory bandwidth, A100 or L40S?"]
)
def test_cards_without_a_model_to_run_are_compared_by_their_rows(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).kind == "spec"


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("昇腾910B 训练速度比得上 H100 吗，显存呢", "训练更快的是 H100"),
        ("4090训练有H100快吗", "训练更快的是 H100"),
        ("does a 4090 keep up with an A100 in training", "A100 SXM4 80GB is the faster one for training"),
        ("is the L40S as fast as an A100 for inference?", "A100 SXM4 80GB is the faster one for inference"),
    ],
)
def test_whether_one_keeps_up_with_another_is_a_comparison(knowledge: KnowledgeBase, question: str, lead: str) -> None:
    assert knowledge.ask(question).text.startswith(lead)


def test_the_time_of_a_gradient_sync_is_that_of_an_all_reduce(knowledge: KnowledgeBase) -> None:
    """1.3B in 16 bits among two: 2.6 GB at 0.125 GB/s."""
    answer = knowledge.ask("gradient sync time per step for 1.3B over 1GbE, two nodes")
    assert next(v.value for v in answer.values if v.name == "all_reduce_time") == pytest.approx(20.8)
