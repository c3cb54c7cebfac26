"""Sizing questions: the figure or verdict first, then the assumptions, the calculation, and what would change it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.answering import asking
from kb.answering.decline import refused
from kb.answering.draft import Draft, Tools
from kb.answering.render import number, value_text
from kb.answering.sizing import claimed, judged, lanes, placing, remedies, sentences, switches
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import KEPT, advisable, as_meant, costs_a_run, fields_of, subject, together, workloads_of
from kb.answering.sizing.grounds import gpu_name, model_name, name_of, named, standing, what_of
from kb.answering.sizing.groups import COLLECTIVES, GPU_MEMORY, PACED, SPEEDS, STATES
from kb.answering.sizing.verdicts import PLACED, condition, fewest, overfull, say_verdict, start_check, unused
from kb.answering.wording import Wording
from kb.errors import InvalidInput
from kb.types.answer import AnswerTable, Value
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult

# What only a model makes computable: then it is asked for.
ASKED_BACK = {
    "memory_total", "memory_per_gpu", "gpu_count", "training_time", "gpu_hours", "model_states", "model_states_per_gpu", "weights",
    "kv_cache", "activations", "decode_tokens_per_second", "time_to_first_token", "checkpoint_size", "max_context_len", "max_parameters",
}  # fmt: skip
CLAIMED = ("memory_total", "model_states", "checkpoint_size")  # of which a figure may be claimed
TIMES = {"training_time", "gpu_hours"}
OF_A_JOB = ("memory_total", "model_states")  # what methods are told apart by, where it is known
OF_A_BILL = ("gpu", "gpu_count", "tokens")  # what the rent of a run follows from
# Slots that say what there is of something else than GPU memory.
STATED_ELSEWHERE = ("network_gbps", "disk_gb_s", "psu_w", "storage_gb", "budget")
FEWER_BITS = ("int8", "int4")  # in which weights are run that nobody said a precision of
LONG = 32_768  # tokens of the context that is proposed
# Values of the machine around the GPUs.
MACHINE = {"host_ram", "storage", "cpu_cores", "network_bandwidth", "psu", "ups", "pcie_lanes", "power", "heat", *COLLECTIVES}
# Values that are told together with one that is asked for: before it, and after it.
BUILDING = {"power": "facility_power", "write_time": "checkpoint_size", "write_bandwidth": "checkpoint_size"}
WITH = {
    "transfer_bandwidth": ("transfer_link",),
    "ups": ("ups_va", "ups_energy"),
    "saving": ("saved_share", "cost", "cost_instead"),
    "heat": ("cooling_tons",), "break_even": ("break_even_time",), "optimal_parameters": ("optimal_tokens",),
    "checkpoint_interval": ("between_failures",), "checkpoint_size": ("saves", "storage_of_kept"), "host_ram": ("offloaded_states",),
    "pipeline_bubble": ("pipeline_idle",), "all_reduce_time": ("all_reduce_traffic", "all_reduce_time_network"),
    "storage": ("checkpoint_size", "saves", "storage_of_kept"), "decode_ceiling": ("decode_tokens_per_second",),
}  # fmt: skip
BESIDE = ("reference_models", "critics", "reward_models", "rollout_engines", "rollout_cache")
# What to say when the question asks for nothing in particular.
USUAL = {
    "inference": ("weights", "kv_cache", "memory_total"),
    "pretrain": ("model_states", "memory_total"),
    "full_finetune": ("model_states", "memory_total"),
    "lora": ("weights", "memory_total"),
    "qlora": ("weights", "memory_total"),
}


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Answer one sizing part; False when it holds nothing that rules could compute."""
    slots, part = as_meant(part, tools)
    if part.asks_verdict and _elsewhere(slots) and not set(part.wanted) & MACHINE:
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
        return _ask_back(draft, lacking)
    if part.wanted and first.values and not computed:
        if slots.get("post_training") and TIMES & set(part.wanted):
            return False  # a method with a pace of its own
        if part.intent == "size" and (TIMES | SPEEDS) & set(part.wanted) and (lacking := asking.lacking(part)):
            return _ask_back(draft, lacking)  # no text knows how long an unknown job takes
        if reading.is_follow_up and (lacking := [s for s in ("model", "gpu") if not asking.said(s, slots)]):
            return _ask_back(draft, lacking)  # nor what a conversation is about
        return False  # what was asked for is nothing that the rules compute from this
    if not first.values:
        if first.missing and ASKED_BACK & set(part.wanted):
            return _ask_back(draft, asking.lacking(part) or first.missing)
        return False
    draft.settle("sizing")
    model = model_name(slots, tools)
    if model and not slots.get("model"):
        draft.composer.values.append(Value("params_total", float(slots["parameters"]), None, model))
    if len(results) == 1 or _alike(results, part.wanted):
        _one(part, slots, model, first, reading, draft, tools)
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


def _ask_back(draft: Draft, lacking: Sequence[str]) -> bool:
    asking.ask(list(lacking), draft)
    return True


def _alike(results: Mapping[str | None, SizingResult], wanted: Sequence[str]) -> bool:
    """Whether what is asked for is the same by every method: of a speed that was measured, say."""
    told = [[v.value for v in r.values if v.name in wanted] for r in results.values()]
    return bool(told[0]) and all(t == told[0] for t in told)


def _elsewhere(slots: Mapping[str, Any]) -> bool:
    """Whether the question states a link, drive, supply or RAM: what is asked of then is that, not GPU memory."""
    return any(slots.get(s) for s in STATED_ELSEWHERE)


def _one(
    part: Part, slots: Mapping[str, Any], model: str, result: SizingResult, reading: Understanding, draft: Draft, tools: Tools
) -> None:
    w, composer = draft.wording, draft.composer
    if (asked := (result.request, part.wanted)) in draft.sized:
        return  # two sentences of one question that ask the same
    draft.sized.append(asked)
    values = {v.name: sentences.in_unit(replace(v, text=value_text(v, w)), slots.get("time_unit"), w) for v in result.values}
    what = what_of(model, result.request.workload, w, result.request.post_training)
    gpu = gpu_name(result, tools, w)
    unfit = bool(gpu) and overfull(part, result)  # which has no speed
    composer.values += [v for v in values.values() if not (unfit and v.name in PACED)]
    composer.known += [model, gpu]  # names, not figures
    count = result.request.gpu_count
    said: dict[str, None] = {}  # what was stated, in order
    if not unfit and (measured := judged.of_a_job(slots, values, result, draft, tools)):
        said[measured] = None
    placing.whole(values, slots, result, draft, tools)
    about_memory = unfit or (
        (not part.wanted or (part.asks_verdict and set(part.wanted) <= GPU_MEMORY | SPEEDS)) and not _elsewhere(slots)
    )
    if result.verdict and gpu and "memory_per_gpu" in values and about_memory:
        have, need = values["memory_available_per_gpu"], values["memory_per_gpu"]
        on = w("on", what=what, count=count, gpu=gpu) if count and count > 1 else what
        decided = say_verdict(
            on, result, values, slots, draft, tools, *named(slots, tools), failed=part.intent == "troubleshoot"
        )
        if result.verdict == "fits_with_conditions":
            condition(float(need.value or 0) / float(have.value or 1), result, draft, tools)
        if slots.get("never_starts") and decided != "does_not_fit":
            start_check(result, draft, tools)
        draft.verdict = draft.verdict or decided
        said |= dict.fromkeys(PLACED)
        if unfit and decided != result.verdict:  # told of what does fit
            slots = {**slots, **result.extra["change"]}
            again = tools.size(fields_of(slots, str(result.request.workload), part), part.wanted, reading.language)
            return _one(replace(part, asks_verdict=False, slots=slots), slots, model, again, reading, draft, tools)
        if unfit:
            composer.say(w("unfit_speed"), *standing(result, *PLACED, tools=tools))
        if decided != "does_not_fit" and slots.get("cap"):
            said |= dict.fromkeys(sentences.capped(values, int(slots["cap"]), result, draft, tools))
    asked_of = next((n for n in CLAIMED if n in values and (n in part.wanted or not part.wanted)), "")
    if asked_of and part.intent == "size" and what:
        label = w("of", label=w.name(name_of(asked_of, values, slots)), what=what)
        stands = standing(result, asked_of, tools=tools)
        of_a_format = asked_of == "checkpoint_size" and claimed.by_format(part, draft, tools, ("fp32",))
        if of_a_format or claimed.correct(part, reading, [(label, values[asked_of])], stands, draft):
            said[asked_of] = None
    for name, (slot, unit) in sentences.HAD.items():
        if name in part.wanted and name in values and slots.get(slot) and draft.verdict is None:
            sentences.enough(name, values[name], float(slots[slot]), unit, result, draft, tools)
            said[name] = None
    said |= dict.fromkeys(sentences.carried(part, result, draft, tools))
    said |= dict.fromkeys(sentences.fed(values, part, result, draft, tools))
    if "break_even" in part.wanted and "cost_of_owning" in values:
        said |= dict.fromkeys(sentences.rent_or_buy(values, float(result.request.days or 0), result, draft, tools))
    said |= dict.fromkeys(lanes.told(part, values, result, draft, tools))
    said |= dict.fromkeys(sentences.in_own_terms(part, what, values, result, draft, tools))
    if "gpu_count" in values and gpu and (count is None or "gpu_count" in part.wanted or "training_time" in said):
        counted = number(float(values["gpu_count"].value or 0))
        floor = fewest(result)
        words = w("count_rounded" if floor else "count", what=what, count=counted, gpu=gpu, least=number(floor or 0))
        composer.say(words, *standing(result, "gpu_count", tools=tools), *named(slots, tools))
        said["gpu_count"] = None
    for name in _to_state(part, slots, values, said, result, draft, unfit):
        if name == "bytes_per_parameter" and "optimizer_states" in values and name not in said:
            sentences.per_parameter(values, result, draft, tools)
            said[name] = None
        elif name in values and name not in said:
            label = w.name(name_of(name, values, {**slots, "concurrency": result.request.concurrency}))
            composer.say(w("value", label=label, value=values[name].text), *standing(result, name, tools=tools))
            said[name] = None
    if "memory_per_gpu" in said and draft.verdict is None:
        placing.beside(result, draft, tools)
    if said and (lacking := [w.name(n) for n in part.wanted if n not in values and n not in said]):
        composer.note(w("not_computed", list=w.join(lacking)))
    if not said:
        for name, value in list(values.items())[:3]:
            composer.say(w("value", label=w.name(name), value=value.text), *standing(result, name, tools=tools))
            said[name] = None
    if "power_limit" in values:
        composer.say(w("power_limit", limit=values["power_limit"].text), *standing(result, "power_limit", tools=tools))
        said["power_limit"] = None
    if part.intent == "troubleshoot":
        remedies.tell(fields_of(slots, str(result.request.workload), part), result, draft, tools)
    split_told = False
    if about_memory or part.intent == "troubleshoot":
        split_told = switches.tell(fields_of(slots, str(result.request.workload), part), slots, result, draft, tools)
    _beneath(part, said, about_memory, split_told, result, reading, draft, tools)


def _to_state(
    part: Part,
    slots: Mapping[str, Any],
    values: Mapping[str, Value],
    said: Mapping[str, None],
    result: SizingResult,
    draft: Draft,
    unfit: bool,
) -> tuple[str, ...]:
    """The values to state one by one, in order: those asked for or the usual ones, with what is told along with them."""
    wanted = part.wanted or (
        (*USUAL.get(str(result.request.workload), ()),) if not result.verdict else ("weights", "memory_total")
    )
    wanted = tuple(n for n in wanted if not (unfit and n in PACED))
    count = result.request.gpu_count or 1
    if "memory_total" in wanted and slots.get("gpu_count") == count > 1 and "adapter" in values:
        wanted = tuple(dict.fromkeys(("memory_per_gpu", *wanted)))  # by which it is known whether cards hold it
    if "memory_per_gpu" in said and count == 1:
        wanted = tuple(n for n in wanted if n != "memory_total")  # of one GPU it is the same
    if "bytes_per_parameter" in values and {"memory_total", "model_states"} & set(wanted):
        wanted = (*wanted, "bytes_per_parameter")  # by which a reader can check the total
    if {"memory_total", "memory_per_gpu", "model_states"} & {*wanted, *said}:
        held = tuple(n for n in BESIDE if n in values)  # of models that are there for the method
        wanted = (*wanted, "model_states", *held) if held and "weights" not in wanted else (*wanted, *held)
    if "host_filled" in result.extra:  # by which weights and total are told, and the speed is set
        spoken = (n for n in wanted if n not in ("weights", "memory_total"))
        wanted = (
            tuple(dict.fromkeys((*spoken, "decode_tokens_per_second"))) if draft.verdict != "does_not_fit" else tuple(spoken)
        )
    wanted = tuple(n for name in wanted for n in ((BUILDING[name], name) if name in BUILDING else (name, *WITH.get(name, ()))))
    if "training_time" in wanted and result.request.workload == "pretrain" and not slots.get("mfu"):
        wanted = (*wanted, "mfu")  # by which a reader sees how fast that is
    if "break_even_use" in values:  # of a machine that runs a part of the time
        wanted = tuple("break_even_use" if name == "break_even" else name for name in wanted)
    if any(slots.get(s) for s in KEPT):  # of several files what they take together comes first
        wanted = tuple(n for name in wanted for n in (("storage", name) if name == "checkpoint_size" else (name,)))
    return wanted if not together(part) else ("storage",)


def _beneath(
    part: Part,
    said: Mapping[str, None],
    about_memory: bool,
    split_told: bool,
    result: SizingResult,
    reading: Understanding,
    draft: Draft,
    tools: Tools,
) -> None:
    """What stands below the figures: assumptions, what of the question had no part, the calculation, and what would change it."""
    w, composer = draft.wording, draft.composer
    state_assumed(result, said, draft, tools)
    if said and (spare := unused(part, reading, result)):
        composer.say(w("unused", list=w.join(list(spare))), *standing(result, next(iter(said)), tools=tools))
    calculate(result, said, draft, tools)
    for warning in result.warnings:
        draft.warnings.append(w.spaced(warning))
    hints = [w.spaced(o) for o in result.extra.get("options", ())] if about_memory or "max_parameters" in said else []
    change = set(result.extra.get("change", ()))
    change_told = placing.only_sharded(result) or (split_told and change == switches.SPLIT)
    for hint in hints:
        if composer.said(hint) or (change_told and hint == hints[0]):
            continue
        composer.break_paragraph()
        composer.values.append(Value("alternative", None, None, hint))
        composer.say(hint, *standing(result, next(iter(said)), tools=tools))
    draft.breakdown = draft.breakdown or (result.breakdown or None)
    _suggest(result, said, draft)


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


def _method(name: str, results: Mapping[str | None, SizingResult], w: Wording) -> str:
    """A method as a row of the table names it; running also by its weights, where they come in several formats."""
    workload, _, said = name.partition(":")
    if workload != "inference" or not any(str(other).startswith("inference:") for other in results):
        return w.name(workload)
    return w("in_format", what=w.name(workload), format=said or str(results[name].request.quantization or "bf16"))


def _suggest(result: SizingResult, said: Iterable[str], draft: Draft) -> None:
    """Questions that come next after one about memory; none that was just answered."""
    w, asked, about = draft.wording, result.request, set(said)
    if not about & (GPU_MEMORY | SPEEDS):
        return
    placed = {"memory_per_gpu", "memory_total", *STATES}
    further = [w("follow:qlora")] if asked.workload in ("full_finetune", "lora") and about & placed else []
    further += [w("follow:context")] if asked.workload == "inference" and (asked.context_len or 0) < LONG else []
    open_count = result.verdict in (None, "does_not_fit") and "gpu_count" not in {v.name for v in result.values}
    further += [w("follow:count")] if about & placed and open_count else []
    draft.follow_ups += [f for f in further if f not in draft.follow_ups]
