"""Cards compared by speed are told the way round that was asked, and a format that a card lacks with what to take instead."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("how much slower is a 3090 than a 4090 for training", "RTX 3090 is the slower one for training"),
        ("3090比4090训练慢多少", "训练更慢的是 RTX 3090"),
        ("which is slower for inference, L40S or A6000?", "RTX A6000 is the slower one for inference"),
        ("A100和H100推理哪个慢", "推理更慢的是 A100"),
        ("how slow is a P40 compared to 3090", "Tesla P40 is the slower one"),
        ("M3 Max vs 4090 speed for 70B q4", "not held: RTX 4090"),
        ("how much faster is a 4090 than a 3090 for training", "RTX 4090 is the faster one for training"),
    ],
)
def test_the_slower_one_is_named_where_that_is_asked(knowledge: KnowledgeBase, question: str, says: str) -> None:
    assert says in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("910B3和A100训练速度能打平吗", "训练速度相当"),
        ("is a 910B3 as fast as an A100 for training?", "train about as fast"),
        ("T4 vs L4 for inference, which is faster?", "NVIDIA L4 is the faster one for the prompt"),
        ("T4和L4推理哪个快", "两者相当"),
        ("is an H800 slower than an H100 for training?", "Yes. GPU-to-GPU bandwidth"),
        ("A800训练比A100慢吗", "是的。卡间互联带宽"),
    ],
)
def test_what_is_about_equal_is_judged_so(knowledge: KnowledgeBase, question: str, says: str) -> None:
    assert says in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "lacks", "has"),
    [
        ("V100支持BF16吗", "不支持 BF16", "改用它支持的 FP16：125 TFLOP/s"),
        ("does the 3090 support FP8?", "does not support FP8", "BF16 is the next: 71 TFLOP/s"),
        ("V100开FP8训练能快多少", "算力不会因此变快", "FP8 从 Ada 和 Hopper 开始"),
        ("can I train FP8 on a 3090, how much faster", "no faster", "BF16 is the next"),
        ("MI250 fp8?", "does not support FP8", "BF16 is the next"),
        ("RTX 4090 FP4推理", "不支持 FP4", "FP8：330.3 TFLOP/s"),
        ("A100 or H100 for fp8?", "A100 SXM4 80GB does not support FP8", "H100 SXM5 80GB: FP8 dense compute 1978.9"),
    ],
)
def test_a_format_that_a_card_lacks_comes_with_one_that_it_has(
    knowledge: KnowledgeBase, question: str, lacks: str, has: str
) -> None:
    answer = knowledge.ask(question)
    assert lacks in answer.text
    assert has in answer.text
