"""The articles of the corpus: complete, balanced, and never handing on what they know to be wrong."""

import importlib
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from kb.ingest.articles import read_articles
from kb.ingest.chunk import chunk
from kb.ingest.sources import read_sources
from kb.ingest.structure import blocks
from kb.sizing.rule import rules
from kb.types.document import Document

CORPUS = Path(__file__).parents[2] / "corpus"
TOPICS = {path.name for path in (CORPUS / "articles").iterdir() if path.is_dir()}


@cache
def documents() -> dict[str, Document]:
    return {document.id: document for document in read_articles(CORPUS / "articles", read_sources(CORPUS / "sources.toml"))}


def test_every_topic_reads_in_both_languages() -> None:
    assert documents().keys() == {f"{topic}.{language}" for topic in TOPICS for language in ("zh", "en")}
    assert len(TOPICS) >= 11


def test_every_source_is_cited_somewhere() -> None:
    cited = {claim.source.id for document in documents().values() for claim in document.claims}
    assert read_sources(CORPUS / "sources.toml").keys() == cited


@pytest.mark.parametrize("topic", sorted(TOPICS))
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_reported_claim_names_its_source_and_is_corrected_in_the_same_section(topic: str, language: str) -> None:
    document = documents()[f"{topic}.{language}"]
    speaker = ("文章", "一文", "该文") if language == "zh" else ("guide",)
    bounds = [block.start for block in blocks(document.text) if block.kind == "heading"] + [len(document.text)]
    for claim in document.claims:
        if claim.stance in (None, "right"):
            continue
        said = document.text[claim.start : claim.end]
        end = next(bound for bound in bounds if bound > claim.start)
        assert any(word in said for word in speaker) or "文中" in said, said
        assert any(claim.end <= other.start < end and other.stance is None for other in document.claims), said


@pytest.mark.parametrize("topic", sorted(TOPICS))
@pytest.mark.parametrize("language", ["zh", "en"])
def test_passages_have_a_size_that_can_be_read_and_embedded(topic: str, language: str) -> None:
    passages = chunk(documents()[f"{topic}.{language}"])
    assert passages
    limit = 420 if language == "zh" else 1200
    assert all(40 <= len(passage.text) <= limit for passage in passages)


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_sections_ask_or_state_one_thing_under_a_heading(topic: str) -> None:
    for language in ("zh", "en"):
        assert all(len(passage.heading_path) >= 2 for passage in chunk(documents()[f"{topic}.{language}"]))


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_a_section_is_read_at_one_go(topic: str) -> None:
    text = documents()[f"{topic}.en"].text
    bounds = [block.start for block in blocks(text) if block.kind == "heading"] + [len(text)]
    assert max(len(text[a:b].split()) for a, b in pairwise(bounds)) <= 400


def test_articles_explain_rules_that_exist() -> None:
    importlib.import_module("kb.sizing.rules")
    known = {rule.id for rule in rules()}
    assert {id for document in documents().values() for id in document.explains} <= known
