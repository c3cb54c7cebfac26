"""A turn that asks what to do gets what helps; one that says what was done is not told to do it."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


def last(knowledge: KnowledgeBase, *turns: str) -> str:
    return knowledge.ask(turns[-1], history=[("user", t) for t in turns[:-1]]).text


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        (("Will DeepSeek-R1 FP8 fit on 8x H100 80GB?", "ok so what should I do then?"), "16 GPUs of the same kind"),
        (("llama 3 70b fp16 on 4x 3090, fits?", "what are my options"), "4-bit weights"),
        (("Qwen2.5-72B BF16 一张 A100 80G 放得下吗", "那怎么办"), "同型号显卡用 2 张"),
        (("13B 全参微调 一张 A100 80G 够吗", "那该怎么配"), "优化器和参数卸载到内存"),
        (("8x A100 80GB full finetune 30B OOM", "batch size is 1 and checkpointing is on"), "8-bit AdamW"),
        (("cuda oom, llama 7B full finetune on 4x A100 40GB with FSDP", "already batch size 1"), "What still saves: "),
        (("3 x 4090, tensor parallel 3 ?", "ok so what should I do then?"), "If the model fits 2 of the cards, take TP 2"),
        (("7 张 3090 能开 TP 7 吗", "那怎么办"), "模型放得进其中 4 张卡，就用 TP 4"),
        (("3x 4090, vllm tp=3 possible?", "what should I use instead?"), "If the model fits 2 of the cards, take TP 2"),
        (("7 GPUs, vllm tensor parallel 7?", "so what do I run?"), "If the model fits 4 of the cards, take TP 4"),
        (("6张A100做TP 6行吗", "那我该用什么布局"), "模型放得进其中 4 张卡，就用 TP 4"),
        (("70B fp16 on 2x A100 40GB?", "what quant would fit?"), "8-bit weights"),
        (("qwen 32b 4090 跑得动吗", "量化到多少位可以"), "权重量化为 4 位"),
        (("预算3万元微调7B买什么卡", "预算涨到15万呢"), "150000 元预算"),
    ],
)
def test_what_to_do_is_computed_on_what_was_spoken_of(knowledge: KnowledgeBase, turns: tuple[str, ...], says: str) -> None:
    told = last(knowledge, *turns)
    assert says in told
    assert told != last(knowledge, *turns[:-1])


@pytest.mark.parametrize(
    ("turns", "gone", "left"),
    [
        (
            ("hf trainer 一 eval 就 oom", "设了 eval_accumulation_steps=1 还是炸"),
            "eval_accumulation_steps",
            "prediction_loss_only",
        ),
        (
            ("hf trainer ooms only in evaluation", "set eval_accumulation_steps=1, still ooms"),
            "eval_accumulation_steps",
            "prediction_loss_only",
        ),
        (("NCCL socket 多机卡住怎么办，一直timeout", "网卡指定了也不行"), "NCCL_SOCKET_IFNAME", "py-spy dump"),
        (
            (
                "vllm 起不来，报 max seq len is larger than the maximum number of tokens that can be stored in KV cache",
                "调到0.95还是报",
            ),
            "0.95",
            "--kv-cache-dtype fp8",
        ),
    ],
)
def test_what_was_done_already_is_left_out(knowledge: KnowledgeBase, turns: tuple[str, ...], gone: str, left: str) -> None:
    assert gone in last(knowledge, turns[0])
    told = last(knowledge, *turns)
    assert gone not in told
    assert left in told


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        (("70B 预训练 1T token 512 张 H100 要多久", "开fp8呢"), "训练时间"),
        (("how long to pretrain 70B on 1T tokens with 512 H100", "fp8 instead"), "Training time"),
        (("H100 bf16 算力多少", "fp8呢"), "FP8 稠密算力"),
        (("compare H100 and A100", "fp8?"), "does not support FP8"),
        (("V100 32G 和 2080 Ti 22G 买哪个跑推理", "flash attention都支持吗"), "Turing TU102，FlashAttention-2 不支持"),
        (("compare 3090 and V100", "do they support flash attention"), "Volta GV100, which FlashAttention-2 does not support"),
        (("7b pretrain bf16 adam model states?", "n w zero1 on 8"), "Model states per GPU: 35.9 GiB"),
        (("13b pretrain model states?", "with zero 3 on 16"), "Model states per GPU"),
    ],
)
def test_what_a_turn_adds_is_used(knowledge: KnowledgeBase, turns: tuple[str, ...], says: str) -> None:
    assert says in last(knowledge, *turns)


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        (("2x5090 for 32b q4, speed?", "over pcie x8 x8 ok?"), "layer split over cards"),
        (("2x 3090 跑 70b q4", "pcie 都是x4 行吗"), "按层切到几张卡"),
        (("50 concurrent users qwen3 32b fp8 on H100, how many", "peak is 5x that"), "4 × H100"),
        (("20个人同时用 qwen3-32b fp8 H100 要几张", "高峰5倍呢"), "2 张 H100"),
        (
            (
                "API costs 0.6 USD per million tokens, own H100 at 1.99 USD per hour does 2500 tokens/s, which is cheaper?",
                "at 20% load?",
            ),
            "At a load of 20 % the API is cheaper: the GPU's tokens then cost 1.11 USD per million",
        ),
        (("存30个500GB的检查点一年，每GB每月0.12元，多少钱", "降到0.08呢"), "14400 元"),
        (("vllm pod OOMKilled exit 137", "limit is 32Gi n model is 70b awq"), "more than the 32 GB there are"),
        (("vllm 容器被杀 exit 137", "内存限制32G，模型是70B awq"), "超过现有的 32 GB"),
        (("CUDA out of memory怎么解决", "7B lora，24G卡，bs4，长度4096"), "单卡显存的主要去向"),
        (("pp气泡怎么算 pp=8 微批32", "interleaved 虚拟段2呢"), "10.9 %"),
        (("词表15万 长度8k bs4 光logits要吃多少显存啊", "上liger kernel那种fused ce呢"), "融合或分块损失下的 logits"),
    ],
)
def test_what_changes_is_computed_with(knowledge: KnowledgeBase, turns: tuple[str, ...], says: str) -> None:
    assert says in last(knowledge, *turns)


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        (("DGX H100功率多少", "两台呢"), "20.4 kW"),
        (("power of a DGX H100", "four of them"), "40.8 kW"),
        (("dgx a100 heat output in tons of cooling?", "4 of em"), "7.39"),
        (("A100功耗多少", "两块呢"), "1.04 kW"),
        (("4 DGX H100 how many kW", "and 8?"), "81.6 kW"),
        (("power of an 8x H100 server", "and two of them?"), "14.6 kW"),
        (("70B int4 2张4090够吗", "那4呢"), "4 张 RTX 4090"),
        (("4090和3090哪个好", "训练呢"), "训练更快的是 RTX 4090"),
        (("which is better, 4070 Ti Super or 4080?", "for training?"), "RTX 4080 is the faster one for training"),
        (("4060ti 16g和3090哪个适合跑大模型", "差多少"), "显存带宽：RTX 4060 Ti 16GB 比 RTX 3090 少"),
        (("70B fp16 要几张A100", "4张呢"), "够用，放得下：4 张 A100"),
        (("how many A100 for 70B fp16?", "and 4 of them?"), "Yes, it fits: inference of 70B on 4 ×"),
        (("RTX 4090 or A6000, does a 32B int4 fit?", "which would you take?"), "RTX 4090 is the faster one"),
    ],
)
def test_so_many_of_what_was_spoken_of_are_counted(knowledge: KnowledgeBase, turns: tuple[str, ...], says: str) -> None:
    assert says in last(knowledge, *turns)


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        (("70B fp16 on a 4090?", "why?"), "Weights: 130.4 GiB (140 GB)"),
        (("70B int4 放得进一张A100 80G吗", "为什么"), "权重：32.6 GiB（35 GB）"),
        (("全参微调13B 一张A100 80G 够吗", "为什么不行"), "优化器状态：145.3 GiB"),
        (("H100 memory bandwidth?", "why so much?"), "I could not tell"),
        (("4090和3090哪个好", "为什么"), "没有读懂"),
    ],
)
def test_a_bare_why_is_told_what_a_verdict_is_made_of_and_no_section(
    knowledge: KnowledgeBase, turns: tuple[str, ...], says: str
) -> None:
    assert says in last(knowledge, *turns)


@pytest.mark.parametrize("turns", [("llama 3 70b on 4x A100 80GB, fits?", "are you sure?"), ("4张A100能跑70B吗", "确定吗")])
def test_a_turn_that_adds_nothing_is_not_answered_with_the_same(knowledge: KnowledgeBase, turns: tuple[str, ...]) -> None:
    assert last(knowledge, *turns) != last(knowledge, *turns[:-1])


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("will it run on my macbook", "which chip and how much memory the machine has"),
        ("我的 MacBook 跑得动吗", "这台机器是什么芯片、多少内存"),
        ("will it be faster with two?", "which model"),
    ],
)
def test_what_is_asked_back_fits_what_was_said(knowledge: KnowledgeBase, question: str, asks: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "clarification"
    assert asks in answer.text


@pytest.mark.parametrize(
    ("failed", "then"),
    [
        ("cuda oom, qwen2.5 7B lora on a 4090", "batch is 1 already"),
        ("cuda oom, qwen2.5 7B lora on a 4090", "gradient checkpointing is on already, batch is 1. anything else?"),
        ("单卡4090 lora qwen2.5-7b 爆显存", "batch已经是1了，还能怎么办"),
        ("单卡4090 lora qwen2.5-7b 爆显存", "那怎么办"),
    ],
)
def test_the_loss_of_what_ran_out_stays_that_of_the_turn_before(knowledge: KnowledgeBase, failed: str, then: str) -> None:
    before, after = knowledge.ask(failed), knowledge.ask(then, history=[("user", failed)])
    need = [next(v.value for v in a.values if v.name == "memory_per_gpu" and not v.scope) for a in (before, after)]
    assert need[0] == need[1]
    assert after.verdict == "fits_with_conditions"
    assert "Liger" in after.text


@pytest.mark.parametrize(
    ("failed", "then", "taken", "left"),
    [
        (
            "OOM training mistral 7b full, 8x A100 40GB, zero-3",
            "checkpointing and bs 1 already",
            ("icro-batch 1", "checkpointing"),
            "fragment",
        ),
        ("全参微调13B，8张A100 80G爆显存", "batch已经是1了", ("微批设为 1",), "先确认确实开了分片"),
        ("4卡3090 全参7B 爆显存", "已经开了zero3和梯度检查点，还能怎么办", ("ZeRO-3 分片", "打开梯度检查点"), "卸载到内存"),
    ],
)
def test_what_was_done_is_not_advised(
    knowledge: KnowledgeBase, failed: str, then: str, taken: tuple[str, ...], left: str
) -> None:
    text = last(knowledge, failed, then)
    assert left in text
    assert not any(measure in text for measure in taken)
