"""Quantities and names, as people write them in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from kb.understanding import Reader


def check_parse(reader: Reader, text: str, *expected: tuple[str, Any]) -> None:
    """`text` holds exactly these (quantity, value), in any order, each where it says it stands."""
    found = reader.read(text).mentions
    assert sorted((m.quantity, str(m.value)) for m in found) == sorted((q, str(v)) for q, v in expected), text
    for mention in found:
        assert text[mention.start : mention.end] == mention.text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6亿参数", 600_000_000), ("十三亿参数", 1_300_000_000), ("1.5万亿参数", 1_500_000_000_000), ("三百四十亿", 34_000_000_000),
        ("65b", 65_000_000_000), ("１４Ｂ 模型", 14_000_000_000), ("forty billion parameters", 40_000_000_000),
        ("2.7e9 params", 2_700_000_000),
        ("六點七億參數", 670_000_000), ("760M parameters", 760_000_000),
    ],
)  # fmt: skip
def test_parameter_counts(reader: Reader, text: str, value: int) -> None:
    check_parse(reader, text, ("parameters", value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3机24卡", 24), ("两台八卡服务器", 16), ("单机四卡", 4), ("half a dozen GPUs", 6), ("六十四卡", 64), ("3 nodes of 4 GPUs", 12),
        ("每台 8 张卡，共 4 台", 32), ("十六卡", 16),
    ],
)  # fmt: skip
def test_card_counts(reader: Reader, text: str, value: int) -> None:
    check_parse(reader, text, ("gpu_count", value))


@pytest.mark.parametrize("text", ["6*L40S", "L40S x 6", "六张 L40S", "six L40S", "6x L40S", "6×L40S", "６＊Ｌ４０Ｓ"])
def test_a_count_and_a_card(reader: Reader, text: str) -> None:
    check_parse(reader, text, ("gpu_count", 6), ("gpu", "L40S"))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("200 Gb/s", 200, "Gb/s"), ("200 GB/s", 200, "GB/s"), ("100Gbps 网卡", 100, "Gb/s"), ("25GbE", 25, "Gb/s"), ("千兆网", 1, "Gb/s"),
        ("2.4TB/s 显存带宽", 2.4, "TB/s"), ("100G IB", 100, "Gb/s"),
    ],
)  # fmt: skip
def test_bits_and_bytes_keep_their_case(reader: Reader, text: str, value: float, unit: str) -> None:
    (mention,) = reader.read(text).mentions
    assert (mention.quantity, mention.value, mention.unit) == ("bandwidth", value, unit)


@pytest.mark.parametrize(
    ("text", "value", "unit", "per"),
    [
        ("预算30w", 300_000, "CNY", None), ("$1.9/GPU/hr", 1.9, "USD", "gpu_hour"), ("电价0.6元/度", 0.6, "CNY", "kwh"),
        ("3刀一小时", 3, "USD", "hour"),
        ("月租2万5", 25_000, "CNY", "month"), ("€7,500", 7_500, "EUR", None), ("8毛一度电", 0.8, "CNY", "kwh"),
    ],
)  # fmt: skip
def test_money(reader: Reader, text: str, value: float, unit: str, per: str | None) -> None:
    (mention,) = reader.read(text).mentions
    assert (mention.quantity, mention.unit, mention.extra.get("per")) == ("money", unit, per)
    assert mention.value == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("两天半", 2.5, "day"),
        ("三个半小时", 3.5, "hour"),
        ("半年", 0.5, "year"),
        ("within 6 weeks", 6, "week"),
        ("40 毫秒", 40, "ms"),
    ],
)
def test_time(reader: Reader, text: str, value: float, unit: str) -> None:
    (mention,) = reader.read(text).mentions
    assert (mention.quantity, mention.value, mention.unit) == ("time", value, unit)


def test_a_round_k_is_binary_and_the_other_reading_is_kept(reader: Reader) -> None:
    (mention,) = reader.read("64K上下文").mentions
    assert (mention.value, mention.extra["accept"]) == (65_536, [64_000])


def test_a_vague_count_is_a_range_and_no_number(reader: Reader) -> None:
    (mention,) = reader.read("十几亿参数").mentions
    assert mention.value is None
    assert mention.extra["range"] == [1.1e9, 1.9e9]


def test_an_expert_layout_is_not_multiplied(reader: Reader) -> None:
    (mention,) = reader.read("16x12B").mentions
    assert (mention.value, mention.extra["moe"]) == (None, [16, 12e9])


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("A100 40G PCIe 显存带宽", "a100-pcie-40gb"), ("带宽：V100 16GB SXM2", "v100-sxm2-16gb"), ("80G的A100", "a100-sxm4-80gb"),
        ("H100 NVL memory", "h100-nvl-94gb"), ("魔改4090之外的 4090D 显存", "rtx-4090d"), ("6000 Ada 功耗", "rtx-6000-ada"),
    ],
)  # fmt: skip
def test_memory_and_form_choose_the_row(reader: Reader, text: str, row: str) -> None:
    assert row in str(reader.read(text).slots)


def test_a_bare_name_of_several_variants_states_its_choice(reader: Reader) -> None:
    assert "gpu" in reader.read("A100 显存多大").assumed
    assert "gpu" not in reader.read("A100 80G SXM 显存多大").assumed


def test_a_name_that_no_table_has_is_unknown_and_not_its_neighbour(reader: Reader) -> None:
    understood = reader.read("RTX 7090 显存多少")
    assert understood.unknown_entities == ("RTX 7090",)
    assert "gpu" not in understood.slots


@pytest.mark.parametrize(
    "text",
    [
        "联系电话 010-8888-0000", "4090 号房间", "flight 3090", "RFC 3090", "issue #3090", "L40 高速", "T4 航站楼", "A4 打印纸",
        "P40 手机", "Go 1.22",
        "2023年3月", "第4章第3节", "5G 手机", "8K 视频", "PCIe 4.0", "90B 铅笔", "他今年八十亿岁",
    ],
)  # fmt: skip
def test_numbers_of_everyday_life_are_left_alone(reader: Reader, text: str) -> None:
    check_parse(reader, text)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("8 nodes x 8 H100，每卡一张 400G NIC，all-reduce 70B", "400 Gb/s per GPU"),
        ("4 台 8 卡 H800，每台 8 张 400G IB，all-reduce 26 GB", "8x400 Gb/s per node"),
        ("64 GPUs, 8 NICs of 400 Gb/s per node, all-reduce of 140 GB", "8x400 Gb/s per node"),
        ("20GB 梯度在 16 张卡之间 all-reduce，用 200G IB 多久", None),
    ],
)
def test_network_cards_are_counted_where_their_number_is_said(reader: Reader, text: str, link: str | None) -> None:
    assert reader.read(text).slots.get("interconnect") == link


@pytest.mark.parametrize(
    "text",
    ["16 台 8 卡 H100，8x400G 网卡，70B 梯度 all-reduce", "8x400G NICs, all-reduce 26 GB", "8×400G IB 的 4 台 8 卡 H100"],
)
def test_ports_are_no_cards_of_so_much_memory(reader: Reader, text: str) -> None:
    slots = reader.read(text).slots
    assert slots["interconnect"] == "8x400 Gb/s per node" and "memory_gb" not in slots
