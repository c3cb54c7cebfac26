"""Plain data parallelism puts the whole model on every card; whether it is so may be asked."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("QLoRA 32B on 4x 4090 DDP, per gpu?", 0),
        ("14B lora on 4x3090 with DistributedDataParallel, fits?", 0),
        ("torchrun 两卡跑 QLoRA 32B，每卡占多少", 0),
        ("accelerate launch 起 4 张 A100 40G 做 13B LoRA，放得下吗", 0),
        ("7B LoRA 4 卡数据并行，每卡多少显存", 0),
        ("8B QLoRA，两张 3090 分布式数据并行", 0),
        ("7B LoRA on 4 cards, torchrun with FSDP, per card?", 3),
        ("13B lora 4 卡全分片数据并行，每卡多少", 3),
        ("torchrun full fine-tuning of 7B on 8 A100", None),
        ("LoRA 14B on 4x 4090: DDP or ZeRO-3?", None),
        ("8张4090做14B的lora，不用ddp，每卡多少", None),
        ("8张4090做14B的lora，用ddp还是zero3还是fsdp", None),
        ("70B 预训练 TP 8 PP 4 数据并行 16，512 张 H100", None),
    ],
)
def test_what_is_launched_as_plain_data_parallelism_is_not_sharded(reader: Reader, text: str, stage: int | None) -> None:
    assert reader.read(text).parts[0].slots.get("zero_stage") == stage


@pytest.mark.parametrize(
    "text",
    [
        "两张4090用DDP训QLoRA 14B，每张卡都放完整模型吗",
        "does DDP with 4 cards split an 8B QLoRA model or does each card hold all of it?",
        "with FSDP on 4x 3090, does every GPU hold the full 13B model for LoRA?",
        "8张4090 LoRA 14B，每张卡都要加载整个模型吗",
        "tp=2 部署 70B，每张卡都存完整权重吗",
        "LoRA 13B 用 torchrun 跑 4 卡，模型是每卡一份吗",
        "QLoRA 8B on 2 gpus: is the base model copied in full on each card?",
    ],
)
def test_whether_each_card_holds_the_whole_model_is_computed(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert part.slots.get("whole_on_each") and part.wanted == ("memory_per_gpu",) and part.intent == "size"


@pytest.mark.parametrize(
    "text",
    ["7B LoRA on 4 cards, memory per card?", "8张4090 LoRA 14B，每张卡放得下吗", "does each card need its own power cable?"],
)
def test_other_questions_about_each_card_are_not(reader: Reader, text: str) -> None:
    assert not any(p.slots.get("whole_on_each") for p in reader.read(text).parts)
