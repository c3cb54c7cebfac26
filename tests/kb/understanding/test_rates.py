"""A wanted rate of tokens or requests is a load that counts GPUs; a measured one is a speed, and a length is neither."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("20k output tokens per second from llama 3.3 70b fp8, how many h200s", 20000),
        ("1M tokens per minute from llama 8b, how many l4", 1e6 / 60),
        ("I need 10,000 tokens/s with mistral 7b, how many A10", 10000),
        ("500M tokens a day with qwen3 32b fp8, how many H100?", 500e6 / 86400),
        ("36M tokens per hour with qwen3 32b fp8, how many H100?", 10000),
        ("4x L40S enough for 2000 tok/s with llama 3 8b fp16?", 2000),
        ("llama 3.3 70b fp8 每秒输出 2万 token 要几张 H200", 20000),
        ("每分钟处理 60万 token，qwen2.5 14b int8，要几张 4090", 10000),
        ("需要总吞吐 5000 token/s，qwen2.5-32b int8，要几张 A100 80G", 5000),
        ("两张 4090 跑 qwen2.5 14b awq 能到 1000 token/s 吗", 1000),
    ],
)
def test_a_wanted_rate_is_a_load(reader: Reader, text: str, rate: float) -> None:
    part = reader.read(text).parts[0]
    assert part.slots["demanded_tokens_per_second"] == pytest.approx(rate) and part.slots["workload"] == "inference"
    assert not {"output_tokens", "tokens", "tokens_per_second"} & part.slots.keys()


@pytest.mark.parametrize(
    "text",
    [
        "llama 3 8b on one 4090, 6 tok/s, is that normal?",
        "measured 40 tok/s with 70b q4 on 2x 3090, ok?",
        "70b q4 at 20 tok/s on one 4090, possible?",
        "Qwen2.5 7B 在 4090 上只有 300 token/s，正常吗",
        "pretrain 7B, 64 H100 reach 500k tokens/s, how many H100 for 1T tokens in 10 days",
    ],
)
def test_a_speed_is_none(reader: Reader, text: str) -> None:
    assert not any("demanded_tokens_per_second" in p.slots for p in reader.read(text).parts)


@pytest.mark.parametrize(
    ("text", "gpu", "memory"),
    [
        ("How many RTX PRO 6000 Blackwell cards with 96 GB do I need to serve Qwen3-235B-A22B in FP8?", True, None),
        ("how many gpus with 80 GB to serve llama 3.3 70b bf16", False, 80),
        ("how many cards with 48 GB for Qwen2.5 72B in bf16", False, 48),
        ("llama 70b fp8 on H200 (141 GB), how many?", True, None),
        ("A100 with 80 GB, how many for llama 3.1 405b int4", True, None),
        ("显存 80GB 的卡要几张才能跑 llama 3.3 70b bf16", False, 80),
    ],
)
def test_cards_that_are_described_are_counted(reader: Reader, text: str, gpu: bool, memory: float | None) -> None:
    part = reader.read(text).parts[-1]
    assert part.intent == "size" and part.wanted == ("gpu_count",)
    assert ("gpu" in part.slots) == gpu and part.slots.get("memory_gb") == memory


@pytest.mark.parametrize(
    ("text", "gbps"),
    [
        ("8 a100s 100Gb ethernet between 2 nodes ok for full finetune 7b?", 100),
        ("does 10 gbit ethernet suffice for 13b on 2x A100", 10),
        ("10gb ethernet switch, 13b full finetune on 2 servers of 8 A100", 10),
        ("25 gig network between nodes, 70B lora ok?", 25),
        ("A100 80GB 网卡要多快", None),
    ],
)
def test_a_size_before_a_network_is_its_speed(reader: Reader, text: str, gbps: float | None) -> None:
    assert reader.read(text).slots.get("network_gbps") == gbps
