"""How many GPUs a model takes where no GPU is named: of the sizes that cards come in."""

from __future__ import annotations

from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, number
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import fields_of, subject, workloads_of
from kb.answering.sizing.grounds import model_name, named, standing, what_of
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.question import Part, Understanding

SIZES = (80, 48, 24)  # GB of usual cards
WANTED = "gpu_count"


def asked(part: Part) -> bool:
    """Whether it is asked how many GPUs a model takes, and nothing says which."""
    slots: Any = part.slots
    cards = any(slots.get(k) for k in ("gpu", "gpus", "memory_gb", "system", "each", "tokens", "requests_per_second"))
    return WANTED in part.wanted and subject(slots) and not cards and len(workloads_of(slots, part)) == 1


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """The number for each usual size, the calculation for the largest, and a question back for the card; False when none is computed."""
    (workload,) = workloads_of(part.slots, part)
    w, composer = draft.wording, draft.composer
    counts = []
    for size in SIZES:
        fields = {**fields_of(part.slots, workload, part), "gpu": {"memory_gb": size}}
        try:
            result = tools.size(fields, (WANTED,), reading.language)
        except InvalidInput:
            return False
        count = next((v for v in result.values if v.name == WANTED), None)
        if count is None:
            return False
        counts.append((amount(size, "GB", w), count, result))
    model = model_name(part.slots, tools)
    what = what_of(model, workload, w)
    shown = [w("count_of_size", count=number(float(v.value or 0)), size=size) for size, v, _ in counts]
    composer.values += [
        Value(WANTED, v.value, v.unit, text, scope=size) for (size, v, _), text in zip(counts, shown, strict=True)
    ]
    composer.known += [model, *(size for size, _, _ in counts)]
    first = counts[0][2]
    composer.say(w("counts", what=what, list=w.join(shown)), *standing(first, WANTED, tools=tools), *named(part.slots, tools))
    state_assumed(first, (WANTED,), draft, tools)
    calculate(first, (WANTED,), draft, tools)
    composer.break_paragraph()
    composer.note(w("ask_card"))
    draft.settle("sizing")
    return True
