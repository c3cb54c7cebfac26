"""The method of post-training is read, and which models stand beside the trained one where the question says it."""

from __future__ import annotations

from typing import Any

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("full DPO of an 8B with a frozen reference, how much memory?", {"post_training": "dpo", "reference_models": 1}),
        ("对 8B 模型做全参 DPO，参考模型也常驻显存，要多少显存", {"post_training": "dpo", "reference_models": 1}),
        ("DPO 70B memory with precompute_ref_log_probs", {"post_training": "dpo", "reference_models": 0}),
        ("7B 全参 DPO，不加载参考模型，要多少显存", {"post_training": "dpo", "reference_models": 0}),
        ("7B RLHF 全参要几张 H100", {"post_training": "ppo", "workload": "full_finetune"}),
        ("GRPO full 7b on 4x a100 80gb enough?", {"post_training": "grpo", "workload": "full_finetune"}),
        ("grpo 14b lora, vllm on separate gpus, memory?", {"post_training": "grpo", "rollout_engines": 0, "workload": "lora"}),
        ("GRPO 7B，vLLM 放在另外的卡上，训练要多少显存", {"post_training": "grpo", "rollout_engines": 0}),
        ("ppo 7b full with a rule-based reward, memory", {"post_training": "ppo", "reward_models": 0}),
        ("SFT 7b full on 2x A100", {"post_training": None, "reference_models": None}),
        ("Llama 3 8B reference model memory in bf16", {"post_training": None, "reference_models": None}),
    ],
)
def test_method_and_models(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    found = reader.read(text).slots
    assert {k: found.get(k) for k in slots} == slots


def test_another_method_takes_its_own_models(reader: Reader) -> None:
    before = reader.read("PPO 全参 7B，奖励模型和 critic 都在，8 张 A100 够吗")
    assert before.slots["critics"] == before.slots["reward_models"] == 1
    assert "critics" not in reader.read("换成 GRPO 呢", before=before).slots
    assert reader.read("只做 SFT 呢", before=before).slots.get("post_training") is None


@pytest.mark.parametrize(
    ("text", "workload"),
    [
        ("finetunning 7b full on 4x a100 80, fits?", "full_finetune"),
        ("full 7b on 2x h100 with adamw, fits?", "full_finetune"),
        ("tune llama 3 8b full, 2x A6000 ok?", "full_finetune"),
        ("qlra 13b on a 3090 ok?", "qlora"),
        ("qlroa 13b 3090 够吗", "qlora"),
        ("lorra 7b on a 4080?", "lora"),
        ("serve full deepseek v3 on 8 h200", "inference"),
    ],
)
def test_a_method_away_from_its_noun_or_misspelt(reader: Reader, text: str, workload: str) -> None:
    assert reader.read(text).slots["workload"] == workload
