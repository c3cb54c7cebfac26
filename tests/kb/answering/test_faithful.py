"""Whether one sentence says what another says."""

import re
from itertools import pairwise

import pytest

from kb.answering.rephrasing.faithful import unfaithful
from kb.answering.rephrasing.prose import taken_out
from kb.api import KnowledgeBase

LINK = "H800 SXM5 80GB: GPU-to-GPU bandwidth (NVLink or similar, both directions) 400 GB/s"
LESS = "Memory bandwidth: H100 PCIe 80GB has 1350 GB/s (40.3 %) less than H100 SXM5 80GB"
NONE = "RTX 4090 没有 NVLink，不支持桥接，卡间只能走 PCIe"
CACHE = "KV cache grows linearly with context"
QUESTIONS = [
    "What is the NVLink bandwidth of the H800?",
    "compare the H100 PCIe with the H100 SXM",
    "is 64GB of RAM enough to train a large model?",
    "训练大模型为什么要用 NVMe 固态硬盘？",
    "万兆网够不够做分布式训练？",
    "70B 用 QLoRA 微调，一张 A100 80G 够吗？",
    "顯存不夠怎麼辦？",
    "how long to pretrain a 7B on 1T tokens with 64 H100?",
]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("The H800 SXM5 80GB has a GPU-to-GPU bandwidth (NVLink or similar, both directions) of 400 GB/s", LINK),
        ("In memory bandwidth, the H100 PCIe 80GB has 1,350 GB/s (40.3%) less than the H100 SXM5 80GB", LESS),
        ("RTX 4090 并不具备 NVLink，也不支持桥接，卡间只能走 PCIe", NONE),
        ("機械硬盤只適合冷數據的歸檔", "机械硬盘只适合冷数据归档"),
        ("The KV cache increases linearly with the context", CACHE),
        ("8 GPUs require at least 640 GB", "8 GPUs need at least 640 GB"),
    ],
)
def test_other_small_words_say_the_same(said: str, meant: str) -> None:
    assert unfaithful(said, meant) is None


@pytest.mark.parametrize(
    ("said", "meant", "check"),
    [
        (LINK.replace("400", "900"), LINK, "figures"),
        (LINK.replace("GB/s", "TB/s"), LINK, "figures"),
        (LINK + ", which is fast", LINK, "words"),
        (LINK.replace("H800", "H100"), LINK, "names"),
        (LINK + " <script>", LINK, "markup"),
        (LINK + " (https://example.com)", LINK, "markup"),
        (LINK + " – быстро", LINK, "markup"),
        (LESS.replace("PCIe", "X").replace("SXM5", "PCIe").replace("X", "SXM5"), LESS, "names"),
        (LESS.replace("less", "more"), LESS, "sense"),
        (NONE.replace("没有", "有"), NONE, "sense"),
        (NONE.replace("不支持", "支持"), NONE, "sense"),
        (NONE.replace("只能", ""), NONE, "sense"),
        (CACHE.replace("linearly", "never"), CACHE, "sense"),
        (CACHE.replace("grows", "shrinks"), CACHE, "words"),
        (
            "Fine-tuning of 7B in BF16 with AdamW takes 120 GB",
            "Full fine-tuning of 7B in BF16 with AdamW takes 120 GB",
            "words",
        ),
        ("The KV cache grows linearly with the context length", CACHE, "words"),
        ("Training works well", "Training works well only if ECC is on", "names"),
        ("It doubles with context", "It grows with context", "sense"),
        ("64 GB suits one machine", "The smallest useful machine with one consumer card has 64 GB", "words"),
        ("Inference with quantization takes 80 GB, 64 GB", "Inference takes 80 GB, 64 GB with quantization", "order"),
        ("One direction is 400 GB/s and both are 200 GB/s", "One direction is 200 GB/s and both are 400 GB/s", "figures"),
        ("Both are 200 GB/s, one direction is 400 GB/s", "One direction is 200 GB/s, both are 400 GB/s", "order"),
        ("Length falls in proportion to activations", "Activations fall in proportion to length", "order"),
        ("It went by 51.0 to 42.9 GiB from chunking", "It went from 51.0 to 42.9 GiB by chunking", "order"),
        ("It decides how fast it runs, not whether it loads", "It decides whether it loads, not how fast it runs", "order"),
        ("Use NVMe for training", "For training, use NVMe", "order"),
        ("GPU 间带宽 400 GB/s", LINK, "figures"),
        ("Adam takes less than Lion", "Lion takes less than Adam", "names"),
    ],
)
def test_what_says_something_else_is_caught(said: str, meant: str, check: str) -> None:
    assert unfaithful(said, meant) == check


def spoilt(text: str) -> list[str]:
    """A sentence with a figure or its unit changed, two figures or names exchanged, a word turned round, an ending added."""
    out = [text + add for add in (" and 7", " Always", "，很快", " 2x", " H20")]
    figures = [m.span() for m in re.finditer(r"(?<![\w.,])\d+(?:\.\d+)?", text)]
    out += [text[:a] + str(float(text[a:b]) + 1) + text[b:] for a, b in figures]
    names = [m.span() for m in re.finditer(r"\b[A-Z]+[A-Z0-9-]*\d\b|\b[A-Z]{3,}\b", text)]
    for found in (figures, names):
        pairs = [(x, y) for x, y in pairwise(found) if text[slice(*x)] != text[slice(*y)]]
        out += [text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:] for (a, b), (c, d) in pairs]
    for this, that in (
        ("GB", "TB"),
        ("不", ""),
        ("没有", "有"),
        ("只", ""),
        (" not ", " "),
        ("no ", ""),
        ("less", "more"),
        ("at least", "at most"),
    ):
        out += [text.replace(this, that, 1)] if this in text else []
    return out


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_spoilt_sentence_of_an_answer_passes(question: str, knowledge: KnowledgeBase) -> None:
    pieces = taken_out(knowledge.ask(question))
    assert pieces
    assert [p.text for p in pieces if unfaithful(p.text, p.text)] == []
    assert [s for p in pieces for s in spoilt(p.text) if not unfaithful(s, p.text)] == []
