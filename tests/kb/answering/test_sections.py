"""A passage is a piece of a section: the answer begins where the section does, and tears nothing apart."""

from __future__ import annotations

import pytest

from kb.answering.passages.sections import section_of, sectioned
from kb.api import KnowledgeBase
from kb.ingest.chunk import announced, chunk, leans
from kb.types.document import Document
from kb.types.evidence import Hit
from kb.types.source import ArticleLocator, DocumentId

PADDING = "Sentences that fill a passage say very little of their own and go on for a while. " * 14
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"
TEXT = f"# Long\n\n## First?\n\nIt begins here. {PADDING}\n\n{TABLE}\n\nIt ends here.\n\n## Second?\n\nElse.\n"


def hits(collection: str) -> tuple[Hit, ...]:
    document = Document(DocumentId("long"), "article", "Long", "", "en", TEXT, collection=collection)
    return tuple(Hit(p, document, 1.0, 1.0, 1.0) for p in chunk(document))


def test_all_pieces_of_a_section_are_the_section_once() -> None:
    pieces = hits("corpus")
    assert len(pieces) > 2
    whole = sectioned(pieces)
    assert [h.passage.heading_path[-1] for h in whole] == ["First?", "Second?"]
    assert whole[0].passage.text.startswith("It begins here.") and whole[0].passage.text.endswith("It ends here.")
    assert all(h.document.text[h.passage.start : h.passage.end] == h.passage.text for h in whole)


def test_a_document_of_others_is_quoted_by_its_passages() -> None:
    assert [section_of(h) for h in hits("mine")] == [(h.passage.start, h.passage.end) for h in hits("mine")]


@pytest.mark.parametrize(
    "question",
    [
        "NCCL watchdog caught collective operation timeout 老是 hang 在 allreduce 咋排查",
        "NCCL 集合通信超时卡死，怎么查",
        "哪些卡支持 MIG，怎么切",
        "NCCL falls back to sockets instead of RDMA",
        "how do I resize MIG instances, and which cards have it",
    ],
)
def test_an_answer_begins_where_its_section_does(knowledge: KnowledgeBase, question: str) -> None:
    first = knowledge.ask(question).citations[0]
    text = knowledge.source(first.source.id).text
    assert isinstance(first.locator, ArticleLocator)
    assert text[: first.locator.start].rstrip().splitlines()[-1].startswith("## ")


@pytest.mark.parametrize(
    "question",
    ["vLLM 和 SGLang 有什么区别", "vLLM or SGLang, what differs", "多少张卡要几台交换机", "how many switches for so many GPUs"],
)
def test_a_row_of_a_table_is_never_a_sentence(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert all(line.startswith("|") for line in answer.text.splitlines() if " | " in line)


@pytest.mark.parametrize(
    ("sentence", "many"),
    [
        ("Usually one of four things.", 4),
        ("通常是四种情况之一。", 4),
        ("要核对三件事：", 3),
        ("There are three usual causes.", 3),
        ("Two H100 take 1,400 W.", 0),
        ("第三种情况更少见。", 0),
        ("Memory decides.", 0),
    ],
)
def test_a_sentence_that_announces_others_says_how_many(sentence: str, many: int) -> None:
    assert announced(sentence) == many


@pytest.mark.parametrize(
    "sentence",
    [
        "两者都可以。",
        "网络没问题的话，就是某个进程在等。",
        "其中一半是权重。",
        "None of them has BF16.",
        "All three have 96 GB.",
    ],
)
def test_a_sentence_that_points_to_another_leans_on_it(sentence: str) -> None:
    assert leans(sentence)


@pytest.mark.parametrize(
    "question", ["vLLM 服务启动卡住好几分钟怎么回事", "the inference server hangs at start, what is it doing"]
)
def test_what_announces_a_list_keeps_it(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert all(word in text for word in (("下载", "换页", "NCCL") if "四种情况" in text else ("downloads", "swaps", "NCCL")))


@pytest.mark.parametrize(
    ("question", "aside"),
    [
        ("70B 多机训练，节点越多越慢，怎么办", "（每节点 8 张 A100 40G）"),
        ("72B multi-node zero3 gets slower with every node, what helps?", " (8 A100 40G per node)"),
        ("13B 多节点 FSDP，节点一多反而慢，怎么办", "（每节点 4 张 3090）"),
    ],
)
def test_what_is_said_in_brackets_of_the_cards_does_not_choose_the_section(
    knowledge: KnowledgeBase, question: str, aside: str
) -> None:
    def sections(text: str) -> list[tuple[str, ...]]:
        return [c.locator.heading_path for c in knowledge.ask(text).citations if isinstance(c.locator, ArticleLocator)]

    assert sections(question + aside) == sections(question)


@pytest.mark.parametrize("question", ["how many switches for a fat tree of 1,024 GPUs", "无阻塞组网 1024 张卡要几台交换机"])
def test_a_heading_is_not_pasted_before_a_short_opening_that_says_little(knowledge: KnowledgeBase, question: str) -> None:
    assert not knowledge.ask(question).text.startswith(("“", '"'))
