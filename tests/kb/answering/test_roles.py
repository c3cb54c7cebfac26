"""Figures whose role stands around them: a capacity that is to be enough, lengths without a space, bounds of an engine, batches, swaps."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "memory", "verdict"),
    [
        ("纯bf16（不留fp32 master）全参训8B，状态一共多少，单张80G放得下吗", 80, "fits_with_conditions"),
        ("7B QLoRA 24G够吗", 24, "fits"),
        ("13B 全参微调 80G 够不够", 80, "does_not_fit"),
        ("4bit unsloth finetune of a 14b, is 16gb enough?", 16, "fits"),
        ("full finetune of an 8b, is 24gb enough?", 24, "does_not_fit"),
    ],
)
def test_what_is_to_be_enough_is_a_capacity_and_no_claim(
    knowledge: KnowledgeBase, question: str, memory: float, verdict: str
) -> None:
    answer = knowledge.ask(question)
    assert (answer.understanding.slots.get("memory_gb"), answer.verdict) == (memory, verdict), answer.text
    assert not any(words in answer.text for words in ("题中的", "of the question")), answer.text


@pytest.mark.parametrize(
    ("question", "slots"),
    [
        ("14b全参4*A800 80g zero3 bs1 cutoff8192够不", {"seq_len": 8192, "gpu_count": 4, "micro_batch": 1}),
        ("qlora 7b seq4096 on a 3090, enough?", {"seq_len": 4096}),
        ("两机１６卡ａ１００８０Ｇ跑７０Ｂ的ｌｏｒａ", {"gpu": "a100-sxm4-80gb", "gpu_count": 16, "nodes": 2}),
        ("does a 13b fit an a10040g", {"gpu": "a100-sxm4-40gb"}),
        ("一千三百億參數、3.6兆 token、2048 張 H100，要訓練多久", {"parameters": 1.3e11, "tokens": 3.6e12, "gpu_count": 2048}),
        (
            "全局批 1024，64 卡 TP8，micro batch 1，梯度累积步数要设多少",
            {"global_batch": 1024, "gpu_count": 64, "micro_batch": 1},
        ),
    ],
)
def test_figures_are_read_where_no_space_divides_them(
    knowledge: KnowledgeBase, question: str, slots: dict[str, object]
) -> None:
    read = knowledge.understand(question).slots
    assert {n: read.get(n) for n in slots} == slots


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("global batch 4M tokens, seq 4096, 64 dp ranks, micro batch 2: how many grad accum steps", 8),
        ("全局批 1024，64 卡 TP8，micro batch 1，梯度累积步数要设多少", 128),
        ("global batch size 512 sequences on 16 GPUs with micro batch 4, what gradient accumulation?", 8),
        ("gbs=2048 mbs=2 dp=32，梯度累积几步", 32),
    ],
)
def test_micro_batches_are_accumulated_to_the_global_batch(knowledge: KnowledgeBase, question: str, steps: int) -> None:
    assert {v.name: v.value for v in knowledge.ask(question).values}["gradient_accumulation"] == steps


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("qwen2.5-14b-instruct-awq, 1x3090, --max-model-len 16384 --max-num-seqs 8", "8 is a bound"),
        ("vllm serve qwen2.5-7b-instruct --max-num-seqs 256 --max-model-len 32768，单张4090能起来吗", "256 只是并发上限"),
    ],
)
def test_what_an_engine_takes_on_at_most_is_no_demand(knowledge: KnowledgeBase, question: str, said: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "fits" and said in answer.text, answer.text


@pytest.mark.parametrize(
    ("question", "difference"),
    [
        ("adamw换成8bit优化器，13B能省多少显存", 72.64),
        ("swap adamw for adafactor on an 11B full finetune, how many gb do i save roughly", 81.9),
    ],
)
def test_one_optimizer_for_another_is_a_difference(knowledge: KnowledgeBase, question: str, difference: float) -> None:
    values = {v.name: v.value for v in knowledge.ask(question).values}
    assert values["difference"] == pytest.approx(difference, rel=0.01)


@pytest.mark.parametrize("question", ["1e999B的模型推理要多少显存", "how much vram for a 5e400B model"])
def test_a_figure_beyond_anything_is_named(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "declined" and any(n in answer.text for n in ("1e999b", "5e400b")), answer.text


@pytest.mark.parametrize(
    ("question", "name", "value"),
    [
        ("loading 140gb of weights from a sata ssd, how long", "load_time", 254.5),
        ("70B fp16 从 PCIe 4.0 NVMe 加载要多久", "load_time", 20),
        ("my safetensors files add up to 28.9gb, how much vram to just load and chat", "weights", 26.9),
        ("7B on 100B tokens, getting 3,400 tok/s/gpu on 8x a100. mfu?", "mfu", 0.458),
        ("我测出来单卡A100每秒3000 token训7B，MFU多少，正常吗", "mfu", 0.404),
    ],
)
def test_what_is_named_or_measured_sets_the_figure(knowledge: KnowledgeBase, question: str, name: str, value: float) -> None:
    answer = knowledge.ask(question)
    assert {v.name: v.value for v in answer.values}[name] == pytest.approx(value, rel=0.01), answer.text
