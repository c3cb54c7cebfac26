"""A bare number beside a card: how many there are, or what a word before it, or a model's length, makes of it."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("qwen3-32b 16k A800 放得下吗", "context_len", 16384),
        ("qwen3-32b 16k A800 要几张", "context_len", 16384),
        ("200並發 8K H100要幾張 qwen3-32b", "context_len", 8192),
        ("qwen3-14b 8192 L20 能跑吗", "context_len", 8192),
        ("50 users, 4K L40S enough for qwen3-14b?", "context_len", 4096),
        ("bs4 4096 A100 7B 全参微调", "seq_len", 4096),
        ("A100 4096 7b 全参", "seq_len", 4096),
        ("7b lora batch 32 4090 够不够", "micro_batch", 32),
        ("7b full fine-tune batch size 8 A100 80GB", "micro_batch", 8),
        ("qwen3-8b 并发20 4090 行不行", "concurrency", 20),
        ("LoRA rank 64 A100 7B", "lora_rank", 64),
        ("输入2000 输出500 4090 qwen3-8b 多快", "output_tokens", 500),
        ("qwen3-8b input 1000 output 200 4090 tokens per second", "gpu", "rtx-4090"),
        ("qwen3-32b users 40, 8k, 2 L40S", "concurrency", 40),
    ],
)
def test_a_number_that_is_something_else_counts_no_cards(reader: Reader, text: str, slot: str, value: object) -> None:
    slots = reader.read(text).parts[0].slots
    assert slots[slot] == value
    assert slots.get("gpu_count", 1) in (1, 2)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("8 4090 跑 qwen3-32b 可以吗", 8),
        ("3 epochs 8 4090 7b lora", 8),
        ("20并发 2 4090 qwen3-14b 行吗", 2),
        ("qwen2.5-72b 128k 8 H100 放得下吗", 8),
        ("batch 1 2 4090 70b q4", 2),
        ("Llama 3 405B on 16k H100 how long for 15.6T tokens", 16000),
        ("10k H100 cluster power", 10000),
        ("训练70b 2048 H100 15T token 要多久", 2048),
        ("24k H100s training 405B", 24000),
    ],
)
def test_a_number_of_nothing_else_counts_the_cards(reader: Reader, text: str, count: int) -> None:
    assert reader.read(text).parts[0].slots["gpu_count"] == count


def test_a_sum_before_a_machine_room_counts_no_machines(reader: Reader) -> None:
    slots = reader.read("8卡H100服务器 200万 机房托管每月2万").parts[0].slots
    assert slots["gpu_count"] == 8
    assert slots["budget"] == 2e6
