"""Two ways of splitting a run, between which a question chooses, are read as the choice; the stage they name is not taken as said."""

from __future__ import annotations

import pytest

from kb.understanding import Reader
from kb.understanding.asks.needs import needs_link
from kb.understanding.asks.sides import sides_of


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("fsdp or tp?", ("zero3", "tp")),
        ("pipeline or zero-3", ("pp", "zero3")),
        ("用流水线并行还是张量并行", ("pp", "tp")),
        ("zero3还是3d并行", ("zero3", "solid")),
        ("ddp vs fsdp", ("dp", "zero3")),
        ("tp 4 or tp 8", ()),
        ("http or ftp", ()),
    ],
)
def test_the_two_ways_are_named(text: str, sides: tuple[str, ...]) -> None:
    assert sides_of(text) == sides


@pytest.mark.parametrize(
    "question",
    ["8x H100 training 13B: FSDP or TP?", "单机8卡H100训练13B，用FSDP还是TP", "32 A100s pretrain 30B, pipeline or ZeRO-3?"],
)
def test_a_choice_for_a_run_on_cards_is_planned(reader: Reader, question: str) -> None:
    (part,) = reader.read(question).parts
    assert part.intent == "size" and part.wanted == ("layout",)
    assert "sides" in part.slots and "zero_stage" not in part.slots


@pytest.mark.parametrize("question", ["ddp or fsdp for 7b lora on 4x 3090", "两台4090千兆网跑70B，用pp还是tp", "FSDP or TP?"])
def test_other_choices_are_not_planned(reader: Reader, question: str) -> None:
    assert all("sides" not in p.slots for p in reader.read(question).parts)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("32 gpus on 25gbe, scaling is bad, what network speed do i need?", True),
        ("adding a second machine over 10gbe makes training slower, how fast a link do i need", True),
        ("现在是25gbe，要换成多少g的网卡才行", True),
        ("网速要多少", True),
        ("how fast is 25gbe?", False),
        ("what memory do i need", False),
        ("25g以太网带宽是多少", False),
    ],
)
def test_how_fast_a_network_has_to_be_is_asked(text: str, asked: bool) -> None:
    assert needs_link(text) is asked
