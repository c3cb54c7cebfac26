"""A batch of documents told: the GPUs or the time that it takes, whether that is in time, and the pace behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, number, value_text
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import fields_of
from kb.answering.sizing.grounds import gpu_name, model_name, named, standing, what_of
from kb.errors import InvalidInput
from kb.sizing.prices import offers
from kb.types.answer import Value, Verdict
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult
from kb.types.source import Evidence

TOLD = ("job_time", "job_tokens", "job_pace", "job_rate", "gpus_for_load", "gpu_count")
IN_TIME, HARDLY = 0.85, 1.05  # of the time that there is: the margins of GPU memory


def tell(
    part: Part, what: str, gpu: str, values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools
) -> tuple[str, ...]:
    """Say how long a batch takes on how many GPUs and what pace that is; the names of the values that this tells."""
    if "job_time" not in part.wanted or "job_time" not in values:
        return ()
    w, r = draft.wording, result.request
    time, tokens, pace = (values[n] for n in ("job_time", "job_tokens", "job_pace"))
    counted = part.slots.get("gpu_count") is None
    said = {
        "what": what, "count": r.gpu_count or 1, "gpu": gpu, "time": time.text, "tokens": tokens.text, "pace": pace.text,
    }  # fmt: skip
    stands = standing(result, *(n for n in TOLD if n in values), tools=tools)
    draft.composer.known.append(f"{said['count']}")
    if r.days is None:
        draft.composer.say(w("batch:time", **said), *stands)
    else:
        allowed = Value("days", r.days, "day", "")
        said |= {"allowed": value_text(allowed, w), "rate": values["job_rate"].text}
        draft.composer.values.append(Value("time_allowed", r.days, "day", str(said["allowed"])))
        verdict = _verdict(float(time.value or 0) / r.days)
        draft.composer.say(w("batch:count" if counted else f"batch:{verdict}", **said), *stands)
        if not counted:
            draft.verdict = draft.verdict or verdict
        if not counted and verdict == "does_not_fit" and "gpus_for_load" in values:
            enough = number(float(values["gpus_for_load"].value or 0))
            draft.composer.say(w("batch:enough", count=enough, gpu=gpu), *standing(result, "gpus_for_load", tools=tools))
    together = amount(float(r.concurrency or 1), None, w)
    draft.composer.known.append(together)
    key = "batch:pace" if r.days is None else "batch:pace_needed"
    draft.composer.say(w(key, at_once=together, **said), *standing(result, "job_pace", "job_rate", tools=tools))
    return TOLD


def _verdict(share: float) -> Verdict:
    return "fits" if share <= IN_TIME else "fits_with_conditions" if share <= HARDLY else "does_not_fit"


SIXTEEN_BITS = "bf16_dense_tflops"
COLUMNS = ("gpu_count", "job_time", "gpu_hours", "cost")  # of the table of cards that do it
FEW = 5  # of them
SAID = frozenset({"documents", "input_tokens", "generated_tokens"})


def asked(part: Part) -> bool:
    """Whether a batch is to be worked off by cards that nobody named."""
    return bool(SAID & part.slots.keys())


def choose(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """The cards that are rented by the hour and finish the batch, the cheapest first; False where none does."""
    w, composer, wanted = draft.wording, draft.composer, ("job_time", "cost")
    fields = fields_of(part.slots, "inference", part)
    found = []
    for card in offers(tools.book, None):
        row = tools.book.row("accelerators", card)
        if row is None or (cell := row.cells.get(SIXTEEN_BITS)) is None or cell.value is None:
            continue  # what it computes in is not what models come in
        try:
            result = tools.size({**fields, "gpu": card}, wanted, reading.language)
        except InvalidInput:
            continue
        values = {v.name: replace(v, text=value_text(v, w)) for v in result.values}
        if result.verdict in ("fits", "fits_with_conditions") and values.keys() >= set(COLUMNS[1:]):
            count = Value("gpu_count", result.request.gpu_count, "1", number(result.request.gpu_count or 1))
            found.append((float(values["cost"].value or 0), {**values, "gpu_count": count}, result))
    if not found:
        return False
    found.sort(key=lambda one: one[0])
    _, best, result = found[0]
    what, gpu = what_of(model_name(part.slots, tools), "inference", w), gpu_name(result, tools, w)
    composer.known += [what, gpu]
    stands = [*standing(result, "job_time", "job_tokens", "cost", tools=tools), *named(part.slots, tools)]
    said = {name: best[name].text for name in (*COLUMNS, "job_tokens")}
    composer.values += [best[name] for name in (*COLUMNS, "job_tokens")]
    composer.say(w("batch:choice", what=what, gpu=gpu, **said), *stands)
    _, fewest, other = min(found, key=lambda one: (one[1]["gpu_count"].value, one[0]))
    if other is not result:
        gpu = gpu_name(other, tools, w)
        composer.known.append(gpu)
        few = {name: fewest[name].text for name in COLUMNS}
        composer.values += [fewest[name] for name in COLUMNS]
        composer.say(w("batch:fewest", gpu=gpu, **few), *standing(other, "job_time", "cost", tools=tools))
    heads = (w("plan_head:gpu"), *(w(f"plan_head:{n}") if w.has(f"plan_head:{n}") else w.name(n) for n in COLUMNS))
    rows: list[tuple[list[str], list[Evidence]]] = []
    for _, values, one in found[:FEW]:
        name = gpu_name(one, tools, w)
        composer.known.append(name)
        composer.values += [values[n] for n in COLUMNS]
        composer.values.append(Value("option", len(rows) + 1, None, name))
        rows.append(([name, *(values[n].text for n in COLUMNS)], standing(one, "job_time", "cost", tools=tools)))
    composer.tabulate(heads, rows, w("source"))
    draft.verdict = draft.verdict or result.verdict
    told = ("job_time", "job_tokens", "cost")
    state_assumed(result, told, draft, tools)
    calculate(result, told, draft, tools)
    draft.settle("sizing")
    return True
