"""Adapters on several cards: whole on each or sharded, both figures told where nobody said which."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase
from kb.types.answer import Answer


def per_gpu(answer: Answer, name: str = "memory") -> float:
    return next(float(v.value) for v in answer.values if v.name == f"{name}_per_gpu" and isinstance(v.value, float))


@pytest.mark.parametrize("text", ["LoRA 7B on 4x RTX 4090, does it fit?", "4 张 4090 做 7B LoRA，放得下吗"])
def test_where_a_card_holds_the_model_it_is_whole_on_each_and_sharding_is_named(knowledge: KnowledgeBase, text: str) -> None:
    answer = knowledge.ask(text)
    assert answer.verdict == "fits" and "DDP" in answer.text and "FSDP" in answer.text
    assert per_gpu(answer) > 14 > per_gpu(answer, "sharded")


@pytest.mark.parametrize("text", ["14B LoRA on 4x RTX 3090, does it fit?", "4张3090 lora微调 14B 放得下吗"])
def test_where_no_card_holds_it_the_verdict_rests_on_sharding_and_says_so(knowledge: KnowledgeBase, text: str) -> None:
    answer = knowledge.ask(text)
    first = answer.text.partition("[")[0]
    assert answer.verdict == "fits" and "ZeRO-3" in first and "DDP" in first
    assert per_gpu(answer) < 21 < per_gpu(answer, "replicated")


@pytest.mark.parametrize("text", ["14B LoRA on 4x RTX 3090 with DDP, does it fit?", "4张3090 用 DDP 做 14B lora，放得下吗"])
def test_plain_data_parallelism_that_was_said_is_held_to(knowledge: KnowledgeBase, text: str) -> None:
    answer = knowledge.ask(text)
    assert answer.verdict == "does_not_fit" and "FSDP" in answer.text.partition("[")[0]
    assert per_gpu(answer) > 21 > per_gpu(answer, "sharded")


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("两张4090用DDP训QLoRA 14B，每张卡都放完整模型吗", "是"),
        ("with DDP on 2 GPUs, does each card hold the whole thing for QLoRA of an 8B?", "Yes"),
        ("4 卡 ZeRO-3 做 13B LoRA，每张卡都放完整模型吗", "不是"),
        ("QLoRA 8B on 4 GPUs with FSDP: does each GPU hold the full model?", "No"),
    ],
)
def test_whether_each_card_holds_it_all_is_answered_first(knowledge: KnowledgeBase, text: str, opening: str) -> None:
    assert knowledge.ask(text).text.startswith(opening)


@pytest.mark.parametrize(
    "text", ["8 张 A100 40G lora 微调 72b 爆显存，bs=1", "72b lora on 8 x A100 40GB runs out of memory, batch size 1"]
)
def test_a_run_that_fails_is_told_that_it_may_not_be_sharded(knowledge: KnowledgeBase, text: str) -> None:
    answer = knowledge.ask(text)
    assert "DDP" in answer.text.partition("[")[0] and per_gpu(answer, "replicated") > 130


@pytest.mark.parametrize("text", ["8张4090做14B的lora，用ddp还是zero3还是fsdp", "LoRA 14B on 4x 4090: DDP or ZeRO-3?"])
def test_whether_to_shard_is_answered_with_what_each_takes(knowledge: KnowledgeBase, text: str) -> None:
    answer = knowledge.ask(text)
    assert "FSDP" in answer.text.partition("[")[0] and per_gpu(answer, "replicated") > 24 > per_gpu(answer)
