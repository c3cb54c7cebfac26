"""Which hardware, or which layout of it: the planner's best options side by side, each sized by the same rules."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from kb.answering.decline import refused
from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, value_text
from kb.answering.sizing import batches, between, planned, smallest
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import fields_of, subject
from kb.answering.sizing.grounds import gpu_name, model_name, named, plainly, standing, what_of
from kb.answering.sizing.verdicts import PLACED, unused
from kb.errors import InvalidInput
from kb.sizing.search.limits import FIELDS as LIMITS
from kb.types.answer import Value
from kb.types.planning import PlanOption, PlanResult
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingRequest, SizingResult
from kb.understanding.slots.known import tells_card

CHOICES = frozenset({"layout", "hardware"})  # what a part wants when it wants something chosen
FEW = 5  # options shown
# What of a job a choice rests on, where nobody said it.
OF_THE_JOB = frozenset(
    {"context_len", "concurrency", "precision", "quantization", "seq_len", "optimizer", "tokens", "lora_rank"}
)
SERVING = frozenset(
    {"concurrency", "people", "active_users", "requests_per_second", "tokens_per_second", "output_tokens_per_second"}
)


def asked(part: Part) -> bool:
    """Whether a layout of named cards, or the cards themselves, are to be chosen for a model."""
    if not subject(part.slots) or not CHOICES & set(part.wanted):
        return False
    placed = tells_card(part.slots)
    return placed and bool(part.slots.get("gpu_count")) if "layout" in part.wanted else not placed


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """The best option in a sentence, the next ones in a table, and the calculation of the best; False when none does the job."""
    if batches.asked(part):
        return batches.choose(part, reading, draft, tools)
    fields = _fields(part)
    try:
        result = tools.plan(fields, reading.language)
    except InvalidInput as error:
        refused(error, reading, draft)
        return True
    options = result.options[:FEW]
    if not options:
        return False
    alone = "concurrency" in fields and not part.slots.keys() & SERVING
    sized = [tools.size(_request(option.request), (), reading.language) for option in options]
    _best(part, result, sized[0], draft, tools)
    _why(part, sized, draft, tools)
    _table(result, options, sized, reading, draft, tools)
    kept = {"days", "budget"} & fields.keys()  # the limits of the plan
    told = dataclasses.replace(part, slots={k: v for k, v in part.slots.items() if k not in kept})
    if spare := unused(told, reading, sized[0]):
        w = draft.wording
        draft.composer.say(w("unused", list=w.join(list(spare))), *standing(sized[0], *PLACED, tools=tools))
    if alone:
        draft.composer.note(draft.wording("choice_alone"))
    _assumed(result, sized[0], draft, tools)
    calculate(sized[0], PLACED, draft, tools)
    known = {"gpus", *(a.slot for a in draft.assumptions)}
    draft.assumptions += [a for a in result.assumptions if a.slot not in known]
    draft.warnings += result.warnings
    draft.settle("sizing")
    return True


def bounded(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> Part:
    """A list of cards that are to run a model: bounded by all that running it takes, weights, cache and overhead, on one card."""
    floor = next((c for c in part.conditions if c[0] == "memory_gb" and c[1] == ">="), None)
    said = part.slots.keys() & {"memory_gb", "size_gb", "own_memory_gb"}
    if part.intent != "filter" or floor is None or said or not subject(part.slots):
        return part
    workload = str(part.slots.get("workload") or "inference")
    if workload not in ("inference", *smallest.TUNED) or (part.slots.get("task") and not part.slots.get("workload")):
        return part
    try:
        result = tools.size(smallest.on_probe(fields_of(part.slots, workload, part)), (), reading.language)
    except InvalidInput:
        return part
    values = {v.name: v for v in result.values}
    need = values.get("memory_per_gpu")
    if need is None or "memory_available_per_gpu" not in values:
        return part
    w, composer = draft.wording, draft.composer
    least = math.ceil(10 * smallest.bound(result, upper=workload != "inference")) / 10
    text = value_text(need, w)
    composer.values += [
        dataclasses.replace(need, text=text),
        Value("memory_gb", least, "GB", amount(least, "GB", w), scope="needed"),
    ]
    what = what_of(model_name(part.slots, tools), workload, w)
    composer.known.append(what)
    words = w("bounded", what=what, need=text, least=amount(least, "GB", w))
    composer.say(words, *standing(result, *PLACED, tools=tools), *named(part.slots, tools))
    conditions = tuple(("memory_gb", ">=", least) if c is floor else c for c in part.conditions)
    return dataclasses.replace(part, conditions=conditions, entities=tuple(e for e in part.entities if e[0] != "models"))


def _fields(part: Part) -> dict[str, Any]:
    workload = part.slots.get("workload") or {"train": "pretrain", "finetune": "full_finetune"}.get(str(part.slots.get("task")))
    usual = "pretrain" if "layout" in part.wanted else "inference"
    fields = fields_of(part.slots, str(workload or usual), part)
    if not fields.get("tokens") or fields.get("currency") not in (None, "USD"):  # the planner's budget is the rent of a run
        fields.pop("budget", None)
        fields.pop("currency", None)
    if fields.get("workload") == "inference" and "layout" not in part.wanted and not fields.keys() & SERVING:
        fields["concurrency"] = 1  # a service of nobody knows how many is not planned for hundreds
    return fields | {"objective": "time" if "layout" in part.wanted else "cost"}


def _request(request: SizingRequest) -> Mapping[str, Any]:
    fields = {f.name: getattr(request, f.name) for f in dataclasses.fields(request)}
    plain = {
        k: dataclasses.asdict(v) if dataclasses.is_dataclass(v) and not isinstance(v, type) else v for k, v in fields.items()
    }
    return {
        k: {n: x for n, x in v.items() if x is not None} if isinstance(v, dict) else v
        for k, v in plain.items()
        if v is not None and k not in LIMITS
    }


def _best(part: Part, result: PlanResult, first: SizingResult, draft: Draft, tools: Tools) -> None:
    w, composer, request = draft.wording, draft.composer, first.request
    what = what_of(model_name(part.slots, tools), request.workload, w)
    gpu, layout = gpu_name(first, tools, w), planned.layout(request)
    composer.known += [what, gpu, layout, f"{request.gpu_count} {result.considered:,} {result.feasible:,}"]
    evidence = [*standing(first, *PLACED, tools=tools), *named(part.slots, tools)]
    key = "choice_layout" if "layout" in part.wanted else "choice_hardware"
    if words := between.chosen(part.slots.get("sides", ()), result.options, w):
        composer.known.append(words)
        composer.say(words, *evidence)
    if layout == planned.NOTHING:
        key = "choice_one"
    composer.say(w(key, what=what, count=request.gpu_count, gpu=gpu, layout=layout), *evidence)
    counts = {"considered": result.considered, "feasible": result.feasible}
    composer.values += [Value(name, count, None, f"{count:,}") for name, count in counts.items()]
    composer.say(planned.tried(result, w), *evidence[:1])
    draft.verdict = draft.verdict or first.verdict


def _why(part: Part, sized: list[SizingResult], draft: Draft, tools: Tools) -> None:
    """What the choice rests on: memory, and the rate or time; and the first option on other GPUs."""
    w, composer, first = draft.wording, draft.composer, sized[0]
    values = {v.name: dataclasses.replace(v, text=value_text(v, w)) for v in first.values}
    if "layout" in part.wanted or not values.keys() >= set(PLACED):
        return
    rate, stands = "", tuple[str, ...](PLACED)
    if speed := values.get("decode_tokens_per_second"):
        at_once = first.request.concurrency or 1
        rate = w("choice_serves" if at_once > 1 else "choice_serves_one", speed=speed.text, concurrency=at_once)
        stands = (*PLACED, speed.name)
    elif time := values.get("training_time"):
        rate, stands = w("choice_takes", time=time.text), (*PLACED, time.name)
    need, have = (values[n] for n in PLACED)
    composer.values += [need, have, *(values[n] for n in stands[len(PLACED) :])]
    composer.known.append(str(first.request.concurrency or 1))
    words = w("choice_why", need=need.text, have=have.text, rate=rate) if rate else ""
    if words:
        composer.say(words, *standing(first, *stands, tools=tools))
    if other := next((s for s in sized if s.request.gpu != first.request.gpu), None):
        gpu = gpu_name(other, tools, w)
        composer.known += [gpu, str(other.request.gpu_count)]
        composer.say(w("choice_next", count=other.request.gpu_count, gpu=gpu), *standing(other, *PLACED, tools=tools))


def _assumed(result: PlanResult, first: SizingResult, draft: Draft, tools: Tools) -> None:
    """What of the job the plan takes for granted."""
    w, composer = draft.wording, draft.composer
    told = [a for a in result.assumptions if a.slot in OF_THE_JOB and isinstance(a.value, int | float | str)]
    if not told:
        return
    shown = [w("assumption", slot=w.name(a.slot), value=plainly(a.value, w)) for a in told]
    composer.known += shown
    composer.break_paragraph()
    composer.say(w("assumptions", list=w.join(shown)), *standing(first, *PLACED, tools=tools))


def _table(
    result: PlanResult,
    options: tuple[PlanOption, ...],
    sized: list[SizingResult],
    reading: Understanding,
    draft: Draft,
    tools: Tools,
) -> None:
    composer = draft.composer
    table = planned.table(dataclasses.replace(result, options=options), reading.language, tools.book)
    composer.known += [" ".join(row) for row in table.rows]
    composer.values += options[0].values
    composer.values += [Value("option", i, None, " | ".join(row)) for i, row in enumerate(table.rows, 1)]
    rows = [(row, standing(one, *PLACED, tools=tools)) for row, one in zip(table.rows, sized, strict=True)]
    composer.tabulate(table.columns, rows, draft.wording("source"))
