"""Turns that edit, correct, answer, wander off and come back; history and the reading kept give the same."""

from __future__ import annotations

from typing import Any

import pytest

from kb.types.question import Understanding
from kb.understanding import Reader


def talk(reader: Reader, turns: tuple[str, ...]) -> Understanding:
    """The last turn's reading, turn by turn; the same as over the history."""
    before = read = None
    for turn in turns:
        read = reader.read(turn, before=before)
        before = reader.kept(before, read)
    assert read is not None and read == reader.read(turns[-1], turns[:-1])
    return read


@pytest.mark.parametrize(
    ("turns", "slots"),
    [
        (("cost of 8 H100 for 10 days at $2 per GPU hour", "at $3"), {"price_per_gpu_hour": 3.0, "days": 10.0, "budget": None}),
        (("租 8 张 A100 每张每小时 10 块跑一周多少钱", "12 块呢"), {"price_per_gpu_hour": 12.0, "gpu_count": 8}),
        (("8 张 H100 训 7B 1T tokens 多久", "改成 2T"), {"tokens": 2e12, "gpu_count": 8}),
        (("70B serve on 4 A100 80G?", "no, 40G ones"), {"gpu": "a100-sxm4-40gb", "gpu_count": 4}),
        (("70B QLoRA 一张 A100 80G 够吗", "那两张 48G 的呢"), {"memory_gb": 48.0, "gpu_count": 2, "gpu": None}),
        (("7B 在 24G 卡上 lora 够吗", "16G 呢"), {"memory_gb": 16.0, "workload": "lora"}),
        (("70B int4 两张 3090", "内存 64G 够吗"), {"host_ram_gb": 64.0, "gpu": "rtx-3090"}),
        (("我想部署一个模型", "32B", "int4，上下文 16k", "要几张 4090"),
         {"parameters": 32e9, "quantization": "int4", "context_len": 16384, "gpu": "rtx-4090", "workload": "inference"}),
        (("64 A100 train 13B on 300B tokens, how long?", "what if MFU is 50%?", "H100 instead"), {"mfu": 0.5, "gpu": "h100-sxm5-80gb"}),
        (("13B 全參 8 卡 A100 夠嗎", "zero3 加 offload 呢", "那 70B 呢", "LoRA 呢"),
         {"parameters": 70e9, "workload": "lora", "zero_stage": 3, "offload": "cpu"}),
        (("Llama-3-70B KV at 8k?", "batch 16"), {"concurrency": 16, "context_len": 8192}),
        (("how long to fine-tune 8B on 50M tokens with 2 4090, lora", "4 of them?"), {"gpu_count": 4}),
        (("微调要多少显存", "Qwen2.5-7B", "全参"), {"model": "qwen2.5-7b", "workload": "full_finetune"}),
    ],
)  # fmt: skip
def test_a_follow_up_edits_what_it_names(reader: Reader, turns: tuple[str, ...], slots: dict[str, Any]) -> None:
    understood = talk(reader, turns)
    assert understood.is_follow_up
    assert {k: understood.slots.get(k) for k in slots} == slots


def test_an_aside_is_not_remembered(reader: Reader) -> None:
    assert talk(reader, ("RTX 4090 显存", "今天天气怎么样")).off_topic
    back = talk(reader, ("RTX 4090 显存", "今天天气怎么样", "那带宽呢"))
    assert back.parts[0].entities == (("accelerators", "rtx-4090"),)
    assert back.parts[0].columns == ("memory_bandwidth_gb_s",)
    assert talk(reader, ("70B 推理 8 卡 A100", "", "换成 H100")).slots["parameters"] == 70e9


def test_the_language_of_the_newest_turn_is_kept_through_a_switch(reader: Reader) -> None:
    understood = talk(reader, ("4 张 4090 跑 70B int4", "每秒多少 token", "in English please: how fast?"))
    assert understood.language == "en"
    assert understood.parts[0].wanted == ("decode_tokens_per_second",)
    assert understood.slots["gpu_count"] == 4


def test_a_card_named_by_its_memory_alone_keeps_its_name_in_the_standalone_question(reader: Reader) -> None:
    assert talk(reader, ("A100 40G 显存带宽", "80G 的呢")).question == "A100 80G 显存带宽"


def test_a_name_put_right_is_asked_what_the_wrong_one_was(reader: Reader) -> None:
    understood = talk(reader, ("H400 显存带宽多少", "打错了，是 H200"))
    assert understood.parts[0].entities == (("accelerators", "h200-sxm-141gb"),)
    assert understood.parts[0].columns == ("memory_bandwidth_gb_s",)


def test_a_cost_is_computed_once_its_figures_are_told(reader: Reader) -> None:
    assert talk(reader, ("帮我算下电费", "8 张 H100 一年，电价 0.65")).parts[0].wanted == ("cost",)


def test_bandwidth_behind_a_question_of_links_is_that_of_the_link(reader: Reader) -> None:
    assert talk(reader, ("3090 有 NVLink 吗", "带宽多少")).parts[0].columns == ("interconnect_gb_s",)
    assert talk(reader, ("3090 有 NVLink 吗", "显存带宽呢")).parts[0].columns == ("memory_bandwidth_gb_s",)
