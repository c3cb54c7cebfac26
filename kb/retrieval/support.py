"""How surely the passages found hold what was asked: one weighted sum of cheap signs, each the more the surer.

Near passages are about the subject; whether they answer shows in what is missing from them: words, a figure that was named, the
denial, the side of a pair of opposites, a figure or date where one is asked for.
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
    "nearness of the nearest passage", "nearness of the nearest three", "words held by one passage", "figures named are held",
    "denial is held", "no opposite is held", "what is asked for is of a kind that is held",
)  # fmt: skip
WEIGHTS = np.array([4.3, 4.0, 2.2, 1.3, 1.8, 2.8, 0.7])
READ = 4  # passages that are read for what they hold
FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
DENIAL = re.compile(
    r"\b(?:not|never|none|nobody|neither|nor|without|except|cannot|lack\w*)\b|n[’']t\b|不(?!同)|没|未|除了|无法"
)
# What a question asks for, and what of that kind looks like.
KINDS = tuple(
    (re.compile(asked), re.compile(held))
    for asked, held in (
        (
            r"\bwhen\b|\b(?:what|which) (?:year|date|month|day|century)|哪一?年|什么时候|何时|时间|几月|日期|哪一?天|年份",
            r"\b(?:1\d|20)\d\d\b|\d+[年月]|世纪|centur(?:y|ies)|\b(?:january|february|march|april|may|june|july|august|september"
            r"|october|november|december)\b",
        ),
        (
            r"\bhow (?:many|much|long|far|old|tall|high|large|big|fast)\b|\bwhat (?:percent|number|amount)|多少|几[个名位次人年岁种座]"
            r"|多[大长高远]|比例",
            r"\d|[一二两三四五六七八九十百千万亿]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|half|third"
            r"|hundred|thousand|million)\b",
        ),
    )
)
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
    """SIGNS of the passages found for a question, best first, (7,): nearness and words as shares, the others -1 where missing, else 0."""
    asked = sorted(words(question))
    weights = {t: lexical.weight(t) for t in asked}
    total = sum(weights.values()) or 1.0

    def held(text: str) -> float:
        inside = set(tokens(text))
        return sum(w for t, w in weights.items() if t in inside) / total

    near = sorted((max(h.near, h.headed) for h in hits), reverse=True)[:3]
    read = hits[:READ]
    widest = max((held("\n".join((*h.passage.heading_path, h.passage.text))) for h in read), default=0.0)
    best, around = _foremost(read, held)
    low, said = fold(question), set(tokens(question))
    beside = set(tokens(best))
    figures = set(FIGURE.findall(low))
    missing = (
        bool(figures - set(FIGURE.findall(fold(around)))),
        bool(DENIAL.search(low)) and not DENIAL.search(fold(best)),
        any(OPPOSITE[t] & beside for t in said & OPPOSITE.keys() - beside),
        any(a.search(low) and all(m.group() in low for m in h.finditer(fold(best))) for a, h in KINDS),
    )
    return np.array([max(near, default=0.0), sum(near) / 3, widest, *(-float(m) for m in missing)])


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
