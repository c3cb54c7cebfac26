"""A figure that is given takes the place of the default of its kind: power, shared memory, batches, servers, prices."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "name", "value"),
    [
        ("heat load in BTU/hr of an 8x H100 server drawing 10.2 kW", "heat", 34804),
        ("a server with 8x H100 pulls 9.5 kW, how much heat in BTU/h", "heat", 32415),
        ("8卡H100服务器满载10.2kW，散热量多少BTU/h", "heat", 34804),
        ("8x H100 heat output in BTU/h", "heat", 24840),
        ("3 3090s limited to 250w + threadripper 280w on a 15a 120v circuit ok?", "wall_power", 1256),
        ("2x 4090 and a 170W cpu on a 15A 120V circuit ok?", "wall_power", 1300),
        ("3张3090限250W，加一颗280W的CPU，10A插座够吗", "wall_power", 1256),
        ("rent 8 h100 at 2.20/hr each for 2 weeks", "cost", 5914),
        ("$2.20 per hour per gpu, 8 H100 for 2 weeks, total?", "cost", 5914),
        ("full ft 7b, batch of 4, seq 2048 on 8 A100 80GB", "memory_per_gpu", 19),
        ("ft a 1.7b w/ lora, 2*3060 12gb, bsz 4, ctx 2,048", "memory_per_gpu", 5.71),
    ],
)
def test_what_is_given_is_reckoned_with(knowledge: KnowledgeBase, question: str, name: str, value: float) -> None:
    answer = knowledge.ask(question)
    values = {v.name: v.value for v in answer.values}
    assert values.get(name, values.get("power")) == pytest.approx(value, rel=0.01), answer.text


@pytest.mark.parametrize(
    ("question", "verdict", "available"),
    [
        ("M3 Max 36 GB 32B q8 fits?", "does_not_fit", 24),
        ("M4 Max 48GB 跑 70B q4 行吗", "does_not_fit", 36),
        ("got a 64gb m2 max, can it do mixtral 8x22b q4??", "does_not_fit", 48),
        ("64GB的M2 Max跑Mixtral 8x7B q4够吗", "fits", 48),
        ("M4 Pro 24GB 内存跑14B q4够吗", "fits", 16),
        ("M2 Ultra 192GB, llama 70b q8 fits?", "fits", 144),
    ],
)
def test_shared_memory_comes_in_several_sizes(knowledge: KnowledgeBase, question: str, verdict: str, available: float) -> None:
    answer = knowledge.ask(question)
    values = {v.name: v.value for v in answer.values}
    assert answer.verdict == verdict, answer.text
    assert values["memory_available_per_gpu"] == pytest.approx(available, rel=0.01), answer.text
    assert "host memory" not in answer.text and "主机内存" not in answer.text, answer.text


@pytest.mark.parametrize(
    ("question", "gpus"),
    [
        ("3 nodes each w/ 4xH200, full FT of a 123B", 12),
        ("four servers, each has 8 A100, full fine-tuning of 70B", 32),
        ("3 nodes with 4 H200 each, full FT of a 123B", 12),
        ("3台服务器每台4张H200，全参微调123B", 12),
    ],
)
def test_servers_of_so_many_cards_each(knowledge: KnowledgeBase, question: str, gpus: int) -> None:
    assert f"{gpus} " in knowledge.ask(question).text.split(".")[0].split("。")[0]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("纯 bf16 全参 14B，不留 fp32 副本，模型状态多少", "权重 2 B、梯度 2 B、优化器状态 4 B，纯 BF16，不留 FP32 副本"),
        ("model states of full fine-tuning a 14B with adamw", "weights 2 B, gradients 2 B, optimizer states 12 B)"),
        ("30B 纯 fp32 AdamW，模型状态多少", "权重 4 B、梯度 4 B、优化器状态 8 B"),
        ("13B 用 fp32 的 AdamW（no mixed precision），model states 多大", "权重 4 B、梯度 4 B、优化器状态 8 B"),
        ("fp32-only AdamW, 34B, states?", "weights 4 B, gradients 4 B, optimizer states 8 B"),
        ("13B 混合精度 AdamW（fp32 主权重），模型状态多少", "权重 2 B、梯度 2 B、优化器状态 12 B"),
    ],
)
def test_the_bytes_of_a_parameter_are_told_by_what_they_are(knowledge: KnowledgeBase, question: str, told: str) -> None:
    assert told in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("训练完保存的 7B 模型怎么变成 28G 了", "28 GB 是 FP32 的大小，存成 BF16 每参数字节数减半，为 14 GB"),
        (
            "merged 13B model went from 26GB to 52GB, why",
            "26 GB is the size in BF16; saved in FP32, twice the bytes per parameter, it is 52 GB",
        ),
        (
            "why is my saved 9B checkpoint 36 GB",
            "36 GB is the size in FP32; saved in BF16, half the bytes per parameter, it is 18 GB",
        ),
    ],
)
def test_a_size_that_is_one_of_a_format_is_named_by_it(knowledge: KnowledgeBase, question: str, told: str) -> None:
    assert told in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "verdict", "said"),
    [
        ("qwen3-14b 和 qwen3-8b 一起放一张 48G 的卡行不行", "does_not_fit", "一起放不下"),
        ("llama 3 8b fp16 and qwen2.5 7b fp16 on the same A6000 48GB, does it fit?", "fits", "together"),
        ("qwen2.5-7b 和 llama3-8b 同时跑在两张 4090 上够吗", "fits", "合计"),
    ],
)
def test_models_that_run_side_by_side_are_summed(knowledge: KnowledgeBase, question: str, verdict: str, said: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == verdict and said in answer.text, answer.text


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("假如 4090 有 96GB 显存，70B q4 放得下吗", "fits"),
        ("suppose an H100 had 800 GB, would llama 3.1 405b in bf16 fit on one?", "does_not_fit"),
        ("suppose a 4090 had 96 GB, would a 70b in q4 fit on one?", "fits"),
    ],
)
def test_a_supposed_card_is_sized_as_supposed(knowledge: KnowledgeBase, question: str, verdict: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == verdict, answer.text
    assert "One thing first" not in answer.text and "先更正" not in answer.text


@pytest.mark.parametrize(
    "question", ["qwen3-8b 加一个 embedding 模型挤一张 24G 行不行", "llama 3 8b plus a reranker on one 4090, fits?"]
)
def test_a_second_model_that_is_not_sized_is_named(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert ("没有用在这项计算里" in text and "embedding" in text) or ("does not use" in text and "reranker" in text), text
