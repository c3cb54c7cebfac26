"""What somebody measured, held against what is to be expected: normal, low or high."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, number, value_text
from kb.answering.sizing.grounds import standing
from kb.answering.sizing.groups import RESERVED
from kb.answering.tables.specs import cell_evidence
from kb.types.answer import Value
from kb.types.derivation import Step
from kb.types.question import Part
from kb.types.sizing import SizingResult

NORMAL = 0.75  # of a nominal rate: protocols and kernels take 10 to 20 % of it
WHOLE = 1.02  # of a nominal rate: more was not measured in one direction
ABOUT = 0.2  # of a value that has no interval
BOTH_WAYS = "interconnect_gb_s"
FIRST, LENGTHS = "time_to_first_token", ("prompt_tokens", "context_len", "seq_len")


def of_a_job(slots: Mapping[str, Any], values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools) -> str:
    """Say how the figure measured stands to the computed one and its interval; the name of the value told, if any."""
    told = slots.get("measured")
    reserved = RESERVED if told and told["name"] == "memory_per_gpu" else ""  # by an engine, whatever it needs
    value = (values.get(reserved) or values.get(told["name"])) if told else None
    if told is None or value is None or not isinstance(value.value, int | float):
        return ""
    if draft.judged.startswith(f"judged:{value.name}:"):
        return value.name  # it has been told beside the reason
    w, expected, said = draft.wording, float(value.value), float(told["value"])
    low, high = value.low or expected * (1 - ABOUT), value.high or expected * (1 + ABOUT)
    key = "below" if said < low else "above" if said > high else "within"
    measured = replace(value, value=said, low=None, high=None)
    measured = replace(measured, name="measured", text=value_text(measured, w))
    draft.composer.values.append(measured)
    if value.name == FIRST and not any(slots.get(s) for s in LENGTHS):
        return _by_prompt(measured, value, result, draft, tools)
    share = f"{number(round(100 * said / expected))} %"
    draft.composer.values.append(Value("share", said / expected, "1", share))
    draft.judged = f"judged:{value.name}:{key}"
    words = w(f"measured:{key}", said=measured.text, label=w.name(value.name), value=value.text, share=share)
    draft.composer.say(words, *standing(result, value.name, tools=tools))
    return value.name


def _by_prompt(measured: Value, value: Value, result: SizingResult, draft: Draft, tools: Tools) -> str:
    """Say that a time to the first token is judged by the length of the prompt, which is not told: what a short one and one as assumed
    take."""
    w, first = draft.wording, result.steps[FIRST]
    parts = dict(first.inputs) if isinstance(first, Step) else {}
    of_prompt = {name: n.value for name, n in ready.inputs} if isinstance(ready := parts.get("prefill"), Step) else {}
    least = of_prompt.get("reading", 0.0) + of_prompt.get("exchange", 0.0) + parts["overhead"].value
    short = replace(value, name="time_to_first_token_least", value=least, low=None, high=None)
    short, tokens = replace(short, text=value_text(short, w)), number(float(result.request.context_len or 0))
    draft.composer.values.append(short)
    draft.judged = f"judged:{FIRST}:open"
    words = w("measured:by_prompt", said=measured.text, short=short.text, tokens=tokens, value=value.text)
    draft.composer.say(words, *standing(result, FIRST, tools=tools))
    return FIRST


def of_a_card(part: Part, draft: Draft, tools: Tools) -> bool:
    """Say which share of its nominal bandwidth a card was measured to reach; False where that is not asked."""
    told = part.slots.get("measured")
    row = next((r for t, i in part.entities if (r := tools.book.row(t, i))), None)
    nominal = row.number(told["name"]) if told and row else None
    if told is None or row is None or not nominal:
        return False
    w, said, linked = draft.wording, float(told["value"]), told["name"] == BOTH_WAYS
    one_way = linked and (told["one_way"] or said <= WHOLE * nominal / 2)
    whole = nominal / 2 if one_way else nominal
    key = "nominal:normal" if NORMAL <= said / whole <= WHOLE else "nominal:low" if said < whole else "nominal:high"
    share = f"{number(round(100 * said / whole))} %"
    figures = {"said": amount(said, "GB/s", w), "whole": amount(whole, "GB/s", w), "share": share}
    draft.composer.values += [
        Value("measured", said, "GB/s", figures["said"]),
        Value(f"{told['name']}_per_direction" if one_way else told["name"], whole, "GB/s", figures["whole"], scope=row.id),
        Value("share", said / whole, "1", share),
    ]
    of = w("nominal:one_way" if one_way else "nominal:both" if linked else "nominal:memory", name=row.name)
    draft.judged = f"nominal:{told['name']}"
    draft.composer.say(w(key, of=of, **figures), cell_evidence(row, told["name"]))
    return True
