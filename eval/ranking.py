"""The weights of kb/retrieval/rerank.py: fitted to questions whose section is known, and measured on folds that the fit has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.sections import TOP, Expected, resolved
from kb.retrieval.rerank import WEIGHTS
from kb.types.document import Document
from kb.types.evidence import Hit

Matrix = NDArray[np.float64]
FOLDS = 8
RIDGE = 0.01  # per question, on the weights: few questions, alike features
STEPS, RATE = 500, 0.015  # of plain gradient descent on a convex loss


@dataclass(frozen=True, slots=True)
class Candidates:
    """The passages found for a question: features (n, f), and which of them are of the section asked for, (n,)."""

    case: str
    features: Matrix
    right: Matrix


def gather(
    cases: Sequence[Expected],
    documents: Sequence[Document],
    find: Callable[[str, str], Sequence[Hit]],
    describe: Callable[[str, Sequence[Hit]], Matrix],
) -> list[Candidates]:
    """Every question in both languages with what is found for it; `find` takes it with its language."""
    out = []
    for case in cases:
        wanted = resolved(case, documents)
        for language in ("zh", "en"):
            query = getattr(case, language)
            hits = find(query, language)
            right = [h.document.topic == case.topic and wanted[language] in h.passage.heading_path for h in hits]
            out.append(Candidates(case.id, describe(query, hits), np.array(right, dtype=np.float64)))
    return out


def fit(questions: Sequence[Candidates]) -> Matrix:
    """Weights (f,) of the softmax over a question's passages that make the right ones likely (listwise cross entropy, ridge)."""
    weights = np.ones(questions[0].features.shape[1])
    seen = [q for q in questions if q.right.any()]
    for _ in range(STEPS):
        slope = RIDGE * len(seen) * weights
        for q in seen:
            odds = q.features @ weights
            likely = np.exp(odds - odds.max())
            slope = slope + q.features.T @ (likely / likely.sum() - q.right / q.right.sum())
        weights = weights - RATE * slope
    return weights


def found(questions: Sequence[Candidates], weights: Matrix) -> tuple[int, int]:
    """Questions whose section comes first, and among the first TOP."""
    orders = [q.right[np.argsort(-(q.features @ weights), kind="stable")] for q in questions if len(q.right)]
    return sum(int(o[0]) for o in orders), sum(int(o[:TOP].any()) for o in orders)


def crossed(questions: Sequence[Candidates]) -> tuple[int, int]:
    """`found` with the weights fitted without a question's fold; both languages of a case are of one fold."""
    names = sorted({q.case for q in questions})
    fold = {name: i % FOLDS for i, name in enumerate(names)}
    first = among = 0
    for k in range(FOLDS):
        out = [q for q in questions if fold[q.case] == k]
        one, few = found(out, fit([q for q in questions if fold[q.case] != k]))
        first, among = first + one, among + few
    return first, among


def shown(questions: Sequence[Candidates]) -> str:
    """The weights as they should be, and what they and the shipped ones find."""
    of = len(questions)
    fused = np.eye(1, len(WEIGHTS))[0]
    lines = [
        f"{name}: first {first} of {of}, among the first {TOP} {few}"
        for name, (first, few) in (
            ("fused score alone", found(questions, fused)),
            ("shipped", found(questions, WEIGHTS)),
            ("fitted, folds left out", crossed(questions)),
        )
    ]
    return "\n".join([*lines, "weights: " + ", ".join(f"{w:.2f}" for w in fit(questions))])
