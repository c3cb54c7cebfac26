"""Whether a question asks about what somebody says."""

from __future__ import annotations

import pytest

from kb.understanding.asks.hearing import heard


@pytest.mark.parametrize(
    "question",
    [
        "a buying guide recommends 64 GB of RAM, is that right?",
        "I heard that 10 GbE is enough",
        "people say an A100 is still the top",
        "听说 8 卡 A100 是顶级配置",
        "网上都说要买 SSD",
        "有篇文章要求至少 256 GB 内存",
        "這個說法對嗎：10 GbE 就夠了",
    ],
)
def test_what_is_said_elsewhere_is_heard(question: str) -> None:
    assert heard(question)


@pytest.mark.parametrize(
    "question", ["how much RAM for 4 x A100", "cheap cards for a small cluster", "服务器扩展性怎么评估", "训练要多大硬盘"]
)
def test_a_plain_question_is_about_nothing_that_was_said(question: str) -> None:
    assert not heard(question)
