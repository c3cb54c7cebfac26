"""Outlets, breakers and feeds of racks; power limits of cards, and supplies by their bare figure."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase
from kb.types.source import CellLocator


@pytest.mark.parametrize(
    ("question", "need", "have", "verdict"),
    [
        ("家里10A的插座带得动两张5090的机器不", 1611, 1760, "fits"),
        ("16A空调插座能带4张4090吗", 2333, 2816, "fits"),
        ("us 15 amp 120v outlet, 3x3090 power limited to 250w each. fine?", 1167, 1440, "fits"),
        ("can a 20A 120V circuit run 4x 4090?", 2333, 1920, "does_not_fit"),
        ("10A插排，一台2.4kW的工作站，能一直跑吗", 2400, 1760, "does_not_fit"),
    ],
)
def test_a_circuit_carries_boards_host_and_losses(
    knowledge: KnowledgeBase, question: str, need: float, have: float, verdict: str
) -> None:
    answer = knowledge.ask(question)
    values = {v.name: v.value for v in answer.values}
    told = (values.get("wall_power", values.get("power")), values["circuit_power"], answer.verdict)
    assert told == (pytest.approx(need, rel=0.01), pytest.approx(have, rel=0.01), verdict), answer.text


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("DGX H100一台最大功耗多少，机房一个机柜32A 220V能放几台", 0),
        ("30A 208V rack, how many 8-GPU H100 servers?", 0),
        ("63A 230V 的机柜能放几台 DGX H100", 1),
        ("60A 208V three phase, how many dgx h100", 1),
        ("32A 三相 380V 一路电，能带几台 H100 8卡服务器", 1),
        ("63A 400V three-phase feed, how many DGX H100", 3),
    ],
)
def test_the_feed_of_a_rack_bounds_its_servers(knowledge: KnowledgeBase, question: str, count: int) -> None:
    answer = knowledge.ask(question)
    assert {v.name: v.value for v in answer.values}["server_count"] == count, answer.text
    assert (count > 0) != any(words in answer.text for words in ("一台也放不下", "Not one")), answer.text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("4张4090限功率到300W，整机大概多少瓦，电源1600够吗", {"psu": 1875, "power": 1.56, "psu_available": 1600}),
        ("2x 5090 capped at 450W each with a 1300W psu, enough?", {"psu": 1500, "psu_available": 1300}),
        ("psu 1600 enough for 4x3090 limited to 280w?", {"psu": 1775, "psu_available": 1600}),
        ("8卡H20跑一个月，按400W一张算，PUE 1.4，电费0.65，一共多少钱", {"cost": 2726}),
        ("8 A100 at 250 W each for a month at 0.12 $/kwh, what do I pay?", {"cost": 224.6}),
        ("三张3090每张限250W一天跑10小时，电价0.6，一个月多少钱", {"cost": 175.5}),
    ],
)
def test_the_limit_of_a_card_is_no_supply_and_no_total(
    knowledge: KnowledgeBase, question: str, expected: dict[str, float]
) -> None:
    answer = knowledge.ask(question)
    values = {v.name: v.value for v in answer.values}
    assert {n: values.get(n) for n in expected} == pytest.approx(expected, rel=0.01), answer.text


@pytest.mark.parametrize(
    ("question", "watts", "verdict"),
    [
        ("psu for one 3090 plus one 4090?", 1375, None),
        ("一张4090加一张3090要多大电源", 1375, None),
        ("2 张 3090 加 1 张 4090 的电源要多大", 1812.5, None),
        ("3090+4090 on an 850 W supply with a 7950X, crashes under load, is it the psu?", 1375, "does_not_fit"),
    ],
)
def test_a_supply_carries_every_card_that_is_named(
    knowledge: KnowledgeBase, question: str, watts: float, verdict: str | None
) -> None:
    answer = knowledge.ask(question)
    assert {v.name: v.value for v in answer.values}["psu"] == pytest.approx(watts) and answer.verdict == verdict
    assert {c.locator.row for c in answer.citations if isinstance(c.locator, CellLocator)} >= {"rtx-3090", "rtx-4090"}


@pytest.mark.parametrize(
    ("question", "lanes", "told"),
    [
        ("PCIe lanes to run four GPUs at full x16? desktop cpu ok?", 64, "No desktop processor will do"),
        ("四张卡全速x16要多少PCIe通道，家用CPU够不够", 64, "桌面 CPU 不够"),
        (
            "are desktop Ryzen lanes enough for two GPUs at x8 and an NVMe?",
            20,
            "A desktop processor with up to 28 lanes can do it",
        ),
    ],
)
def test_lanes_are_held_against_those_of_a_desktop_where_one_is_meant(
    knowledge: KnowledgeBase, question: str, lanes: int, told: str
) -> None:
    answer = knowledge.ask(question)
    assert told in answer.text and next(v.value for v in answer.values if v.name == "pcie_lanes" and not v.scope) == lanes


@pytest.mark.parametrize(
    ("question", "kilowatts"),
    [
        ("How much electrical power do 8 H100 SXM GPUs draw at full load, GPUs only?", 5.6),
        ("8 张 H100 SXM GPU 本身满载多少功率", 5.6),
        ("how much power do 8 H100 SXM draw", 7.28),
    ],
)
def test_cards_alone_draw_what_their_data_sheets_say(knowledge: KnowledgeBase, question: str, kilowatts: float) -> None:
    assert {v.name: v.value for v in knowledge.ask(question).values}["power"] == pytest.approx(kilowatts)
