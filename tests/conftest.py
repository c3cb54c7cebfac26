"""A fake embedder that needs no model, and the knowledge base of the shipped corpus over it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from kb.api import KnowledgeBase
from kb.index.build import build
from kb.index.lexical import tokens

CORPUS = Path(__file__).parent.parent / "corpus"


class WordEmbedder:
    """Texts that share words have near vectors: every token has a direction of its own, taken from its hash."""

    id = "words@1"
    dimension = 96

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vector(t) for t in texts]) if texts else np.zeros((0, self.dimension), np.float32)

    queries = documents

    def _vector(self, text: str) -> NDArray[np.float32]:
        out = np.full(self.dimension, 1e-6, np.float32)
        for token in tokens(text):
            digest = hashlib.sha256(token.encode()).digest()
            out[int.from_bytes(digest[:4], "little") % self.dimension] += 1 if digest[4] % 2 else -1
        return out / np.linalg.norm(out)


@pytest.fixture(scope="session")
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, embedder: WordEmbedder) -> Path:
    """An index of the shipped corpus."""
    place = tmp_path_factory.mktemp("home")
    build(place, CORPUS, embedder)
    return place


@pytest.fixture(scope="session")
def knowledge(home: Path, embedder: WordEmbedder) -> KnowledgeBase:
    return KnowledgeBase.open(home, embedder=embedder)
