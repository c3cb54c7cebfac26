"""A card that is only named in a question is not its answer: its row is for those who ask for nothing else."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    "question",
    [
        "my gaming pc has a 3070 8gb. upgrade the card or just pay for an api?",
        "is it worth upgrading from a 3060 for local llms",
        "what is the serial number of the first DGX-1",
        "DGX-1 是什么颜色的",
        "4 h100 nodes, roce or infiniband? whats the catch with roce",
        "32 GPUs on 25GbE, scaling is bad, what network speed do I need?",
    ],
)
def test_what_is_asked_beside_a_name_is_not_answered_with_its_row(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).kind != "spec"


@pytest.mark.parametrize(
    "question", ["RTX 5090?", "tell me everything about the L40S", "L40S 详细资料", "介绍一下H20", "3090 full specs please"]
)
def test_a_name_alone_still_brings_its_row(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).kind == "spec"
