"""A long sequence takes measures: what a GPU takes without each is computed and told."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase
from kb.types.answer import Answer


def figures(answer: Answer, name: str) -> list[float]:
    return [v.value for v in answer.values if v.name == name and isinstance(v.value, float)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("full finetuning Qwen2.5-7B cutoff_len 100000 8x H100 80GB zero3, feasible? which option am I missing?",
         ("Liger", "gradient checkpointing", "FlashAttention", "context parallelism")),
        ("8卡H100 80G zero3 全参训 Qwen2.5 7B，cutoff_len 100000，够不够？还要打开什么选项",
         ("Liger", "梯度检查点", "FlashAttention", "上下文并行")),
    ],
)  # fmt: skip
def test_switches_that_are_asked_for_stand_with_what_a_gpu_takes_without_them(
    knowledge: KnowledgeBase, text: str, words: tuple[str, ...]
) -> None:
    answer = knowledge.ask(text)
    assert all(w in answer.text for w in words) and answer.declined is None
    without = figures(answer, "per_gpu_without")
    assert len(without) == 3 and min(without) > 80 > min(figures(answer, "per_gpu_with"))


@pytest.mark.parametrize("text", ["8卡H100 全参训 7B 64k 序列，梯度检查点开了，还要打开什么选项，够吗"])
def test_what_was_said_to_be_on_is_not_listed(knowledge: KnowledgeBase, text: str) -> None:
    table = next(t for t in knowledge.ask(text).text.split("\n\n") if t.startswith("|") or "Liger" in t)
    assert "FlashAttention" in table and "梯度检查点 |" not in table


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("LoRA Qwen2.5 7B 32k seq on one A100 80GB, fits?", True),
        ("一张 A100 80G 做 Qwen2.5 7B LoRA，序列 32k，放得下吗", True),
        ("LoRA Qwen2.5 7B seq 2048 on one A100 80GB, fits?", False),
        ("LoRA Qwen2.5 7B 32k seq on one A100 80GB with Liger kernel, fits?", False),
    ],
)
def test_a_fit_that_rests_on_a_fused_loss_says_so(knowledge: KnowledgeBase, text: str, said: bool) -> None:
    answer = knowledge.ask(text)
    assert ("Liger" in answer.text.partition("\n\n")[0]) is said
    assert (max(figures(answer, "per_gpu_without"), default=0) > 80) is said


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("full ft qwen2.5 7b at 64k on 8 A100 80GB, need liger?", "Needed here"),
        ("8×A100 80G 全参 Qwen2.5 7B 64k 序列，需要开 Liger 吗", "这里需要"),
        ("LoRA of a 1B at seq 2048 on an A100 80GB, do I need gradient checkpointing?", "Not needed here"),
    ],
)
def test_whether_one_measure_is_needed_is_computed(knowledge: KnowledgeBase, text: str, opening: str) -> None:
    assert opening in knowledge.ask(text).text
