"""Every number of the text stands in a quote or title, a value, the derivation, an assumption or the question."""

from __future__ import annotations

import json
from typing import Any

from eval.cases import Case
from eval.measures.figures import figures, number
from eval.measures.score import Library, Plain, Score, share


def numbers(case: Case, answer: Plain, library: Library | None) -> Score:
    """Offsets, ids and tables lend no support: a span's start is no evidence."""
    known: list[Any] = [case.question, *case.history, answer["values"], answer["derivation"], answer["assumptions"]]
    known += [(answer.get("declined") or {}), ((answer.get("understanding") or {}).get("slots") or {})]
    for citation in answer["citations"]:
        source = citation["source"]
        known += [citation["quote"], source["title"], source.get("published"), source.get("retrieved")]
    have = {number(f) for f in figures(json.dumps(known, ensure_ascii=False))}
    said = figures(answer["text"])
    return share("numbers stand", [f"{f} stands nowhere else" for f in said if number(f) not in have], len(said))
