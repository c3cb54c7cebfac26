"""What is denied is not what is said: methods that are left out, bounds turned round by a `no`."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "offload"),
    [
        ("full ft 7b without offload on 4x a100 80gb fits?", "none"),
        ("no cpu offloading: full fine-tuning of 7B on 2x H100?", "none"),
        ("full fine-tune 13B on 8x A100 40GB, offload disabled", "none"),
        ("不用offload，4张A100 80GB全参微调7B够吗", "none"),
        ("不卸载到内存，8张A100 40GB全参微调13B能装下吗", "none"),
        ("full fine-tune 7B with CPU offload on 2x A100 40GB", "cpu"),
        ("全参微调7B，优化器卸载到内存，一张4090", "cpu"),
        ("全参微调7B，显存不够就卸载，一张4090", "cpu"),
    ],
)
def test_offloading_that_is_left_out(reader: Reader, text: str, offload: str) -> None:
    assert reader.read(text).slots.get("offload") == offload


@pytest.mark.parametrize(
    ("text", "workload"),
    [
        ("fine-tune 7B without LoRA on 8x A100 80GB", "full_finetune"),
        ("不用LoRA，8张A100微调7B显存多少", "full_finetune"),
        ("fine-tune 7B with LoRA on 8x A100 80GB", "lora"),
    ],
)
def test_adapters_that_are_left_out(reader: Reader, text: str, workload: str) -> None:
    assert reader.read(text).slots["workload"] == workload


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("which GPUs draw no more than 300 W", ("tdp_w", "<=", 300.0)),
        ("which cards do not exceed 200 W", ("tdp_w", "<=", 200.0)),
        ("which cards don't go over 200 W", ("tdp_w", "<=", 200.0)),
        ("which GPUs exceed 300 W", ("tdp_w", ">", 300.0)),
        ("功耗不超过300W的卡有哪些", ("tdp_w", "<=", 300.0)),
        ("功耗不能超过300W的卡有哪些", ("tdp_w", "<=", 300.0)),
        ("功耗超过300W的卡有哪些", ("tdp_w", ">", 300.0)),
        ("which GPUs have not more than 48 GB", ("memory_gb", "<=", 48.0)),
        ("which GPUs have no less than 80 GB", ("memory_gb", ">=", 80.0)),
        ("which cards have memory not below 80 GB", ("memory_gb", ">=", 80.0)),
        ("显存不低于80GB的卡有哪些", ("memory_gb", ">=", 80.0)),
        ("显存不能少于80GB的卡有哪些", ("memory_gb", ">=", 80.0)),
        ("which GPUs have less than 80 GB", ("memory_gb", "<", 80.0)),
    ],
)
def test_bounds_turned_round(reader: Reader, text: str, condition: tuple[str, str, float]) -> None:
    assert condition in reader.read(text).parts[0].conditions
