"""Counts, powers and sums as people write them: 叁张, 一对, 8路, 700W before the card, 28w of money."""

from __future__ import annotations

from typing import Any

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("叁张4090 qwen2.5-32b awq 能不能跑", 3),
        ("8路H20 部署671b fp8 够吗", 8),
        ("四路4090 跑 qwen2.5-72b int4 行吗", 4),
        ("4090 两路 跑32b fp8 够吗", 2),
        ("一对3090 跑 70b q4 够不够", 2),
        ("叁台8卡H100 服务器 405b fp8 够吗", 24),
        ("8 路并发 qwen2.5 7b 一张 4090 够吗", 1),
        ("four desktop PCs with one 3090 each, gigabit ethernet, can we fine-tune a 13B?", 4),
        ("I have two gaming PCs, each has a 4090. can they train a 7b together?", 2),
        ("three workstations with a single RTX 3090 each, LoRA on 30B?", 3),
        ("四台电脑各一张3090，能一起微调13B吗", 4),
        ("one PC with two 3090s, 70b q4?", 2),
        ("双路 EPYC 9554 配一张 4090 跑 7b 够吗", 1),
    ],
)
def test_cards_are_counted(reader: Reader, text: str, count: int) -> None:
    assert reader.read(text).slots["gpu_count"] == count


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("放一台滿載 700W 的 4090 工作站，冷氣要多加多少 BTU", {"server_kw": 0.7}),
        ("a 700W 4090 workstation, how many BTU of cooling?", {"server_kw": 0.7}),
        ("one 1200 W dual 4090 workstation, heat in BTU/h", {"server_kw": 1.2}),
        ("5090整机28w 三年折旧 电费0.8 满载5.5kw 合每小时多少钱", {"server_kw": 5.5}),
        ("给了5w 想微调7b 买啥卡", {"budget": 50000.0, "power_w": None}),
        ("一台机器1w8，电费一年 3000 元，三年一共多少钱", {"power_w": None}),
        ("4090 空载 30w 一个月电费多少 0.6 元一度", {"power_w": 30.0}),
        ("RTX A2000 70w 跑 7b 一个月电费多少，0.6 元一度", {"power_w": 70.0}),
    ],
)
def test_watts_and_sums(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    found = reader.read(text).slots
    assert {k: found.get(k) for k in slots} == slots


@pytest.mark.parametrize(
    ("text", "gbps"),
    [
        ("four PCs with one 3090 each on a gigabit switch, can we fine-tune a 13B?", 1.0),
        ("two PCs with a 4090 each over gbe, train a 7b?", 1.0),
        ("two PCs with a 4090 each over 10 gigabit ethernet, train a 7b?", 10.0),
        ("四台电脑各一张3090，千兆网，能一起微调13B吗", 1.0),
    ],
)
def test_a_gigabit_network_is_read_without_a_digit(reader: Reader, text: str, gbps: float) -> None:
    assert reader.read(text).slots["network_gbps"] == gbps
