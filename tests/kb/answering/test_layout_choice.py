"""ZeRO-3 or 3D parallelism, with model, cards and network given, is a choice that the planner makes."""

from __future__ import annotations

import re

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    "asked",
    [
        "ZeRO-3 or 3D parallelism for full fine-tuning of a 70B on 16 A100 80GB in 2 servers with 25 Gbit/s Ethernet?",
        "2机16卡A100 80G，70B全参，25G以太网，zero3还是3D并行",
        "TP or ZeRO-3 for full fine-tuning 70B on 16 A100 80GB, 25 Gbit/s network?",
    ],
)
def test_a_slow_network_leaves_pipelines_across_servers(knowledge: KnowledgeBase, asked: str) -> None:
    answer = knowledge.ask(asked)
    (start,) = re.findall(r"the layout to start from is ([^[]+) \[|建议从 (.+?) 的布局", answer.text)
    assert answer.kind == "sizing" and "TP" in "".join(start) and "PP" in "".join(start) and "ZeRO-3" not in "".join(start)
    assert "HSDP" not in answer.text


def test_the_network_of_a_later_turn_is_planned_with(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("只有25G以太网，没IB", history=[("user", "2机16卡A100 80G，70B全参，zero3还是3D并行")])
    assert answer.kind == "sizing" and "PP" in answer.text.split("\n\n")[0]


@pytest.mark.parametrize(
    "asked", ["full fine-tuning of 70B with ZeRO-3 on 32 A100 80GB, memory per GPU?", "70B 全参 zero3 32 张 A100 每卡显存多少"]
)
def test_a_stage_that_is_said_stays(knowledge: KnowledgeBase, asked: str) -> None:
    assert knowledge.ask(asked).understanding.parts[0].slots["zero_stage"] == 3


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("does 10 gbit ethernet suffice to full finetune a 13b on two 8x a100 servers", "10 Gb/s"),
        ("两台8卡A100，万兆网，13B 全参微调够用吗", "10 Gb/s"),
        ("8 a100s 100Gb ethernet between 2 nodes ok for full finetune 7b?", "InfiniBand"),
    ],
)
def test_whether_a_link_is_enough_is_no_question_of_memory(knowledge: KnowledgeBase, question: str, section: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "passages" and section in answer.text and answer.verdict is None


@pytest.mark.parametrize(
    ("asked", "lead"),
    [
        ("8x H100 training 13B: FSDP or TP?", "ZeRO-3 (FSDP), not tensor parallelism"),
        ("单机8卡H100训练13B，用FSDP还是TP", "选 ZeRO-3（FSDP），不选张量并行"),
        ("2机16卡A100 80G，70B全参，25G以太网，zero3还是3D并行", "选 3D 并行，不选 ZeRO-3"),
        ("32 A100s pretrain 30B, pipeline or ZeRO-3?", "Either will do"),
        ("4台8卡A100训70B，zero3还是3D并行", "两者都行"),
    ],
)
def test_of_two_ways_the_first_sentence_takes_one(knowledge: KnowledgeBase, asked: str, lead: str) -> None:
    assert knowledge.ask(asked).text.startswith(lead)


@pytest.mark.parametrize(
    "asked", ["4机32卡A100 80G训30B，怎么并行", "16张H800预训练13B，如何并行最快", "72B LoRA 8张A100 怎么切分"]
)
def test_how_to_split_a_run_is_planned(knowledge: KnowledgeBase, asked: str) -> None:
    assert "布局开始" in knowledge.ask(asked).text.split("\n")[0]


@pytest.mark.parametrize("asked", ["8卡H100训70B怎么切分", "how should I split full fine-tuning of 70B over 4 A100 80GB"])
def test_where_no_layout_does_the_job_that_is_said(knowledge: KnowledgeBase, asked: str) -> None:
    answer = knowledge.ask(asked)
    assert answer.kind == "sizing" and answer.verdict in ("does_not_fit", "fits_with_conditions")


@pytest.mark.parametrize(
    ("asked", "lead"),
    [
        ("30B全参，2机16卡A100 80G，zero2还是zero3", "选 ZeRO-3"),
        ("zero 2 or zero 3 for 13b on 8x a100 80gb?", "ZeRO-2, the lowest"),
        ("13B在8卡A100上用zero2还是zero3", "选 ZeRO-2"),
    ],
)
def test_of_stages_the_lowest_that_fits_is_taken(knowledge: KnowledgeBase, asked: str, lead: str) -> None:
    assert knowledge.ask(asked).text.startswith(lead)
