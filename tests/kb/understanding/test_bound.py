"""What is said is bound: no stated number, denial or list of methods is lost on the way to a request."""

from __future__ import annotations

from typing import Any

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        (
            "Qwen2.5-72B int4, 16k context, one user: how much VRAM?",
            {"workload": "inference", "concurrency": 1, "context_len": 16384},
        ),
        ("Qwen2.5-14B 的 AWQ，16k 上下文，单用户，要多少显存", {"workload": "inference", "concurrency": 1}),
        ("serve Qwen3-32B with 12 requests in parallel, 8k ctx", {"concurrency": 12, "context_len": 8192}),
        ("Llama 3.1 8B, 6 chats at the same time", {"concurrency": 6}),
        ("48 层 hidden 6144 48头 KV头8 的模型，kv cache 多大", {"heads": 48, "kv_heads": 8, "layers": 48}),
        ("model with 8 kv heads, 64 heads, 80 layers: kv per token?", {"heads": 64, "kv_heads": 8}),
        ("13B 训练激活值，seq 4096，没开重计算", {"recompute": "none"}),
        ("activation memory of a 13B without recomputation, seq 4096", {"recompute": "none"}),
        ("训练 13B，全重计算，seq 4096 激活多大", {"recompute": "full"}),
        ("activations of a 7B, no flash attention, seq 2048", {"flash_attention": False}),
        ("activation memory of a 13B, seq 4096, batch 2, selective recompute", {"recompute": "selective", "seq_len": 4096}),
        ("选择性重计算，13B，序列 4096，批 2，激活值多大", {"recompute": "selective", "micro_batch": 2}),
        ("激活显存咋算啊 7b seq 4096 bs1 不开ckpt", {"recompute": "none", "seq_len": 4096}),
        ("7b activations, seq 4096, no grad ckpt", {"recompute": "none"}),
        ("13B 训练激活，seq 4096 bs 1，ckpt开了", {"recompute": "full"}),
        ("激活显存：32层，隐藏4096，32头，序列4096，批2", {"hidden": 4096, "layers": 32, "heads": 32, "seq_len": 4096}),
        ("activations of 32 layers, h 4096, 32 heads, s 2048, b 2", {"hidden": 4096, "seq_len": 2048, "micro_batch": 2}),
        ("13B 全参 zero3 状态卸载到NVMe 内存要多大", {"offload": "nvme"}),
        ("30b full finetune, nvme offload instead of cpu, host memory?", {"offload": "nvme"}),
        ("7B 训练激活多大，不用flash attention", {"flash_attention": False}),
        ("预训练 13B，单卡 H100 80G，共 32 卡 zero-3，放得下吗", {"gpu_count": 32, "zero_stage": 3}),
        ("7B 1T token 128张A100 MFU大概能有45%，要多久", {"mfu": 0.45}),
        ("pretrain 7B on 300B tokens, 64 H100 getting 400 TFLOPS per GPU, how long", {"mfu": 400 / 989.4}),
        ("微调 7B，5万条×2k token×2 epoch，4 张 A100 要多久", {"tokens": 5e4 * 2000 * 2}),
        (
            "8B LoRA 开 liger kernel 和激活卸载，32k，4090 够吗",
            {"fused_loss": True, "activation_offload": True, "offload": None},
        ),
        ("8B LoRA, offload activations to CPU, 32k on a 4090?", {"activation_offload": True, "offload": None}),
        ("7B full fine-tune with CPU offload on a 4090?", {"activation_offload": None, "offload": "cpu"}),
        ("LoRA 微调 7B，1 万条数据平均 200 token，3 个 epoch，单张 4090 要多久", {"tokens": 1e4 * 200 * 3}),
        ("pretrain 8B on 64 H100, data 15T, how many days", {"tokens": 15e12}),
        ("训练数据 15T，需要多大硬盘", {"size_gb": 15000.0}),
    ],
)
def test_said(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    found = reader.read(text).slots
    assert {k: found.get(k) for k in slots} == pytest.approx(slots)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("四台 H100 训练 70B 必须上 InfiniBand 吗", "explain"),
        ("Do I need NVLink to serve a 70B on 2x A100?", "explain"),
        ("RTX 3090 支持 NVLink 吗", "lookup"),
        ("L40S or A100 for inference?", "compare"),
        ("A6000 还是 L40，怎么选", "compare"),
    ],
)
def test_links_and_choices(reader: Reader, text: str, intent: str) -> None:
    assert reader.read(text).intents == (intent,)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("7B 全参微调，A800 80G 单卡行吗？用 8bit adam 呢", None, "adamw_8bit"),
        ("Can one A100 80GB full fine-tune a 7B? And with 8-bit Adam?", None, "adamw_8bit"),
    ],
)
def test_a_supposition_is_of_its_own_question(reader: Reader, text: str, first: Any, second: Any) -> None:
    parts = reader.read(text).parts
    assert [p.slots.get("optimizer") for p in parts] == [first, second]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("从头训练 7B 的模型状态要多少显存？分到 8 卡 zero3 每卡多少", [("model_states",), ("model_states_per_gpu",)]),
        ("Llama 3.1 8B KV 每 token 多少 KB？128k 一条请求占几个 G", [("kv_cache_per_token",), ("kv_cache",)]),
        ("128 张 A100 在 20 天内训完 7B 的 1T token，够吗", [("training_time",)]),
        ("64 A100 for 30 days: enough to pretrain a 7B on 1T tokens?", [("training_time",)]),
        ("how many trainable parameters has LoRA rank 32 on Llama 3.1 8B", [("trainable_parameters",)]),
        ("Llama 3.1 70B 秩 64 的 LoRA 参数量是多少", [("trainable_parameters",)]),
        ("best TP/PP/DP split for a 70B on 64 H100s?", [("layout",)]),
        ("64 张 H100 训 70B，TP/PP/DP 怎么切", [("layout",)]),
        ("70B 给 50 人用选什么卡好", [("hardware",)]),
        ("how big is the file of a 34B in q5_k_m", [("weights",)]),
        ("405B FP8 on 8 H200, 8k context, max batch?", [("max_concurrency",)]),
        ("How many 8-GPU nodes are 64 H100?", [("nodes",)]),
    ],
)
def test_wanted(reader: Reader, text: str, wanted: list[tuple[str, ...]]) -> None:
    assert [p.wanted for p in reader.read(text).parts] == wanted


def test_methods_named_side_by_side_are_all_sized(reader: Reader) -> None:
    (part,) = reader.read("8B: full fine-tuning vs LoRA r=16 vs QLoRA. seq 2048, memory?").parts
    assert part.slots["workloads"] == ["full_finetune", "lora", "qlora"]
    assert part.slots["seq_len"] == 2048


@pytest.mark.parametrize(
    "text",
    ["decode tokens/s of Llama 3.1 70B fp8 on 2x H100, batch size 1?", "Max context for Llama 3.1 8B bf16 on a 24GB 4090?"],
)
def test_a_figure_that_is_asked_for_is_no_question_of_fit(reader: Reader, text: str) -> None:
    assert not reader.read(text).parts[0].asks_verdict


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("KV cache per token for Qwen2.5-32B in fp16? and for a full 32k context", [("kv_cache_per_token",), ("kv_cache",)]),
        ("LoRA rank 64 on Llama 3.1 8B: how many trainable parameters and how much GPU memory do I need at bf16?",
         [("trainable_parameters",), ("memory_total",)]),
        ("Size of one full training checkpoint (weights + Adam states) for a 34B?", [("checkpoint_size",)]),
        ("how many GB do the weights of a 32B model take in int4?", [("weights",)]),
        ("Full fine-tune of Mistral 7B - how many 80GB cards at minimum?", [("gpu_count",)]),
    ],
)  # fmt: skip
def test_every_question_of_a_text_is_asked(reader: Reader, text: str, wanted: list[tuple[str, ...]]) -> None:
    assert [p.wanted for p in reader.read(text).parts] == wanted


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Will DeepSeek-V3 fit on 8x H100 in its native fp8? what about 8x H200", ["h100-sxm5-80gb", "h200-sxm-141gb"]),
        ("DeepSeek-V3 的 fp8 在 8 张 H100 上放得下吗？那 8 张 H200 呢", ["h100-sxm5-80gb", "h200-sxm-141gb"]),
    ],
)
def test_what_about_another_card_is_the_same_question_of_it(reader: Reader, text: str, cards: list[str]) -> None:
    assert [p.slots["gpu"] for p in reader.read(text).parts] == cards


@pytest.mark.parametrize(
    "text", ["Llama 3.1 8B in bf16 with 8k context on a 16GB card - gonna work or OOM?", "7B 用 24G 的卡全参微调会爆显存吗"]
)
def test_trouble_that_is_feared_is_a_question_of_fit(reader: Reader, text: str) -> None:
    (part,) = reader.read(text).parts
    assert part.intent == "size" and part.asks_verdict


def test_statements_and_flags_hold_for_every_question(reader: Reader) -> None:
    text = "Does Qwen2.5-7B LoRA fit on one 3090? flags: --per_device_train_batch_size 4 --max_seq_length 4096"
    assert reader.read(text).parts[0].slots["seq_len"] == 4096
    assert (
        reader.read("Full fine-tune Llama 3.1 8B on 50 million tokens for 3 epochs with 8 A100: how long?").slots["tokens"]
        == 1.5e8
    )
    assert reader.read("Llama 3.3 70B fp8 for 200 people, maybe 40 at the same time: how many H100?").slots["concurrency"] == 40


@pytest.mark.parametrize(
    "text", ["用 ZeRO-3 微调 14B，4 张 A100，够吗", "fine-tune a 14B with FSDP full shard on 4 A100, will it OOM?"]
)
def test_sharding_without_a_method_means_that_all_is_trained(reader: Reader, text: str) -> None:
    reading = reader.read(text)
    assert reading.slots["workload"] == "full_finetune" and "workload" in reading.assumed
    assert reader.read(text.replace("14B", "14B LoRA")).slots["workload"] == "lora"


@pytest.mark.parametrize(
    ("text", "intents"),
    [
        ("Got an RTX 4080 with 16 gigs. Does Llama 3.1 8B in bf16 fit?", ("size",)),
        ("我有一张 24G 的 RTX 3090。能跑 14B 吗？", ("size",)),
        ("有 NVLink 的卡有哪些", ("filter",)),
    ],
)
def test_what_somebody_has_is_told_and_not_asked(reader: Reader, text: str, intents: tuple[str, ...]) -> None:
    assert reader.read(text).intents == intents


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("每秒 10 个请求，输入 2000 输出 500，Qwen2.5-72B，需要几张 H20", {"requests_per_second": 10, "prompt_tokens": 2000}),
        ("Mistral 7B in 4-bit with 32k context: does it fit in 8GB?", {"memory_gb": 8, "context_len": 32768}),
        ("70B int4，48G 显存够吗", {"memory_gb": 48}),
    ],
)
def test_loads_and_capacities(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    found = reader.read(text).slots
    assert {k: found.get(k) for k in slots} == pytest.approx(slots)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "what throughput can I expect for Mixtral 8x7B on 2 A100 80GB with 64 concurrent requests",
            ("decode_tokens_per_second",),
        ),
        ("How many users can a single 4090 serve with Qwen2.5-7B AWQ at 4k context?", ("max_concurrency",)),
    ],
)
def test_how_many_and_how_fast_are_not_questions_of_fit(reader: Reader, text: str, wanted: tuple[str, ...]) -> None:
    (part,) = reader.read(text).parts
    assert part.wanted == wanted and not part.asks_verdict


@pytest.mark.parametrize("text", ["GQA 和 MHA 的 KV cache 差多少", "How does the KV cache of GQA compare with that of MHA?"])
def test_two_ways_of_doing_something_are_explained(reader: Reader, text: str) -> None:
    assert reader.read(text).intents == ("explain",)


def test_a_question_of_how_much_may_still_ask_whether_it_fits(reader: Reader) -> None:
    (part,) = reader.read("How much VRAM does a 70B in int4 need, and does it fit on 2x RTX 4090?").parts
    assert (part.intent, part.wanted, part.asks_verdict, part.slots["gpu_count"]) == ("size", ("memory_total",), True, 2)
    assert reader.read("How much VRAM is needed for a 70B in int4: is a 48 GB card enough?").parts[-1].asks_verdict


@pytest.mark.parametrize(
    ("text", "gpu", "count"),
    [
        ("想搞个 1.5b 的全参 要多少显存啊 手上就一张 12g 的 3060", "rtx-3060-12gb", 1),
        ("1.5B 全参微调要多少显存，我是 3060 12G", "rtx-3060-12gb", 1),
        ("7B LoRA 要多少显存？我手里是两张 4090", "rtx-4090", 2),
        ("How much VRAM to fully fine-tune a 1.5B model? I have a 3060 12GB.", "rtx-3060-12gb", 1),
        ("70B int4 needs how much VRAM? I own 2x 3090", "rtx-3090", 2),
    ],
)
def test_a_card_named_beside_a_need_of_memory_is_judged(reader: Reader, text: str, gpu: str, count: int) -> None:
    (part,) = reader.read(text).parts
    assert part.asks_verdict and (part.slots["gpu"], part.slots["gpu_count"]) == (gpu, count)


@pytest.mark.parametrize("text", ["7B LoRA 要多少显存", "how much memory does an A100 have", "70B 推理要几张 4090"])
def test_a_need_without_a_card_or_a_card_without_a_need_is_not(reader: Reader, text: str) -> None:
    assert not any(p.asks_verdict for p in reader.read(text).parts)


@pytest.mark.parametrize(
    "text", ["32B QLoRA 大概要多少显存？24GB 的卡够吗", "How much VRAM for QLoRA on 32B? Will it fit on a 4090?"]
)
def test_a_need_and_its_verdict_are_one_part(reader: Reader, text: str) -> None:
    (part,) = reader.read(text).parts
    assert part.asks_verdict and part.wanted == ("memory_total",)


@pytest.mark.parametrize(
    "text", ["7b lora r=16 存出来的 adapter 才几十兆 是不是没训上", "Qwen2.5-7B 的 lora adapter 只有 20 MB，正常吗",
             "my Llama 3 8B lora adapter is only 80 MB, is that normal?"],
)  # fmt: skip
def test_the_little_an_adapter_takes_is_computed(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert (part.intent, part.wanted[0]) == ("size", "adapter") and "memory_gb" not in part.slots
