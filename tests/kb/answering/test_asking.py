"""Asking back: exactly what is missing, and nothing once the question is answered."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "asks", "not_for"),
    [
        ("这卡咋样", "哪款显卡", "模型"),
        ("is this card any good?", "Which GPU", "model"),
        ("will it fit on my gpu? its a 7b", "Which GPU", "parameters"),
        ("我的卡能跑 13B 吗", "哪款显卡", "参数量"),
        ("How much memory do I need?", "which model", "tokens"),
        ("显存要多少", "哪个模型", "token 数"),
        ("How long will fine-tuning take", "training tokens", "inference"),
        ("微调要多久", "token 数", "推理"),
        ("训练 7B 要多久", "token 数", "参数量"),
        ("how many gpus do i need", "which GPU", "and how many"),
        ("要几张卡", "显卡型号", "张数"),
        ("KV cache 要多大", "哪个模型", "训练"),
        ("两张卡够吗？", "显卡型号", "token 数"),
        ("is 24gb enough?", "which model", "tokens"),
        ("推荐一下部署方案", "哪个模型", "token 数"),
        ("这个模型我这机器能跑不", "哪个模型", "昇腾"),
        ("can my computer run this model?", "which model", "tokens"),
        ("recommend a deployment setup", "which model", "tokens"),
        ("is it fast on my mac", "which chip and how much memory", "which GPU"),
        ("在我的 mac 上跑得快吗", "什么芯片、多少内存", "显卡"),
        ("两张 4090 够吗", "哪个模型", "显卡型号"),
        ("are two 4090s enough?", "which model", "which GPU"),
        ("whats better for llama, the 80 or the 40", "Which GPU", "parameters"),
        ("跑 llama 用 80 的还是 40 的，哪个更好", "哪款显卡", "参数量"),
    ],
)
def test_what_is_missing_is_asked_for_and_nothing_else(
    knowledge: KnowledgeBase, question: str, asks: str, not_for: str
) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "clarification"
    assert asks in answer.text and not_for not in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "what is a GPU?",
        "is 64 GB of RAM enough?",
        "显存是什么",
        "What MFU is realistic for a first timer training on H100s? everyone quotes different numbers",
        "MFU 做到多少算正常",
        "ZeRO-3 切激活吗",
        "does ZeRO-3 shard activations?",
        "KV cache 用 fp8 能省多少？影响精度没",
        "how much does an fp8 KV cache save, and does it hurt quality?",
        "什么是 KV cache",
        "NCCL error: unhandled system error",
        "DeepSeek-V3 预训练用了多少 H800 小时，花了多少钱",
        "what did it cost to train DeepSeek-V3?",
    ],
)
def test_nothing_is_asked_of_what_the_corpus_knows(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.citations and not answer.text.rstrip().endswith(("?", "？"))
    assert "请补充" not in answer.text and "tell me" not in answer.text.lower()


def test_a_card_named_in_another_sentence_is_not_asked_for(knowledge: KnowledgeBase) -> None:
    assert knowledge.ask("我的卡能跑 7B 吗？是 4090").verdict == "fits"
