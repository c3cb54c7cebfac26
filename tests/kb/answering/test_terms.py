"""What no rule knows and a heading of the corpus names is answered by that section."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what is HiCache", "HiCache"),
        ("what is SHARP", "SHARP"),
        ("what is a fat tree network", "leaf switch"),
        ("HBM3e 是什么", "HBM"),
        ("chunked prefill 是什么", "解码"),
        ("what is goodput", "90 %"),
        ("服务器可靠性怎么评估", "冗余"),
        ("do I need NVSwitch for just 2 GPUs?", "bridge"),
        ("DDP 相当于 ZeRO 几", "阶段 0"),
        ("用 Whisper 做语音识别要多少显存", "1550M"),
        ("how much vram does whisper large need", "10 GB"),
    ],
)
def test_a_term_of_a_heading_is_of_the_field(knowledge: KnowledgeBase, question: str, told: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "passages" and told in answer.text
