"""Vectors already computed, by model and text: what makes a build incremental and a broken-off one resumable."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from kb.index.embedder import Embedder
from kb.index.store import Vectors

BATCH = 128


def _key(model: str, text: str) -> bytes:
    return hashlib.sha256(f"{model}\0{text}".encode()).digest()


def embed(texts: Sequence[str], embedder: Embedder, cache: Path) -> tuple[Vectors, int]:
    """Vectors of `texts`, (n, d), and how many of them had to be computed. Each finished batch is kept at once."""
    cache.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(cache)) as store:
        store.execute("create table if not exists vectors (key blob primary key, vector blob not null)")
        keys = [_key(embedder.id, t) for t in texts]
        known: dict[bytes, bytes] = {}
        for i in range(0, len(keys), 500):
            some = keys[i : i + 500]
            marks = ",".join("?" * len(some))
            known |= dict(store.execute(f"select key, vector from vectors where key in ({marks})", some))
        missing = sorted({k: t for k, t in zip(keys, texts, strict=True) if k not in known}.items(), key=lambda kt: len(kt[1]))
        for i in range(0, len(missing), BATCH):
            batch = missing[i : i + BATCH]
            vectors = embedder.documents([t for _, t in batch]).astype(np.float32)
            rows = [(k, v.tobytes()) for (k, _), v in zip(batch, vectors, strict=True)]
            with store:
                store.executemany("insert or replace into vectors values (?, ?)", rows)
            known |= dict(rows)
        with store:  # what no passage needs any more goes
            store.execute("create temporary table wanted (key blob primary key)")
            store.executemany("insert or ignore into wanted values (?)", [(k,) for k in keys])
            store.execute("delete from vectors where key not in (select key from wanted)")
    out = np.frombuffer(b"".join(known[k] for k in keys), dtype=np.float32).reshape(len(keys), embedder.dimension)
    return out, len(missing)
