"""A figure of a card that a question wants confirmed: yes, or no with the true one and what the figure is of."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("A100 有 312T 的 fp32 对吧", "不对：A100 SXM4 80GB 的 FP32 向量算力是 19.5 TFLOP/s，不是 312T"),
        ("H100 fp32 989T 对吗", "989T 是它的 FP16 稠密算力"),
        ("L40S FP8 1466T 对吗", "1466T 是稀疏算力"),
        ("4090 带宽 2T 对吧", "不对：RTX 4090 的显存带宽是 1008 GB/s"),
        ("H800 NVLink 900G 对吗", "400 GB/s，不是 900G"),
        ("A100 BF16 is 624 TFLOPS, right?", "No: BF16 dense compute of A100 SXM4 80GB is 312 TFLOP/s"),
        ("H100 fp16 is 1979T, correct?", "1979T is the figure with sparsity"),
    ],
)
def test_a_wrong_figure_is_denied_and_told_once(knowledge: KnowledgeBase, question: str, said: str) -> None:
    answer = knowledge.ask(question)
    assert said in answer.text and "\n" not in answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("L40S FP8 733T 对吗", "是的。NVIDIA L40S：FP8 稠密算力 733"),
        ("4090 带宽 1T 对吧", "是的。RTX 4090：显存带宽 1008 GB/s"),
        ("A100 bf16 312T, right?", "Yes. A100 SXM4 80GB: BF16 dense compute 312 TFLOP/s"),
        ("H100 NVLink 900G 对吧", "是的。"),
        ("RTX 3090 显存 24G 对吧", "是的。RTX 3090：显存容量 24 GB"),
    ],
)
def test_a_true_figure_is_confirmed(knowledge: KnowledgeBase, question: str, said: str) -> None:
    assert knowledge.ask(question).text.startswith(said)


@pytest.mark.parametrize(
    "question", ["A100 的 BF16 算力多少", "what is the memory bandwidth of the RTX 4090?", "4090 24G 够跑 7B 吗"]
)
def test_nothing_is_confirmed_where_no_figure_is_doubted(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert not text.startswith(("是的", "不对", "Yes. ", "No: "))
