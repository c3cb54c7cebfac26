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
    ],
)  # fmt: skip
def test_a_plain_question_holds_no_belief(reader: Reader, text: str) -> None:
    assert reader.read(text).premises == ()


def test_a_degree_is_put_right_once(reader: Reader) -> None:
    turns = ["5 张 3090 开 tp 5 跑 70B", "换成 A100 呢"]
    assert [p.kind for p in reader.read(turns[0]).premises] == ["heads"]
    assert reader.read(turns[1], turns[:1]).premises == ()
    assert [p.kind for p in reader.read("那用什么", turns[:1]).premises] == ["heads"]
