"""An index opened for reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kb.errors import IndexMismatch
from kb.index import records
from kb.index.embedder import Embedder
from kb.index.lexical import Lexical
from kb.index.manifest import Manifest, current
from kb.index.store import FaissStore, Vectors, VectorStore
from kb.ingest.assumptions import read_assumptions
from kb.ingest.specs import load_specs
from kb.ingest.spoken import spoken
from kb.ingest.terms import read_terms
from kb.types.assumptions import Assumptions
from kb.types.document import Document, Passage
from kb.types.lexicon import Lexicon
from kb.types.source import DocumentId
from kb.types.specs import SpecBook


@dataclass(frozen=True)
class Index:
    """Everything that answers need, in memory; passages by position as in the vectors. `headings`: all ways of asking, centred, (m, d),
    `headed`: the passage of each, ascending, (m,)."""

    manifest: Manifest
    documents: Mapping[DocumentId, Document]
    passages: tuple[Passage, ...]
    vectors: VectorStore
    means: Mapping[str, Vectors]
    headings: Vectors
    headed: NDArray[np.int32]
    heading_means: Mapping[str, Vectors]
    lexical: Lexical
    book: SpecBook
    lexicon: Lexicon
    assumptions: Assumptions


def open_index(home: Path, embedder: Embedder) -> Index:
    """The current generation; raises IndexMissing, or IndexMismatch when it was built with another model."""
    folder = current(home)
    manifest = Manifest.load(folder)
    if manifest.model != embedder.id:
        raise IndexMismatch("model", manifest.model, embedder.id)
    book = load_specs((folder / "specs.json").read_text(encoding="utf-8"))
    documents = records.load_documents(folder / "documents.json")
    lexicon = read_terms(folder / "terms", book)
    return Index(
        manifest,
        {d.id: d for d in documents},
        records.load_passages(folder / "passages.json"),
        FaissStore.load(folder / "vectors.faiss"),
        _by_language(folder / "means.npz"),
        np.load(folder / "headings.npy", allow_pickle=False),
        np.load(folder / "headed.npy", allow_pickle=False),
        _by_language(folder / "heading_means.npz"),
        Lexical.load(folder / "bm25"),
        book,
        replace(lexicon, words={**lexicon.words, **spoken(documents)}),
        read_assumptions(folder / "assumptions"),
    )


def _by_language(file: Path) -> dict[str, Vectors]:
    with np.load(file) as arrays:
        return {k: np.asarray(arrays[k], dtype=np.float32) for k in arrays.files}
