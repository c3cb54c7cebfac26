"""Several sizes of one model in a question are each asked of; three degrees of parallelism without a figure are a layout."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("which of llama 8b, 13b and 70b fits on a 3090 in int4", [8, 13, 70]),
        ("0.5b, 1.5b, 3b or 7b qwen2.5: which can I qlora on a 6 GB card?", [0.5, 1.5, 3, 7]),
        ("largest of 3b 7b 13b that fits 8gb in int8", [3, 7, 13]),
        ("0.5b + 1.5b + 3b qwen2.5 qlora on a 3060 12gb which works", [0.5, 1.5, 3]),
        ("7B、14B、32B 哪个能在12G显卡上跑Q4", [7, 14, 32]),
        ("4090能LoRA微调 3B 7B 14B 里的哪些", [3, 7, 14]),
    ],
)
def test_each_size_of_a_list_is_asked_of(reader: Reader, text: str, sizes: list[float]) -> None:
    part = reader.read(text).parts[0]
    assert (part.intent, part.asks_verdict) == ("size", True)
    assert part.slots["each"] == ("parameters", [n * 1e9 for n in sizes])
    assert "model" not in part.slots


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("64 a100 30b model tp pp dp?", "layout"),
        ("tp/pp/dp for 13B pretraining on 16 H800?", "layout"),
        ("64张A100 30B tp pp dp 怎么定", "layout"),
        ("64 GPUs with TP 8 and PP 2, what is dp?", "dp_size"),
        ("64卡 tp8 pp4 dp多少", "dp_size"),
    ],
)
def test_degrees_that_are_listed_without_a_figure_are_a_layout(reader: Reader, text: str, wanted: str) -> None:
    assert reader.read(text).parts[0].wanted == (wanted,)
