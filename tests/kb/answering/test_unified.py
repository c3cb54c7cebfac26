"""A computer whose processor and GPU share one memory: which size of it is meant, and what runs there."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    "question",
    [
        "M2 Air 16GB, can it run 7B q4?",
        "M2 Macbook Air with 16GB, 7B q4 ok?",
        "my 16GB MacBook Air M2, is 7B q4 fine?",
        "MacBook Air M2 (16GB) 7B q4, does it run?",
        "M2 MacBook Air 16GB 跑7B q4 行吗",
        "我的16G内存的M2 Air能跑7B q4吗",
    ],
)
def test_the_memory_of_a_computer_is_what_stands_beside_its_chip(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    have = next(v for v in answer.values if v.name == "memory_available_per_gpu")
    assert answer.verdict == "fits"
    assert have.value == pytest.approx(10.67, abs=0.02)
    assert "per GPU" not in answer.text.split("\n\n")[0]
    assert "每卡" not in answer.text.split("\n\n")[0]


@pytest.mark.parametrize(
    "question", ["Mac Studio M2 Ultra 192GB 跑70B q4每秒多少token", "M2 Ultra 192GB 70B q4 tokens per second?"]
)
def test_the_bits_of_a_format_are_no_rate(knowledge: KnowledgeBase, question: str) -> None:
    assert any(v.name.startswith("decode") for v in knowledge.ask(question).values)


@pytest.mark.parametrize(
    "question", ["can I finetune 7b with qlora on a mac studio m2 ultra 192gb", "M2 Max 64GB 用 qlora 微调 7B 够吗"]
)
def test_what_is_trained_there_is_trained_by_its_own_library(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "MLX LM" in text
    assert not any(word in text for word in ("Liger", "nf4"))


def test_no_remedy_is_one_of_other_chips(knowledge: KnowledgeBase) -> None:
    for question in ("lora 13b on m1 max 32gb seq 8192 oom", "M1 Max 32GB lora 微调 13B 长度 8192 爆内存"):
        text = knowledge.ask(question).text
        assert "QLoRA" in text
        assert not any(word in text for word in ("Liger", "AdamW 8"))


def test_the_memory_of_one_of_two_is_not_that_of_the_other(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("M4 Pro 48GB vs 4090 for 32b q4")
    assert "RTX 4090 48 GB" not in answer.text


@pytest.mark.parametrize(
    ("question", "chip"),
    [
        ("M4 Max 128G 的 Mac Studio 微调 14B 用 LoRA 行不行", "M4 Max"),
        ("苹果 M2 Pro 32G 跑 Qwen 14B q8 行吗", "M2 Pro"),
        ("苹果M1 Pro 16G 跑 7B q4 行吗", "M1 Pro"),
        ("does M3 Max 128g run 70B q4", "M3 Max"),
    ],
)
def test_the_size_behind_a_chip_is_no_other_chip(knowledge: KnowledgeBase, question: str, chip: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "fits"
    assert chip in answer.text.split("\n")[0]
