"""The whole corpus folder as values; every fault of every file at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kb.errors import CorpusFault
from kb.ingest.articles import read_articles
from kb.ingest.assumptions import read_assumptions
from kb.ingest.sources import read_sources
from kb.ingest.spec_text import spec_documents
from kb.ingest.specs import read_specs
from kb.ingest.terms import read_terms
from kb.types.assumptions import Assumptions
from kb.types.document import Document
from kb.types.lexicon import Lexicon
from kb.types.specs import SpecBook

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Corpus:
    documents: tuple[Document, ...]
    book: SpecBook
    lexicon: Lexicon
    assumptions: Assumptions


def read_corpus(folder: Path) -> Corpus:
    """Articles, spec tables, terms and assumptions; raises CorpusFault with all faults of all of them."""
    faults: list[str] = []

    def attempt(read: Callable[[], T]) -> T | None:
        try:
            return read()
        except CorpusFault as fault:
            faults.extend(fault.faults)
            return None

    book = attempt(lambda: read_specs(folder / "specs")) or SpecBook()
    sources = attempt(lambda: read_sources(folder / "sources.toml")) or {}
    articles = attempt(lambda: read_articles(folder / "articles", sources)) or ()
    lexicon = attempt(lambda: read_terms(folder / "terms", book)) if book.tables else None
    assumptions = attempt(lambda: read_assumptions(folder / "assumptions"))
    if faults or lexicon is None or assumptions is None:
        raise CorpusFault(tuple(faults))
    return Corpus(articles + spec_documents(book), book, lexicon, assumptions)
