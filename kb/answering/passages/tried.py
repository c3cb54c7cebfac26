"""Advice that tells somebody what he has done already is left out of what is quoted."""

from __future__ import annotations

from dataclasses import replace

from kb.answering.passages.sections import MARKER, spans_of
from kb.answering.wording.neutral import TRIED
from kb.retrieval.ground import Ground
from kb.types.question import Part

DONE = {"recompute": ("full",), "micro_batch": (1,), "workload": ("lora", "qlora")}  # with which a measure has been taken


def untried(found: Ground, part: Part) -> Ground:
    """For a part about trouble: the sentences without the items of a list that begin with a measure which was taken already."""
    taken = [name for name, values in DONE.items() if part.slots.get(name) in values] if part.intent == "troubleshoot" else []
    done = [TRIED[name] for name in taken]

    def again(item: str) -> bool:
        mark = MARKER.match(item)
        return mark is not None and any(pattern.match(item, mark.end()) for pattern in done)

    if not done:
        return found
    hits = {q.hit.passage.id: q.hit for q in found.quotable}
    withheld = {(n, a) for n, hit in hits.items() for a, b in spans_of(hit) if again(hit.document.text[a:b])}
    return replace(found, quotable=tuple(q for q in found.quotable if not again(q.text)), withheld=frozenset(withheld))
