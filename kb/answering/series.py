"""A request asked for several values of one field: one sentence, or verdict, and one calculation for each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.grounds import gpu_name, model_name, plainly, standing
from kb.answering.render import amount, size_name, value_text
from kb.answering.sizing import calculate, fields_of, refused, workloads_of
from kb.answering.wording import Wording
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.question import Part, Understanding


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """One sentence for every value of the field that was listed (ZeRO stages, sizes, drives); False when nothing comes of them."""
    w, said, slots = draft.wording, False, {**part.slots}
    field, listed = slots["each"]
    meant = workloads_of(slots, part)
    workload = meant[0] if len(meant) == 1 else "full_finetune" if slots.get("task") == "finetune" else None
    workload = workload or ("pretrain" if field == "zero_stage" else None)
    for value in listed:
        fields = {**fields_of(slots, workload, part), field: value}
        if field == "model":
            fields.pop("parameters", None)  # of the first
        try:
            result = tools.size(fields, part.wanted, reading.language)
        except InvalidInput as error:
            refused(error, reading, draft)
            return True
        values = {v.name: replace(v, text=value_text(v, w), scope=f"{field}={value}") for v in result.values}
        usual = ("model_states_per_gpu",) if field == "zero_stage" else ("weights", "memory_total")
        names = [n for n in part.wanted if n in values] or [n for n in usual if n in values]
        shown = listed_name(field, value, tools, w)
        draft.composer.known.append(shown)
        if field == "parameters":
            draft.composer.values.append(Value("params_total", float(value), None, shown, scope=shown))
        if part.asks_verdict and result.verdict and "memory_per_gpu" in values:
            have, need = values["memory_available_per_gpu"], values["memory_per_gpu"]
            draft.composer.values += [have, need]
            what = model_name(slots, tools) if field == "gpu" else shown
            words = w(result.verdict, what=what, need=need.text, gpu=gpu_name(result, tools, w), have=have.text)
            draft.composer.say(words, *standing(result, "memory_per_gpu", "memory_available_per_gpu", tools=tools))
            draft.verdict, said = draft.verdict or result.verdict, True
        for name in names:
            draft.composer.values.append(values[name])
            label = w("at_value", label=w.name(name), value=shown)
            draft.composer.say(w("value", label=label, value=values[name].text), *standing(result, name, tools=tools))
            said = True
        calculate(result, set(names), draft, tools)
        draft.composer.break_paragraph()
    if said:
        draft.settle("sizing")
    return said


def listed_name(field: str, value: Any, tools: Tools, w: Wording) -> str:
    """One of several values of a field, as the answer names it."""
    table = {"model": "models", "gpu": "accelerators"}.get(field)
    row = tools.book.row(table, str(value)) if table else None
    if row:
        return row.name
    if field == "parameters":
        return size_name(float(value))
    if field == "disk_gb_s":
        return amount(float(value), "GB/s", w)
    return f"ZeRO-{value}" if field == "zero_stage" else f"{w.name(field)} {plainly(value)}"
