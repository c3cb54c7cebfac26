"""Articles held against the tables and against their own sums."""

from pathlib import Path

import pytest

from eval import articles
from kb.ingest.corpus import Corpus, read_corpus
from kb.types.document import Document
from kb.types.source import DocumentId

CORPUS = read_corpus(Path(__file__).parents[2] / "corpus")


def faults(text: str, language: str = "en") -> tuple[str, ...]:
    document = Document(DocumentId("a.en"), "article", "A", "", "zh" if language == "zh" else "en", text)
    return articles.examine(Corpus((document,), CORPUS.book, CORPUS.lexicon, CORPUS.assumptions)).faults


def test_what_the_articles_say_of_chips_and_servers_is_what_the_tables_say() -> None:
    found = articles.examine(CORPUS)
    assert not found.faults
    assert found.figures > 80 and found.sums > 20


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("An RTX 4090 has 32 GB.", "en"),
        ("The H200 (141 GB) and the A100 (96 GB) differ.", "en"),
        ("8 × H200 have 1,280 GB.", "en"),
        ("RTX 4090 有 32 GB 显存。", "zh"),
        ("一台 DGX H100（12 kW）要两路电。", "zh"),
    ],
)
def test_a_figure_that_is_not_the_chips_is_told(text: str, language: str) -> None:
    assert len(faults(text, language)) == 1


@pytest.mark.parametrize(
    "text", ["An RTX 4090 has 24 GB.", "8 × H200 have 1,128 GB.", "The A100 offers 2.039 TB/s.", "H100（80 GB）"]
)
def test_a_figure_of_the_chip_in_another_unit_or_number_holds(text: str) -> None:
    assert not faults(text)


@pytest.mark.parametrize("text", ["2 × 450 = 950 W", "16 × 70 = 1,200 GB", "819 / 40 = 22", "2 × (8 − 1) / 8 × 16 = 30"])
def test_a_sum_that_does_not_come_out_is_told(text: str) -> None:
    assert len(faults(text)) == 1


@pytest.mark.parametrize(
    "text", ["70B × 4 bytes × 8 = 2.24 TB", "8 × 400 Gb/s = 400 GB/s", "819 / 40 = 20", "2 × (8 − 1) / 8 × 16 = 28"]
)
def test_a_sum_holds_in_any_unit(text: str) -> None:
    assert not faults(text)
