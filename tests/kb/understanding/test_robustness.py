"""Whatever is sent, the reader answers, and its spans point at the text they claim."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.understanding import Reader

PIECES = [
    "8张", "A100", " 80G", "H100", "4090", "×", "x", "*", "7B", "70b", "7亿", "参数", "tokens", "1.3T ", "显存", "，", "？",
    "\u200b", "\u202e", "Ａ１００", "３２Ｇ", "四零九零", "万兆网", "预算20w",
    "$2.5/GPU/hr", "--max-model-len 8192", "cutoff_len: 4096", "ZeRO-3", "qlora", "Qwen2.5-72B", "R1", "满血", "半", "两个半小时",
    "H300 ", "Llama 9 70B", "GPT-7", "A200 80G", "RTX 6090", "8x7B", "llama 3 ", "DGX H100", "NVLink 4 ", "DDR5-4800",
    "PCIe 4.0 x4 ", "top 3 ",
    "最大的三张卡", "7B、13B", "fp16 vs int4", "zero1/2/3", "tp 5 ", "只激活 37B", "flash-attn 2", "adapter: qlora\n", "-ngl 99 -c 4096 ",
    "--tensor-parallel-size=8 ", "CUDA_VISIBLE_DEVICES=0,1 ", "total capacity of 23.6 GiB",
    "500 in 200 out ", "一百人同时用",
    "10万条样本，每条 300 token",
    "40G 的呢", "at $3", "改成 2T", "说错了", "2031 年卖多少钱", "偷偷挖矿 GPU", "頻寬", "每小时 15 块", "6000 块",
    "第3章", "-7B", "-M", "-B", "七十", "NaN", "½", "①", "㎏", "ﬁ", "İ", "\x00", "\ue000", "'; DROP TABLE x;--",
]  # fmt: skip
texts = st.one_of(
    st.text(max_size=80), st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=14).map("".join)
)


@settings(max_examples=400, deadline=None)
@given(text=texts)
def test_spans_point_at_their_text(reader: Reader, text: str) -> None:
    understood = reader.read(text)
    for mention in understood.mentions:
        assert text[mention.start : mention.end] == mention.text
        assert mention.text.strip()
    assert all(name in text for name in understood.unknown_entities)


@settings(max_examples=120, deadline=None)
@given(turns=st.lists(texts, min_size=1, max_size=4))
def test_any_conversation_is_read_alike_turn_by_turn(reader: Reader, turns: list[str]) -> None:
    before = read = None
    for turn in turns:
        read = reader.read(turn, before=before)
        before = reader.kept(before, read)
    assert read == reader.read(turns[-1], turns[:-1])


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "1",
        "训练",
        "1,",
        "7b ",
        "A100 ",
        "8x",
        "-",
        "a_b=c ",
        "\u200b",
        "?",
        "万",
        "(",
        "\ue000",
        "$1 ",
        "q4 ",
        "1-",
        "4*",
        "kv ",
        "\n",
    ],
)
def test_long_and_repetitive_input_is_read(reader: Reader, piece: str) -> None:
    assert reader.read(piece * (100_000 // len(piece))).language in ("zh", "zh-Hant", "en")


def test_a_question_behind_a_long_preamble_is_found(reader: Reader) -> None:
    understood = reader.read("Here is some history of my setup. " * 400 + "How many GB does an L40S have?")
    assert understood.slots["gpu"] == "l40s"
    assert understood.parts[-1].columns == ("memory_gb",)


def test_invisible_and_full_width_characters_do_not_hide_a_name(reader: Reader) -> None:
    for text in ("H\u200b20\u200d0 显存", "Ｈ２００ 顯存", "\u202eH200\u202c memory"):
        assert reader.read(text).slots["gpu"] == "h200-sxm-141gb", text
