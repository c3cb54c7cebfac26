"""A part of the memory, one GPU's share, an end or a length asked for are not the whole, nor a verdict."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("开了zero2之后30B模型、16卡，每卡模型状态多少", "model_states_per_gpu"),
        ("ZeRO-3 on 8 GPUs, 13B: model states per GPU?", "model_states_per_gpu"),
        ("千亿模型1T tokens，512张H800，MFU 40%，几个月能训完", "training_time"),
        ("7B 用 8 张 A100 训 300B token，多久能练完", "training_time"),
        ("r1-distill-llama-70b用awq量化，两张4090能放下多长的上下文", "max_context_len"),
        ("qwen3-32b awq on one 3090: how long a context will it hold?", "max_context_len"),
        ("how much context can llama 3.1 8b do on a 24GB card", "max_context_len"),
        ("pretraining a 3B, plain adam. how much gpu mem just for the states", "model_states"),
        ("7B 全参训练，不算激活要多少显存", "model_states"),
        ("activations for llama3-8b at seq 8192 mbs 1 with full checkpointing, ballpark", "activations"),
        ("keeping the last 5 full checkpoints of a 34b pretrain, how many TB", "checkpoint_size"),
        ("full finetune a 13b with zero3 on a100 40gb, how few can i get away with", "gpu_count"),
        ("512 gpus, tp4 pp8, whats dp", "dp_size"),
        ("64 张卡 TP8 PP4，DP 是多少", "dp_size"),
        ("r=8 vs r=128 lora on mistral 7b, how much extra vram does the big rank cost", "memory_total"),
    ],
)
def test_what_is_asked_for_is_read_closely(reader: Reader, text: str, wanted: str) -> None:
    part = reader.read(text).parts[0]
    assert part.wanted[0] == wanted
    assert not {"memory_total", "memory_per_gpu", "cost"} & set(part.wanted) - {wanted}


@pytest.mark.parametrize("text", ["H100 的 TDP 是多少", "4090的tdp是多少瓦", "A100 TDP 为多少"])
def test_the_end_of_a_word_is_no_parallel_degree(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert (part.intent, part.columns, part.wanted) == ("lookup", ("tdp_w",), ())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("34B混合精度AdamW，参数、梯度、优化器各占多少", ("weights", "gradients", "optimizer_states", "model_states")),
        ("13B full FT: weights, gradients, optimizer, how much each?", ("weights", "gradients", "optimizer_states", "model_states")),
        ("llama 3.1 8b, 128k ctx, bf16: weights and kv seperately please", ("weights", "kv_cache")),
        ("qwen2.5-72b 32k 上下文，权重和 kv 各多少", ("weights", "kv_cache")),
        ("671B的检查点带优化器多大，写到20GB/s的并行文件系统要几分钟", ("checkpoint_size", "write_time")),
    ],
)  # fmt: skip
def test_what_is_asked_for_apart_is_told_apart(reader: Reader, text: str, wanted: tuple[str, ...]) -> None:
    assert reader.read(text).parts[0].wanted == wanted


@pytest.mark.parametrize(
    ("text", "workload"),
    [("llama 3 8b on a 3080?", "inference"), ("qwen3-32b 两张 4090 够吗", "inference"), ("7B 训练一张 4090 够吗", None)],
)
def test_a_model_on_a_card_is_to_run_where_nothing_is_said_of_training(reader: Reader, text: str, workload: str | None) -> None:
    assert reader.read(text).parts[0].slots.get("workload") == workload


def test_ranks_and_cards_far_apart_are_a_series(reader: Reader) -> None:
    assert reader.read("秩 lora r=16 vs r=64，7B 显存差多少").parts[0].slots["each"] == ("lora_rank", [16, 64])
    each = reader.read("4060ti 16g跑14b q4，一秒能出几个字，跟3090比差多远").parts[0].slots["each"]
    assert each == ("gpu", ["rtx-4060-ti-16gb", "rtx-3090"])


@pytest.mark.parametrize(
    ("text", "intents"),
    [
        ("5090D和5090到底差在哪，跑推理影响大吗", ["compare", "explain"]),
        ("70B lora on 4 A100, how much memory per gpu, and does nvlink matter?", ["size", "explain"]),
        ("70B int4 推理要多少显存，量化会不会掉精度", ["size", "explain"]),
        ("7900xtx vs 3090. which has more bandwidth and what am i giving up going amd", ["compare", "explain"]),
        ("8张H100训7B 1T tokens要多久，中途挂了怎么办", ["size", "troubleshoot"]),
        ("A6000 还是 L40，怎么选", ["compare"]),
        ("4090 显存多大，对吗？", ["lookup"]),
    ],
)
def test_every_part_that_asks_is_one(reader: Reader, text: str, intents: list[str]) -> None:
    assert sorted(p.intent for p in reader.read(text).parts) == sorted(intents)


def test_a_figure_asked_after_is_the_sparse_rate(reader: Reader) -> None:
    (part,) = reader.read("請問 L40S 的 FP8 稠密算力是幾 TFLOPS？官網那個 1466 是什麼").parts
    assert part.columns == ("fp8_dense_tflops", "fp8_dense_tflops*sparsity_factor")
    (part,) = reader.read("is gh200 96gb basically just an h100 with more mem? whats actually different").parts
    assert part.intent == "compare" and part.columns == ()
    lookups = reader.read("how much vram on the rtx pro 6000 and what does it pull at full tilt").parts
    assert [p.columns for p in lookups] == [("memory_gb",), ("tdp_w",)]


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("7B QLoRA 8G 够吗", 8.0),
        ("4bit unsloth finetune of a 14b, is 16gb enough?", 16.0),
        ("32B int4 推理 24G 放得下吗", 24.0),
    ],
)
def test_so_much_that_is_to_be_enough_is_a_card(reader: Reader, text: str, memory: float) -> None:
    part = reader.read(text).parts[0]
    assert part.slots["memory_gb"] == memory and part.asks_verdict


@pytest.mark.parametrize(
    ("text", "field", "values"),
    [
        ("swap adamw for adafactor on an 11B full finetune, how many gb do i save", "optimizer", ["adamw", "adafactor"]),
        ("adamw换成8bit优化器，13B能省多少显存", "optimizer", ["adamw", "adamw_8bit"]),
        ("mixtral 8x22b in bf16 on A100 80G, is 4 enough or do i need 8", "gpu_count", [4, 8]),
        ("Mixtral 8x22B bf16 用 A100 80G，4张够还是要8张", "gpu_count", [4, 8]),
    ],
)
def test_one_or_the_other_is_a_series(reader: Reader, text: str, field: str, values: list[object]) -> None:
    assert reader.read(text).parts[0].slots["each"] == (field, values)


@pytest.mark.parametrize(
    "text",
    [
        "qwen3 235b a22b on 16 h100, tp16 or expert parallel?",
        "70B 八卡训练，张量并行还是流水线并行",
        "speculative decoding with a 1b draft for llama 70b, worth it on 2x4090?",
        "7B 单卡 4090 推理，flash attention 有必要吗",
    ],
)
def test_what_is_advisable_is_no_question_of_fit(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert part.intent == "explain" and not part.asks_verdict


@pytest.mark.parametrize(
    "text",
    [
        "how much host ram for zero-offload adam of a 30B model?",
        "优化器卸载到内存，30B 要多少内存",
        "offloading the optimizer to cpu for a 30b, whats the ram bill",
    ],
)
def test_an_optimizer_that_is_offloaded_is_trained_with(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert part.wanted == ("host_ram",) and part.slots["task"] == "train" and part.slots["offload"] == "cpu"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("训练 7B 模型 1T token，32 张 H100 要多少天，多少钱", {"training_time", "cost"}),
        ("how many days and how much to train a 7B on 1T tokens with 32 H100s?", {"training_time", "cost"}),
        ("训练 7B 1T token，64 张 A100，多少天、显存多少", {"training_time", "memory_total"}),
    ],
)
def test_how_long_and_how_much_are_both_asked(reader: Reader, question: str, wanted: set[str]) -> None:
    assert {name for part in reader.read(question).parts for name in part.wanted} == wanted


@pytest.mark.parametrize(
    "text",
    [
        "What context length does Llama 3.1 8B support?",
        "what context can deepseek v3 handle",
        "Qwen3 32B 支持多长的上下文",
        "Qwen3 32B 能开多长的上下文",
    ],
)
def test_a_length_that_nothing_bounds_is_what_the_model_was_made_for(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert (part.intent, part.columns, part.wanted) == ("lookup", ("context",), ())
