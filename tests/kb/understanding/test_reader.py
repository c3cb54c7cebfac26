"""Whole questions: what is asked, about what, on which assumptions; and what is not asked of us."""

from __future__ import annotations

from typing import Any

import pytest

from kb.types.question import Understanding
from kb.understanding import Reader


def ask(reader: Reader, *turns: str) -> Understanding:
    return reader.read(turns[-1], turns[:-1])


@pytest.mark.parametrize(
    ("text", "intents"),
    [
        ("L4 显存带宽多少", ("lookup",)),
        ("what is the TDP of an H200", ("lookup",)),
        ("A40 vs L40S 的显存", ("compare",)),
        ("哪些卡显存超过 100GB", ("filter",)),
        ("list cards with at least 48GB and NVLink", ("filter",)),
        ("32B 模型 LoRA 要多少显存", ("size",)),
        ("how long to train a 3B on 60B tokens with 16 A100", ("size",)),
        ("为什么训练越来越慢", ("explain",)),
        ("显存不够有哪些办法", ("troubleshoot",)),
        ("what can I do when training runs out of GPU memory", ("troubleshoot",)),
        ("推理速度受什么限制", ("explain",)),
        ("how do I estimate VRAM for a 13B in int4", ("size",)),
        ("怎么估算显存", ("explain",)),
        ("买二手 V100 32G 划算吗", ("explain",)),
        ("国产卡里谁支持 fp8", ("filter",)),
        ("MIG 要不要开", ("explain",)),
        ("7B lora 还是爆显存", ("troubleshoot",)),
        ("明天会下雨吗", ("out_of_scope",)),
        ("tell me a joke about dogs", ("out_of_scope",)),
    ],
)
def test_intents(reader: Reader, text: str, intents: tuple[str, ...]) -> None:
    assert reader.read(text).intents == intents


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        (
            "用8张A800 80G全参微调14B，序列4096",
            {"workload": "full_finetune", "gpu": "a800-sxm4-80gb", "gpu_count": 8, "parameters": 14e9, "seq_len": 4096},
        ),
        (
            "QLoRA a 34B on one 3090, 2k ctx",
            {"workload": "qlora", "gpu": "rtx-3090", "gpu_count": 1, "parameters": 34e9, "seq_len": 2048},
        ),
        (
            "部署 Qwen2.5-14B，int8，并发 20，上下文 8k",
            {"workload": "inference", "model": "qwen2.5-14b", "quantization": "int8", "concurrency": 20, "context_len": 8192},
        ),
        ("預訓練 3B 模型，600 億 tokens，MFU 35%", {"workload": "pretrain", "parameters": 3e9, "tokens": 6e10, "mfu": 0.35}),
        (
            "vllm serve Qwen/Qwen3-32B --tensor-parallel-size 4 --max-model-len 16384 --kv-cache-dtype fp8",
            {"model": "qwen3-32b", "tensor_parallel": 4, "context_len": 16384, "kv_precision": "fp8", "engine": "vllm"},
        ),
        (
            "finetuning_type: lora\ncutoff_len: 8192\nlora_rank: 32\nbf16: true",
            {"workload": "lora", "seq_len": 8192, "lora_rank": 32, "precision": "bf16"},
        ),
        ("微调 7B", {"task": "finetune", "parameters": 7e9}),
    ],
)
def test_slots(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    found = reader.read(text).slots
    assert {k: found.get(k) for k in slots} == slots


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Llama-3-8B 32k 的 kv cache 多大", "kv_cache"),
        ("70B 的权重占多少G", "weights"),
        ("13B 全参每卡多少显存", "memory_per_gpu"),
        ("R1 首字延迟多少", "time_to_first_token"),
        ("how many H100 to serve a 405B in fp8", "gpu_count"),
        ("8卡 H800 训 7B 1T tokens 要几天", "training_time"),
        ("70B checkpoint 带优化器多大", "checkpoint_size"),
        ("买卡还是租卡，多久回本", "break_even"),
        ("7B q4 每秒几个token", "decode_tokens_per_second"),
        ("13B full fine-tune on 8x A100 80GB with ZeRO-3 CPU offload, 100M tokens, how long?", "training_time"),
    ],
)
def test_wanted_values(reader: Reader, text: str, wanted: str) -> None:
    assert wanted in reader.read(text).parts[0].wanted


def test_several_questions_are_several_parts_with_their_own_slots(reader: Reader) -> None:
    first, second = reader.read("A10 24G，7B模型能推理吗？LoRA训练呢？").parts
    assert (first.slots["workload"], second.slots["workload"]) == ("inference", "lora")
    assert first.slots["gpu"] == second.slots["gpu"] == "a10"


def test_conditions_name_columns_and_operators(reader: Reader) -> None:
    (part,) = reader.read("which cards with fp8 use less than 150W").parts
    assert {("fp8_dense_tflops", "has", None), ("tdp_w", "<", 150.0)} <= set(part.conditions)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("What is the FP16 rate of the Tesla P40?", "fp16_dense_tflops"),
        ("M3 Ultra 支持 PCIe 吗？", "pcie_gen"),
        ("Does the M3 Ultra support PCIe?", "pcie_gen"),
    ],
)
def test_a_format_and_a_port_are_columns(reader: Reader, text: str, column: str) -> None:
    assert [p.columns for p in reader.read(text).parts] == [(column,)]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("两张4090用NVLink连起来", "interconnect_gb_s"),
        ("A100 上开 FP8 训练", "fp8_dense_tflops"),
        ("my T4 has 32GB", "memory_gb"),
        ("V100 怎么用 bf16 训", "bf16_dense_tflops"),
    ],
)
def test_premises_that_the_tables_contradict(reader: Reader, text: str, column: str) -> None:
    assert [p.column for p in reader.read(text).premises] == [column]


@pytest.mark.parametrize(
    "text",
    ["4090 有 NVLink 吗", "does the A100 support fp8?", "3090 用 NVLink 连起来", "V100 支持 BF16 吗", "2080ti 22G 魔改跑 7B"],
)
def test_a_question_is_no_premise(reader: Reader, text: str) -> None:
    assert reader.read(text).premises == ()


@pytest.mark.parametrize(
    ("turns", "slots"),
    [
        (("70B LoRA on 4xA100 80GB?", "make it 16"), {"gpu_count": 16, "workload": "lora", "parameters": 70e9}),
        (("13B 全参要几张 A100", "换成 qlora 呢"), {"workload": "qlora", "parameters": 13e9, "gpu": "a100-sxm4-80gb"}),
        (("微调要多少显存", "8B", "lora"), {"workload": "lora", "parameters": 8e9}),
        (("llama2-70b 部署要几张 H100", "说错了，是13B"), {"model": "llama2-13b", "workload": "inference"}),
        (
            ("kv for llama3-8b at 4k tokens?", "30 users at once?", "and with fp8 kv?"),
            {"concurrency": 30, "kv_precision": "fp8", "context_len": 4096},
        ),
    ],
)
def test_a_follow_up_edits_slots(reader: Reader, turns: tuple[str, ...], slots: dict[str, Any]) -> None:
    understood = ask(reader, *turns)
    assert understood.is_follow_up
    assert {k: understood.slots.get(k) for k in slots} == slots


def test_another_topic_drops_the_slots(reader: Reader) -> None:
    understood = ask(reader, "70B 全参要几张 A100", "L40S 功耗多少瓦")
    assert not understood.is_follow_up
    assert understood.slots == {"gpu": "l40s"}


def test_history_and_the_reading_before_give_the_same(reader: Reader) -> None:
    turns = ["8卡 A100 全参 13B 每卡多少", "换成 zero3 呢", "那 32 卡呢", "what about bf16?"]
    before = None
    for i, turn in enumerate(turns):
        before = reader.read(turn, before=before)
        assert before == reader.read(turn, turns[:i])


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("請問這張顯示卡夠嗎", "zh-Hant"),
        ("请问这张显卡够吗", "zh"),
        ("is this card enough", "en"),
        ("A100 的 bandwidth 是多少", "zh"),
        ("7B", "en"),
        ("4090？", "zh"),
        ("zero3+cpu offload 30B 4×A100 40G host RAM 要多少", "zh"),
        ("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB, of which the rest is free. 怎么解决", "zh"),
        ("NCCL WARN peer access is not supported between these two devices\n四卡這樣正常嗎", "zh-Hant"),
        ("How does the 昇腾 910B compare with an A100?", "en"),
    ],
)
def test_language(reader: Reader, text: str, language: str) -> None:
    assert reader.read(text).language == language


def test_a_bare_name_keeps_the_language_of_the_conversation(reader: Reader) -> None:
    assert ask(reader, "微調要多少顯存", "13B").language == "zh-Hant"
    assert ask(reader, "微调8b要多少显存", "lora，seq 4096").language == "zh"
    assert ask(reader, "微调8b要多少显存", "lora, batch 8", "RTX 4090?").language == "zh"
    assert (
        ask(reader, "vLLM 起不来", "ValueError: the model's max seq len (131072) is larger than the KV cache").language == "zh"
    )
    assert ask(reader, "微调8b要多少显存", "and with QLoRA?").language == "en"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("train a 7B with 0 GPUs", "gpu_count"),
        ("-13B 模型要多少显存", "parameters"),
        ("NaN GPUs for a 7B", "gpu_count"),
        ("", "question"),
        ("🤔❓", "question"),
        ("　\n", "question"),
    ],
)
def test_impossible_numbers_are_named(reader: Reader, text: str, field: str) -> None:
    problem = reader.read(text).problem
    assert problem is not None and problem[0] == field


def test_off_topic_does_not_fire_on_vague_questions_of_the_field(reader: Reader) -> None:
    for text in ("这卡行不行", "显卡怎么选", "so how many cards would I need", "is it fast on my laptop", "机房散热要注意什么"):
        assert not reader.read(text).off_topic, text


@pytest.mark.parametrize(
    "text",
    ["GQA 是什么", "what is GQA", "TPOT 是什么意思", "SXM 是什么", "什么是 roofline", "is the 3090 too old now", "3090 过时了吗",
     "should i buy a used 3090 in 2026", "二手 4090 还值得买吗", "L4 是半高卡吗", "国产AI卡选型要注意什么", "昇腾替代英伟达有哪些坑"],
)  # fmt: skip
def test_words_of_the_field_are_in_scope(reader: Reader, text: str) -> None:
    assert not reader.read(text).off_topic


@pytest.mark.parametrize(
    "text", ["3090 Main Street, is it worth buying", "is a used car still worth it", "MLA 引用格式的论文怎么写小说"]
)
def test_the_same_words_elsewhere_are_not(reader: Reader, text: str) -> None:
    assert reader.read(text).off_topic


@pytest.mark.parametrize(
    "text",
    ["昇腾替代英伟达有哪些坑", "采购国产 AI 加速卡时需要重点考察哪些方面", "用 AMD 显卡有哪些缺点", "买国产卡有哪些风险"],
)
def test_what_is_to_be_known_of_cards_is_no_list_of_cards(reader: Reader, text: str) -> None:
    assert reader.read(text).parts[0].intent == "explain"


@pytest.mark.parametrize("text", ["国产卡有哪些", "AMD 有哪些显卡显存超过 100 GB", "哪些卡支持 FP8"])
def test_which_cards_there_are_is_a_list(reader: Reader, text: str) -> None:
    assert reader.read(text).parts[0].intent == "filter"


@pytest.mark.parametrize(
    "text",
    ["b200 vs b300, what actually changed for inference?", "h100 vs h200, what changed for training?", "b200 和 b300 推理方面到底改了什么",
     "A100 和 H100 比，到底提升了什么"],
)  # fmt: skip
def test_what_changed_between_two_cards_is_their_comparison_and_nothing_beside(reader: Reader, text: str) -> None:
    assert [p.intent for p in reader.read(text).parts] == ["compare"]


@pytest.mark.parametrize("text", ["yo 5060ti vram?? 8 or 16?? my dealer says 32", "5060ti 显存多大？8g 还是 16g？"])
def test_figures_to_choose_from_are_no_question_of_their_own(reader: Reader, text: str) -> None:
    assert len(reader.read(text).parts) == 1
