"""What surrounds a figure decides what it is: prices, links, tokens of a request and its reply, users."""

from __future__ import annotations

from typing import Any

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("租 4 块 3090，每块 5000 块，一共多少钱", {"gpu_count": 4, "gpu": "rtx-3090", "currency": "CNY"}),
        ("$3.1 per H100 hour, 16 gpus for 2 days", {"price_per_gpu_hour": 3.1, "gpu_count": 16, "days": 2.0}),
        ("4 张 A100 每小时 40 块，跑三天多少钱", {"price_per_hour": 40.0, "gpu_count": 4, "days": 3.0}),
        ("每张 A100 每小时 10 块，4 张跑三天多少钱", {"price_per_gpu_hour": 10.0, "gpu_count": 4}),
        ("机房电费一度六毛，8 张 4090 跑一年多少钱", {"electricity_price": 0.6}),
        ("25G network between the nodes, 2 nodes", {"network_gbps": 25.0}),
        ("8 H100 nodes, 400 Gb/s InfiniBand port per GPU", {"network_gbps": 400.0, "interconnect": "400 Gb/s per GPU"}),
        ("每台服务器 100G RoCE，7B 训练 1T token 要多久", {"network_gbps": 100.0, "interconnect": "100 Gb/s per node"}),
        ("10G 交换机带 4 台服务器训练够吗", {"network_gbps": 10.0}),
        ("800 in 300 out, 8B on a 3090, tok/s?", {"prompt_tokens": 800, "output_tokens": 300}),
        ("輸入 2k 輸出 256，14B 首字延遲多久", {"prompt_tokens": 2048, "output_tokens": 256, "context_len": 2304}),
        ("一百二十人同时用 32B int4 要几张 L40S", {"concurrency": 120, "quantization": "int4"}),
        ("并发五十，7B，上下文 8k", {"concurrency": 50, "context_len": 8192}),
        ("QPS 12 的 8B 服务要几张卡", {"requests_per_second": 12}),
        ("tp8 pp4. 64 H100 的 dp?", {"tensor_parallel": 8, "pipeline_parallel": 4, "gpu_count": 64}),
        ("PUE 1.3，100 张 H100 一年电费", {"pue": 1.3, "gpu_count": 100}),
        ("power for a year of 16 A100s at a PUE of 1.5", {"pue": 1.5, "gpu_count": 16}),
        ("8 张 A100 lora 72B，没配 deepspeed", {"zero_stage": 0}),
        ("plain DDP on 8 A100s, lora 70B", {"zero_stage": 0}),
        ("train a 7B with input length 2048", {"seq_len": 2048, "prompt_tokens": None}),
    ],
)
def test_slots_of_amounts(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    found = reader.read(text).slots
    assert {k: found.get(k) for k in slots} == slots


def test_money_is_no_card(reader: Reader) -> None:
    for text in ("租一块 A100 一个月 6000 块", "一台 8 卡 A100 报价 3090 元每月", "A100 costs $6000"):
        assert reader.read(text).slots["gpu"] == "a100-sxm4-80gb", text
        assert "gpus" not in reader.read(text).slots, text


def test_a_number_of_users_that_is_said_is_not_asked_for(reader: Reader) -> None:
    assert "max_concurrency" not in reader.read("支持一百个并发，32B int4，要多少显存").parts[0].wanted
    assert "max_concurrency" in reader.read("一张 4090 跑 8B 最多支持多少并发").parts[0].wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("24G 显存跑 32B q4 上下文能开到多少", ("max_context_len",)),
        ("vLLM 起 qwen3-32b，4 卡 L20，最大并发？", ("max_concurrency",)),
        ("双路 EPYC 9654 跑 R1 q4 每秒几个 token", ("decode_tokens_per_second",)),
        ("8 卡机柜功耗要多少千瓦，A100 400W", ("power",)),
        ("every token's KV of qwen2.5-7b: kv cache per token?", ("kv_cache_per_token",)),
        ("4 张 4090 要多大电源", ("psu",)),
        ("MFU 怎么算，8xH100 训 7B 每秒 80k tokens", ("mfu",)),
        ("how many 8-GPU nodes for DeepSeek-V3 in fp8 on H100", ("gpu_count", "nodes")),
        ("R1 fp8 用 H800 部署，要几台 8 卡机", ("gpu_count", "nodes")),
        ("how many servers to serve Llama 3 405B on H100", ("gpu_count", "nodes")),
        ("我想部署DeepSeek-R1满血版，要几台H20", ("gpu_count", "nodes")),
        ("How many 8-GPU nodes are 64 H100?", ("nodes",)),
    ],
)
def test_what_is_wanted(reader: Reader, text: str, wanted: tuple[str, ...]) -> None:
    assert reader.read(text).parts[0].wanted == wanted


@pytest.mark.parametrize(
    ("text", "per_node", "gpus"),
    [
        ("How many 8x H100 servers do I need to serve DeepSeek-R1?", 8, None),
        ("How many servers to serve Llama 3 405B on H100?", None, None),
        ("How many DGX H100 boxes to train a 70B model on 2T tokens in 30 days?", 8, None),
        ("训练 70B 要几台 DGX H100", None, None),
        ("How many 8-GPU nodes are 64 H100?", 8, 64),
    ],
)
def test_servers_that_are_asked_for_are_not_said(reader: Reader, text: str, per_node: int | None, gpus: int | None) -> None:
    slots = reader.read(text).parts[0].slots
    assert (slots.get("gpus_per_node"), slots.get("gpu_count")) == (per_node, gpus) and "nodes" not in slots


def test_cards_are_compared_by_what_they_do_with_a_model(reader: Reader) -> None:
    assert reader.read("RTX PRO 6000 vs 5090 for 70B q4?").intents == ("size",)
    assert reader.read("RTX PRO 6000 vs 5090").intents == ("compare",)


def test_four_bit_weights_are_tuned_through_adapters(reader: Reader) -> None:
    assert reader.read("微调 13B 4bit 要多少显存").slots["workload"] == "qlora"
    assert reader.read("unsloth llama-3-8b 4bit on a T4, 18000 ctx").slots["workload"] == "qlora"


def test_memory_shared_with_the_processor_comes_in_sizes_of_its_own(reader: Reader) -> None:
    understood = reader.read("M1 只有 8GB 統一記憶體，微調 1B 4bit 可以嗎")
    assert (understood.slots["gpu_memory_gb"], understood.premises) == (8.0, ())


def test_a_data_set_told_by_its_samples_is_multiplied_out(reader: Reader) -> None:
    slots = reader.read("50 万条样本，每条 400 token，2 轮，7B LoRA，4 张 4090 多久").slots
    assert (slots["tokens"], slots["seq_len"]) == (4e8, 400)
    assert reader.read("200k samples of 1000 tokens, 3 epochs, 8B lora on one A100: how long").slots["tokens"] == 6e8


def test_users_speak_of_a_model_that_runs(reader: Reader) -> None:
    assert reader.read("405B in fp8, 200 users, 8k ctx. H200 count?").slots["workload"] == "inference"


@pytest.mark.parametrize(
    "text",
    [
        "4090 价格",
        "A100 租金多少",
        "A100 一小时租金多少",
        "How much is an H200?",
        "How much does an A100 cost per hour on AWS?",
        "H200 rental price",
    ],
)
def test_the_price_of_a_card_is_asked_for_by_many_words(reader: Reader, text: str) -> None:
    (part,) = reader.read(text).parts
    assert part.wanted == ("cost",) and part.entities, part


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("4090 微调 7b lora 1万条数据 每条大概1000字 3轮 要多久", {"tokens": 3e7, "seq_len": 1000}),
        ("A100 lora 14B，5 万条样本，平均 600 个字，2 个 epoch 多久", {"tokens": 6e7, "seq_len": 600}),
        ("LoRA on a 7B, 10000 samples of 300 words each, 2 epochs: how long on a 4090?", {"tokens": 8e6, "seq_len": 400}),
        ("4090 二手一万二 租2块3一小时 买还是租", {"purchase_price": 12000.0, "price_per_gpu_hour": 2.3}),
        ("4090买12000，租2.3元/小时，多少小时回本", {"purchase_price": 12000.0, "price_per_gpu_hour": 2.3}),
        ("3090 全新一万，租一小时 2 块，租还是买", {"purchase_price": 10000.0, "price_per_gpu_hour": 2.0, "hours": None}),
        ("8k预算买什么显卡", {"budget": 8000.0, "context_len": None}),
        ("预算 8000 买啥 gpu", {"budget": 8000.0, "gpu": None}),
        ("budget 6000, which gpu to buy", {"budget": 6000.0, "gpu": None}),
        ("Qwen2.5-7B 8k 上下文", {"context_len": 8192, "budget": None}),
    ],
)
def test_lengths_in_characters_and_prices_in_words(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    found = reader.read(text).slots
    assert {k: found.get(k) for k in slots} == slots


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("8B模型bf16的safetensors多大", ("weights",)),
        ("how big are the safetensors of a 14B in bf16", ("weights",)),
        ("预算一万 买啥 gpu 好", ("hardware",)),
    ],
)
def test_other_words_for_a_wish(reader: Reader, text: str, wanted: tuple[str, ...]) -> None:
    assert reader.read(text).parts[0].wanted == wanted


@pytest.mark.parametrize(
    "text",
    [
        "学大模型微调，买4060Ti 16G还是二手3090",
        "推理入 4090 还是 7900 XTX",
        "should I buy a 4060 Ti 16GB or a used 3090 for fine-tuning?",
    ],
)
def test_buying_one_or_the_other_is_a_choice(reader: Reader, text: str) -> None:
    (part,) = reader.read(text).parts
    assert (part.intent, part.conditions[0][1]) == ("compare", "best")


@pytest.mark.parametrize(
    "turns",
    [
        ("4090 二手一万二 租2块3一小时 买还是租", "我每天就用4个小时", "电费也算上呢 6毛一度"),
        (
            "a 4090 costs 1800, renting one is $0.4/h, when does it break even",
            "4 hours a day",
            "include electricity at $0.2/kWh",
        ),
    ],
)
def test_a_cost_counted_in_leaves_the_question_of_buying(reader: Reader, turns: tuple[str, ...]) -> None:
    *history, last = turns
    (part,) = reader.read(last, history).parts
    assert part.wanted == ("break_even",) and part.slots["hours_per_day"] == 4 and part.slots["electricity_price"] in (0.6, 0.2)


@pytest.mark.parametrize(
    ("turns", "count"),
    [
        (("4张v100 16g的 跑得动chatglm3-6b不", "那就这几张卡 全参微调呢"), 4),
        (("两张 4090 跑得动 32B 不", "就那几张卡 lora 呢"), 2),
    ],
)
def test_these_cards_are_as_many_as_before(reader: Reader, turns: tuple[str, str], count: int) -> None:
    (part,) = reader.read(turns[1], turns[:1]).parts
    assert part.asks_verdict and part.slots["gpu_count"] == count and "gpu_count" not in part.wanted


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("a 40 GB GGUF, how much RAM do I need for CPU inference?", {"size_gb": 40.0, "memory_gb": None}),
        ("DeepSeek-R1 的 4bit 版约 404GB，纯 CPU 推理内存至少要多大", {"size_gb": 404.0}),
        ("跑 13B 推理，16G 的卡", {"memory_gb": 16.0, "parameters": 13e9, "gpu_count": 1}),
        ("跑 32B 推論，手上 24GB 的显卡", {"memory_gb": 24.0, "parameters": 32e9, "gpu_count": 1}),
    ],
)
def test_a_file_is_no_card_and_a_card_behind_a_model_is_to_hold_it(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    (part,) = reader.read(text).parts
    assert part.intent == "size" and {k: part.slots.get(k) for k in slots} == slots


def test_cards_for_a_model_are_listed(reader: Reader) -> None:
    assert [reader.read(t).intents for t in ("适合跑7B的24G的卡", "能跑 13B 的 16G 的卡有哪些")] == [("filter",)] * 2
