"""A request asked for several values of one field: one sentence, or verdict, and one calculation for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.answering.decline import refused
from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, number, size_name, value_text
from kb.answering.sizing import drives
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import fields_of, workloads_of
from kb.answering.sizing.grounds import gpu_name, model_name, plainly, standing, what_of
from kb.answering.sizing.groups import CACHE
from kb.answering.sizing.verdicts import PLACED, say_verdict
from kb.answering.wording import Wording
from kb.errors import InvalidInput
from kb.types.answer import Value, Verdict
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult
from kb.understanding.asks.decisions import DIFFERENCE, INSTEAD, TOWARDS

USUAL = {"zero_stage": ("model_states_per_gpu",), "optimizer": ("optimizer_states",)}
TIMES = frozenset({"s", "day"})  # units of what is the better the less it is
FORMATS = ("precision", "quantization", "kv_precision")  # whose values are names
PLACES = {
    "recompute": "at_value:way",
    "disk_gb_s": "at_value:way",
    "gpu": "at_value:on",
    "gpu_count": "at_value:on",
    "model": "at_value:of",
    "parameters": "at_value:of",
}
SAFE = 0.85  # of the memory of a card, as for one model
MANY = 2  # times, from which a percentage says nothing more
ALMOST = 0.97  # of the number of cards: as many times as fast as that is in proportion
OF_A_TASK = {"finetune": "lora", "train": "pretrain"}  # what a task is held to be, where cards are compared for it


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """One sentence for every value of the field that was listed (ZeRO stages, sizes, drives); False when nothing comes of them."""
    w, said, slots = draft.wording, False, {**part.slots}
    field, listed = slots["each"]
    if field in ("quantization", "precision") and part.wanted and set(part.wanted) <= CACHE:
        field = "kv_precision"  # of the cache, not of the weights
    meant = workloads_of(slots, part)
    workload = meant[0] if len(meant) == 1 else "full_finetune" if slots.get("task") == "finetune" else None
    workload = workload or ("pretrain" if field == "zero_stage" else None)
    told: list[tuple[str, dict[str, Value], SizingResult]] = []
    counts = _counts(field, slots)
    together = field == "model" and part.asks_verdict and bool(slots.get("together"))
    if field == "zero_stage" and part.asks_verdict:
        _stage(listed, part, workload, reading, draft, tools)
    for i, value in enumerate(listed):
        fields = {**fields_of(slots, workload, part), field: value} | ({"gpu_count": counts[i]} if counts else {})
        if field == "gpu" and value != slots.get("gpu"):
            fields.pop("gpu_memory_gb", None)  # of the first
        fields |= slots["of_each"][i] if slots.get("of_each") else {}
        if field == "model":
            fields.pop("parameters", None)  # of the first
        if field == "gpu_count":
            fields.pop("tensor_parallel", None)  # of the larger number
        if field == "optimizer":
            fields.setdefault("precision", "bf16")  # alike for all: one of them may be usual without master weights
        try:
            result = tools.size(fields, part.wanted, reading.language)
        except InvalidInput as error:
            refused(error, reading, draft)
            return True
        values = {v.name: replace(v, text=value_text(v, w), scope=f"{field}={value}") for v in result.values}
        usual = USUAL.get(field, ("weights", "memory_total"))
        names = [n for n in dict.fromkeys(part.wanted) if n in values] or [n for n in usual if n in values]
        shown = listed_name(field, value, tools, w)
        if drive := slots.get("rated", {}).get(value):
            shown = w("drive", name=drive, rate=shown)
        if field == "gpu_count" and (gpu := gpu_name(result, tools, w)):
            shown = f"{value} × {gpu}"
        shown = f"{counts[i]} × {shown}" if counts else shown
        draft.composer.known.append(shown)
        if field == "parameters":
            draft.composer.values.append(Value("params_total", float(value), None, shown, scope=shown))
        if part.asks_verdict and result.verdict and "memory_per_gpu" in values and not together:
            draft.composer.values += [values[name] for name in reversed(PLACED)]
            what = model_name(slots, tools) if field in ("gpu", "gpu_count") else shown
            if field == "gpu_count":
                what = w("on", what=what, count=value, gpu=gpu_name(result, tools, w))
            what = w("on", what=what, count=counts[i], gpu=gpu_name(result, tools, w)) if counts and counts[i] > 1 else what
            decided = say_verdict(what, result, values, slots, draft, tools)
            draft.verdict, said = draft.verdict or decided, True
        said = said or bool(names)
        told.append((shown, {n: values[n] for n in names}, result))
    if field == "gpu_count" and len(told) == 2:
        _scaling(told[0], told[1], listed, draft, tools)
    if together:
        said = _together([(shown, result) for shown, _, result in told], draft, tools) or said
    apart = len(told) == 2 and not counts and field != "gpu_count" and not together
    first = DIFFERENCE.search(part.text.lower()) is not None or field == "optimizer"  # which are weighed by what one saves
    if apart and first:
        _between(told[0], told[1], _target(part.text.lower()), draft, tools)
    for shown, stated, result in told:
        for name, value in stated.items():
            draft.composer.values.append(value)
            if field == "zero_stage" and part.asks_verdict and name in PLACED:
                continue  # which the verdict told
            label = w(PLACES.get(field, "at_value"), label=_label(name, result, w), value=shown)
            beside = drives.evidence(part, getattr(result.request, field), tools) if field == drives.RATE else ()
            draft.composer.say(w("value", label=label, value=value.text), *standing(result, name, tools=tools), *beside)
    if field == "gpu" and part.asks_verdict:
        _choose([(name, result) for name, _, result in told], draft, tools)
    if apart and not first:
        _between(told[0], told[1], _target(part.text.lower()), draft, tools)
    for shown, stated, result in told:
        draft.composer.break_paragraph()
        calculate(result, set(stated), draft, tools, of=shown)
    if said:
        draft.settle("sizing")
    return said


def _stage(stages: Sequence[Any], part: Part, workload: str | None, reading: Understanding, draft: Draft, tools: Tools) -> None:
    """Which stage of sharding is taken of those that are offered: the lowest that fits, which exchanges least."""
    w = draft.wording
    try:
        sized = [
            tools.size({**fields_of(part.slots, workload, part), "zero_stage": s}, PLACED, reading.language)
            for s in sorted(stages)
        ]
    except InvalidInput:
        return
    room = [r for r in sized if r.verdict == "fits"]
    if taken := next(iter(room or [r for r in sized if r.verdict == "fits_with_conditions"]), None):
        words = w("stage_taken" if room else "stage_tight", stage=listed_name("zero_stage", taken.request.zero_stage, tools, w))
        draft.composer.known.append(words)
        draft.composer.say(words, *standing(taken, *PLACED, tools=tools))


def _together(told: Sequence[tuple[str, SizingResult]], draft: Draft, tools: Tools) -> bool:
    """Whether models that run side by side fit: what they need on each card in all, against what that offers; False where that is not
    known."""
    each = [{v.name: v for v in result.values} for _, result in told]
    if not all(values.keys() >= set(PLACED) for values in each):
        return False
    w, first = draft.wording, told[0][1]
    needs = [float(values[PLACED[0]].value or 0) for values in each]
    have = float(each[0][PLACED[1]].value or 0)
    verdict: Verdict = "fits" if sum(needs) <= SAFE * have else "fits_with_conditions" if sum(needs) <= have else "does_not_fit"
    texts = [amount(need, "GiB", w) for need in (*needs, sum(needs), have)]
    for name, value, text in zip(
        (*(n for n, _ in told), "together", "available"), (*needs, sum(needs), have), texts, strict=True
    ):
        draft.composer.values.append(Value("memory_per_gpu", value, "GiB", text, scope=name))
    listed = " + ".join(f"{name} {text}" for (name, _), text in zip(told, texts, strict=False))
    words = w(f"together:{verdict}", list=listed, need=texts[-2], gpu=gpu_name(first, tools, w), have=texts[-1])
    draft.composer.say(words, *(e for _, result in told for e in standing(result, *PLACED, tools=tools)))
    draft.verdict = draft.verdict or verdict
    return True


def _label(name: str, result: SizingResult, w: Wording) -> str:
    alone = (result.request.concurrency or 1) == 1
    return w.name("decode_speed" if alone and name == "decode_tokens_per_second" else name)


def _counts(field: str, slots: Mapping[str, Any]) -> Sequence[int]:
    """How many of each listed card there are, where the question says so."""
    said = slots.get("gpu_counts", ())
    return said if field == "gpu" and len(said) == len(slots["each"][1]) else ()


def _target(text: str) -> int | None:
    """Which of two the question goes to: the first of "8k instead of 2k", the second of "from 2k to 8k"; None where it goes to neither."""
    return 0 if INSTEAD.search(text) else 1 if TOWARDS.search(text) else None


def _between(
    one: tuple[str, dict[str, Value], SizingResult],
    other: tuple[str, dict[str, Value], SizingResult],
    target: int | None,
    draft: Draft,
    tools: Tools,
) -> None:
    """How much memory, or money, of two the leaner takes less: what is saved by it; or, where the question goes to the other, how much
    more that takes."""
    w = draft.wording
    for name in (n for n in one[1] if n in other[1]):
        (lean, less, result), (rich, more, _) = sorted((one, other), key=lambda t: float(t[1][name].value or 0))
        low, high = float(less[name].value or 0), float(more[name].value or 0)
        if not low or low == high:
            continue
        unit = less[name].unit
        if unit != "GiB" and not name.startswith("cost"):
            _times(name, (lean, low), (rich, high), result, draft, tools)
            continue
        gap = Value("difference", high - low, unit, amount(high - low, unit, w), scope=name)
        more_of = target is not None and (one, other)[target][0] == rich
        relative = 100 * (high - low) / (low if more_of else high)
        share = number(relative)
        draft.composer.values += [gap, Value("relative_difference", relative, "%", f"{share} %", scope=name)]
        words = w(
            "takes_more" if more_of else "takes_less",
            label=w.name(name),
            lean=lean,
            rich=rich,
            difference=gap.text,
            share=share,
        )
        draft.composer.say(words, *standing(result, name, tools=tools))
        draft.composer.break_paragraph()


def _scaling(
    fewer: tuple[str, dict[str, Value], SizingResult],
    more: tuple[str, dict[str, Value], SizingResult],
    counts: Sequence[int],
    draft: Draft,
    tools: Tools,
) -> None:
    """How many times as fast more cards of one kind are, held against how many times as many they are."""
    w, times = draft.wording, counts[1] / counts[0]
    for name in fewer[1]:
        before, after = float(fewer[1][name].value or 0), float(more[1][name].value or 0)
        if not before or not after:
            continue
        gain = before / after if fewer[1][name].unit in TIMES else after / before
        ratio = number(gain)
        draft.composer.values.append(Value("ratio", gain, "1", ratio, scope=name))
        draft.composer.known.append(number(times))
        key = "scales" if gain >= ALMOST * times else "scales_less"
        words = w(key, label=_label(name, more[2], w), fewer=fewer[0], more=more[0], ratio=ratio, times=number(times))
        draft.composer.say(words, *standing(more[2], name, tools=tools))


def _times(
    name: str, less: tuple[str, float], more: tuple[str, float], result: SizingResult, draft: Draft, tools: Tools
) -> None:
    """How many times as fast, as long or as dear the one is as the other."""
    w, (lean, low), (rich, high) = draft.wording, less, more
    ratio, share = number(high / low), number(100 * (high - low) / low)
    draft.composer.values += [
        Value("ratio", high / low, "1", ratio, scope=name),
        Value("relative_difference", 100 * (high - low) / low, "%", f"{share} %", scope=name),
    ]
    key = "takes_times" if high < MANY * low else "takes_times:many"
    words = w(key, label=_label(name, result, w), lean=lean, rich=rich, ratio=ratio, share=share)
    draft.composer.say(words, *standing(result, name, tools=tools))


def fits(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> None:
    """Of cards that were compared for a model: on which of them it fits."""
    meant = OF_A_TASK.get(str(part.slots.get("task")), "inference")
    w, slots = draft.wording, {**part.slots, "workload": part.slots.get("workload") or meant}
    what = what_of(model_name(slots, tools), str(slots["workload"]), w)
    told: list[tuple[str, SizingResult]] = []
    for card in [id for table, id in part.entities if table == "accelerators"]:
        try:
            result = tools.size(
                {**fields_of(slots, slots["workload"], part), "gpu": card, "gpu_count": 1}, (), reading.language
            )
        except InvalidInput:
            return
        values = {v.name: replace(v, text=value_text(v, w), scope=f"gpu={card}") for v in result.values}
        if not result.verdict or not values.keys() >= set(PLACED):
            return
        gpu = gpu_name(result, tools, w)
        draft.composer.values += [values[name] for name in reversed(PLACED)]
        say_verdict(what, result, values, slots, draft, tools)
        told.append((gpu, result))
    _choose(told, draft, tools)


def _choose(told: Sequence[tuple[str, SizingResult]], draft: Draft, tools: Tools) -> None:
    """The only one of several that holds what was asked of all of them, with room to spare or else at all."""
    for key, verdicts in (("choose", {"fits"}), ("choose_tight", {"fits", "fits_with_conditions"})):
        holding = [(name, result) for name, result in told if result.verdict in verdicts]
        if len(holding) == 1 < len(told):
            (name, result) = holding[0]
            draft.composer.say(draft.wording(key, name=name), *standing(result, "memory_per_gpu", tools=tools))
            return


def listed_name(field: str, value: Any, tools: Tools, w: Wording) -> str:
    """One of several values of a field, as the answer names it."""
    table = {"model": "models", "gpu": "accelerators"}.get(field)
    row = tools.book.row(table, str(value)) if table else None
    if row:
        return row.name
    if w.has(way := f"listed:{field}:{value}"):
        return w(way)
    if field == "parameters":
        return size_name(float(value))
    if field in FORMATS:
        return plainly(value, w)
    if field in ("workload", "optimizer"):
        return w.name(str(value))
    if field == "disk_gb_s":
        return amount(float(value), "GB/s", w)
    return f"ZeRO-{value}" if field == "zero_stage" else f"{w.name(field)} {plainly(value, w)}"
