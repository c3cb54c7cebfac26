"""How surely the passages found hold what was asked: one weighted sum of cheap signs, each the more the surer.

Near passages are about the subject; whether they answer shows in what is missing from them: words, a figure that was named, the
denial, the side of a pair of opposites.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kb.index.lexical import Lexical, fold, stemmed, tokens, words
from kb.ingest.chunk import sentences
from kb.types.evidence import Hit

# Log-odds per unit of each sign, fitted by `sizewright eval support` on public questions with and without an answer.
SIGNS = (
    "cosine", "nearness of the nearest three", "words held by one passage", "figures named are held", "denial is held",
    "no opposite is held",
)  # fmt: skip
WEIGHTS = np.array([4.0, 4.44, 2.44, 2.02, 1.26, 1.52])
READ = 4  # passages that are read for what they hold
FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
DENIAL = re.compile(
    r"\b(?:not|never|none|nobody|neither|nor|without|except|cannot|lack\w*)\b|n[’']t\b|不(?!同)|没|未|除了|无法"
)
POLAR = re.compile(
    r"^(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|may|must|has|have|had)\b|吗|嘛|是否|是不是|有没有|能不能|可不可以|对不对"
)  # answered by yes or no, and so by what contradicts it too
OPPOSITES = """first last, before after, more less, more fewer, most least, largest smallest, biggest smallest, highest lowest, best worst,
greatest least, increase decrease, rise fall, gain lose, win lose, won lost, north south, east west, earliest latest, early late,
above below, inside outside, minimum maximum, high low, large small, long short, begin end, start end, start stop, positive negative,
success failure, successful unsuccessful, legal illegal, possible impossible, able unable, support oppose, accept reject,
agree disagree, allow prohibit, allow forbid, include exclude, strong weak, rich poor, old new, oldest newest, oldest youngest,
same different, male female, men women, buy sell, import export, majority minority, advantage disadvantage, never always,
public private, slow fast, faster slower, easy difficult, common rare, upper lower, left right, external internal, domestic foreign,
birth death, born died, cause prevent, attack defend, enter leave, arrive leave, true false,
最大 最小, 最多 最少, 最高 最低, 最早 最晚, 最后 最初, 最后 第一, 之前 之后, 以前 以后, 增加 减少, 上升 下降, 增长 下降,
开始 结束, 支持 反对, 允许 禁止, 合法 非法, 成功 失败, 优势 劣势, 优点 缺点, 强 弱, 出生 死亡, 接受 拒绝, 胜利 失败,
进口 出口, 最强 最弱, 最好 最差, 最近 最远, 最长 最短, 内部 外部, 常见 罕见, 同意 不同意, 可以 不可以"""


def _opposites() -> dict[str, frozenset[str]]:
    pairs = [tuple(map(stemmed, pair.split())) for pair in OPPOSITES.split(",")]
    both = [*pairs, *((b, a) for a, b in pairs)]
    return {word: frozenset(b for a, b in both if a == word) for word, _ in both}


OPPOSITE = _opposites()


def signs(question: str, hits: Sequence[Hit], lexical: Lexical) -> NDArray[np.float64]:
    """SIGNS of the passages found for a question, best first, (6,): the last three are -1 where it is missing, else 0, and 0 where a
    yes or no is asked for, which what contradicts it answers; nearness is that of the passage or of its heading."""
    asked = sorted(words(question))
    weights = {t: lexical.weight(t) for t in asked}
    total = sum(weights.values()) or 1.0

    def held(text: str) -> float:
        inside = set(tokens(text))
        return sum(w for t, w in weights.items() if t in inside) / total

    near = sorted((max(h.near, h.headed, 0.0) for h in hits), reverse=True)[:3] or [0.0]
    read = hits[:READ]
    widest = max((held("\n".join((*h.passage.heading_path, h.passage.text))) for h in read), default=0.0)
    best, around = _foremost(read, held)
    low, said = fold(question), set(tokens(question))
    beside = set(tokens(best))
    polar = POLAR.search(low) is not None
    figures = set(FIGURE.findall(low))
    missing = [
        bool(figures - set(FIGURE.findall(fold(around)))),
        bool(DENIAL.search(low)) and not DENIAL.search(fold(best)),
        any(OPPOSITE[t] & beside for t in said & OPPOSITE.keys() - beside),
    ]
    cosine = max((h.dense for h in hits), default=0.0)
    return np.array([cosine, sum(near) / len(near), widest, *(-float(m and not polar) for m in missing)])


def _foremost(hits: Sequence[Hit], held: Callable[[str], float]) -> tuple[str, str]:
    """The sentence that holds most of what was asked, alone and with the sentences beside it."""
    found = ("", "")
    most = -1.0
    for hit in hits:
        spans = sentences(hit.passage.text, hit.document.language)
        for at, (start, end) in enumerate(spans):
            sentence = hit.passage.text[start:end]
            if (share := held(sentence)) > most:
                first, last = spans[max(0, at - 1)], spans[min(len(spans) - 1, at + 1)]
                most, found = share, (sentence, hit.passage.text[first[0] : last[1]])
    return found


def support(question: str, hits: Sequence[Hit], lexical: Lexical) -> float:
    """The weighted sum of the signs: differences are log-odds; where to decline is a matter of the collection."""
    return float(signs(question, hits, lexical) @ WEIGHTS)
