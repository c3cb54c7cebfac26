"""What an engine holds of a card, told where somebody takes it for a need, a leak or the doing of a long context."""

from __future__ import annotations

from dataclasses import replace

from kb.answering.draft import Draft, Tools
from kb.answering.render import number, value_text
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import fields_of, subject
from kb.answering.sizing.grounds import standing
from kb.answering.sizing.groups import GPU_MEMORY, RESERVED, RESERVES
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.derivation import Assumption, walk
from kb.types.question import Part, Understanding
from kb.types.source import Evidence
from kb.understanding.premises.told import BLAMED
from kb.understanding.slots.known import tells_card
from kb.understanding.text.fold import level

TOLD = "pooled"
NAMES = (RESERVED, "weights", "kv_cache")


def tell(reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Say how much is reserved, and what weights and the cache of one request take of it; False where model or card are not told."""
    slots = reading.slots
    w, blamed = draft.wording, BLAMED.search(level(reading.question)) is not None
    if not (subject(slots) and tells_card(slots)):
        if blamed:
            draft.composer.note(w("no"))
        return False
    kept = {k: v for k, v in slots.items() if k not in ("measured", "size_gb", "each", "workloads")}
    part = Part("size", reading.question, {"gpu_count": 1, "engine": "vllm", **kept, "workload": "inference"}, wanted=NAMES)
    try:
        result = tools.size(fields_of(part.slots, "inference", part), NAMES, reading.language)
    except InvalidInput:
        return False
    values = {v.name: replace(v, text=value_text(v, w)) for v in result.values}
    if not values.keys() >= set(NAMES):
        return False
    draft.composer.values += [values[n] for n in NAMES]
    length = number(float(result.request.context_len or 0))
    draft.composer.known.append(length)
    under = (n for n in walk(result.steps[RESERVED]) if isinstance(n, Assumption) and n.name.startswith(RESERVES))
    share = next((n.value for n in under), result.request.gpu_memory_utilization or 0.0)
    told = f"{number(100 * share)} %"
    draft.composer.values.append(Value("share", share, "1", told))
    before, older = "", result.extra.get("reserved_before")
    if older and share:
        then = replace(
            values[RESERVED], value=float(values[RESERVED].value or 0) * older / share, scope=f"gpu_memory_utilization={older}"
        )
        then = replace(then, text=value_text(then, w))
        draft.composer.values += [then, Value("share", older, "1", f"{number(100 * older)} %")]
        before = w("pooled:before", value=then.text, share=number(100 * older))
    named = {"before": before} | {
        "reserved": values[RESERVED].text,
        "weights": values["weights"].text,
        "cache": values["kv_cache"].text,
    }
    words = (w("no") if blamed else "") + w("pooled", share=told, length=length, **named)
    stands: list[Evidence] = standing(result, *NAMES, tools=tools)
    draft.composer.say(words, *stands)
    draft.composer.say(w("pooled:shared"), *standing(result, RESERVED, tools=tools))
    state_assumed(result, NAMES, draft, tools)
    calculate(result, NAMES, draft, tools)
    draft.settle("sizing")
    draft.judged = TOLD
    return True


def settles(part: Part, draft: Draft) -> bool:
    """Whether a part asks of nothing but the memory that was told of."""
    return draft.judged == TOLD and part.intent in ("size", "explain", "troubleshoot") and not set(part.wanted) - GPU_MEMORY
