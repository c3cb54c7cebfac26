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


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        (
            "Which NVIDIA GPUs with at least 48 GB have a TDP of 350 W or less?",
            (("memory_gb", ">=", 48.0), ("tdp_w", "<=", 350.0)),
        ),
        (
            "which GPUs have 80 GB or more and 2 TB/s or less",
            (("memory_gb", ">=", 80.0), ("memory_bandwidth_gb_s", "<=", 2000.0)),
        ),
        ("what cards have 16gb vram and support bf16", (("memory_gb", "==", 16.0), ("bf16_dense_tflops", "has", None))),
        ("cards with 24gb and nvlink", (("memory_gb", "==", 24.0),)),
        ("有24G显存还支持NVLink的卡有哪些", (("memory_gb", "==", 24.0),)),
        ("显存至少24G的卡有哪些", (("memory_gb", ">=", 24.0),)),
        ("lowest power GPU with at least 48 GB", (("memory_gb", ">=", 48.0), ("tdp_w", "bottom", 1))),
    ],
)
def test_at_least_is_no_superlative_and_a_size_is_exact(reader: Reader, text: str, conditions: tuple[object, ...]) -> None:
    told = reader.read(text).parts[0].conditions
    assert set(conditions) <= set(told) and (("tdp_w", "bottom", 1) in conditions) == any(c[1] == "bottom" for c in told)


@pytest.mark.parametrize(
    "text",
    ["full fine-tune a 32B on 80GB H100s, min number of cards without offload", "全参微调32B，不用offload，最少几张H100 80G"],
)
def test_a_number_of_cards_is_no_filter(reader: Reader, text: str) -> None:
    (part,) = reader.read(text).parts
    assert (part.intent, "gpu_count" in part.wanted) == ("size", True)
