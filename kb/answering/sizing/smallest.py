"""Which card a job takes: the size class whose usable memory holds the upper end of the interval, and cards on file of that class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, value_text
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import fields_of, subject
from kb.answering.sizing.grounds import model_name, named, standing, what_of
from kb.answering.sizing.verdicts import PLACED
from kb.answering.tables.prices import LAUNCH
from kb.answering.tables.specs import cell_evidence
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult
from kb.types.source import Evidence
from kb.types.specs import Row
from kb.understanding.asks.needs import CHEAPEST, LEAST, MINIMUM
from kb.understanding.slots.known import tells_card
from kb.understanding.text.fold import level

CLASSES = (8, 12, 16, 24, 32, 48, 80, 96, 141, 192)  # GB of usual cards
PROBE = 100.0  # GB of a card, by which the usable share is known
FEW = 3  # cards that are named
TUNED = ("qlora", "lora", "full_finetune")  # from the smallest card to the largest
KINDS = frozenset({"consumer GPU", "workstation GPU", "data centre GPU"})
WIDTH = {"fp32": 4.0, "fp16": 2.0, "bf16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5}  # bytes
FEWER = ("int8", "int4")
LAYOUT = frozenset(
    {"tensor_parallel", "pipeline_parallel", "expert_parallel", "zero_stage", "nodes", "gpus_per_node", "gpu_memory_gb"}
)
MEMORY, TRAINS = "memory_gb", "bf16_dense_tflops"  # without which nobody trains
BOUNDS = frozenset({MEMORY, "kind", LAUNCH})  # conditions of a list that ask for nothing but a card that will do
# What says more of a job than which card it takes.
PLANNED = (
    "budget",
    "tokens",
    "days",
    "hours",
    "people",
    "active_users",
    "requests_per_second",
    "tokens_per_second",
    "each",
    "workloads",
    "size_gb",
)


@dataclass(frozen=True, slots=True)
class Held:
    """A class of cards that holds a job: its size and the usable part of it, and the cards that are named, cheapest first."""

    size: int
    have: Value
    smaller: int | None  # holds the estimate itself, not the upper end of its interval
    cards: tuple[Row, ...]


def asked(part: Part) -> bool:
    """Whether nothing but a card for one job is asked for: its size, its price, or which."""
    slots, low = part.slots, level(part.text)
    planned = any(slots.get(s) for s in PLANNED) or (slots.get("concurrency") or 1) > 1 or (slots.get("gpu_count") or 1) > 1
    if planned or tells_card(slots) or not subject(slots):
        return False
    least = bool(CHEAPEST.search(low) or LEAST.search(low))
    tuned = slots.get("workload") in TUNED or slots.get("task") == "finetune"
    if part.intent == "filter":
        return (
            least and {column for column, _, _ in part.conditions} <= BOUNDS and (tuned or slots.get("workload") == "inference")
        )
    trains = slots.get("task") == "train" or slots.get("workload") == "pretrain"
    return (
        part.intent == "size"
        and "hardware" in part.wanted
        and set(part.wanted) <= {"hardware", "gpu_count"}
        and (tuned or (least and not trains))
    )


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """A sentence for the job, or for each method of tuning where none is said; False when nothing is computed."""
    slots, w = part.slots, draft.wording
    open_ = slots.get("task") == "finetune" and slots.get("workload") not in TUNED
    workload = str(slots.get("workload") or "inference")
    meant: list[tuple[str, str]] = [(m, "") for m in TUNED] if open_ else [(workload, "")]
    if workload == "inference" and not open_ and not slots.keys() & {"precision", "quantization"}:
        meant = [(workload, f) for f in _formats(part, reading, tools)]
    model, first, job = model_name(slots, tools), None, ""
    cheapest = CHEAPEST.search(level(part.text)) is not None
    for workload, kind in meant:
        fields = on_probe(fields_of(slots, workload, part)) | ({"quantization": kind} if kind else {})
        try:
            result = tools.size(fields, (), reading.language)
        except InvalidInput:
            return False
        values = {v.name: replace(v, text=value_text(v, w), scope=f"workload={workload}{kind}") for v in result.values}
        if not values.keys() >= set(PLACED):
            return False
        need, held = values[PLACED[0]], holding(result, cheapest, draft, tools)
        if held is None and len(meant) == 1 and "gpu_count" in part.wanted:
            return False  # how many cards it takes is told instead
        what = what_of(model, workload, w, result.request.post_training)
        what = w("in_format", what=what, format=kind) if kind else what
        draft.composer.values.append(need)
        draft.composer.known.append(what)
        stands = [*standing(result, *PLACED, tools=tools), *named(slots, tools)]
        draft.composer.break_paragraph()
        if held is None:
            draft.composer.say(w("class:none", what=what, need=need.text), *stands)
        else:
            words = w("class:asked", size=_size(held, draft), what=what, need=need.text, have=held.have.text)
            draft.composer.say(words, *stands)
            _name(held, cheapest, draft, stands)
        first, job = (first, job) if first else (result, what)
    if first is None:
        return False
    state_assumed(first, PLACED[:1], draft, tools)
    calculate(first, PLACED[:1], draft, tools, of=job if len(meant) > 1 else "")
    draft.settle("sizing")
    return True


def _formats(part: Part, reading: Understanding, tools: Tools) -> Sequence[str]:
    """In which a model is run that nobody said a precision of: in four and eight bits and as it is; as published, where that is less."""
    try:
        own = tools.size(on_probe(fields_of(part.slots, "inference", part)), (), reading.language).request.quantization
    except InvalidInput:
        return ("",)
    return (*reversed(FEWER), str(own)) if own in ("bf16", "fp16") else ("",)


def then(part: Part, result: SizingResult, draft: Draft, tools: Tools) -> None:
    """After the memory that a job takes on one card: the card for it, where the question has one in mind."""
    low = level(draft.composer.question)
    one = (result.request.gpu_count or 1) == 1 and not (tells_card(part.slots) or any(part.slots.get(s) for s in PLANNED))
    if not one or not (LEAST.search(low) or CHEAPEST.search(low)):
        return
    try:
        probed = tools.size(on_probe(fields_of(part.slots, str(result.request.workload), part)), (), draft.wording.language)
    except InvalidInput:
        return
    cheapest = CHEAPEST.search(low) is not None
    if held := holding(probed, cheapest, draft, tools):
        words = draft.wording("class:then", size=_size(held, draft), have=held.have.text)
        draft.composer.say(words, *standing(probed, *PLACED, tools=tools))
        _name(held, cheapest, draft, standing(probed, *PLACED, tools=tools))


def at_least(slots: Mapping[str, Any], result: SizingResult, part: Part, draft: Draft, tools: Tools) -> bool:
    """Beside a verdict what would do, where that is asked: the job in the formats, or by the methods, that take less and less, each with
    the smallest card that holds the estimate; False where it is not asked."""
    w, request = draft.wording, result.request
    if not MINIMUM.search(level(draft.composer.question)):
        return False
    served = request.workload == "inference"
    own = str(request.quantization or "bf16") if served else str(request.workload)
    row = (
        (own, *(f for f in FEWER if WIDTH.get(f, 0) < WIDTH.get(own, 1)))
        if served
        else TUNED[TUNED.index(own) :: -1]
        if own in TUNED
        else ()
    )
    told, stands = list[str](), list[Evidence]()
    there: float | None = slots.get("gpu_memory_gb") or slots.get("memory_gb")
    on_file = {m for r in tools.book.rows("accelerators") if r.text("kind") in KINDS and (m := r.number(MEMORY))}
    sizes = sorted(on_file | ({there} if there else set()))
    for one in row:
        fields = fields_of(slots, str(request.workload) if served else one, part)
        fields = {**fields, "quantization": one} if served else {k: v for k, v in fields.items() if k != "quantization"}
        try:
            probed = tools.size(on_probe({k: v for k, v in fields.items() if k not in LAYOUT}), (), w.language)
        except InvalidInput:
            continue
        need, usable = ({v.name: v for v in probed.values}[n] for n in PLACED)
        share, much = float(usable.value or 0) / PROBE, replace(need, low=None, high=None, scope=one)
        much = replace(much, text=value_text(much, w))
        size = next((c for c in sizes if float(need.value or 0) <= c * share), None)
        draft.composer.values += [much, *([Value("memory_gb", size, "GB", amount(size, "GB", w), scope=one)] if size else [])]
        key = "least:on" if size else "least:more"
        told.append(w(key, how=w.name(one) if not served else one, need=much.text, size=amount(size or 0, "GB", w)))
        stands += standing(probed, PLACED[0], tools=tools)
        draft.composer.known.append(one)
    if told:
        draft.composer.say(w("least", list=w("least:then").join(told)), *dict.fromkeys(stands))
    return bool(told)


def holding(result: SizingResult, cheapest: bool, draft: Draft, tools: Tools) -> Held | None:
    """The smallest class that holds the upper end of what a job takes, of a result sized on a card of `PROBE` GB."""
    values = {v.name: v for v in result.values}
    need, usable = values[PLACED[0]], values[PLACED[1]]
    share = float(usable.value or 0) / PROBE
    most = float(need.high or need.value or 0)
    size = next((c for c in CLASSES if c * share >= most), None)
    if size is None:
        return None
    smaller = next((c for c in CLASSES if float(need.value or 0) <= c * share and c < size), None)
    have = replace(usable, value=size * share, low=None, high=None, scope=f"memory_gb={size}")
    have = replace(have, text=value_text(have, draft.wording))
    draft.composer.values.append(have)
    trains = result.request.workload != "inference"
    rows = [r for r in tools.book.rows("accelerators") if r.text("kind") in KINDS and (r.number(TRAINS) or not trains)]
    fitting = [r for r in rows if (r.number(MEMORY) or 0) >= (most / share if cheapest else size)]
    of_class = [r for r in fitting if r.number(MEMORY) == size]
    fitting = fitting if cheapest and any(r.number(LAUNCH) for r in fitting) else of_class
    priced = sorted((r for r in fitting if r.number(LAUNCH)), key=lambda r: (r.number(LAUNCH) or 0, r.id))
    return Held(size, have, smaller, tuple(priced or fitting)[:FEW])


def bound(result: SizingResult, upper: bool) -> float:
    """GB of a card that holds what a job takes, or the `upper` end of it, of a result sized on a card of `PROBE` GB."""
    values = {v.name: v for v in result.values}
    need, usable = values[PLACED[0]], values[PLACED[1]]
    return PROBE * float((upper and need.high) or need.value or 0) / float(usable.value or 1)


def on_probe(fields: Mapping[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in fields.items() if k not in ("gpu", "budget", "currency")}
    return {**kept, "gpu": {"memory_gb": PROBE}, "gpu_count": 1}


def _size(held: Held, draft: Draft) -> str:
    text = amount(held.size, "GB", draft.wording)
    draft.composer.values.append(Value("memory_gb", held.size, "GB", text, scope="class"))
    return text


def _name(held: Held, cheapest: bool, draft: Draft, stands: Sequence[Evidence]) -> None:
    """Cards of the class, with their launch prices where these are on file."""
    w, told, evidence = draft.wording, list[str](), list[Evidence]()
    for row in held.cards:
        price = row.number(LAUNCH)
        told.append(w("class:priced", name=row.name, price=amount(price, "USD", w)) if price else row.name)
        evidence += [cell_evidence(row, MEMORY), *([cell_evidence(row, LAUNCH)] if price else [])]
    if told:
        key = "class:cheapest" if cheapest else "class:cards" if held.cards[0].number(LAUNCH) else "class:names"
        draft.composer.say(w(key, list=w.join(told)), *evidence)
    if held.smaller:
        text = amount(held.smaller, "GB", w)
        draft.composer.values.append(Value("memory_gb", held.smaller, "GB", text, scope="class"))
        draft.composer.say(w("class:smaller", size=text), *stands)
