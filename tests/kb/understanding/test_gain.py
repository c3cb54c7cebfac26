"""What a way of serving brings is told by articles, and how hot memory is is no question of its size."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    "text",
    ["70B 开投机解码能快多少", "how much faster is a 70b with speculative decoding", "prefix caching speedup for an 8b",
     "tp8 or eight replicas of a 7b for throughput", "8 卡跑 7B，TP8 还是 8 个副本"],
)  # fmt: skip
def test_what_a_way_of_serving_brings_is_no_sizing(reader: Reader, text: str) -> None:
    assert reader.read(text).intents == ("explain",)


@pytest.mark.parametrize(
    "text", ["how many tokens per second does a 70B reach on 4x 4090", "70B 在 4 张 4090 上每秒多少 token"]
)
def test_speed_on_cards_stays_one(reader: Reader, text: str) -> None:
    assert reader.read(text).intents == ("size",)


@pytest.mark.parametrize(
    ("text", "asked"),
    [("3090 mem junction 104c", False), ("5090 memory temps 95", False), ("3090 显存温度", False), ("RTX 3090 memory", True),
     ("3090 显存", True)],
)  # fmt: skip
def test_the_heat_of_memory_is_not_its_size(reader: Reader, text: str, asked: bool) -> None:
    assert any("memory_gb" in p.columns for p in reader.read(text).parts) is asked
