"""One idea a file; a measure that does not apply to a case or an answer says nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eval.cases import Case
from eval.measures import citation, consistent, quantity, refusal, wording
from eval.measures.score import Library, Plain, Score

__all__ = ["Library", "Score", "expectations", "invariants"]

Measure = Callable[[Case, Plain, Library | None], Score | list[Score] | None]

# What a case asks for: all must hold for the case to pass.
EXPECTED: tuple[Measure, ...] = (
    quantity.value,
    citation.cell,
    wording.mentions,
    wording.forbids,
    wording.verdict,
    refusal.declined,
)
# What must hold of every answer, whatever was asked.
ALWAYS: tuple[Measure, ...] = (citation.holds, citation.cited, consistent.numbers, wording.language)


def expectations(case: Case, answer: Plain, library: Library | None = None) -> list[Score]:
    return _all(EXPECTED, case, answer, library)


def invariants(case: Case, answer: Plain, library: Library | None = None) -> list[Score]:
    return _all(ALWAYS, case, answer, library)


def _all(measures: Sequence[Measure], case: Case, answer: Plain, library: Library | None) -> list[Score]:
    out: list[Score] = []
    for measure in measures:
        said = measure(case, answer, library)
        out += said if isinstance(said, list) else [said] if said is not None else []
    return out
