"""Names with an edition in one letter, links told one by one, export variants, and models whose makers publish nothing."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("4070s显存带宽", "RTX 4070 Super"),
        ("4080s显存多大", "RTX 4080 Super"),
        ("4070ti s 显存", "RTX 4070 Ti Super"),
        ("two 4070s, enough for 13B int4?", "2 × RTX 4070 "),
        ("do 2x 4080s hold 32b int4?", "2 × RTX 4080 "),
        ("is a 4070S enough for 7B int4?", "RTX 4070 Super"),
    ],
)
def test_an_edition_of_one_letter_is_no_plural(knowledge: KnowledgeBase, question: str, says: str) -> None:
    assert says in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("bandwidth of NVLink 4 per link on an H100 SXM", ("25 GB/s per direction, links per GPU 18", "900 GB/s")),
        ("H100每条NVLink带宽多少", ("25 GB/s per direction、每卡链路数 18", "900 GB/s")),
        ("H800 每条NVLink链路带宽", ("25 GB/s per direction", "400 GB/s")),
    ],
)
def test_a_link_of_a_card_is_told_beside_their_sum(knowledge: KnowledgeBase, question: str, says: tuple[str, str]) -> None:
    text = knowledge.ask(question).text
    assert all(s in text for s in says)
    assert ("18" in text) == ("H800" not in question)  # of a link that was cut the other has more


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("2023年出口合规的卡有哪些", "2023 年的规则把 A800 和 H800 也禁了"),
        ("特供卡有哪些显存大于40G", "2023 年的规则把 A800 和 H800 也禁了"),
        ("which export compliant cards have at least 64 GB?", "Rules of 2023 stopped the A800 and H800 too"),
    ],
)
def test_a_list_of_export_variants_says_which_were_stopped(knowledge: KnowledgeBase, question: str, says: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "spec" and says in answer.text


@pytest.mark.parametrize(
    ("question", "says", "never"),
    [
        ("GPT-4 训练用了多少张卡、跑了多少天", "训练用了多少张卡、多少天", "参数量"),
        ("what did it cost to train Gemini 1.5 Pro", "at what cost it was trained", "its size"),
        ("how many H100s does it take to run GPT-4o?", "neither its size nor how many accelerators", "trained"),
        ("can I fine-tune claude on a 4090?", "neither its size", "trained"),
    ],
)
def test_what_a_maker_keeps_to_itself_is_named_as_asked(knowledge: KnowledgeBase, question: str, says: str, never: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "declined" and says in answer.text and never not in answer.text


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        (("is one enough?", "4090", "qwen3 14b int8, 3 users"), "Yes, it fits: inference of Qwen3 14B"),
        (("够用吗", "4张v100", "chatglm3 6b 全参微调"), "4 张 V100 SXM2 32GB 上 ChatGLM3 6B 全参微调"),
        (("4090显存多大", "那跑32B int4呢"), "够用，放得下：32B 推理"),
        (("4090 vs A6000 memory?", "32B lora"), "RTX A6000 offers"),
    ],
)
def test_what_is_to_run_on_a_card_spoken_of_is_sized(knowledge: KnowledgeBase, turns: tuple[str, ...], says: str) -> None:
    assert says in knowledge.ask(turns[-1], history=[("user", t) for t in turns[:-1]]).text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("cards that need no power connector with at least 16GB", "Power connectors are not on file"),
        ("single slot, no power plug, >=16 GB, old cramped server, which card?", "power (TDP) at most 75 W"),
        ("不插外接供电 半高的卡有哪些", "功耗（TDP） ≤ 75 W"),
        ("免供电的显卡16G以上", "没有收录供电接口"),
    ],
)
def test_cards_without_a_plug_are_those_that_live_on_the_slot(knowledge: KnowledgeBase, question: str, says: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "spec" and says in answer.text
    assert "RTX 4090" not in answer.text


@pytest.mark.parametrize(
    "question", ["should i buy nvidia stock or amd", "英伟达股票和AMD股票买哪个", "nvidia stock vs amd stock"]
)
def test_shares_are_not_of_the_field(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).kind == "declined"
