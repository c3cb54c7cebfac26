"""What to do about a job that does not fit, asked in a further turn: each single change with which it does, computed on its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, value_text
from kb.answering.sizing import placing, remedies
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.fields import as_meant, fields_of, workloads_of
from kb.answering.sizing.grounds import apart, gpu_name, in_one_piece, model_name, standing, what_of
from kb.answering.sizing.verdicts import PLACED
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult
from kb.types.source import Evidence

GIB = "GiB"
LESS = 0.98  # of the memory of a GPU: what a change of a job that fits must come down to
MOST = 5  # changes that are named in a sentence
Row = tuple[list[str], Sequence[Evidence]]
EIGHT: dict[str, Any] = {"quantization": "int8"}  # bits, which lose less than four


def asked(part: Part) -> bool:
    """Whether a part only asks for the way out of what was told before."""
    return bool(part.slots.get("way_out"))


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Tell the changes that make the job fit, those of the layout before those of what is run; False where nothing can be judged."""
    slots, part = as_meant(part, tools)
    slots = {**remedies.as_trained(slots, tools)} if slots.get("ran_out") else slots
    workload, *others = workloads_of(slots, part)
    fields = fields_of(slots, workload, part)
    try:
        result = tools.size(fields, PLACED[:1], reading.language)
    except InvalidInput:
        return False
    if others or not result.verdict or not set(PLACED) <= {v.name for v in result.values}:
        return False
    with draft.of_one_piece(in_one_piece(result, tools)):
        _tell(slots, fields, result, draft, tools)
    draft.verdict = draft.verdict or result.verdict
    draft.settle("sizing")
    draft.sized.append((result.request, part.wanted))
    return True


def _tell(slots: Mapping[str, Any], fields: dict[str, Any], result: SizingResult, draft: Draft, tools: Tools) -> None:
    values = {v.name: v for v in result.values}
    w, composer, count = draft.wording, draft.composer, result.request.gpu_count or 1
    gpu, what = gpu_name(result, tools, w), what_of(model_name(slots, tools), result.request.workload, w)
    on = w("on", what=what, count=count, gpu=gpu) if gpu else what
    need, have = (value_text(values[n], w) for n in PLACED)
    composer.known += [what, gpu, str(count)]
    composer.values += [Value(n, values[n].value, values[n].unit, text) for n, text in zip(PLACED, (need, have), strict=True)]
    rows = _changes(fields, result, draft, tools)
    tight = "way_out:tight" if result.verdict == "fits_with_conditions" else "way_out"
    key = "way_out:fits" if result.verdict == "fits" else tight if rows else "way_out:none"
    composer.say(w(key, what=on, need=need, have=have), *standing(result, *PLACED, tools=tools))
    if key == "way_out:fits":
        _suspects(fields, result, draft, tools)
        draft.judged = "way_out:look:inference" if result.request.workload == "inference" else "way_out:look"
        saves = w.join([w("way_out:saved", change=change, left=left) for (change, left, _), _ in rows[:MOST]])
        draft.further = (w("way_out:saves", list=saves), rows[0][1]) if rows else None
    elif rows:
        composer.tabulate((w("remedy"), w("leaves"), w("plan_head:verdict")), rows, w("source"))
    if key != "way_out:fits":  # where the assumptions are those told before
        state_assumed(result, PLACED, draft, tools)


def _suspects(fields: Mapping[str, Any], result: SizingResult, draft: Draft, tools: Tools) -> None:
    """What the figures suppose that nobody said, and without which it would not fit: sharding, gradient checkpointing."""
    if any(a.slot == "zero_stage" for a in result.assumptions) and "replicated" in result.extra:
        words = draft.wording("way_out:unsharded", **placing.other(result, draft))
        draft.composer.say(words, *standing(result, PLACED[0], tools=tools))
    need = next(float(v.value or 0) for v in result.values if v.name == PLACED[0])
    remedies.unsaved(fields, need, result, draft, tools)


def _changes(fields: dict[str, Any], result: SizingResult, draft: Draft, tools: Tools) -> list[Row]:
    """The single changes that make it fit, or take less of what fits, as rows of a table: more GPUs first, then as they are listed."""
    w, rows = draft.wording, list[Row]()
    need = next(float(v.value or 0) for v in result.values if v.name == PLACED[0])
    placed = {**fields, "zero_stage": result.request.zero_stage} if (result.request.gpu_count or 1) > 1 else fields
    more: list[dict[str, Any]] = [{"gpu_count": int(n)}] if (n := result.extra.get("gpu_count")) else []
    wide = [EIGHT] if result.request.workload == "inference" and result.request.quantization in remedies.WIDE[:3] else []
    for change in (*more, *wide, *remedies.changes(result.request, apart(result.request.gpu, tools))):
        name, value = next(iter(change.items()))
        try:
            after = tools.size({**(fields if more else placed), **change}, PLACED[:1], w.language)
        except InvalidInput:
            continue
        left = next((v for v in after.values if v.name == PLACED[0]), None)
        if left is None or not isinstance(left.value, int | float) or after.verdict in (None, "does_not_fit"):
            continue
        if result.verdict != "does_not_fit" and left.value > LESS * need:
            continue
        still = amount(float(left.value), GIB, w)
        draft.composer.values.append(Value(left.name, left.value, left.unit, still, scope=f"{name}={value}"))
        shown = w("remedy:int8") if change is EIGHT else w(f"remedy:{name}", value=w.name(str(value)))
        draft.composer.known.append(shown)
        rows.append(([shown, still, w(f"plan_verdict:{after.verdict}")], standing(after, PLACED[0], tools=tools)))
    return rows
