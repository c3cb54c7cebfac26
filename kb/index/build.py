"""Corpus and ingested documents become an index on disk.

home/documents/        ingested documents, one JSON file each: what `remove` removes
home/cache/            vectors already computed
home/index/<version>/  one generation: written whole under another name, then renamed
home/index/current     the name of the generation in use, replaced atomically: readers never see a mixture
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kb.errors import IndexMissing
from kb.index import records
from kb.index.centre import centre, means
from kb.index.embedder import Embedder
from kb.index.lexical import Lexical
from kb.index.manifest import CHUNKER, FORMAT, Manifest, checksum, current
from kb.index.store import FaissStore
from kb.index.vector_cache import embed
from kb.ingest.chunk import chunk
from kb.ingest.corpus import Corpus, read_corpus
from kb.ingest.script import simplified
from kb.ingest.specs import dump_specs
from kb.types.document import Document


def build(home: Path, corpus: Path, embedder: Embedder, *, articles: bool = True) -> tuple[Manifest, int]:
    """Bring the index of `home` up to date; returns its manifest and how many texts, passages and headings, had to be embedded.

    `articles=False` indexes ingested documents alone; tables, terms and assumptions always come from the corpus.
    Raises CorpusFault. Nothing is done when nothing changed; an interrupted build goes on where it stopped.
    """
    inputs = _inputs(home, corpus, articles)
    try:
        manifest = Manifest.load(current(home))
        if (manifest.inputs, manifest.model) == (inputs, embedder.id):
            return manifest, 0
    except IndexMissing:
        pass
    read = read_corpus(corpus)
    documents = (read.documents if articles else ()) + ingested(home)
    return write(home, documents, read, corpus, inputs, embedder, articles)


def write(
    home: Path, documents: Sequence[Document], read: Corpus, corpus: Path, inputs: str, embedder: Embedder, articles: bool
) -> tuple[Manifest, int]:
    """One generation of these documents, made current."""
    passages = [p for d in documents for p in chunk(d)]
    by_id = {d.id: d for d in documents}
    languages = [by_id[p.document].language for p in passages]
    texts = [records.embedding_text(p, by_id[p.document]) for p in passages]
    titled = [(i, t) for i, p in enumerate(passages) for t in records.headings(p, by_id[p.document])]
    headed, titles = [i for i, _ in titled], [t for _, t in titled]
    both, computed = embed([simplified(t) for t in (*texts, *titles)], embedder, home / "cache" / "vectors.sqlite")
    vectors, headings = both[: len(texts)], both[len(texts) :]
    spoken = [languages[i] for i in headed]
    centres, heading_centres = means(vectors, languages), means(headings, spoken)
    store = FaissStore(embedder.dimension)
    store.add(centre(vectors, languages, centres))
    lexical = Lexical.build(texts)
    manifest = Manifest(
        FORMAT,
        CHUNKER,
        str(corpus) if articles else None,
        inputs,
        embedder.id,
        embedder.dimension,
        len(documents),
        len(passages),
    )
    root = home / "index"
    root.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="building-", dir=root))
    try:
        store.save(work / "vectors.faiss")
        np.savez(work / "means.npz", allow_pickle=False, **dict(centres))
        np.savez(work / "heading_means.npz", allow_pickle=False, **dict(heading_centres))
        np.save(work / "headings.npy", centre(headings, spoken, heading_centres), allow_pickle=False)
        np.save(work / "headed.npy", np.array(headed, dtype=np.int32), allow_pickle=False)
        lexical.save(work / "bm25")
        records.save(work / "documents.json", documents)
        records.save(work / "passages.json", passages)
        (work / "specs.json").write_text(dump_specs(read.book), encoding="utf-8")
        for folder in ("terms", "assumptions"):
            shutil.copytree(corpus / folder, work / folder)
        manifest.save(work)
        target = root / manifest.version
        if target.exists():
            shutil.rmtree(target)
        work.rename(target)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    pointer = root / "current.new"
    pointer.write_text(manifest.version, encoding="utf-8")
    os.replace(pointer, root / "current")
    for old in root.iterdir():
        if old.is_dir() and old.name != manifest.version:
            shutil.rmtree(old, ignore_errors=True)
    return manifest, computed


def ingested(home: Path) -> tuple[Document, ...]:
    """The documents that were taken in, in order of id."""
    folder = home / "documents"
    return tuple(d for f in sorted(folder.glob("*.json")) for d in records.documents(json.loads(f.read_text(encoding="utf-8"))))


def _inputs(home: Path, corpus: Path, articles: bool) -> str:
    files = [f for f in corpus.rglob("*") if f.is_file() and f.suffix in {".toml", ".md"} and f.name != "README.md"]
    mine = (home / "documents").glob("*.json")
    return f"{checksum(files, corpus)}:{checksum(mine, home)}:{int(articles)}"
