"""What an answer quotes: one section as a whole thought, and beside it only what adds to it."""

from __future__ import annotations

import pytest

from kb.answering.cite import Composer
from kb.answering.passages.quoting import quote
from kb.answering.passages.sections import MARKER
from kb.api import KnowledgeBase
from kb.index.lexical import Lexical
from kb.ingest.chunk import chunk
from kb.retrieval.ground import ground
from kb.types.document import Claim, Document
from kb.types.evidence import Hit
from kb.types.source import DocumentId, Source

SOURCE = Source("book", "article", "A book", "https://example.org/book", retrieved="2026-11")
KILLED = """## Why is the process killed?

No memory was left. Host memory ran out. So the kernel ended the process. Add memory.

## What saves memory?

Work from the first to the last knob.

1. Checkpointing saves activations.
2. Smaller batches save activations.
3. Shorter sequences save activations.
"""


def document(text: str, name: str = "killed") -> Document:
    claims = (Claim(0, len(text), SOURCE, None),)
    return Document(DocumentId(name), "article", "Memory", "", "en", text, collection="corpus", claims=claims)


def said(question: str, *texts: str, scores: tuple[float, ...] = (1.0, 0.9), dense: float = 0.5) -> str:
    """The answer to a question from all passages of the texts; the passages score as given, in order."""
    documents = [document(t, f"d{n}") for n, t in enumerate(texts)]
    passages = [(d, p) for d in documents for p in chunk(d)]
    hits = [Hit(p, d, s, dense if s == scores[0] else dense * s, 1.0) for (d, p), s in zip(passages, scores, strict=False)]
    composer = Composer("en", known=[question, *texts])
    quote(ground(question, hits, Lexical.build(p.text for _, p in passages)), composer)
    text, citations = composer.finish()
    for c in citations:
        assert any(c.quote == d.text[c.locator.start : c.locator.end] for d in documents)  # type: ignore[union-attr]
    return text


def test_the_best_section_is_told_whole_and_in_order() -> None:
    text = said("why was it killed by the kernel", KILLED, scores=(1.0,))
    places = [text.index(words) for words in ("No memory was left", "Host memory ran out", "So the kernel", "Add memory")]
    assert places == sorted(places)


def test_items_of_a_list_come_with_the_words_that_lead_to_them() -> None:
    text = said("smaller batches", KILLED, scores=(0.4, 1.0))
    assert text.index("Work from the first") < text.index("- Smaller batches save activations")


def test_a_section_that_shares_words_and_not_the_subject_is_left_out() -> None:
    far = said("killed kernel process", KILLED, "## Kernels\n\nAttention kernels process tokens.\n", scores=(1.0, 0.3, 0.4))
    assert "Attention kernels" not in far


def test_what_was_said_is_not_said_again() -> None:
    again = "## Killed\n\nHost memory ran out and the kernel ended the process.\n"
    text = said("host memory kernel process killed", KILLED, again, scores=(1.0, 0.0, 0.99))
    assert text.count("the kernel ended the process") == 1


def test_an_item_of_a_list_ends_where_it_is_quoted() -> None:
    text = said("smaller batches", KILLED.replace("activations.", "activations;"), scores=(0.4, 1.0))
    assert "- Smaller batches save activations [" in text and ";" not in text


@pytest.mark.parametrize("text", ["- one", "* one", "2. two", "3) three"])
def test_marks_of_lists_are_known(text: str) -> None:
    assert MARKER.match(text)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("BF16 跟 FP16 有什麼差別，訓練為什麼大家都用 BF16？", "65504"),
        ("difference between bf16 and fp16 for training", "65,504"),
        ("KV cache 用 fp8 存能省多少，精度掉得厉害吗", "精度会掉吗"),
        ("does an fp8 kv cache hurt accuracy and how much memory does it save?", "scales"),
        ("DeepSpeed ZeRO-2 和 ZeRO-3 的 communication volume 差多少？", "1.5 倍"),
        ("how much more communication does ZeRO-3 need than ZeRO-2?", "1.5 times"),
        ("為什麼我 vLLM 併發加到 64 之後總吞吐不再上升了？", "Waiting"),
        ("Why does vLLM's total throughput stop growing beyond 64 concurrent requests?", "Waiting"),
        ("Llama 3 405B 当时训练用了多少张卡、多少 tokens、MFU 多少", "16,384"),
        ("how many GPUs and tokens did Llama 3 405B use for training", "16,384"),
        ("Do I need infiniband for 4 nodes of 8xH100 training a 30B or is 100GbE okay?", "14.4"),
        ("8 台机器训 30B，必须上 IB 吗，100G 以太网行不行？", "14.4"),
        ("What MFU is realistic for a first timer training on H100s?", "35 to 45 %"),
        ("MFU 做到多少算正常", "35 到 45 %"),
    ],
)
def test_the_section_that_answers_is_quoted(knowledge: KnowledgeBase, question: str, told: str) -> None:
    answer = knowledge.ask(question)
    headings = [h for c in answer.citations for h in getattr(c.locator, "heading_path", ())]
    assert told in answer.text or any(told in h for h in headings)


GUIDE = Source("guide", "article", "A guide", "", retrieved="2026-11")
OPINIONS = """## How large a disk?

Count the data set, three checkpoints and the caches. The guide asks for 500 GB. That is too little. A checkpoint may be 1 TB.
"""


def opinions(question: str) -> str:
    """What is quoted of a section that contradicts a guide."""
    at = OPINIONS.index("The guide"), OPINIONS.index("500 GB.") + 7
    claims = (Claim(0, at[0], SOURCE, None), Claim(*at, GUIDE, "wrong"), Claim(at[1], len(OPINIONS), SOURCE, None))
    read = Document(DocumentId("disk"), "article", "Disks", "", "en", OPINIONS, collection="corpus", claims=claims)
    hits = [Hit(p, read, 1.0, 0.5, 1.0) for p in chunk(read)]
    composer = Composer("en", question, known=[question, OPINIONS])
    quote(ground(question, hits, Lexical.build([OPINIONS])), composer)
    return composer.finish()[0]


def test_a_contradicted_guide_is_told_of_to_those_who_ask_about_it() -> None:
    plain = opinions("how large a disk do I need")
    assert "Count the data" in plain and "checkpoint may" in plain
    assert "guide" not in plain and "too little" not in plain
    for question in ("a guide asks for 500 GB, how large a disk do I need", "is a disk of 500 GB large enough"):
        assert "The guide asks for 500 GB" in opinions(question) and "That is too little" in opinions(question)


@pytest.mark.parametrize("question", ["how do I judge the expandability of a server", "服务器扩展性怎么评估"])
def test_advice_is_told_without_the_guide_that_nobody_named(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "NVSwitch" in text
    assert "guide" not in text and "一文" not in text
