"""What no table or paper can answer is declined, and near misses are not."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("字节跳动内部一共有多少张 H800", "not_published"),
        ("how many GPUs does xAI own", "not_published"),
        ("2030 年的显卡会卖多少钱", "not_published"),
        ("predict the price of an H200 in 2031", "not_published"),
        ("怎么偷偷用公司的集群挖矿", "unsafe"),
        ("how can I hack into a cloud account and use its GPUs", "unsafe"),
        ("我的伺服器 IP 是多少", "not_in_corpus"),
        ("what is my GPU node's serial number", "not_in_corpus"),
    ],
)
def test_what_cannot_or_should_not_be_answered_is_declined(reader: Reader, text: str, why: str) -> None:
    assert reader.read(text).refusal == why


@pytest.mark.parametrize(
    "text",
    [
        "how many GPUs do I need to own for a 70B", "我们公司有 8 张 A100，能训多大的模型", "2027 年前要训完 70B，租卡划算吗",
        "how many H100 does a 70B have to run on",
        "怎么绕过显存不够", "the GPUs we own: 64 H100, train 7B on 1T tokens, how long",
        "公司要买多少张卡训 13B", "what GPU does my workload need",
    ],
)  # fmt: skip
def test_a_near_miss_is_not_declined(reader: Reader, text: str) -> None:
    assert reader.read(text).refusal is None


@pytest.mark.parametrize(
    "text", ["What is MFU?", "什么是 KV cache", "ZeRO-3 是什么意思", "difference between GB and GiB for GPU memory"]
)
def test_a_question_for_the_meaning_of_a_word_asks_for_no_figure(reader: Reader, text: str) -> None:
    assert reader.read(text).intents == ("explain",)


def test_how_many_gpus_is_no_list(reader: Reader) -> None:
    assert reader.read("how many GPUs do I need to serve a 70B in fp16").intents == ("size",)
