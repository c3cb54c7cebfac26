"""Activations of training, with and without FlashAttention."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("asked", "switched"),
    [
        ("Activation memory of Llama 3 8B training at seq 8192, micro batch 1?", "FlashAttention on"),
        ("Llama 3 8B 训练，序列 8192，micro batch 1，激活值显存多少", "FlashAttention 启用"),
    ],
)
def test_flash_attention_is_an_assumption_that_is_told(knowledge: KnowledgeBase, asked: str, switched: str) -> None:
    assert switched in knowledge.ask(asked).text


@pytest.mark.parametrize(
    "asked",
    [
        "Activation memory of Llama 3 8B training at seq 8192, micro batch 1, without flash attention?",
        "no flash attention: how much activation memory for training Llama 3 8B, seq 8192, micro batch 1",
        "不用 flash attention，Llama 3 8B 训练，序列 8192，micro batch 1，激活值显存多少",
    ],
)
def test_without_it_the_scores_of_every_layer_are_kept(knowledge: KnowledgeBase, asked: str) -> None:
    answer = knowledge.ask(asked)
    activations = next(v.value for v in answer.values if v.name == "activations")
    assert float(activations or 0) > 32 * 5 * 32 * 8192**2 / 2**30
    assert "Korthikanti" in str([c.source.title for c in answer.citations])


@pytest.mark.parametrize(
    ("question", "both"),
    [
        ("7B 激活值 序列长度4096 不开重计算，开了又是多少", ("28.8 GiB", "3.99 GiB")),
        (
            "activation memory of 7b at 4096 tokens with and without checkpointing",
            ("with no gradient checkpointing", "with full gradient checkpointing"),
        ),
        ("7B全参微调，开不开梯度检查点各要多少显存", ("119.2 GiB", "105.8 GiB")),
        ("梯度和优化器状态各占多少，3B", ("梯度：5.59 GiB", "优化器状态：33.5 GiB")),
        (
            "how much memory do the optimizer states and gradients of a 3B take",
            ("Gradients: 5.59 GiB", "Optimizer states: 33.5 GiB"),
        ),
        ("7B 权重和梯度各多少", ("权重：13 GiB", "梯度：13 GiB")),
    ],
)
def test_both_halves_of_a_question_are_told(knowledge: KnowledgeBase, question: str, both: tuple[str, str]) -> None:
    first = knowledge.ask(question).text.split("\n\n")[0]
    assert all(half in first for half in both)
