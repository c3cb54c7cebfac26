"""How a size is told: weights and adapters by themselves, claims held against figures, the asker's own bytes, the largest model."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Qwen2.5-7B weights in bf16?", "Weights: 14.2 GiB (15.2 GB)"),
        ("weights of Mixtral 8x22B in fp16", "281.2 GB"),
        ("FooLM-50B weights in bf16?", "100 GB"),
        ("Qwen2.5-7B 的 bf16 权重", "权重：14.2 GiB（15.2 GB）"),
        ("Llama 3 70B int4 权重呢", "35.3 GB"),
        ("weights-only qwen2.5-7b checkpoint in bf16? mine shrank from 106G to 15G", "The 15G of the question is about right"),
    ],
)
def test_weights_alone_are_told_alone(knowledge: KnowledgeBase, question: str, said: str) -> None:
    text = knowledge.ask(question).text
    assert said in text and "|" not in text


@pytest.mark.parametrize(
    ("question", "half", "single"),
    [
        ("adapter file size for r=8 on q,v of llama-2-7B", "8.39 MB", "16.8 MB"),
        ("r=64 只加在 q、v 上，Llama 3 8B 的适配器多大", "54.5 MB", "109.1 MB"),
        ("how big is a rank 16 LoRA adapter for Llama 3 8B on all linear layers, file size", "83.9 MB", "167.8 MB"),
        ("Qwen2.5 14B lora r=32 target q_proj,k_proj,v_proj,o_proj adapter size", "100.7 MB", "201.3 MB"),
        ("13B LoRA rank 8 只加注意力层，适配器有多少 MB", "21.4 MB", "42.8 MB"),
    ],
)
def test_an_adapter_is_told_by_its_targets_and_in_both_widths(
    knowledge: KnowledgeBase, question: str, half: str, single: str
) -> None:
    text = knowledge.ask(question).text
    assert half in text and single in text and "FP32" in text
    assert "e9 × 2 B" not in text, "weights of the base have no place in an adapter's file"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("is the HF table right that full fine-tuning 8B takes 60GB", "the 60GB of the question is too low"),
        ("is 60GB right for full fine-tuning of 8B", "the 60GB of the question is too low"),
        ("blog 说 13B 全参 100G 够，bf16+Adam 我算不止，谁对", "您是对的，题中的 100G 偏低"),
        ("网上说 7B 推理要 28G 显存，对吗", "题中的 28G 偏高"),
        ("I read that 70B int4 needs 35GB, correct?", "the 35GB of the question is about right"),
        ("有篇文章写 70B 全参要 500G 显存，靠谱吗", "题中的 500G 偏低"),
    ],
)
def test_a_figure_that_others_told_is_a_claim_and_no_card(knowledge: KnowledgeBase, question: str, said: str) -> None:
    answer = knowledge.ask(question)
    assert said in answer.text and answer.verdict is None


@pytest.mark.parametrize("question", ["is 16GB enough for 7B QLoRA?", "有人说 24G 的卡能跑 13B，对吗"])
def test_memory_that_is_there_stays_a_card(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).verdict in ("fits", "fits_with_conditions")


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("DeepSpeed ZeRO-2: 1.5B params on 4 GPUs, 2 B replicated, 12-16 B sharded, GB per GPU?", "7.5 GB", "9 GB"),
        ("ZeRO-2 on 8 GPUs, 2.85B params, 2 B/param replicated and 14-16 B/param sharded: GB per GPU?", "10.7 GB", "11.4 GB"),
        ("ZeRO-2，7B，8 卡，每参数 2 字节复制、14 字节切分，每卡模型状态多少", "26.2 GB", "7B × (2 B + 14 B / 8)"),
    ],
)
def test_bytes_that_the_asker_counts_with_are_counted_with(
    knowledge: KnowledgeBase, question: str, low: str, high: str
) -> None:
    text = knowledge.ask(question).text
    assert low in text and high in text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what is the biggest model a 16GB card can run", "Inference in bf16 on 1 × 16 GB GPU"),
        ("48G 显卡能跑多大的模型", "48 GB GPU 上用 bf16 推理"),
        ("两张 3090 int8 最大能跑多大的模型", "2 张 RTX 3090 上用 int8 推理"),
    ],
)
def test_the_largest_model_is_told_with_job_and_format(knowledge: KnowledgeBase, question: str, said: str) -> None:
    text = knowledge.ask(question).text
    assert said in text and "量化 2 B" not in text and "quantization 2 B" not in text


@pytest.mark.parametrize(
    "question",
    [
        "load a 140GB model from SATA SSD (550MB/s) vs NVMe (5GB/s), how long",
        "SATA SSD（550MB/s）和 NVMe（5GB/s）读 140GB 的模型各多久",
    ],
)
def test_loading_is_computed_from_size_and_rates(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "254.5" in text and "140 GB / 5 GB/s = 28" in text, "bytes beside a rate are told in powers of ten, as the rate is"


@pytest.mark.parametrize(
    "question",
    ["3台8卡A100 80G跑 DeepSeek-R1 INT8 够吗", "Are three 8xA100-80G nodes enough for DeepSeek-R1 in bf16?"],
)
def test_a_verdict_on_whole_servers_is_said(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict and "24" in answer.text.split("\n")[0]


@pytest.mark.parametrize(
    ("question", "size"),
    [
        ("13B qlora 最便宜什么卡能跑", "16 GB 的卡"),
        ("least VRAM for 14B qlora, want the smallest card", "A card of 16 GB"),
        ("8B QLoRA 多大显存的卡才稳", "12 GB 的卡"),
        ("想請教 8B 模型做 QLoRA 需要多少 VRAM 才穩？", "12 GB 的卡"),
        ("how much VRAM to be safe for 7B QLoRA", "So a card of 8 GB"),
        ("which GPU do I need for QLoRA of a 32B model", "A card of 32 GB"),
        ("cheapest card to run Qwen2.5 14B in 4 bit", "A card of 12 GB"),
    ],
)
def test_a_need_is_told_as_the_card_that_holds_it(knowledge: KnowledgeBase, question: str, size: str) -> None:
    answer = knowledge.ask(question)
    assert size in answer.text and answer.kind == "sizing"


@pytest.mark.parametrize(
    "question",
    ["14B lora大概吃多少显存，有个经验值吗", "how much VRAM does QLoRA of a 13B take on 4 x 3090?", "LoRA 13B 一张 4090 够吗"],
)
def test_no_card_is_proposed_where_none_is_asked_for(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "A card of" not in text and "a card of" not in text and " GB 的卡" not in text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("can 8x A100 80GB run DeepSeek-V3 with the official fp8 weights?", "has no FP8 units"),
        ("8张A100 40G能不能上Qwen3-235B官方fp8权重", "不支持 FP8 计算"),
        ("T4 上 7B 推理放得下吗", "不支持 BF16，因此按大小相同的 FP16 计"),
        ("can a 13B run on a P40 24GB in bf16?", "has no BF16: use FP16"),
        ("full fine-tune 13B on one 80GB card?", "sharded with ZeRO-3 or FSDP; plain DDP would not"),
        ("30B 全参一张 H200 不够，起码多少", "用 ZeRO-3 或 FSDP 分片可以放下，普通 DDP"),
        ("671B fp8，一台8卡H20（96G），32k 上下文放得下吗", "约可再放 70000 个 token"),
    ],
)
def test_a_verdict_says_what_decides_it_in_practice(knowledge: KnowledgeBase, question: str, said: str) -> None:
    assert said in knowledge.ask(question).text


@pytest.mark.parametrize(
    "question", ["4张L20能不能跑GLM-4.5-Air的fp8", "7B on one RTX 4090, does it fit?", "gpt-oss-120b on one H100 80GB?"]
)
def test_no_caveat_about_formats_that_a_card_has(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "has no" not in text and "不支持" not in text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("1080 Ti 跑 7B 够吗，不够最低多少", "int4 4.95 GiB（5.32 GB）即 6 GB 的卡"),
        ("can a 13B run on a P40 24GB in fp16? what is the minimum?", "int8 14 GiB (15 GB), a card of 16 GB"),
        ("can a 7B run inference on one modded 2080 Ti 22GB? minimum otherwise?", "fp16 14.7 GiB (15.8 GB), a card of 20 GB"),
        ("能用一张20G的卡跑7B fp16吗，最低要多大", "fp16 14.7 GiB（15.8 GB）即 20 GB 的卡"),
        ("7B 推理最低要什么显卡", "要 12 GB 的卡：7B 推理（int8）"),
        ("8B LoRA 16G 显卡够吗，最低要多少", "LoRA 微调 16.8 GiB（18.1 GB）即 20 GB 的卡"),
        (
            "is 24GB enough for 13B lora, if not what do I need at least?",
            "QLoRA fine-tuning 8.8 GiB (9.45 GB), a card of 10 GB",
        ),
        ("一张 4090 跑不动 70B 的话最少几张", "7 张 RTX 4090"),
    ],
)
def test_the_least_that_would_do_has_its_sentence(knowledge: KnowledgeBase, question: str, said: str) -> None:
    assert said in knowledge.ask(question).text


@pytest.mark.parametrize("question", ["7B on a 4090 with at least 32k context, does it fit?", "13B LoRA 一张 3090 够吗"])
def test_the_least_is_not_told_where_it_is_not_asked(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "At least:" not in text and "最低要求" not in text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "mixtral 8x7b fp16 weight size? (people say 56B, i say less)",
            "You are right: Mixtral 8x7B has 46.7B parameters in all, not 56B",
        ),
        ("网上说 Mixtral 8x7B 是 56B，fp16 权重到底多大", "Mixtral 8x7B 共有 46.7B 参数，不是 56B"),
        ("kv cache of llama 70b at 32k is 40 gb, correct?", "No, the 40 gb of the question is too high: KV cache of"),
        ("Llama 3 70B 32k 的 KV 缓存是 10G，对吗", "是的，题中的 10G 大致是对的"),
        ("a 70b in fp8 takes 35 gb, right?", "No, the 35 gb of the question is too low: inference of 70B"),
        ("7B 的 bf16 权重是 28G，对吧", "不对，题中的 28G 偏高：7B 的权重"),
    ],
)
def test_a_doubted_part_of_the_memory_is_answered_with_yes_or_no(knowledge: KnowledgeBase, question: str, said: str) -> None:
    assert said in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("4090 用 vLLM 起 8B，占了 22G，是上下文设太长造成的吗", "不是。vLLM 启动时预留 92 %"),
        ("48g卡上vllm起了qwen2.5-7b，显存占43G，是32k上下文造成的吗", "一条 32768 token 请求的 KV 缓存 1.75 GiB"),
        ("vllm shows 75GB used on my H100 with an 8B model - is it because of max_model_len 16k?", "No. vLLM reserves 92 %"),
        ("vllm uses 22GB on my 4090 for a 1.5B model, is it a leak", "the weights take 2.79 GiB"),
    ],
)
def test_what_an_engine_holds_is_put_down_to_what_it_is(knowledge: KnowledgeBase, question: str, said: str) -> None:
    text = knowledge.ask(question).text
    assert said in text and "gpu_memory_utilization" in text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "使用 Muon 优化器全参训练 7B 模型，与 AdamW 相比优化器状态能减少多少显存？",
            "优化器状态：Muon 比 AdamW 少 26.1 GiB（28 GB）",
        ),
        ("Adafactor 比 adamw 省多少 13B", "优化器状态：Adafactor 比 AdamW 少 96.9 GiB（104 GB）"),
        (
            "8bit adam vs adamw for 7B full finetune, how much memory saved",
            "Optimizer states: 8-bit AdamW takes 39.1 GiB (42 GB) less",
        ),
        ("how much less memory does Lion take than AdamW for a 7B", "Lion takes 26.1 GiB (28 GB) less than AdamW"),
        ("SGD 带动量训 7B 比 adamw 省多少显存", "优化器状态：SGD 比 AdamW 少 26.1 GiB（28 GB）"),
    ],
)
def test_what_an_optimizer_saves_comes_first(knowledge: KnowledgeBase, question: str, said: str) -> None:
    assert said in knowledge.ask(question).text.split("\n")[0]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("4 × 3090 全参 7B 够不够，不够要几张", "约需 8 张 RTX 3090"),
        ("are 2 A100 80GB enough for full fine-tuning 13B, if not how many?", "4 GPUs of the same kind would hold it"),
        ("8张A100 跑 R1 fp8 够吗，要几张", "16 张可以放下"),
    ],
)
def test_a_number_that_does_not_do_is_told_with_one_that_would(knowledge: KnowledgeBase, question: str, said: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "does_not_fit" and said in answer.text.split("\n")[0]
