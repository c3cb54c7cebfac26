"""BM25 over Chinese and English words; the one file that imports bm25s and the segmenter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.ingest.script import converter

# A name or figure is one token with what clings to it: h100, 900gb/s, 5.6kw, q4_k_m, 8x7b, c++.
WORD = re.compile(r"[a-z0-9]+(?:[._/+-]*[a-z0-9]+)*(?:\+\+)?|[\u3400-\u9fff]+")
BRITISH = re.compile(r"(?<=[a-z]{3})is(?=(?:e[drs]?|ing|ations?)$)")  # optimise, as optimize
PART = re.compile(r"[a-z]+|\d+(?:\.\d+)?")


@cache
def _segmenter() -> Any:
    import rjieba

    return rjieba


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


def fold(text: str) -> str:
    """Width, case and script folded: full-width to ASCII, lower case, traditional to simplified. Lengths may change."""
    return str(converter("t2s").convert(unicodedata.normalize("NFKC", text).lower()))


def tokens(text: str) -> list[str]:
    """Search tokens in order: Chinese as segmented words plus bigrams, English stemmed, names and figures whole and in parts."""
    out: list[str] = []
    for match in WORD.finditer(fold(text)):
        word = match.group()
        if word[0] >= "\u3400":
            words = _segmenter().cut_for_search(word)
            out += words
            out += [word[i : i + 2] for i in range(len(word) - 1) if word[i : i + 2] not in words]
        else:
            out.append(_stemmer().stemWord(BRITISH.sub("iz", word)) if word.isalpha() else word)
            parts = PART.findall(word)
            if len(parts) > 1:
                out += parts
    return out


def stemmed(word: str) -> str:
    """The stem of an English word in lower case; anything else as it is."""
    return str(_stemmer().stemWord(word)) if word.isascii() and word.isalpha() else word


# Words that ask or join and are about nothing; English ones stemmed as tokens are.
STOP = frozenset(
    """a about an and any anyone are as at be been between by can could do doe for from get give go had has have how i if in into is
    it its just list make me much mani more most my need no not of on one or our out pleas should so tell than that the their them then
    there these they thi this to up us use want was we were what when where whi which who will with would you your
    的 了 是 吗 呢 啊 和 与 或 在 有 要 会 能 把 被 给 让 对 从 到 吧 呀 嘛 什么 怎么 多少 哪些 哪个 哪 如何 为什么 为 请问 请 可以 需要
    应该 一下 一个 这个 那个 我 我的 你 他 它 们 不 没 没有 还 就 都 也 很 多 大 用 做 几 个 想 问""".split()  # noqa: SIM905  # read as a text
)


def words(text: str) -> set[str]:
    """The distinct tokens of a text that are about something."""
    return {t for t in tokens(text) if t not in STOP and (len(t) > 1 or not t.isascii())}


class Lexical:
    """A BM25 index over passages, in their order."""

    def __init__(self, scorer: Any, size: int) -> None:
        self._scorer, self.size = scorer, size

    @classmethod
    def build(cls, texts: Iterable[str]) -> Lexical:
        import bm25s

        corpus = [tokens(t) or ["\0"] for t in texts]
        scorer = bm25s.BM25(k1=1.2, b=0.75)
        if corpus:
            scorer.index(corpus, show_progress=False)
        return cls(scorer, len(corpus))

    def scores(self, query: Sequence[str]) -> NDArray[np.float32]:
        """One BM25 score a passage, (n,); all zero when no token is known."""
        known = [t for t in query if t in self._scorer.vocab_dict] if self.size else []
        if not known:
            return np.zeros(self.size, dtype=np.float32)
        return np.asarray(self._scorer.get_scores(known), dtype=np.float32)

    def weight(self, token: str) -> float:
        """Inverse document frequency of a token (a token of no passage weighs as the rarest), from 0."""
        position, held = self._scorer.vocab_dict.get(token) if self.size else None, 0
        if position is not None:
            first, end = self._scorer.scores["indptr"][position : position + 2]
            held = int(end - first)  # passages that hold it
        return float(np.log(1 + (self.size - held + 0.5) / (held + 0.5)))

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "size").write_text(str(self.size))
        if self.size:
            self._scorer.save(folder, show_progress=False)

    @classmethod
    def load(cls, folder: Path) -> Lexical:
        import bm25s

        size = int((folder / "size").read_text())
        return cls(bm25s.BM25.load(folder, show_progress=False) if size else None, size)
