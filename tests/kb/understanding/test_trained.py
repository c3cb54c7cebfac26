"""What is meant by figures of a run of training that is to fit."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("QLoRA 8B on two 3090s, DDP, 8k tokens: per card, fits?", 8192),
        ("QLoRA 8B on a 3090 with 4096 tokens, fits?", 4096),
        ("LoRA 7B at 16k tokens on an A100 80GB, memory?", 16384),
        ("一张 3090 做 8B QLoRA，8k token，放得下吗", 8192),
        ("LoRA 14B 一张 A100 80G，20k token，够吗", 20000),
    ],
)
def test_so_many_tokens_of_a_run_that_is_to_fit_are_its_sequence(reader: Reader, text: str, length: int) -> None:
    slots = reader.read(text).parts[0].slots
    assert slots.get("seq_len") == length and "tokens" not in slots


@pytest.mark.parametrize(
    "text", ["finetune 7B lora on 50k tokens on a 4090, how long", "LoRA 7B on 10M tokens on a 4090, does it fit?"]
)
def test_tokens_of_a_data_set_are_not(reader: Reader, text: str) -> None:
    slots = reader.read(text).parts[0].slots
    assert "seq_len" not in slots and slots["tokens"] >= 5e4


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("8G的3070跑7B行吗，训练呢", "finetune"),
        ("can one RTX 4060 8gb train a 7B?", "finetune"),
        ("can one RTX 4090 train a 124M model?", "train"),
        ("8 张 4090 能训练 7B 吗", "train"),
    ],
)
def test_training_on_one_card_at_home_is_a_fine_tune(reader: Reader, text: str, task: str) -> None:
    assert reader.read(text).parts[-1].slots.get("task") == task
