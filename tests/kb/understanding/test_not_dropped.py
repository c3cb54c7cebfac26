"""A stated word or number is used, or named as unused; never dropped."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("deepseek v3.2 fp8 8 张 h200 100并发每个16k 开dp attention 够吗", "dp attention"),
        ("qwen3-32b 一张H100 总结100页的PDF 够吗", "100页的pdf"),
        ("qwen3-32b summarise a 50 page document on one A100, fits?", "50 page document"),
        ("对 Qwen3-VL-8B 做 LoRA 微调并冻结视觉编码器，24GB 够用？", "冻结视觉编码器"),
        ("llama 70b fp8 on 2 h100 with prefix caching, fits?", "prefix caching"),
    ],
)
def test_what_no_rule_counts_is_kept(reader: Reader, text: str, phrase: str) -> None:
    assert phrase in reader.read(text).parts[0].slots["uncounted"]


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("20 个学生每人独立做 7B QLoRA 要几张 4090", 20),
        ("15 個同學各自全參微調 8B，H100 要幾張", 15),
        ("30 students, their own 13B LoRA each, how many A100 80GB", 30),
        ("200 employees use qwen3-32b, how many H100", None),
        ("12 engineers share one 7B QLoRA run, how many 4090", None),
    ],
)
def test_each_with_a_run_of_his_own(reader: Reader, text: str, runs: int | None) -> None:
    assert reader.read(text).parts[0].slots.get("runs") == runs


@pytest.mark.parametrize(
    "text", ["用H100集群预训练70B可行吗", "用H100叢集預訓練70B可行嗎", "Can I pretrain a 70B on an H100 cluster?"]
)
def test_a_cluster_without_a_count_is_no_single_card(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert part.intent == "size" and "gpu_count" not in part.slots


@pytest.mark.parametrize("text", ["64 张 H100 集群预训练70B可行吗", "Can I pretrain a 70B on a cluster of 64 H100?"])
def test_a_cluster_with_a_count_is_held_against_it(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert part.slots["gpu_count"] == 64
    assert part.asks_verdict


@pytest.mark.parametrize(
    ("text", "device"),
    [
        ("pi5 16gb run llama 8b q4?", "pi5"),
        ("can a raspberry pi 5 run qwen3 4b", "raspberry pi 5"),
        ("rk3588 跑 qwen3-1.7b 行吗", "rk3588"),
        ("樹莓派5 8G 跑 qwen3-1.7b q4 夠嗎", "樹莓派5"),
        ("how much hbm does the h100 in the ps6 have", "ps6"),
    ],
)
def test_a_device_without_a_row_is_named(reader: Reader, text: str, device: str) -> None:
    assert device in reader.read(text).unknown_entities


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("LoRA 8B with a sequence length of 8192 on a 4090, does it fit?", "seq_len", 8192),
        ("memory of full fine-tuning 7B at a seq len of 4,096", "seq_len", 4096),
        ("rent 2x 3090 for .22/h each, 200 hours, cost?", "price_per_gpu_hour", 0.22),
        ("rent price of $.89 per hour for 8 H100, 100 hours, cost?", "price_per_gpu_hour", 0.89),
        ("每小时.9元租4090，跑100小时多少钱", "price_per_gpu_hour", 0.9),
        ("124M gpt, 10B tokens, one 4090, 40% mfu, how long", "parameters", 124e6),
        ("nanogpt 350M 20B tok 2x3090", "parameters", 350e6),
        ("how long to pretrain 124M on 10B tokens on a 4090", "parameters", 124e6),
        ("用一张 4090 预训练 350M，10B token 要多久", "parameters", 350e6),
        ("8b lora seq8k bs1 24G 够吗", "seq_len", 8192),
        ("7B 激活值占多少，序列长8192，batch 1", "seq_len", 8192),
        ("7B 全参 全局bs 512 微批1 8卡 A100 要累积几步", "global_batch", 512),
        ("7B 全参 全局bs 512 微批1 8卡 A100 要累积几步", "micro_batch", 1),
        ("4090 月租6000 还是买 1.6万 划算", "price_per_month", 6000),
        ("4 L40S at 7,500 USD each vs renting at 0.95/h per card, break-even?", "purchase_price", 30_000),
        ("4 张 L40S 每张 5 万，租的话每卡每小时 6 元，多久回本", "purchase_price", 200_000),
        ("buy 8 H100 for 240k or rent at 2.5/h per gpu, break even?", "purchase_price", 240_000),
    ],
)
def test_short_ways_of_writing_a_figure_are_read(reader: Reader, text: str, slot: str, value: float) -> None:
    assert reader.read(text).parts[0].slots.get(slot) == pytest.approx(value)


@pytest.mark.parametrize("text", ["zero-3, 13b, 4 gpus, gb/gpu", "zero-3, 13b, 4 gpus, gb per gpu"])
def test_a_stroke_is_per(reader: Reader, text: str) -> None:
    assert "memory_per_gpu" in reader.read(text).parts[0].wanted or "model_states_per_gpu" in reader.read(text).parts[0].wanted


def test_some_cards_that_were_found_are_not_counted(reader: Reader) -> None:
    part = reader.read("公司库房翻出来几张A30，这卡显存多大，功耗多少").parts[0]
    assert part.intent == "lookup" and part.columns == ("memory_gb", "tdp_w")
    assert "gpu_count" in reader.read("要几张 4090 跑 70B").parts[0].wanted
