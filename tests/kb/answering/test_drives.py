"""Files on kinds of drives: a size that is said is loaded from each kind that is named, at the rates that are said or on file."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "times"),
    [
        (
            "how long to load a 30 GB model from hdd, sata ssd and nvme",
            ("HDD (0.25 GB/s): 120 seconds", "54.5 seconds", "4.29 seconds"),
        ),
        ("30g模型 机械盘 sata nvme 分别加载多久", ("HDD（0.25 GB/s）时加载时间：120 秒", "54.5 秒", "4.29 秒")),
        ("加载70B fp16权重，SATA和NVMe分别要多久", ("254.5 秒", "20 秒")),
        (
            "load 140 GB from HDD at 0.2 GB/s vs NVMe at 7 GB/s, how long",
            ("HDD (0.2 GB/s): 11.7 minutes", "NVMe (7 GB/s): 20 seconds"),
        ),
        ("1.4TB checkpoint，写到NVMe和SATA分别多久", ("NVMe Gen4 x4（5 GB/s）时写入时间：280 秒", "44.9 分钟")),
        ("70B模型从机械硬盘加载要多久", ("560 秒",)),
    ],
)
def test_each_kind_that_is_named_has_its_time(knowledge: KnowledgeBase, question: str, times: tuple[str, ...]) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing" and all(time in answer.text for time in times)


def test_the_rate_of_a_kind_is_cited(knowledge: KnowledgeBase) -> None:
    titles = {c.source.title for c in knowledge.ask("how long to load a 30 GB model from a hard disk and from nvme").citations}
    assert any("HDD" in title for title in titles) and any("NVMe" in title for title in titles)


def test_a_rate_that_is_said_stays(knowledge: KnowledgeBase) -> None:
    assert "3.5 GB/s" in knowledge.ask("how long to load llama 3 70b from an nvme at 3.5 GB/s").text
