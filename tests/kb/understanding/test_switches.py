"""What is to be switched on, asked beside whether a run fits."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    "text",
    [
        "full finetuning Qwen2.5-14B cutoff_len 100000 8x A100 80GB, feasible? which option am I missing?",
        "Qwen2-7B finetuning_type: full cutoff_len: 120000 on 8 H100, feasible? which switch am I not setting?",
        "LoRA llama3 8b 64k sequence on 4x A100 80GB, fits? what else should I enable?",
        "8卡A100 80G 全参训 7B，cutoff_len 64k，够不够？还要打开什么选项",
        "Qwen3-8B 全参 8张H100 120k序列够吗，我漏开了哪个开关",
        "LoRA 微调 Qwen2.5-7B 32k 序列，4 张 4090，够吗，该打开哪些选项",
    ],
)
def test_what_to_switch_on_belongs_to_the_run(reader: Reader, text: str) -> None:
    parts = reader.read(text).parts
    assert [p.intent for p in parts] == ["size"] and parts[0].slots["switches"] is True


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("full ft qwen2.5 7b at 64k on 8 A100, need liger?", "fused_loss"),
        ("8×A100 80G 全参 Qwen2.5 7B 64k 序列，需要开 Liger 吗", "fused_loss"),
        ("qlora llama3 8b on a 4090 seq 4096, do I need gradient checkpointing?", "recompute"),
        ("LoRA 13B 16k 序列 一张 A100 80G，必须用 flash attention 吗", "flash_attention"),
    ],
)
def test_a_measure_that_is_asked_about_is_not_taken_to_be_on(reader: Reader, text: str, name: str) -> None:
    slots = reader.read(text).parts[0].slots
    assert slots["switches"] == name and name not in slots


@pytest.mark.parametrize(
    "text",
    [
        "LoRA 7B 32k 序列 4 张 4090，用了 Liger，放得下吗",
        "which GPU should I buy for QLoRA of a 7B?",
        "serve 8B at 128k on 2 H100, fits?",
    ],
)
def test_nothing_else_asks_for_switches(reader: Reader, text: str) -> None:
    assert not any("switches" in p.slots for p in reader.read(text).parts)
