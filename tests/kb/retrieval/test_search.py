"""Searching the shipped corpus."""

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        ("训练为什么要用 NVMe 固态硬盘", "storage"),
        ("why NVMe drives for training data", "storage"),
        ("單機需要 InfiniBand 嗎", "network"),
        ("how much host RAM does an 8 GPU node need", "host-ram"),
    ],
)
def test_a_question_finds_its_article(knowledge: KnowledgeBase, query: str, topic: str) -> None:
    assert topic in {h.document.topic for h in knowledge.search(query, 5, mode="lexical", filters={"kind": ["article"]})}


@pytest.mark.parametrize("query", ["H20 显存带宽", "H20 memory bandwidth"])
def test_a_device_finds_its_row(knowledge: KnowledgeBase, query: str) -> None:
    assert any("h20" in h.document.id for h in knowledge.search(query, 5))


def test_filters_admit_nothing_else(knowledge: KnowledgeBase) -> None:
    hits = knowledge.search("显存", 20, filters={"kind": ["spec"], "language": ["en"]})
    assert hits and {(h.document.kind, h.document.language) for h in hits} == {("spec", "en")}


def test_hits_come_best_first_and_no_more_than_asked(knowledge: KnowledgeBase) -> None:
    scores = [h.score for h in knowledge.search("NVLink", 7)]
    assert len(scores) == 7 and scores == sorted(scores, reverse=True)


def test_a_query_without_words_still_answers(knowledge: KnowledgeBase) -> None:
    assert knowledge.search("？？", 3) is not None


def test_a_passage_says_how_near_it_is_before_centring(knowledge: KnowledgeBase) -> None:
    apt, far = (knowledge.search(q, 3)[0].near for q in ("why NVMe drives for training data", "who wrote the oldest sonnet"))
    assert 1 > apt > far
    assert {h.near for h in knowledge.search("NVMe", 3, mode="lexical")} == {0.0}
