"""Refusals: declined when it should be, and only then; asked or assumed when something was missing."""

from __future__ import annotations

from eval.cases import Case
from eval.measures.score import Library, Plain, Score


def declined(case: Case, answer: Plain, library: Library | None) -> list[Score]:
    """For cases that expect `declined`, `answered` or `asks`."""
    out = []
    for expected in case.expect:
        kind = answer["kind"]
        if expected["kind"] == "declined":
            reason = (answer.get("declined") or {}).get("reason")
            reasons = expected.get("reasons")
            detail = "answered" if kind != "declined" else f"reason {reason}" if reasons and reason not in reasons else ""
        elif expected["kind"] == "answered":
            detail = kind if kind in ("declined", "clarification") else ""
        elif expected["kind"] == "asks":
            detail = _unasked(expected["slots"], answer)
        else:
            continue
        out.append(Score(expected["kind"], float(not detail), detail))
    return out


def _unasked(slots: list[str], answer: Plain) -> str:
    """A slot is settled when the answer states it as an assumption, or asks for it."""
    assumed = {a["slot"] for a in answer["assumptions"]}
    missing = set((answer.get("declined") or {}).get("missing") or ())
    open_slots = [s for s in slots if s not in assumed | missing]
    return f"neither asked nor assumed: {', '.join(open_slots)}" if open_slots and answer["kind"] != "clarification" else ""
