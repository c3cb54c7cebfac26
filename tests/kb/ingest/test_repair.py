"""Repairs: what they mend, what they leave alone, and that the record accounts for every change."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.ingest.repair import clean_plain, repair
from kb.ingest.repair.edits import Edit, apply, compose

ANNOTATED = "機(jī)房里的訓(xùn)練(liàn)集群要先算電(diàn)力，再看風(fēng)道。"


def put_in(text, repairs):
    for r in sorted(repairs, key=lambda r: -r.start):
        assert text[r.start : r.end] == r.before
        text = text[: r.start] + r.after + text[r.end :]
    return text


def kinds(found):
    return {f.kind for f in found.flags}


REPAIRED = [
    (ANNOTATED, "機房里的訓練集群要先算電力，再看風道。"),
    (ANNOTATED + "而M(jìn)axText在者M(jìn)oE之外。", "機房里的訓練集群要先算電力，再看風道。而M(jìn)axText在者MoE之外。"),
    (ANNOTATED + "價格會回落?，F(xiàn)貨不少。", "機房里的訓練集群要先算電力，再看風道。價格會回落。現貨不少。"),
    ("显存\u200b为\ufeff 80\u00a0GB", "显存为 80 GB"),
    ("\u3000\u3000先看供电。\r\n\r\n\r\n再看散热。", "先看供电。\n\n再看散热。"),
    ("八卡Ａ１００，显存８０ＧＢ", "八卡A100，显存80GB"),
    ("先 算 显 存 再 下 单", "先算显存再下单"),
    ("éclair cafe\u0301", "éclair café"),
    ("带宽&nbsp;3&amp;4，&lt;5 GB&#47;s", "带宽 3&4，<5 GB/s"),
    ("一行<br>两行<strong>粗</strong>", "一行\n两行粗"),
    ("共 2×10<sup>9</sup> 次", "共 2×10^9 次"),
    ("<ruby>機<rt>jī</rt></ruby>櫃", "機櫃"),
    ("\\u529f\\u8017\\u8fc7\\u9ad8", "功耗过高"),
    ("%E6%98%BE%E5%8D%A1 怎么选", "显卡 怎么选"),
    ("Н200 和 Α100", "H200 和 A100"),
    ("the cardâ€™s TDP", "the card’s TDP"),
    ("显卡功耗超过供电上限".encode("gbk").decode("latin-1"), "显卡功耗超过供电上限"),
    ("功率过高".encode().decode("gbk"), "功率过高"),
    ("内存大�。航ㄒ椴坏陀�512GB", "内存大�：建议不低�512GB"),
    ("留足余量。\n\n上一篇：怎么选电源？\n下一篇：怎么选风扇？", "留足余量。"),
    ("留足余量。\n\n本文链接：https://example.org/a/7.html", "留足余量。"),
    ("留足余量。\n\n需要报价请加微信 demo_7 或致电400-123-4567，官网 www.example.org", "留足余量。"),
    ("首页 > 新闻 > 正文\n\n风道要顺。", "风道要顺。"),
    ("发布日期：2025-01-02  作者：某人\n\n风道要顺。", "风道要顺。"),
    ("风道要顺。\n\n风道要顺。", "风道要顺。"),
    ("好运棋牌-好运棋牌下载-好运棋牌官网\n\n风道要顺。", "风道要顺。"),
]

UNTOUCHED = [
    "內存(RAM)與顯卡(GPU)要分開買。",
    "「覺」字讀作覺(jué)，也讀作覺(jiào)。",
    "重(zhòng)量级选手",
    "訓練（xùn liàn）一詞",
    "f(x) 与 L(w)，学习率 α=0.1",
    "支持 1、2、4、8、16 张卡。",
    "上一篇文章讲了显存，这一篇讲带宽。",
    "Next we measure bandwidth.",
    "官网给出的带宽是 3.35 TB/s。",
    "租用适合短期实验，长期训练更适合自购。",
    "第一段。\n\n第二段。\n\n第一段。",
    "显存-内存-硬盘-网络\n\n四项都要看。",
    "```\na  b\n\n\n\nc\n```",
    "价格区间：3～5万，“开箱即用”，CAFÉ»",
    "| 卡 | 显存 |\n| --- | --- |\n| A | 80 GB |",
    "变量 \\n 表示换行，100% 利用率",
]


@pytest.mark.parametrize(("damaged", "mended"), REPAIRED)
def test_known_damage_is_mended(damaged, mended):
    assert repair(damaged).text == mended


@pytest.mark.parametrize("text", UNTOUCHED)
def test_sound_text_is_left_alone(text):
    assert repair(text).text == text
    assert repair(text).repairs == ()


@pytest.mark.parametrize("text", [d for d, _ in REPAIRED] + UNTOUCHED)
def test_the_record_accounts_for_every_change_and_a_second_run_changes_nothing(text):
    first = repair(text)
    assert put_in(text, first.repairs) == first.text
    assert repair(first.text).text == first.text
    assert all(0 <= f.start < f.end <= len(first.text) for f in first.flags)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("功耗是���瓦", "replacement_char"),
        ("锟斤拷卡的价格", "replacement_char"),
        ("显存 8OGB", "ocr_digits"),
        ("共 3×1024 FLOP", "superscript_lost"),
        ("进风 25 ?C", "lost_symbol"),
        ("「覺」字讀作覺(jué)。", "pinyin_annotation"),
        (ANNOTATED + "大容量?jī)?nèi)存", "broken_annotation"),
        ("娑插喎鏌�", "mojibake"),
        ("内存大�。航ㄒ椴坏陀�512GB", "guessed_byte"),
        ("批次大?。航ㄒ榇?开始试。", "lost_bytes"),
    ],
)
def test_what_is_lost_is_flagged(text, kind):
    assert kind in kinds(repair(text))


def test_lost_characters_stay_lost():
    assert repair("功耗是���瓦").text == "功耗是���瓦"


def test_a_page_known_to_be_annotated_needs_no_further_proof():
    assert repair("訓(xùn)練").text == "訓(xùn)練"
    assert repair("訓(xùn)練", page_proven=True).text == "訓練"


def test_the_plain_form_has_the_outside_names():
    out = clean_plain("８０\u00a0GB")
    assert out == {
        "text": "80 GB",
        "repairs": [
            {"kind": "width_space", "start": 0, "end": 2, "before": "８０", "after": "80"},
            {"kind": "width_space", "start": 2, "end": 3, "before": "\u00a0", "after": " "},
        ],
        "flags": [],
    }


@given(st.text(alphabet=st.sampled_from("ab 訓練(xùn)\u200b\u00a0８\r\n&lt;<br>?�。é\u0301"), max_size=40))
def test_any_text_comes_out_composed_and_accounted_for(text):
    found = repair(text)
    assert put_in(text, found.repairs) == found.text
    assert unicodedata.is_normalized("NFC", found.text)


@given(st.data())
def test_composed_edits_do_what_both_did(data):
    def some(text):
        cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
        pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
        return [Edit(a, b, data.draw(st.text("xy", max_size=3)), "k") for a, b in pairs]

    text = data.draw(st.text("abcdef", max_size=12))
    first = some(text)
    middle = apply(text, first)
    second = some(middle)
    assert apply(text, compose(first, second, middle)) == apply(middle, second)
