"""Wrong beliefs are recognised, whether stated or asked; plain questions hold none."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Qwen3-235B 只激活 22B，所以一张 80G 卡就够了吧", "active"),
        ("does Mixtral 8x7B only need memory for the active experts?", "active"),
        ("R1 激活參數才 37B，80G 能放下吧", "active"),
        ("2080 Ti 上装 FlashAttention-2", "kernel"),
        ("does flash attention 2 run on a T4?", "kernel"),
        ("zero3 会切分激活，所以多加卡就能开 128k 上下文", "sharded_activations"),
        ("more GPUs with ZeRO-3 allow longer context, right?", "sharded_activations"),
        ("6 卡用 tp 6 部署 32B", "heads"),
        ("LoRA 不用加载底座权重，70B 24G 够吧", "lora_base"),
        ("4 GPUs should be 4x faster", "scaling"),
        ("加第二张卡为什么没有变快", "scaling"),
        ("线程开到 32，每秒 token 没提升", "threads"),
        ("vLLM 起 7B 占了 72G，是不是泄漏", "reserved"),
        ("权重 14G，所以 16G 卡肯定能训练", "fitting_weights"),
        ("能用内存代替显存吗", "ram_for_vram"),
        ("A40 40G 能跑 13B 吗", "memory"),
        ("two 3090 with SLI give me 48GB?", "pool"),
        ("NVLink makes two 3090s one 48GB GPU, right?", "pool"),
        ("两张4090能拼成48G用吗", "pool"),
        ("do two 24GB cards show up as a single 48GB GPU?", "pool"),
        ("Mixtral 8x7B: I only activate 2 experts so it's like a 13B right?", "active"),
        ("Qwen3-235B 的显存是按235B算还是22B算", "active"),
        ("deepseek v3 只需要 37B 的显存对吗", "active"),
        ("DeepSeek V3 only needs memory for 37B, right?", "active"),
        ("int4 makes training 4x cheaper, how many 4090s to pretrain 7B?", "four_bit_training"),
        ("用 fp4 从头训练 13B 要几张卡", "four_bit_training"),
        ("RoCE 是走 TCP 的吧？", "roce"),
        ("isn't RoCE just TCP?", "roce"),
        ("H100 HBM2e 跑 72B 够吧", "memory_type"),
        ("PCIe 版 H100 也有 900GB/s NVLink 吧", "bandwidth"),
        ("the A100 has 3 TB/s memory bandwidth, right?", "bandwidth"),
        ("4090有NVLink，两张能合成48G吗", "interconnect"),
    ],
)
def test_a_wrong_belief_is_recognised(reader: Reader, text: str, kind: str) -> None:
    assert kind in [p.kind for p in reader.read(text).premises]


@pytest.mark.parametrize(
    "text",
    [
        "R1 671B 激活 37B，8 卡 H100 fp8 够吗", "DeepSeek-V3 每 token 激活多少参数", "Qwen3-30B-A3B 4bit 在 3090 上多少 token/s",
        "ZeRO-3 和 ZeRO-2 的区别",
        "A100 用 FlashAttention-2 训练 7B", "QLoRA 70B 要多少显存", "tp 4 部署 32B", "8 张 H100 训 7B 1T tokens 多久",
        "LoRA 微调 7B 要多少显存", "how many CPU cores for 8 GPUs", "vLLM 部署 7B 要多少显存", "A40 48G 能跑 13B 吗",
        "两张 3090 合计 48G 能跑 70B int4 吗", "llama3 405B 15.6T token 16384 张H100，按400 TFLOPS/卡算要多少天",
        "QLoRA 4bit 训练 7B 要多少显存",
        "H100 有 3350GB/s 的显存带宽吧", "H100 SXM 有 450 GB/s 单向 NVLink 吧", "RoCE v2 和 InfiniBand 哪个好", "H100 是 HBM2e 还是 HBM3",
    ],
)  # fmt: skip
def test_a_plain_question_holds_no_belief(reader: Reader, text: str) -> None:
    assert reader.read(text).premises == ()


def test_a_degree_is_put_right_once(reader: Reader) -> None:
    turns = ["5 张 3090 开 tp 5 跑 70B", "换成 A100 呢"]
    assert [p.kind for p in reader.read(turns[0]).premises] == ["heads"]
    assert reader.read(turns[1], turns[:1]).premises == ()
    assert [p.kind for p in reader.read("那用什么", turns[:1]).premises] == ["heads"]


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("NVLink makes two 3090s one 48GB GPU, right?", True),
        ("deepseek v3 只需要 37B 的显存对吗", True),
        ("ZeRO-3 切激活吗", True),
        ("两张4090用NVLink合成48G，跑 70B int4 要几张", False),
        ("Qwen3-235B 只激活 22B，要多少显存", False),
        ("两张 4090 能跑 70B int4 吗", False),
    ],
)
def test_a_part_that_only_wants_its_belief_confirmed_is_settled_by_the_correction(
    reader: Reader, text: str, settled: bool
) -> None:
    assert reader.read(text).parts[-1].settled == settled


def test_the_two_counts_of_a_mixture_are_not_sized_apart(reader: Reader) -> None:
    understood = reader.read("Qwen3-235B AWQ 要多少显存？是按235B算还是22B算")
    assert all("each" not in p.slots for p in understood.parts)
