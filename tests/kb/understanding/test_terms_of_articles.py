"""What the articles speak of is of the field, though no list of words holds it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.ingest.corpus import read_corpus
from kb.ingest.spoken import spoken
from kb.settings import CORPUS
from kb.understanding import Reader


@pytest.fixture(scope="module")
def reader() -> Reader:
    corpus = read_corpus(CORPUS)
    words = {**corpus.lexicon.words, **spoken(corpus.documents)}
    return Reader(replace(corpus.lexicon, words=words), corpus.book)


@pytest.mark.parametrize(
    "text",
    ["what is efa", "what does ZeRO++ do", "what is ulysses", "EFA 是什么", "什么是 HiCache", "is DCGM worth installing?",
     "装 DCGM 有必要吗", "SHARP 和 NVLS 有什么区别"],
)  # fmt: skip
def test_a_term_of_the_articles_is_of_the_field(reader: Reader, text: str) -> None:
    assert not reader.read(text).off_topic


@pytest.mark.parametrize(
    "text",
    ["a sharp knife or a blunt one", "what is a volcano", "what is an eagle", "what is the time", "what is a contract", "什么是爱情",
     "合同是什么", "what is love", "How do I grow tomatoes?"],
)  # fmt: skip
def test_a_word_of_everyday_life_is_not(reader: Reader, text: str) -> None:
    assert reader.read(text).off_topic


def test_a_near_section_makes_a_question_of_the_field_and_asks_more_of_a_word_to_explain(reader: Reader) -> None:
    assert not reader.read("is it worth turning it on for my documents", near=0.5).off_topic
    assert reader.read("is it worth turning it on for my documents", near=0.3).off_topic
    assert reader.read("what is a contract", near=0.5).off_topic
    assert reader.read("which recipe for dinner", near=0.9).off_topic
