"""Sums over figures that stand in the question: steps, downloads, parts of the memory, adapters, caches, files, air, bubbles."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


def _values(knowledge: KnowledgeBase, question: str) -> dict[str, float]:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing", answer.text
    return {v.name: float(v.value) for v in reversed(answer.values) if isinstance(v.value, int | float)}


@pytest.mark.parametrize(
    ("question", "hours"),
    [
        ("1.8 s/it, 9000 steps left, how long", 4.5),
        ("300 steps, 140 s per step, how many hours", 11.667),
        ("each step takes 3.1 seconds and i need 20k steps", 17.222),
        ("4000 iterations at 2.5 it/s", 0.4444),
        ("sft 2.4 s/it, 52k samples, global batch 128, 3 epochs. when is it done", 0.8127),
        ("grpo 500 steps a 95 sec how many hrs", 13.194),
        ("80k samples, 2 epochs, batch size 4 x grad accum 8 on 8 gpus, 3.2 s/it, how long", 0.5556),
        ("52000 条样本，3 个 epoch，批大小 16，梯度累积 4，2 张卡，每步 2.4 秒，要多久", 0.8127),
        ("每步 3.1 秒，要跑 2 万步，多久", 17.222),
        ("训练 12000 步，2.5 秒/步，还要几个小时", 8.333),
        ("52000 条样本，3 个 epoch，全局批 128，每步 2.4 秒，要多久", 0.8127),
    ],
)
def test_steps_take_their_number_times_one(knowledge: KnowledgeBase, question: str, hours: float) -> None:
    assert _values(knowledge, question)["training_time"] * 24 == pytest.approx(hours, rel=0.001)


@pytest.mark.parametrize(
    ("question", "seconds"),
    [
        ("downloading deepseek r1 on a 500 mbit line", 10_736),
        ("how long to download qwen3 235b over gigabit", 3_761),
        ("llama 405b bf16 on a 1 gbps line, download time", 6_494),
        ("how long does it take to download 140 GB at 200 Mbit/s", 5_600),
        ("deepseek v3 下载要多久，千兆宽带", 5_368),
        ("500M 宽带下载 Qwen3-235B 要多久", 7_523),
    ],
)
def test_a_model_is_downloaded_in_the_format_it_is_published_in(
    knowledge: KnowledgeBase, question: str, seconds: float
) -> None:
    assert _values(knowledge, question)["download_time"] == pytest.approx(seconds, rel=0.005)


@pytest.mark.parametrize(
    ("question", "name", "gb"),
    [
        ("gradients of a 20B in FP32, how many GB", "gradients", 80),
        ("how much memory do the gradients of a 7B take in bf16", "gradients", 14),
        ("7B 的梯度占多少显存", "gradients", 14),
        ("how much do the adam moments of a 13B take", "moments", 104),
        ("size of the fp32 master weights for a 70B", "master_weights", 280),
        ("70B 的 fp32 主权重多大", "master_weights", 280),
        ("how much memory is the embedding table of llama 3 8b", "embedding_table", 1.05),
        ("Llama 3 8B 的词嵌入表占多少显存", "embedding_table", 1.05),
        ("vocab 128256, seq 8192, micro batch 2: logits in fp32, how big", "logits_once", 8.41),
        ("词表 151936，序列 4096，批大小 4，logits 占多少显存", "logits_once", 9.96),
        ("logits of llama 3.1 8b at 8k context, batch 4, memory?", "logits_once", 16.81),
        ("7B 激活占多少显存，seq 4096 batch 1", "activations", 12.3),
    ],
)
def test_one_part_of_the_memory_is_told_alone(knowledge: KnowledgeBase, question: str, name: str, gb: float) -> None:
    assert _values(knowledge, question)[name] * 1.073741824 == pytest.approx(gb, rel=0.01)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many lora adapters fit next to a bf16 llama 3.1 8B on a 4090, r=16 all linear", {"max_adapters": 62}),
        ("一张 4090 上跑 bf16 的 Llama 3.1 8B，旁边还能放多少个 r=16 的 LoRA", {"max_adapters": 62}),
        ("512gb ram, kv offload, how many tokens of llama 3.3 70b", {"host_cache_tokens": 1_677_721}),
        ("512GB 内存放 Llama 3.3 70B 的 KV 缓存，能存多少 token", {"host_cache_tokens": 1_677_721}),
        ("900m images of 200kb, how much storage", {"dataset_size": 167_638}),
        ("9 亿张图片每张 200KB，要多大存储", {"dataset_size": 167_638}),
        (
            "900m imgs 200kb, 64 gpus at 2k img/s each, how big + how fast",
            {"dataset_size": 167_638, "read_bandwidth": 25.6},
        ),
        ("64 张卡每张每秒读 2000 张图，每张 200KB，存储带宽要多少", {"read_bandwidth": 25.6}),
        ("CFM for 10 kW at 15 °C rise", {"airflow": 1_979, "airflow_cfm": 1_165}),
        ("10 kW 机柜，温升 15 度，风量要多少", {"airflow": 1_979, "airflow_cfm": 1_165}),
    ],
)
def test_what_fits_and_what_flows_follows_from_the_figures(
    knowledge: KnowledgeBase, question: str, expected: dict[str, float]
) -> None:
    values = _values(knowledge, question)
    assert {n: values.get(n) for n in expected} == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize(
    ("question", "bubble"),
    [
        ("pp=16 microbatches=64 interleave 2, pipeline bubble?", 15 / 128),
        ("bubble with 8 stages and 32 microbatches", 7 / 32),
        ("bubble with 8 stages, 32 micro-batches, 4 virtual stages", 7 / 128),
        ("pipeline bubble p=8 m=32", 7 / 32),
        ("PP 8, 32 microbatches, bubble?", 7 / 32),
        ("PP8 微批32 interleaved v=2 气泡多少", 7 / 64),
        ("8 段流水线，32 个微批次，气泡多大", 7 / 32),
        ("8 级流水线，micro batch 数 32，每级 4 个虚拟段，气泡占比", 7 / 128),
    ],
)
def test_stages_micro_batches_and_chunks_are_read_in_words(knowledge: KnowledgeBase, question: str, bubble: float) -> None:
    assert _values(knowledge, question)["pipeline_bubble"] == pytest.approx(bubble)


def test_both_formats_of_gradients_are_told_where_both_are_named(knowledge: KnowledgeBase) -> None:
    text = knowledge.ask("gradients of a 20B in FP32, and how much is saved by BF16?").text
    assert "(80 GB)" in text and "(40 GB)" in text


@pytest.mark.parametrize(
    "question",
    ["what is gradient accumulation", "why are my gradients NaN after 2000 steps", "气泡是什么", "what is a pipeline bubble"],
)
def test_a_word_of_a_sum_without_its_figures_is_no_sum(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).kind != "sizing"


def test_a_further_turn_changes_a_figure_of_the_sum(knowledge: KnowledgeBase) -> None:
    steps = knowledge.ask("n with 4 nodes instead of 1", history=[("user", "grpo 500 steps a 95 sec how many hrs")])
    assert steps.values and "3.3 hours" in steps.text and "At best" in steps.text
    bubble = knowledge.ask("interleaved 虚拟段2呢", history=[("user", "PP 8, 32 microbatches, bubble?")])
    assert "10.9 %" in bubble.text


@pytest.mark.parametrize(
    ("question", "name", "value"),
    [
        ("how long to send the KV cache of llama 3.3 70b at 32k over 100 GbE", "kv_transfer_time", 0.859),
        ("Llama 3.3 70B 的 KV 32k 上下文 通过 100GbE 传给另一台要多久", "kv_transfer_time", 0.859),
        ("1000张H100 平均8小时坏一次 存检查点2分钟 多久存一次", "checkpoint_interval", 2629),
    ],
)
def test_times_of_a_cache_and_of_failures_are_those_that_are_said(
    knowledge: KnowledgeBase, question: str, name: str, value: float
) -> None:
    assert _values(knowledge, question)[name] == pytest.approx(value, rel=0.005)


@pytest.mark.parametrize(
    "question",
    [
        "training log: step 1200/20000, 3.7 s/it. how much longer",
        "1200/20000 [3.7s/it] how long until the training is done?",
        "训练到第 1200/20000 步，3.7 秒/步，还要多久",
    ],
)
def test_steps_that_are_left_take_their_time(knowledge: KnowledgeBase, question: str) -> None:
    value = next(v.value for v in knowledge.ask(question).values if v.name == "training_time")
    assert value == pytest.approx(18_800 * 3.7 / 86_400)
