"""What a name was read as is told where it matters, by the row that was taken; claims are held against all variants on file."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase

NOTES = ("say so if it is", "请说明")


@pytest.mark.parametrize(
    "question",
    [
        "V100 SXM2 32G 显存带宽",
        "A100 SXM 功耗",
        "A100 BF16 tflops",
        "RTX PRO 5000 bandwidth",
        "A100 NVLink per-direction figure?",
    ],
)
def test_no_variant_is_named_where_all_say_the_same_or_it_was_written(knowledge: KnowledgeBase, question: str) -> None:
    assert not any(note in knowledge.ask(question).text for note in NOTES)


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("A100 memory bandwidth", "say so if it is A100 PCIe 80GB"),
        ("H100 显存带宽", "若为 H100 PCIe 80GB"),
        ("Jetson Orin memory bandwidth?", "Read as Jetson AGX Orin 64GB"),
        ("Jetson Orin 内存带宽", "按最常被这样称呼的 Jetson AGX Orin 64GB 理解"),
    ],
)
def test_the_row_taken_and_those_that_differ_are_named(knowledge: KnowledgeBase, question: str, note: str) -> None:
    assert note in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("A100 has 30GB right?", "One thing first: memory capacity of A100 is 80 GB or 40 GB, not 30 GB [1][2]."),
        ("V100 有 24G 显存吧", "先更正一点：V100 的显存容量是 32 GB 或 16 GB，不是 24 GB[1][2]。"),
        ("A100 has 40GB right?", "Yes: A100 comes with a memory capacity of 80 GB or 40 GB [1][2]."),
        ("H20 有 80G 显存对吗", "先更正一点：H20 的显存容量是 96 GB 或 141 GB，不是 80 GB[1][2]。"),
    ],
)
def test_a_claimed_memory_is_held_against_all_variants(knowledge: KnowledgeBase, question: str, told: str) -> None:
    assert knowledge.ask(question).text == told


@pytest.mark.parametrize(
    "question",
    [
        "B200 NVLink says 1800, I measure 750 in one direction. what is the theoretical per-direction number?",
        "H100 NVLink: it says 900, i measure 380 one way. what is the per-direction theoretical number",
    ],
)
def test_half_of_a_link_is_answered_once(knowledge: KnowledgeBase, question: str) -> None:
    told = knowledge.ask(question).text
    assert "one direction is" in told
    assert "Not answered" not in told


def test_a_model_off_the_tables_is_computed_from_its_size_and_that_is_said(knowledge: KnowledgeBase) -> None:
    told = knowledge.ask("GLM-130B trained on 400B tokens with 768 A100 in 60 days, MFU?").text
    assert "what follows is computed from the size said" in told
    assert "no figure" not in told
