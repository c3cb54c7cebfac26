"""Several values in one question are a series; a card without a number is one card."""

from __future__ import annotations

from typing import Any

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "field", "values"),
    [
        ("8B、14B、32B 推理各要多少显存", "parameters", [8e9, 14e9, 32e9]),
        ("KV cache of llama3-8b at 8k, 16k and 64k", "context_len", [8192, 16384, 65536]),
        ("70B 用 int8 和 int4 分别多少显存", "quantization", ["int8", "int4"]),
        ("40GB 的权重从 SATA（500MB/s）和 NVMe（5GB/s）加载分别多久", "disk_gb_s", [0.5, 5.0]),
        ("stage 1/2/3 每卡模型状态，13B 16 卡", "zero_stage", [1, 2, 3]),
        ("Qwen2.5-14B 和 Qwen2.5-32B int4 显存", "model", ["qwen2.5-14b", "qwen2.5-32b"]),
        ("405B bf16 推理权重多大，fp8 呢，int4 呢", "quantization", ["bf16", "fp8", "int4"]),
        ("from 2k to 32k context, 7B full finetune on 8 A100", "seq_len", [2048, 32768]),
        ("L40S or A100 80G for a 13B LoRA?", "gpu", ["l40s", "a100-sxm4-80gb"]),
        ("one L40S or two RTX 4090 for a 14B", "gpu", ["l40s", "rtx-4090"]),
        ("两张 4090 还是一张 L40S，跑 14B", "gpu", ["rtx-4090", "l40s"]),
    ],
)
def test_a_list_of_values_is_a_series(reader: Reader, text: str, field: str, values: list[Any]) -> None:
    assert reader.read(text).parts[0].slots["each"] == (field, values)


@pytest.mark.parametrize(
    "text",
    [
        "70B 4bit LoRA on 2 A100",
        "8x7B int4 显存",
        "Qwen3-30B-A3B 显存",
        "13B，长度 4096，上下文 8k",
        "7B bf16 训练，fp8 KV",
        "3090 和 4090 混插跑 70B q4 行吗",
    ],
)
def test_two_figures_that_are_no_list_are_no_series(reader: Reader, text: str) -> None:
    assert "each" not in reader.read(text).slots


def test_a_series_does_not_outlive_its_turn(reader: Reader) -> None:
    assert "each" not in reader.read("用 4090 呢", ["8B、14B 推理各要多少显存"]).slots


def test_a_card_without_a_number_is_one_when_it_is_asked_whether_it_is_enough(reader: Reader) -> None:
    assert reader.read("4090 能跑 13B fp16 吗").parts[0].slots["gpu_count"] == 1
    assert "gpu_count" not in reader.read("can 4090s run a 70B in int4?").parts[0].slots
    assert "gpu_count" not in reader.read("70B int4 要几张 4090").parts[0].slots
    assert "gpu_count" not in reader.read("4090 能跑 13B fp16 吗").slots


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("one A100 or two L40S", [1, 2]),
        ("4x L4 or an A100?", [4, 1]),
        ("两张 A6000 还是一张 H100", [2, 1]),
        ("8 张 4090 和 2 张 A100 怎么选", [8, 2]),
    ],
)
def test_there_are_so_many_of_each_card(reader: Reader, text: str, counts: list[int]) -> None:
    assert reader.read(text).parts[0].slots["gpu_counts"] == counts


@pytest.mark.parametrize("text", ["2x A100 or 2x L40S for a 7B", "A100 还是 L40S"])
def test_as_many_of_both_are_one_number(reader: Reader, text: str) -> None:
    assert len(set(reader.read(text).parts[0].slots.get("gpu_counts", [1]))) == 1


@pytest.mark.parametrize("text", ["A6000 or L40S for a 13B, which one?", "RTX 3090 or RTX 4090 for serving a 7B, which one"])
def test_a_choice_between_cards_is_no_list(reader: Reader, text: str) -> None:
    assert "filter" not in reader.read(text).intents


@pytest.mark.parametrize(
    ("text", "optimizers"),
    [
        ("adamw换成8bit优化器，13B能省多少显存", ["adamw", "adamw_8bit"]),
        ("把 adamw 改成 adafactor，7B 全参省多少显存", ["adamw", "adafactor"]),
        ("swap adamw for adafactor on an 11B full finetune, how many gb do i save", ["adamw", "adafactor"]),
        ("replacing AdamW with 8-bit Adam on a 7B saves how much memory?", ["adamw", "adamw_8bit"]),
    ],
)
def test_an_optimizer_that_takes_the_place_of_another_is_compared_with_it(
    reader: Reader, text: str, optimizers: list[str]
) -> None:
    assert reader.read(text).parts[0].slots["each"] == ("optimizer", optimizers)


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("8B full finetune adamw 8bit with fp32 master weights, memory?", "bf16"),
        ("8B 全参 8bit Adam 保留 fp32 主权重，显存多少", "bf16"),
        ("纯bf16（不留fp32 master）全参训8B", "pure_bf16"),
    ],
)
def test_master_weights_are_those_of_mixed_precision(reader: Reader, text: str, precision: str) -> None:
    assert reader.read(text).slots["precision"] == precision


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("lora rank从8改到64 显存会爆涨吗 qwen2.5 7b", ("lora_rank", [8, 64])),
        ("lora r 从 8 加到 64 显存涨多少 qwen2.5 7b", ("lora_rank", [8, 64])),
        ("并发从1改到4 显存多多少 qwen2.5 14b int4", ("concurrency", [1, 4])),
        ("qwen2.5 14b int4, concurrency from 2 to 16, how much more memory", ("concurrency", [2, 16])),
        ("上下文从2k加到8k 显存涨多少 qwen2.5 14b int4", ("context_len", [2048, 8192])),
    ],
)
def test_a_number_that_changes_is_asked_at_both_values(reader: Reader, text: str, each: tuple[str, list[int]]) -> None:
    assert reader.read(text).slots["each"] == each


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("4张3090 TP4跑qwen2.5-72b int4，20并发总吞吐能到多少", ("decode_tokens_per_second",)),
        ("llama 3 8b fp16 on an A100, total throughput at 20 concurrent requests", ("decode_tokens_per_second",)),
        ("qwen2.5 32b 的 gguf q4_k_m 下载下来多大", ("weights",)),
    ],
)
def test_throughput_in_all_and_the_size_of_a_download(reader: Reader, text: str, wanted: tuple[str, ...]) -> None:
    assert set(wanted) <= set(reader.read(text).parts[0].wanted)
