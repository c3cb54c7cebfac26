"""Is an answer there at all? Questions of public sets with and without one: the signs of kb/retrieval/support.py against the best of them.

A folder holds corpus.jsonl and queries.jsonl (see `eval/retrieval.py`); a query that is not `answerable` says of which `kind` it is.
Every kind is told apart from the same folder's answerable queries: area under the ROC curve (AUROC), and by a paired bootstrap how much
higher it is than that of a single score: of the one that does best over all folders, as a threshold on one score would be set, and of the
one that does best on this very kind, which nobody could know beforehand.
"""

from __future__ import annotations

import random
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import rankdata

from eval.cases import SetFault
from eval.report import table
from eval.retrieval import build_index, documents, queries
from kb.index.lexical import words
from kb.retrieval.rerank import rerank
from kb.retrieval.support import SIGNS, WEIGHTS, signs

Matrix = NDArray[np.float64]
SINGLE = ("BM25", "BM25 per weight asked", "nearness of the nearest passage", *SIGNS)  # the scores that the sum is held against
RESAMPLES = 1000
PAIRS = 3000  # drawn of each kind to fit to
RIDGE = 0.01  # on the weights, of signs scaled to a mean square difference of 1


@dataclass(frozen=True, slots=True)
class Kind:
    """Queries of one kind without an answer, and those of the same folder with one: rows of SINGLE, (n, s)."""

    folder: str
    name: str
    with_answer: Matrix
    without: Matrix


@dataclass(frozen=True, slots=True)
class Compared:
    """A weighted sum against a single score: both AUROCs, and the interval of 95 % of their difference."""

    area: float
    single: str
    single_area: float
    low: float
    high: float


def auroc(positive: Matrix, negative: Matrix) -> float:
    """How often a score of one with an answer is higher than one of one without; ties count half."""
    ranks = rankdata(np.concatenate([positive, negative]))
    n = len(positive)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * len(negative)))


def gather(folder: Path, split: str | None = None, limit: int | None = None, build: Any = build_index) -> list[Kind]:
    """Every kind of a folder; at most `limit` queries of a kind, drawn the same each time. Raises SetFault where none lacks an answer."""
    asked: dict[str, list[str]] = defaultdict(list)
    for query in queries(folder, split):
        asked["" if query.get("answerable", True) else query.get("kind", "?")].append(query["text"])
    if len(asked) < 2 or "" not in asked:
        raise SetFault(folder, ("needs queries with and without an answer",))
    drawn = {
        kind: random.Random(1).sample(texts, min(len(texts), limit or len(texts))) for kind, texts in sorted(asked.items())
    }
    with tempfile.TemporaryDirectory(prefix="sizewright-support-") as home:
        base = build(documents(folder), Path(home))
        rows = {kind: np.array([scores(text, base) for text in texts]) for kind, texts in drawn.items()}
    return [Kind(folder.name, kind, rows[""], found) for kind, found in rows.items() if kind]


def scores(query: str, base: Any) -> list[float]:
    """One row of SINGLE."""
    found, lexical = base.candidates(query), base.index.lexical
    row = signs(query, rerank(query, found, lexical), lexical)
    matched = max((h.lexical for h in found), default=0.0)
    asked = sum(lexical.weight(t) for t in sorted(words(query)))
    near = max((max(h.near, h.headed) for h in found), default=0.0)
    return [matched, matched / (asked or 1.0), near, *row]


def best_of(kinds: Sequence[Kind]) -> str:
    """The single score that tells the queries of all kinds apart best, pooled, as one threshold has to."""
    has = np.concatenate([k.with_answer for k in {k.folder: k for k in kinds}.values()])
    lacks = np.concatenate([k.without for k in kinds])
    return SINGLE[int(np.argmax([auroc(has[:, i], lacks[:, i]) for i in range(len(SINGLE))]))]


def compare(kind: Kind, weights: Matrix, single: str | None = None) -> Compared:
    """The sum of the signs by these weights against a single score; without one, against that which does best on this kind."""
    first = len(SINGLE) - len(SIGNS)
    has, lacks = kind.with_answer, kind.without
    one = SINGLE.index(single or best_of([kind]))
    ours, theirs = has[:, first:] @ weights, lacks[:, first:] @ weights
    draw = np.random.default_rng(0)
    gains = []
    for _ in range(RESAMPLES):
        i, j = draw.integers(0, len(has), len(has)), draw.integers(0, len(lacks), len(lacks))
        gains.append(auroc(ours[i], theirs[j]) - auroc(has[i, one], lacks[j, one]))
    low, high = np.percentile(gains, (2.5, 97.5))
    return Compared(auroc(ours, theirs), SINGLE[one], auroc(has[:, one], lacks[:, one]), float(low), float(high))


def fit(kinds: Sequence[Kind]) -> Matrix:
    """Weights, none below 0, that put queries with an answer above those without (logistic loss over pairs of a kind, ridge); every kind
    weighs the same."""
    draw = np.random.default_rng(0)
    first = len(SINGLE) - len(SIGNS)
    pairs = [
        (k.with_answer[draw.integers(0, len(k.with_answer), PAIRS)] - k.without[draw.integers(0, len(k.without), PAIRS)])[
            :, first:
        ]
        for k in kinds
    ]
    scale = np.sqrt(np.mean([(p**2).mean(axis=0) for p in pairs], axis=0)) + 1e-9

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        value, slope = RIDGE / 2 * float(weights @ weights), RIDGE * weights
        for p in pairs:
            margin = p / scale @ weights
            value += float(np.logaddexp(0, -margin).mean()) / len(pairs)
            slope = slope - (p / scale).T @ (1 / (1 + np.exp(margin))) / len(p) / len(pairs)
        return value, slope

    found = minimize(loss, np.zeros(len(SIGNS)), jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(SIGNS))
    return np.asarray(found.x / scale, dtype=np.float64)


def measure(kinds: Sequence[Kind]) -> dict[str, Any]:
    """Every kind by the shipped weights, against the score that does best over all and against its own best, and by weights fitted to the
    other folders; the weights fitted to all."""
    over_all = best_of(kinds)
    rows = []
    for kind in kinds:
        others = [k for k in kinds if k.folder != kind.folder]
        crossed = compare(kind, fit(others)) if others else None
        rows.append((kind, compare(kind, WEIGHTS, over_all), compare(kind, WEIGHTS), crossed))
    return {
        "single_over_all": over_all,
        "kinds": [
            {
                "set": k.folder,
                "kind": k.name,
                "with_answer": len(k.with_answer),
                "without": len(k.without),
                "against_one": {"single": round(one.single_area, 3), **_plain(one)},
                "best_single": {"score": told.single, "auroc": round(told.single_area, 3)},
                "shipped": _plain(told),
                "left_out": _plain(crossed) if crossed else None,
            }
            for k, one, told, crossed in rows
        ],
        "weights": dict(zip(SIGNS, (round(float(w), 2) for w in fit(kinds)), strict=True)),
    }


def _plain(found: Compared) -> dict[str, float]:
    return {"auroc": round(found.area, 3), "gain_low": round(found.low, 3), "gain_high": round(found.high, 3)}


def shown(found: Mapping[str, Any]) -> str:
    """One line a kind, and the weights as they would be when fitted anew."""

    def gain(told: Mapping[str, Any] | None, single: float) -> str:
        return f"{told['auroc'] - single:+.3f} [{told['gain_low']:+.3f}, {told['gain_high']:+.3f}]" if told else "–"

    rows = [
        [
            f"{r['set']} {r['kind']}",
            f"{r['with_answer']} / {r['without']}",
            f"{r['shipped']['auroc']:.3f}",
            f"{r['against_one']['single']:.3f}",
            gain(r["against_one"], r["against_one"]["single"]),
            f"{r['best_single']['score']} {r['best_single']['auroc']:.3f}",
            gain(r["shipped"], r["best_single"]["auroc"]),
            f"{r['left_out']['auroc']:.3f}" if r["left_out"] else "–",
            gain(r["left_out"], r["best_single"]["auroc"]),
        ]
        for r in found["kinds"]
    ]
    head = ["set, kind", "with / without answer", "shipped", found["single_over_all"], "gain", "best on this kind", "gain",
            "fitted to other sets", "gain on the best on this kind"]  # fmt: skip
    weights = ", ".join(f"{name} {weight:g}" for name, weight in found["weights"].items())
    return "\n".join([*table(head, rows), "", f"weights fitted to all: {weights}"])
