"""A bare yes or no of a section stands only for a question that asks in the same sense."""

from __future__ import annotations

import pytest

from kb.answering.passages.openings import apt, bare
from kb.types.document import Document, Passage
from kb.types.evidence import Hit
from kb.types.source import DocumentId, PassageId


def hit(heading: str, headed: float) -> Hit:
    document = Document(DocumentId("d"), "article", "A", "", "en", "No.")
    return Hit(Passage(PassageId("d#1"), document.id, (heading,), 0, 3, "No."), document, 1.0, 0.6, 1.0, headed)


@pytest.mark.parametrize("sentence", ["No.", "Neither.", "Usually not.", "必须。", "都不是。", "不够。", "有用。"])
def test_a_bare_yes_or_no_is_known(sentence: str) -> None:
    assert bare(sentence)


@pytest.mark.parametrize(
    "sentence", ["No, the name is rounded.", "Use dense rates.", "数端口就行。", "不能用 INT4 预训练，只能用 QLoRA。"]
)
def test_a_sentence_that_says_more_is_not_bare(sentence: str) -> None:
    assert not bare(sentence)


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("will 10GbE do for multi-node training?", "Is 10 GbE enough for distributed training?"),
        ("单机八卡还需要 IB 吗", "单机（8 卡）需要 InfiniBand（IB）吗？"),
        ("MoE 只要激活参数那么大的显存就够了吧？", "MoE 模型只需要激活参数那么多显存吗？"),
    ],
)
def test_it_stands_for_the_same_sense(question: str, heading: str) -> None:
    assert apt(question, hit(heading, 0.7))


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("so what do I use instead?", "Is 10 GbE enough for distributed training?"),
        ("is 10GbE too slow for training?", "Is 10 GbE enough for distributed training?"),
        ("do I need more than 10GbE?", "Is 10 GbE enough for distributed training?"),
        ("tensor parallel = 5?", "Must the degree divide the attention heads, or do 3, 5 or 7 GPUs work?"),
        ("为什么单机八卡不用 IB", "单机（8 卡）需要 InfiniBand（IB）吗？"),
        ("5 张卡能做张量并行吗", "张量并行度必须整除注意力头数吗，3、5、7 张卡行不行？"),
    ],
)
def test_it_does_not_stand_for_another(question: str, heading: str) -> None:
    assert not apt(question, hit(heading, 0.7))
