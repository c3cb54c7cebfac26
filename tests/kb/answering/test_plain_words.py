"""What ordinary people write is read as they mean it: prices without a sign, people at once, lanes, laptops, where a machine stands."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase

AT_ONCE = ("concurrency", "sequences")


@pytest.mark.parametrize(
    ("question", "cost"),
    [
        ("a100 spot 0.89/hr x4 for 72 hrs $?", 256.3),
        ("4 h100 1.99 an hour for 3 days, total", 573.1),
        ("h200 3.2/hr 8 gpus 2 weeks price", 8602),
        ("a100 0.89一小时，4张跑72小时多少钱", 256.3),
    ],
)
def test_a_bare_price_an_hour_is_the_one_that_counts(knowledge: KnowledgeBase, question: str, cost: float) -> None:
    answer = knowledge.ask(question)
    assert next(v.value for v in answer.values if v.name == "cost") == pytest.approx(cost, rel=0.01)


@pytest.mark.parametrize(
    ("question", "at_once"),
    [
        ("60 students but only 25 use it simultaneously, 7b, how much vram", 25),
        ("team of 40, say 15 of us at once, how much memory for 8B", 15),
        ("100 users, about 20 simultaneous, how much vram for 8B", 20),
        ("for a team of 40 people, 12 of them active at a time, 8B memory", 12),
    ],
)
def test_of_many_people_those_at_once_count(knowledge: KnowledgeBase, question: str, at_once: int) -> None:
    told = {float(i.value) for line in knowledge.ask(question).derivation for n, i in line.inputs.items() if n in AT_ONCE}
    assert told == {at_once}


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("pcie 4 x4 vs pcie 3 x16, which is faster", "PCIe 3.0 x16 is the faster one: 15.8 GB/s"),
        ("PCIe 5.0 x4 vs PCIe 4.0 x8, which is faster?", "PCIe 5.0 x4 and PCIe 4.0 x8 are equally fast"),
        ("PCIe 4.0 x4 和 PCIe 3.0 x16 哪个快", "更快的是 PCIe 3.0 x16"),
    ],
)
def test_of_two_buses_the_lanes_decide(knowledge: KnowledgeBase, question: str, lead: str) -> None:
    assert knowledge.ask(question).text.startswith(lead)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("gaming laptop with an RTX 3060 6GB, 3B Q4 ok?", "RTX 3060 Laptop offers"),
        ("laptop has an rtx 3080 16gb, 13b q4 fits?", "RTX 3080 Laptop 16GB offers"),
        ("AutoModelForCausalLM.from_pretrained with a 13b fp16 on a 3090, does it fit", "inference of 13B"),
        ("min # of h100 for llama 405b bf16", "at least 11 ×"),
        ("My apartment has a 16A 230V circuit. Can I run a box with four RTX 3090s on it?", "1889 W, and 2944 W are there"),
        ("three 4090s on 16 amps", "2944 W are there"),
        ("I want a graphics card with at least 24 GB that draws less than 320 watts", "power (TDP) below 320 W"),
        ("what does an L4 have", "NVIDIA L4: memory capacity 24 GB"),
        ("介绍一下 L4", "NVIDIA L4：显存容量 24 GB"),
        ("2 rtx 4070 ti w/ 24gb each, 70b q4?", "RTX 4070 Ti is 12 GB, not 24 GB"),
        ("8张H20能跑满血DeepSeek-R1吗", "8 张 H20 96GB 上 DeepSeek-R1 671B 推理"),
        ("-3 H100s for 20 hours at $2.20", "at least one GPU"),
        ("Qwen3-14B 用 FP8 权重，BF16 KV，8 路并发每路 8K，要多少显存？", "显存合计：25 GiB"),
        ("Qwen3 14B with FP8 weights and BF16 KV cache, 8 requests of 8k, how much VRAM?", "Memory in total: 25 GiB"),
        ("kv cache 用fp8，llama3-70b 128k一条要多少G", "KV 缓存：20 GiB"),
        ("模型叁拾贰亿参数，四卡L20 LoRA 4k，够吗", "3.2B LoRA 微调每卡约需"),
        ("400M 的小模型预训练要多少显存", "显存合计：8.79 GiB"),
    ],
)
def test_what_is_meant_is_answered(knowledge: KnowledgeBase, question: str, said: str) -> None:
    assert said in knowledge.ask(question).text


def test_memory_of_two_channels_is_no_servers(knowledge: KnowledgeBase) -> None:
    """3,200 MT/s x 8 bytes x 2 channels = 51.2 GB/s."""
    text = knowledge.ask("qwen3 30b a3b q4 experts in ddr4-3200 dual ch, speed?").text
    assert "51.2 GB/s" in text and "307" not in text


def test_stages_hold_whole_layers_where_a_size_alone_is_said(knowledge: KnowledgeBase) -> None:
    """About 72 layers are not dealt out to 32 stages."""
    assert "PP32" not in knowledge.ask("4 台 8 卡 H100，训 70B，TP PP DP 怎么设").text
