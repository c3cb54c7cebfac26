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
