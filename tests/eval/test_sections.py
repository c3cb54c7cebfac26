"""The sections expected exist, and finding them is counted rightly."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from eval import sections
from kb.api import KnowledgeBase
from kb.ingest.articles import read_articles
from kb.ingest.sources import read_sources
from kb.types.evidence import Hit

CORPUS = Path(__file__).parents[2] / "corpus"
DOCUMENTS = read_articles(CORPUS / "articles", read_sources(CORPUS / "sources.toml"))
CASES = sections.load()


def test_every_case_names_one_section_in_both_languages() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    for case in CASES:
        assert sections.resolved(case, DOCUMENTS).keys() == {"zh", "en"}


def test_a_name_of_no_section_or_of_several_is_refused() -> None:
    case = sections.Expected("x", "en", "network", "no such heading", "", "")
    with pytest.raises(LookupError, match="0 sections"):
        sections.resolved(case, DOCUMENTS)


def test_questions_find_their_sections_by_words_alone(knowledge: KnowledgeBase) -> None:
    found = sections.measure(knowledge.search, DOCUMENTS, CASES)
    assert found.of == len(CASES) and len(found.missed) == 2 * found.of - found.asked - found.translated
    assert found.asked > found.of / 2


def test_what_is_not_found_is_missed_in_both_languages() -> None:
    def nothing(query: str, k: int) -> Sequence[Hit]:
        return ()

    found = sections.measure(nothing, DOCUMENTS, CASES[:1])
    assert (found.asked, found.translated, found.missed) == (0, 0, (f"zh {CASES[0].id}", f"en {CASES[0].id}"))
