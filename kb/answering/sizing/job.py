"""Sizing questions: the figure or verdict first, then the assumptions, the calculation, and what would change it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.answering import asking
from kb.answering.decline import refused
from kb.answering.draft import Draft, Tools
from kb.answering.render import value_text
from kb.answering.sizing import claimed, one, sentences
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.fields import advisable, as_meant, costs_a_run, fields_of, stated_elsewhere, subject, workloads_of
from kb.answering.sizing.grounds import gpu_name, in_one_piece, model_name, named, standing, what_of
from kb.answering.sizing.groups import COLLECTIVES, GPU_MEMORY, SPEEDS
from kb.answering.sizing.verdicts import PLACED
from kb.answering.tables.specs import cell_evidence
from kb.answering.wording import Wording
from kb.errors import InvalidInput
from kb.types.answer import AnswerTable, Assumed, Value
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult
from kb.types.specs import Row, SpecBook
from kb.understanding.asks.sides import offers
from kb.understanding.slots.known import tells_card

# What only a model makes computable: then it is asked for.
ASKED_BACK = {
    "memory_total", "memory_per_gpu", "gpu_count", "training_time", "gpu_hours", "model_states", "model_states_per_gpu", "weights",
    "kv_cache", "activations", "decode_tokens_per_second", "time_to_first_token", "checkpoint_size", "max_context_len", "max_parameters",
}  # fmt: skip
TIMES = {"training_time", "gpu_hours"}
OF_A_JOB = ("memory_total", "model_states")  # what methods are told apart by, where it is known
OF_A_BILL = ("gpu", "gpu_count", "tokens")  # what the rent of a run follows from
FEWER_BITS = ("int8", "int4")  # in which weights are run that nobody said a precision of
# Values of the machine around the GPUs.
MACHINE = {"host_ram", "storage", "cpu_cores", "network_bandwidth", "psu", "ups", "pcie_lanes", "power", "heat", *COLLECTIVES}

SPARING = ("lora", "qlora")  # ways to tune that differ in what they save, the less sparing first


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Answer one sizing part; False when it holds nothing that rules could compute."""
    slots, part = as_meant(part, tools)
    if part.asks_verdict and stated_elsewhere(slots) and not set(part.wanted) & (MACHINE | TIMES):
        return False  # whether a link or a drive is enough is no matter of GPU memory
    if (
        "host_ram" in part.wanted
        and not subject(slots)
        and not slots.keys() & {"host_ram_gb", "size_gb"}
        and advisable(part, tools)
    ):
        return False  # how to choose it is advice
    workloads = workloads_of(slots, part)
    if not subject(slots) and not part.wanted:
        return False  # nothing to compute from: an article may know, or the model is asked for
    try:
        results = {w: tools.size(fields_of(slots, w, part), part.wanted, reading.language) for w in workloads}
        most = max((r.request.zero_stage or 0 for r in results.values()), default=0)
        for w in [w for w, r in results.items() if r.request.zero_stage not in (None, most)]:  # told apart on one layout
            results[w] = tools.size({**fields_of(slots, w, part), "zero_stage": most}, part.wanted, reading.language)
    except InvalidInput as error:
        refused(error, reading, draft)
        return True
    results = _by_format(results, slots, part, reading, tools)
    first = next(iter(results.values()))
    computed = {v.name for v in first.values} & set(part.wanted)
    bill = OF_A_BILL[:1] if slots.get("of_electricity") else OF_A_BILL  # power goes by the cards alone
    if not computed and costs_a_run(part) and (lacking := [s for s in bill if not slots.get(s)]):
        if slots.get("tokens") and not tells_card(slots) and (card := most_offered(tools.book)):
            on_it = replace(part, slots={**slots, "gpu": card.id})
            told = respond(on_it, reading, draft, tools)
            words = draft.wording("card_taken", gpu=card.name)
            draft.composer.break_paragraph()
            draft.composer.known.append(card.name)
            draft.composer.say(words, cell_evidence(card, "memory_gb"))
            draft.assumptions.append(Assumed("gpu", card.name, words))
            return told
        return _ask_back(draft, [s for s in lacking if s != "gpu_count" or "gpu" not in lacking])
    countless = "gpu_count" in part.wanted and not computed and not slots.get("gpu_count")
    if countless and first.verdict == "does_not_fit" and first.request.workload != "inference":
        draft.settle("sizing")
        values = {v.name: replace(v, text=value_text(v, draft.wording)) for v in first.values}
        sentences.no_count(values, gpu_name(first, tools, draft.wording), first, draft, tools)
        state_assumed(first, PLACED, draft, tools)
        return True
    formats_alone = len(slots.get("formats", ())) > 1 and not (subject(slots) or tells_card(slots))
    if part.wanted and first.values and not computed:
        if slots.get("post_training") and TIMES & set(part.wanted):
            return False  # a method with a pace of its own
        if formats_alone:
            return False  # how fast formats are, of no model in particular, is told by a text
        if part.intent == "size" and (TIMES | SPEEDS) & set(part.wanted) and (lacking := asking.lacking(part)):
            return _ask_back(draft, lacking)  # no text knows how long an unknown job takes
        if reading.is_follow_up and (lacking := [s for s in ("model", "gpu") if not asking.said(s, slots)]):
            return _ask_back(draft, lacking)  # nor what a conversation is about
        return False  # what was asked for is nothing that the rules compute from this
    if not first.values:
        if formats_alone:
            return False
        if first.missing and ASKED_BACK & set(part.wanted):
            return _ask_back(draft, asking.lacking(part) or first.missing)
        return False
    draft.settle("sizing")
    model = model_name(slots, tools)
    if model and not slots.get("model"):
        draft.composer.values.append(Value("params_total", float(slots["parameters"]), None, model))
    with draft.of_one_piece(in_one_piece(first, tools)):
        if len(results) == 1 or _alike(results, part.wanted):
            one.tell(part, slots, model, first, reading, draft, tools)
        else:
            _several(part, slots, model, results, reading, draft, tools)
    return True


def _by_format(
    results: Mapping[str | None, SizingResult], slots: Mapping[str, Any], part: Part, reading: Understanding, tools: Tools
) -> dict[str | None, SizingResult]:
    """With running in fewer bits beside it, where running is one of several methods and no precision is said."""
    if len(results) < 2 or "inference" not in results or slots.keys() & {"precision", "quantization", "workloads"}:
        return dict(results)
    fewer: dict[str | None, SizingResult] = {
        f"inference:{f}": tools.size({**fields_of(slots, "inference", part), "quantization": f}, part.wanted, reading.language)
        for f in FEWER_BITS
    }
    rest = {name: result for name, result in results.items() if name != "inference"}
    return {"inference": results["inference"], **fewer, **rest}


def most_offered(book: SpecBook) -> Row | None:
    """The accelerator of which the price table has most offers, by which a cost is told where no card is named."""
    counted = Counter(row.text("accelerator_id") for row in book.rows("prices"))
    return next((card for id, _ in counted.most_common() if id and (card := book.row("accelerators", id))), None)


def _ask_back(draft: Draft, lacking: Sequence[str]) -> bool:
    asking.ask(list(lacking), draft)
    return True


def _alike(results: Mapping[str | None, SizingResult], wanted: Sequence[str]) -> bool:
    """Whether what is asked for is the same by every method: of a speed that was measured, say."""
    told = [[v.value for v in r.values if v.name in wanted] for r in results.values()]
    return bool(told[0]) and all(t == told[0] for t in told)


def _several(
    part: Part,
    slots: Mapping[str, Any],
    model: str,
    results: Mapping[str | None, SizingResult],
    reading: Understanding,
    draft: Draft,
    tools: Tools,
) -> None:
    """Each method side by side: the asker left open which. A verdict is that of the method that takes least."""
    w, composer = draft.wording, draft.composer
    first = next(iter(results.values()))
    computed = {v.name for v in first.values}
    of_the_job = [n for n in part.wanted if n not in GPU_MEMORY]
    name = next((n for n in (*of_the_job, *OF_A_JOB, *part.wanted) if n in computed), first.values[0].name)
    rows, totals = [], []
    for workload, result in results.items():
        values = {v.name: replace(v, text=value_text(v, w), scope=f"workload={workload}") for v in result.values}
        composer.values += values.values()
        if (total := values.get(name)) is None:
            continue
        cells = [_method(str(workload), results, w), total.text]
        if result.verdict and part.asks_verdict:
            cells.append(w(f"plan_verdict:{result.verdict}"))
        rows.append((cells, standing(result, total.name, tools=tools)))
        totals.append((float(total.value or 0), what_of(model, str(workload), w, result.request.post_training), total, result))
    totals.sort(key=lambda t: t[0])
    _, what, total, least = totals[0]
    corrected = claimed.correct(part, reading, [(t[1], t[2]) for t in totals], standing(least, total.name, tools=tools), draft)
    columns: tuple[str, ...] = (w("method"), w("memory") if name in OF_A_JOB else w.name(name))
    if offers(part.text) and (taken := _taken(results, w)):
        words, least = taken
        what = next(t[1] for t in totals if t[3] is least)
        composer.known.append(words)
        composer.say(words, *standing(least, *PLACED, tools=tools))
    if least.verdict and part.asks_verdict and (gpu := gpu_name(least, tools, w)):
        columns = (*columns, w("plan_head:verdict"))
        by_name = {v.name: value_text(v, w) for v in least.values}
        need, have = by_name["memory_per_gpu"], by_name["memory_available_per_gpu"]
        composer.known.append(gpu)
        stands = standing(least, *PLACED, tools=tools)
        placed = "offers_less" if corrected and least.verdict == "does_not_fit" else least.verdict
        composer.say(w(placed, what=what, need=need, gpu=gpu, have=have), *stands, *named(slots, tools))
        every = {r.verdict for r in results.values()}
        draft.verdict = draft.verdict or (least.verdict if len(every) == 1 else "fits_with_conditions")
    method = least.request.post_training
    job = what_of(model, method, w) if method else model
    words = w("options", what=job) if name in OF_A_JOB else w("options_of", label=w.name(name))
    composer.say(words, *rows[0][1][:1], *named(slots, tools))
    composer.tabulate(columns, rows, w("source"))
    composer.table = composer.table or AnswerTable(columns, tuple(tuple(cells) for cells, _ in rows))
    if not slots.get("workloads"):
        told = slots.get("precision") or slots.get("quantization")
        composer.note(
            w("option_method" if slots.get("task") in ("finetune", "train") else "option_use" if told else "option_task")
        )
    state_assumed(first, (name,), draft, tools)
    trained = next((r for r in results.values() if r.request.workload != "inference"), first)
    if trained is not first:
        state_assumed(trained, (name,), draft, tools)
    draft.follow_ups.append(w("follow:count"))


def _taken(results: Mapping[str | None, SizingResult], w: Wording) -> tuple[str, SizingResult] | None:
    """Which of two ways to tune a model is taken on the cards that are said: the less sparing one where it fits with room."""
    ways = [name for name in SPARING if name in results]
    verdicts = [results[name].verdict for name in ways]
    if len(results) != 2 or len(ways) != 2 or None in verdicts or verdicts[1] == "does_not_fit":
        return None
    more, less = ways
    if verdicts[0] == "fits":
        return w("method:all", one=w.name(more), other=w.name(less)), results[more]
    key = "method:only" if verdicts[0] == "does_not_fit" else "method:tight"
    return w(key, one=w.name(less), other=w.name(more)), results[less]


def _method(name: str, results: Mapping[str | None, SizingResult], w: Wording) -> str:
    """A method as a row of the table names it; running also by its weights, where they come in several formats."""
    workload, _, said = name.partition(":")
    if workload != "inference" or not any(str(other).startswith("inference:") for other in results):
        return w.name(workload)
    return w("in_format", what=w.name(workload), format=said or str(results[name].request.quantization or "bf16"))
