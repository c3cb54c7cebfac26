"""Vectors and their nearest neighbours; the one file that imports faiss."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class VectorStore(Protocol):
    """Passages by position: what is added first is 0."""

    def add(self, vectors: Vectors) -> None: ...
    def search(self, query: Vectors, k: int) -> tuple[NDArray[np.int64], Vectors]:
        """Positions and inner products of the k nearest of one query vector (d,), best first."""
        ...

    def vector(self, position: int) -> Vectors: ...
    def count(self) -> int: ...
    def save(self, path: Path) -> None: ...


class FaissStore:
    """Exact inner product: enough up to some 100,000 passages, and deterministic."""

    def __init__(self, dimension: int, index: Any = None) -> None:
        import faiss

        self._index = index if index is not None else faiss.IndexFlatIP(dimension)

    def add(self, vectors: Vectors) -> None:
        if len(vectors):
            self._index.add(np.ascontiguousarray(vectors, dtype=np.float32))

    def search(self, query: Vectors, k: int) -> tuple[NDArray[np.int64], Vectors]:
        k = min(k, self.count())
        if k == 0:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        scores, positions = self._index.search(query[None, :].astype(np.float32), k)
        return positions[0], scores[0]

    def vector(self, position: int) -> Vectors:
        return np.asarray(self._index.reconstruct(position), dtype=np.float32)

    def count(self) -> int:
        return int(self._index.ntotal)

    def save(self, path: Path) -> None:
        import faiss

        faiss.write_index(self._index, str(path))

    @classmethod
    def load(cls, path: Path) -> FaissStore:
        import faiss

        index = faiss.read_index(str(path))
        return cls(index.d, index)
