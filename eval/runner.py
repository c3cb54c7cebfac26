"""A question set put to a knowledge base → a run record.

The record is one JSON document: what was run on what (set and checksum, versions, settings), a line of scores a case, and the
summary. The same set on the same index gives the same record but for `timings_ms`, which stands apart.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from eval.cases import Case, CaseSet
from eval.measures import Score, expectations, invariants
from kb.types.plain import plain

Record = dict[str, Any]


class Asked(Protocol):
    """What a run needs of a knowledge base."""

    def ask(self, question: str, *, conversation_id: str | None = None, language: str = "auto") -> Any: ...
    def source(self, id: str) -> Any: ...
    @property
    def specs(self) -> Any: ...
    @property
    def versions(self) -> Mapping[str, str]: ...


def run(cases: CaseSet, base: Asked, clock: Callable[[], float] = time.perf_counter) -> Record:
    """Asks every case, its earlier turns in the same conversation, and scores the last answer."""
    results, spent = [], {}
    for case in cases.cases:
        started = clock()
        try:
            conversation = None
            for turn in case.history:
                conversation = plain(base.ask(turn, conversation_id=conversation))["conversation_id"]
                started = clock()
            answer = plain(base.ask(case.question, conversation_id=conversation))
        except Exception as error:  # one question that breaks the program must not hide the others
            results.append(broken(case, error))
            continue
        spent[case.id] = round((clock() - started) * 1e3, 1)
        results.append(result(case, answer, base))
    return {
        "set": cases.name,
        "checksum": cases.checksum,
        "versions": dict(base.versions),
        "settings": {"language": "auto"},
        "summary": summary(results),
        "cases": results,
        "timings_ms": timings(spent),
    }


def result(case: Case, answer: Mapping[str, Any], base: Asked | None) -> Record:
    """The scores of one answer, with enough of it to see why."""
    expected, always = expectations(case, answer, base), invariants(case, answer, base)
    return {
        **_case(case),
        "passed": all(s.passed for s in expected),
        "expected": [_line(s) for s in expected],
        "invariants": [_line(s) for s in always],
        "confidence": answer.get("confidence"),
        "kind": answer["kind"],
        "reason": (answer.get("declined") or {}).get("reason") if answer["kind"] == "declined" else None,
        "text": answer["text"],
    }


def broken(case: Case, error: Exception) -> Record:
    """The entry of a case that got no answer at all."""
    failed = Score("answer", 0.0, f"{type(error).__name__}: {error}")
    return {
        **_case(case),
        "passed": False,
        "expected": [_line(failed)],
        "invariants": [],
        "confidence": None,
        "kind": "error",
        "text": "",
    }


def _case(case: Case) -> Record:
    return {"id": case.id, "category": case.category, "language": case.language, "pair": case.pair}


def _line(score: Score) -> Record:
    return {"about": score.about, "value": round(score.value, 4), **({"detail": score.detail} if score.detail else {})}


def summary(results: Sequence[Record]) -> Record:
    """Passes by category and language, means of the measures, pairs answered alike, and how well confidence is calibrated."""
    measured: dict[str, list[float]] = defaultdict(list)
    for entry in results:
        for line in entry["expected"] + entry["invariants"]:
            measured[line["about"]].append(line["value"])
    pairs: dict[str, list[bool]] = defaultdict(list)
    for entry in results:
        if entry["pair"]:
            pairs[entry["pair"]].append(entry["passed"])
    return {
        "passed": count(results),
        "by_category": groups(results, "category"),
        "by_language": groups(results, "language"),
        "by_measure": {name: _measured(values) for name, values in sorted(measured.items())},
        "pairs_alike": [sum(len(set(p)) == 1 for p in pairs.values()), len(pairs)],
        "calibration_error": calibration_error(results),
        "risk_coverage": risk_coverage(results),
    }


def _measured(values: Sequence[float]) -> Record:
    return {"mean": round(statistics.fmean(values), 4), "held": [sum(v >= 1 for v in values), len(values)]}


def count(results: Iterable[Record]) -> list[int]:
    passed = [bool(r["passed"]) for r in results]
    return [sum(passed), len(passed)]


def groups(results: Sequence[Record], key: str) -> dict[str, list[int]]:
    return {name: count(r for r in results if r[key] == name) for name in sorted({r[key] for r in results})}


def calibration_error(results: Sequence[Record], bins: int = 10) -> float | None:
    """Expected calibration error: |passed - confidence| in bins of equal width, weighted by their size."""
    told = [(r["confidence"], r["passed"]) for r in results if r["confidence"] is not None]
    held: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for confidence, passed in told:
        held[min(bins - 1, int(confidence * bins))].append((confidence, passed))
    gaps = (abs(sum(p for _, p in b) - sum(c for c, _ in b)) for b in held.values())
    return round(sum(gaps) / len(told), 4) if told else None


def risk_coverage(results: Sequence[Record]) -> list[list[float]]:
    """[least confidence, share of questions answered at it, share of these that failed], most confident first. What was declined is
    not answered; where an answer has no confidence there is no curve."""
    answered = [r for r in results if r["kind"] not in ("declined", "error")]
    if any(r["confidence"] is None for r in answered):
        return []
    answered.sort(key=lambda r: -r["confidence"])
    out: list[list[float]] = []
    failed = 0
    for n, entry in enumerate(answered, 1):
        failed += not entry["passed"]
        if n == len(answered) or answered[n]["confidence"] < entry["confidence"]:
            out.append([entry["confidence"], round(n / len(results), 4), round(failed / n, 4)])
    return out


def timings(spent: Mapping[str, float]) -> Record:
    ordered = sorted(spent.values())
    return {
        "median": round(statistics.median(ordered), 1) if ordered else None,
        "p95": ordered[int(0.95 * (len(ordered) - 1))] if ordered else None,
        "cases": dict(spent),
    }
