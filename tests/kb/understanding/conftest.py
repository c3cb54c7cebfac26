"""A reader over the shipped lexicon and specs."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.ingest.specs import read_specs
from kb.ingest.terms import read_terms
from kb.understanding import Reader

CORPUS = Path(__file__).parents[3] / "corpus"


@pytest.fixture(scope="session")
def reader() -> Reader:
    book = read_specs(CORPUS / "specs")
    return Reader(read_terms(CORPUS / "terms", book), book)
