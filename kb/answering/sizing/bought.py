"""What a budget buys for a job: the fastest cards by their launch prices, what else they can do, and what is beyond the budget."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.answering.decline import refused
from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, value_text
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import fields_of, subject, workloads_of
from kb.answering.sizing.grounds import gpu_name, model_name, standing, what_of
from kb.answering.sizing.verdicts import PLACED
from kb.answering.tables.prices import LAUNCH
from kb.answering.tables.specs import cell_evidence
from kb.errors import InvalidInput
from kb.sizing.search.purchase import PAIR
from kb.types.answer import Assumed, Value
from kb.types.derivation import Assumption
from kb.types.planning import Purchase
from kb.types.question import Part, Understanding
from kb.types.source import Evidence
from kb.understanding.slots.known import tells_card

DOLLARS = "USD"
TUNED = ("lora", "qlora", "full_finetune")  # in the order in which somebody with a budget means them
FORMATS = ("bf16", "int8", "int4")  # of weights of which no precision is said
OTHER = frozenset(
    {
        "price_per_gpu_hour",
        "price_per_hour",
        "price_per_month",
        "purchase_price",
        "tokens",
        "gpus",
        "system",
        "gpu_hours",
        "electricity_price",
        "of_electricity",
    }
)
ASKED = frozenset({"hardware", "gpu_count"})
RUNNING = frozenset({"electricity_price", "of_electricity", "hours_per_day", "days", "hours"})  # what is said of the power bill
OF_THE_JOB = frozenset({"budget", "model", "parameters", "workload", "task"})  # power goes by the cards alone
SPEEDS = ("decode_tokens_per_second", "tokens_per_second")
FEW = 4  # options shown
Job = tuple[str, dict[str, Any]]  # as an answer names it, and its fields


def asked(part: Part) -> bool:
    """Whether a sum is said for a job, and no card."""
    slots = part.slots
    told = tells_card(slots) or any(slots.get(s) for s in OTHER)
    return bool(slots.get("budget") and subject(slots)) and not told and set(part.wanted) <= ASKED


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """The choice for the first job that the budget buys cards for, the next ones in a table, and what becomes of the other jobs; False
    where no rate of its currency is on file."""
    currency, budget = str(part.slots.get("currency") or DOLLARS), float(part.slots["budget"])
    rate = None if currency == DOLLARS else tools.rate(currency)
    if currency != DOLLARS and rate is None:
        return False
    limit = budget / (rate.value if rate else 1.0)
    try:
        found = [(job, tools.buy(job[1], limit, reading.language, False)) for job in _jobs(part, draft, tools)]
    except InvalidInput as error:
        refused(error, reading, draft)
        return True
    w, composer = draft.wording, draft.composer
    shown = amount(budget, currency, w)
    composer.values.append(Value("budget", budget, currency, shown))
    roomy = [one for one in found if one[1] and one[1][0].result.verdict == "fits"]
    handy = (
        one for one in roomy if one[1][0].count <= PAIR
    )  # the widest format that one or two cards hold comes before more cards
    first = next(handy, next(iter(roomy), next((one for one in found if one[1]), None)))
    if first:
        _choice(first[0][0], first[1], shown, limit, draft, tools)
    for job, bought in found:
        if first is None or job is not first[0]:
            _other(job, bought, shown, limit, reading, draft, tools)
    _converted(rate, currency, shown, limit, draft)
    if first:
        best = first[1][0].result
        state_assumed(best, PLACED, draft, tools)
        composer.note(w("launch_alone"))
        calculate(best, PLACED, draft, tools)
        draft.verdict = draft.verdict or best.verdict
    draft.settle("sizing")
    return True


def owned(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> Part:
    """A part about the electricity of what a budget was to buy, with the cards that it buys; the part as it is where it is not that."""
    slots = part.slots
    if not (slots.get("of_electricity") and slots.get("budget") and subject(slots)) or tells_card(slots):
        return part
    currency = str(slots.get("currency") or DOLLARS)
    rate = None if currency == DOLLARS else tools.rate(currency)
    if currency != DOLLARS and rate is None:
        return part
    bare = replace(part, slots={k: v for k, v in slots.items() if k not in RUNNING})
    limit = float(slots["budget"]) / (rate.value if rate else 1.0)
    try:
        bought = next((b for _, f in _jobs(bare, draft, tools) if (b := tools.buy(f, limit, reading.language, False))), ())
    except InvalidInput:
        return part
    if not bought:
        return part
    best = bought[0]
    gpu = gpu_name(best.result, tools, draft.wording)
    draft.composer.known += [gpu, str(best.count)]
    draft.composer.say(draft.wording("bought_owned", count=best.count, gpu=gpu), *_evidence(best, tools))
    told = {k: v for k, v in slots.items() if k not in OF_THE_JOB}
    return replace(part, slots={**told, "gpu": best.gpu, "gpu_count": best.count}, entities=(("accelerators", best.gpu),))


def _jobs(part: Part, draft: Draft, tools: Tools) -> list[Job]:
    """What is to be done, or each that may be meant: methods of tuning, formats of weights."""
    w, slots = draft.wording, part.slots
    model = model_name(slots, tools)
    workloads = workloads_of(slots, part)
    tuned = slots.get("task") == "finetune" and not slots.get("workload")
    meant: Sequence[str] = TUNED if tuned else (str(workloads[0]),) if len(workloads) == 1 and workloads[0] else ("inference",)
    out: list[Job] = []
    for workload in meant:
        fields = {
            k: v for k, v in fields_of(slots, workload, part).items() if k not in ("budget", "currency", "days", "gpu_count")
        }
        what = what_of(model, workload, w)
        free = workload == "inference" and not fields.keys() & {"quantization", "precision"}
        out += (
            [(w("in_format", what=what, format=f), {**fields, "quantization": f}) for f in FORMATS]
            if free
            else [(what, fields)]
        )
    draft.composer.known += [model, *(what for what, _ in out)]
    return out


def _choice(what: str, bought: Sequence[Purchase], budget: str, limit: float, draft: Draft, tools: Tools) -> None:
    """The fastest in a sentence, and the next ones beside it."""
    w, composer, best = draft.wording, draft.composer, bought[0]
    need, have = (text for _, text in _texts(best, draft, PLACED))
    gpu, price = gpu_name(best.result, tools, w), _price(best, draft)
    words = w("bought", budget=budget, what=what, count=best.count, gpu=gpu, price=price, need=need, have=have)
    composer.say(words, *_evidence(best, tools), *standing(best.result, *PLACED, tools=tools))
    spare = Value("left", limit - best.price, DOLLARS, amount(math.floor(limit - best.price), DOLLARS, w))
    composer.values.append(spare)
    words = w("bought_by" if best.result.verdict == "fits" else "bought_tight", spare=spare.text)
    composer.say(words, *_evidence(best, tools))
    rows = []
    for one in bought[:FEW]:
        cells = [f"{one.count} × {gpu_name(one.result, tools, w)}", _price(one, draft)]
        cells += [" / ".join(text for _, text in _texts(one, draft, PLACED)), *(text for _, text in _texts(one, draft, SPEEDS))]
        cells.append(w(f"plan_verdict:{one.result.verdict}"))
        rows.append((cells, [*_evidence(one, tools), *standing(one.result, *PLACED, tools=tools)]))
    speed = next((n for n, _ in _texts(best, draft, SPEEDS)), SPEEDS[0])
    heads = ("plan_head:gpu", "launch_total", "plan_head:memory")
    composer.tabulate([*(w(h) for h in heads), w.name(speed), w("plan_head:verdict")], rows, w("source"))


def _other(
    job: Job, bought: Sequence[Purchase], budget: str, limit: float, reading: Understanding, draft: Draft, tools: Tools
) -> None:
    """A job that the budget buys cards for as well, with the cheapest of them; or what it would take."""
    w, composer = draft.wording, draft.composer
    for one in tools.buy(job[1], limit if bought else math.inf, reading.language, True):
        key, gpu = "bought_also" if bought else "bought_not", gpu_name(one.result, tools, w)
        verdict = w(f"plan_verdict:{one.result.verdict}")
        words = w(key, what=job[0], count=one.count, gpu=gpu, price=_price(one, draft), budget=budget, verdict=verdict)
        composer.point(words, *_evidence(one, tools), *standing(one.result, *PLACED, tools=tools))
        return
    result = tools.size(job[1], ("memory_total",), reading.language)
    if total := next((v for v in result.values if v.name == "memory_total"), None):
        text = value_text(replace(total, low=None, high=None), w)
        composer.values.append(replace(total, text=text, scope=job[0]))
        composer.point(w("bought_none", what=job[0], need=text), *standing(result, "memory_total", tools=tools))


def _converted(rate: Assumption | None, currency: str, budget: str, limit: float, draft: Draft) -> None:
    if rate is None or rate.evidence is None:
        return
    w, composer = draft.wording, draft.composer
    dollars, one = amount(math.floor(limit), DOLLARS, w), amount(rate.value, currency, w)
    reason = rate.reason.of(w.language)
    composer.values.append(Value("budget", limit, DOLLARS, dollars))
    composer.known += [one, reason]
    composer.break_paragraph()
    composer.say(w("converted", budget=budget, dollars=dollars, rate=one, reason=reason.rstrip(".。")), rate.evidence)
    draft.assumptions.append(Assumed("currency", rate.value, reason))


def _texts(one: Purchase, draft: Draft, names: Sequence[str]) -> list[tuple[str, str]]:
    """Values of a purchase in words, without their intervals, in the order of `names`."""
    known: Mapping[str, Value] = {v.name: v for v in one.result.values}
    out = []
    for name in (n for n in names if n in known):
        text = value_text(replace(known[name], low=None, high=None), draft.wording)
        draft.composer.values.append(replace(known[name], text=text, scope=f"{one.count} {one.gpu}"))
        out.append((name, text))
    return out


def _price(one: Purchase, draft: Draft) -> str:
    text = amount(one.price, DOLLARS, draft.wording)
    scope = f"{one.count} {one.gpu}"
    draft.composer.values += [
        Value("purchase_price", one.price, DOLLARS, text, scope=scope),
        Value("gpu_count", one.count, "1", str(one.count), scope=one.gpu),
    ]
    return text


def _evidence(one: Purchase, tools: Tools) -> list[Evidence]:
    row = tools.book.row("accelerators", one.gpu)
    return [cell_evidence(row, LAUNCH)] if row else []
