"""Decode speeds that llama-bench measured on Apple's chips lie in the interval that is told, by whatever engine nobody named.

GPU Benchmarks on LLM Inference (XiongjieDai), May 2024, generation of 4096 tokens.
"""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "measured"),
    [
        ("M2 Ultra 192G 跑 Llama 3 70B Q4_K_M 每秒几个 token", 10.75),
        ("M2 Ultra 192GB, Llama 3 8B Q4_K_M, tokens per second?", 64.58),
        ("M1 Max 64G 跑 Llama 3 70B Q4_K_M 每秒多少 token", 4.09),
        ("M1 Max 64GB, Llama 3 8B Q4_K_M tokens per second", 31.18),
        ("M1 Max 64GB, Llama 3 8B in fp16, tokens per second", 16.33),
    ],
)
def test_four_bits_on_a_unified_memory_are_no_faster_than_measured(
    knowledge: KnowledgeBase, question: str, measured: float
) -> None:
    speed = next(v for v in knowledge.ask(question).values if v.name == "decode_tokens_per_second")
    assert speed.low is not None and speed.high is not None and speed.low <= measured <= speed.high


def test_the_layers_of_other_chips_cost_what_their_engine_makes_them(knowledge: KnowledgeBase) -> None:
    text = knowledge.ask("RTX 4090, Llama 3 8B Q4_K_M, tokens per second?").text
    assert "0.0567 ms" in text and "0.905" in text
