"""What to do with a number of GPUs that tensor parallelism cannot take, told for the asker's own number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.answering.draft import Draft
from kb.answering.passages.quoting import evidence
from kb.retrieval.ground import Ground
from kb.types.answer import Value

GROUNDS = (
    "32",
    "PP ",
)  # in the sentences of the corpus that say which numbers of heads fail, and what takes any number of GPUs


def instead(slots: Mapping[str, Any], found: Ground, draft: Draft) -> bool:
    """Say which degrees so many GPUs can be split into; False where the number is a power of two, or not said. The numbers of heads of
    common models are powers of two or have few other divisors."""
    count = slots.get("gpu_count") or slots.get("tensor_parallel")
    if not isinstance(count, int) or count < 2 or not count & (count - 1) or not found.quotable:
        return False
    within, tensor = count & -count, 1 << (count.bit_length() - 1)
    way = f"PP {count}" if within == 1 else f"TP {within} × PP {count // within}"
    figures = {"count": count, "tensor": tensor, "rest": count - tensor, "within": within, "stages": count // within}
    draft.composer.values += [Value(f"split_{name}", n, "1", str(n)) for name, n in figures.items()]
    stands = [q for q in sorted(found.quotable, key=lambda q: q.start) if any(mark in q.text for mark in GROUNDS)]
    words = draft.wording(
        "degrees:choice" if slots.get("way_out") else "degrees",
        way=way,
        count=str(count),
        tensor=str(tensor),
        rest=str(count - tensor),
    )
    draft.composer.say(words, *(evidence(q.hit, q.start, q.end) for q in stands))
    return True
