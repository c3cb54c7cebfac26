"""One sizing told: the figure or verdict first, then what was asked for one by one, and what stands below the figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import number, value_text
from kb.answering.sizing import (
    batches,
    claimed,
    experience,
    hosted,
    judged,
    lanes,
    placing,
    remedies,
    sentences,
    smallest,
    switches,
)
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import KEPT, fields_of, stated_elsewhere, together
from kb.answering.sizing.grounds import gpu_name, name_of, named, plainly, standing, what_of
from kb.answering.sizing.groups import GPU_MEMORY, PACED, ROOM, SPEEDS, STATES
from kb.answering.sizing.verdicts import PLACED, caveat, condition, fewest, overfull, say_verdict, start_check, unused
from kb.types.answer import Value
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult
from kb.types.source import Evidence
from kb.understanding.premises.told import is_doubted
from kb.understanding.symptoms import shows_images

CLAIMED = ("memory_total", "model_states", "checkpoint_size")  # of which a figure may be claimed
CHOSEN = ("hardware", "layout")  # what is named, not computed
DOUBTED = ("kv_cache", "weights", "optimizer_states", "gradients", "activations")  # only where it is doubted, too
LONG = 32_768  # tokens of the context that is proposed
# Values that are told together with one that is asked for: before it, and after it.
BUILDING = {
    "power": "facility_power", "write_time": "checkpoint_size", "write_bandwidth": "checkpoint_size",
}  # fmt: skip
WITH = {
    "airflow": ("airflow_cfm",), "logits_once": ("logits_in_all", "logits_fused"), "max_adapters": ("adapter",),
    "host_cache_tokens": ("kv_cache_per_token",),
    "transfer_bandwidth": ("transfer_link",),
    "ups": ("ups_va", "ups_energy"),
    "saving": ("saved_share", "cost", "cost_instead"),
    "api_break_even": ("cost_per_million_tokens", "api_break_even_use"),
    "heat": ("cooling_tons",), "break_even": ("break_even_time",), "optimal_parameters": ("optimal_tokens",),
    "checkpoint_interval": ("between_failures",), "checkpoint_size": ("saves", "storage_of_kept"), "host_ram": ("offloaded_states",),
    "pipeline_bubble": ("pipeline_idle",), "all_reduce_time": ("all_reduce_traffic", "all_reduce_time_network"),
    "storage": ("checkpoint_size", "saves", "storage_of_kept"), "decode_ceiling": ("decode_tokens_per_second",),
}  # fmt: skip
FORMATTED = ("gradients",)  # which, alone, go by the format that is said
BESIDE = ("reference_models", "critics", "reward_models", "rollout_engines", "rollout_cache")
# What to say when the question asks for nothing in particular.
USUAL = {
    "inference": ("weights", "kv_cache", "memory_total"),
    "pretrain": ("model_states", "memory_total"),
    "full_finetune": ("model_states", "memory_total"),
    "lora": ("weights", "memory_total"),
    "qlora": ("weights", "memory_total"),
}


@dataclass
class Telling:
    """A sizing while it is told: what was asked, what came of it, and the names of the values that have been said, in order."""

    part: Part
    slots: Mapping[str, Any]
    model: str
    result: SizingResult
    reading: Understanding
    draft: Draft
    tools: Tools
    values: dict[str, Value] = field(init=False)
    what: str = field(init=False)
    gpu: str = field(init=False)
    unfit: bool = field(init=False)  # asked for a speed of what does not fit
    about_memory: bool = field(init=False)
    said: dict[str, None] = field(default_factory=dict)
    hinted: bool = False  # whether the first change with which it would fit was told in other words

    def __post_init__(self) -> None:
        part, result, w = self.part, self.result, self.draft.wording
        unit = self.slots.get("time_unit")
        self.values = {v.name: sentences.in_unit(replace(v, text=value_text(v, w)), unit, w) for v in result.values}
        self.what = what_of(self.model, result.request.workload, w, result.request.post_training)
        self.gpu = gpu_name(result, self.tools, w)
        self.unfit = bool(self.gpu) and overfull(part, result)
        judged_by_memory = not part.wanted or (part.asks_verdict and set(part.wanted) <= GPU_MEMORY | SPEEDS)
        self.about_memory = self.unfit or (judged_by_memory and not stated_elsewhere(self.slots))

    @property
    def fields(self) -> dict[str, Any]:
        """The request that was sized."""
        return fields_of(self.slots, str(self.result.request.workload), self.part)

    def say(self, words: str, *names: str, further: Sequence[Evidence] = ()) -> None:
        """State `words`, which stand on the steps behind the values of these names; those that have a value are said then."""
        self.draft.composer.say(words, *standing(self.result, *names, tools=self.tools), *further)
        self.said |= dict.fromkeys(names)

    def value(self, name: str, slots: Mapping[str, Any] | None = None) -> None:
        """State one value under its name."""
        w = self.draft.wording
        label = w.name(name_of(name, self.values, slots) if slots else name)
        if self.part.wanted == FORMATTED and (said := self.slots.get("precision")):
            label = w("in_format", what=label, format=said)
        self.say(w("value", label=label, value=self.values[name].text), name)


def tell(
    part: Part, slots: Mapping[str, Any], model: str, result: SizingResult, reading: Understanding, draft: Draft, tools: Tools
) -> None:
    """Write the answer of one sizing part into the draft."""
    if (asked := (result.request, part.wanted)) in draft.sized:
        return  # two sentences of one question that ask the same
    draft.sized.append(asked)
    if sentences.by_own_bytes(part, result, draft, tools):
        return
    t = Telling(part, slots, model, result, reading, draft, tools)
    draft.composer.values += [v for v in t.values.values() if not (t.unfit and v.name in (*PACED, *ROOM))]
    draft.composer.known += [model, t.gpu]  # names, not figures
    if not t.unfit and (measured := judged.of_a_job(slots, t.values, result, draft, tools)):
        t.said[measured] = None
    placing.whole(t.values, slots, result, draft, tools)
    if result.verdict and t.gpu and "memory_per_gpu" in t.values and t.about_memory and (instead := _placed(t)):
        return tell(replace(part, asks_verdict=False, slots=instead), instead, model, _sized(instead, t), reading, draft, tools)
    _judge(t)
    _say_first(t)
    _state(t)
    _beneath(t)


def _sized(slots: Mapping[str, Any], t: Telling) -> SizingResult:
    return t.tools.size(fields_of(slots, str(t.result.request.workload), t.part), t.part.wanted, t.reading.language)


def _placed(t: Telling) -> dict[str, Any] | None:
    """Say whether it fits. Where it does not and a nearby arrangement does: the slots of that, which is then what is told of."""
    w, draft, result, count = t.draft.wording, t.draft, t.result, t.result.request.gpu_count
    have, need = t.values["memory_available_per_gpu"], t.values["memory_per_gpu"]
    on = w("on", what=t.what, count=count, gpu=t.gpu) if count and count > 1 else t.what
    draft.composer.known.append(number(count or 1))  # as told, or as whole servers come to
    failed = t.part.intent == "troubleshoot"
    decided = say_verdict(on, result, t.values, t.slots, draft, t.tools, *named(t.slots, t.tools), failed=failed)
    if result.verdict == "fits_with_conditions":
        condition(float(need.value or 0) / float(have.value or 1), result, draft, t.tools)
    caveat(result, t.slots, draft, t.tools)
    _ways_out(t, smallest.at_least(t.slots, result, t.part, draft, t.tools))
    _count_instead(t)
    if t.slots.get("never_starts") and decided != "does_not_fit":
        start_check(result, draft, t.tools)
    draft.verdict = draft.verdict or decided
    t.said |= dict.fromkeys((*PLACED, *hosted.behind(result)))
    if t.unfit and decided != result.verdict:
        return {**t.slots, **result.extra["change"]}
    if t.unfit:
        _room_instead(t)
    if t.unfit and PACED & set(t.part.wanted):
        t.say(w("unfit_speed"), *PLACED)
    if decided != "does_not_fit" and t.slots.get("cap"):
        t.said |= dict.fromkeys(sentences.capped(t.values, int(t.slots["cap"]), result, draft, t.tools))
    return None


def _ways_out(t: Telling, least_told: bool) -> None:
    """The changes with which it would fit, beside the verdict, but for one that the verdict has told, or the least that would do."""
    hints = [t.draft.wording.spaced(o) for o in t.result.extra.get("options", ())]
    change = set(t.result.extra.get("change", ()))
    t.hinted = least_told and change <= {"quantization", "workload"}
    told = t.hinted or placing.only_sharded(t.result) or change == switches.SPLIT
    for hint in [] if t.part.intent == "troubleshoot" else hints[1:] if told else hints:
        if not t.draft.composer.said(hint):
            t.draft.composer.values.append(Value("alternative", None, None, hint))
            t.say(hint, *PLACED)


def _count_instead(t: Telling) -> None:
    """How many GPUs would do, where that is asked of a number that does not and no way out has told it."""
    if not t.slots.get("count_asked") or t.result.verdict != "does_not_fit" or "gpu_count" in t.result.extra:
        return
    fields = {k: v for k, v in t.fields.items() if k not in ("gpu_count", "nodes")}
    found = t.tools.size(fields, ("gpu_count",), t.reading.language)
    count = next((v for v in found.values if v.name == "gpu_count"), None)
    if count is None:
        return
    text = number(float(count.value or 0))
    t.draft.composer.values.append(replace(count, text=text))
    words = t.draft.wording("count", what=t.what, count=text, gpu=t.gpu)
    t.draft.composer.say(words, *standing(found, "gpu_count", tools=t.tools))


def _room_instead(t: Telling) -> None:
    """The room that is asked for, with each change that makes the model fit: fewer bits, more GPUs."""
    w, extra = t.draft.wording, t.result.extra
    ways: list[tuple[dict[str, Any], str]] = []
    if change := extra.get("change"):
        ways.append((change, w.join([plainly(v, w).removeprefix("awq-") for v in change.values() if v])))
    if count := extra.get("gpu_count"):
        ways.append(({"gpu_count": count}, f"{number(count)} × {t.gpu}"))
    for name in [n for n in t.part.wanted if n in ROOM]:
        told, evidence = list[str](), list[Evidence]()
        for way, scope in ways:
            found = t.tools.size({**t.fields, **way}, (name,), t.reading.language)
            value = next((v for v in found.values if v.name == name and v.value), None)
            if value is None:
                continue
            value = replace(value, text=value_text(value, w), scope=scope)
            t.draft.composer.values.append(value)
            t.draft.composer.known.append(scope)
            told.append(w("room_way", way=scope, value=value.text))
            evidence += standing(found, name, tools=t.tools)
        if told:
            t.draft.composer.say(w("no_room"), *evidence)
            t.draft.composer.say(w("value", label=w.name(name), value=w.join(told)), *evidence)


def _claims(t: Telling) -> None:
    """Say how a figure that is claimed of a value stands to it; of parts of the memory only where it is doubted, and beside a verdict,
    which has told how what is there stands to the need."""
    values, draft, wanted = t.values, t.draft, t.part.wanted
    doubted = is_doubted(draft.composer.question)
    asked_of = next((n for n in CLAIMED if n in values and (n in wanted or not wanted)), "")
    asked_of = asked_of or next((n for n in DOUBTED if doubted and n in values and n in wanted), "")
    if not asked_of or not t.what or (draft.verdict is not None and not doubted):
        return
    w, named_as = draft.wording, name_of(asked_of, values, t.slots)
    of_model = asked_of in ("checkpoint_size", *DOUBTED) and "adapter" not in values and t.model
    label = t.what if asked_of == "memory_total" else w("of", label=w.name(named_as), what=t.model if of_model else t.what)
    of_a_format = asked_of == "checkpoint_size" and claimed.by_format(t.part, draft, t.tools, ("fp32",))
    stands = standing(t.result, asked_of, tools=t.tools)
    if of_a_format or claimed.correct(t.part, t.reading, [(label, values[asked_of])], stands, draft):
        t.said[asked_of] = None


def _judge(t: Telling) -> None:
    """Hold what the asker states, a figure read elsewhere or what there is, against what was computed."""
    part, values, result, draft, tools = t.part, t.values, t.result, t.draft, t.tools
    if part.intent == "size" and not claimed.of_parameters(t.slots, t.reading, draft, tools):
        _claims(t)
    for name, (slot, unit) in sentences.HAD.items():
        if name in part.wanted and name in values and t.slots.get(slot) and draft.verdict is None:
            sentences.enough(name, values[name], float(t.slots[slot]), unit, result, draft, tools)
            t.said[name] = None


def _say_first(t: Telling) -> None:
    """What has a sentence of its own instead of a name and a value."""
    part, values, result, draft, tools = t.part, t.values, t.result, t.draft, t.tools
    if "max_parameters" in part.wanted and "max_parameters" in values:
        t.said |= dict.fromkeys(sentences.largest(values["max_parameters"], t.gpu, result, draft, tools))
    if "adapter" in part.wanted:
        t.said |= dict.fromkeys(sentences.adapter_file(values, result, draft, tools))
    t.said |= dict.fromkeys(batches.tell(part, t.what, t.gpu, values, result, draft, tools))
    t.said |= dict.fromkeys(sentences.carried(part, result, draft, tools))
    t.said |= dict.fromkeys(sentences.fed(values, part, result, draft, tools))
    if "break_even" in part.wanted and "cost_of_owning" in values:
        t.said |= dict.fromkeys(sentences.rent_or_buy(values, float(result.request.days or 0), result, draft, tools))
    if "api_break_even" in values:
        t.said |= dict.fromkeys(sentences.api_or_own(values, result, draft, tools))
    t.said |= dict.fromkeys(lanes.told(part, values, result, draft, tools))
    t.said |= dict.fromkeys(sentences.in_own_terms(part, t.what, values, result, draft, tools))
    open_count = result.request.gpu_count is None or "gpu_count" in part.wanted or "training_time" in t.said
    if "gpu_count" in values and t.gpu and open_count and "gpu_count" not in t.said:
        ranks = result.request.context_parallel or 1
        split = ranks > (t.slots.get("context_parallel") or 1) and result.request.workload != "pretrain"
        counted, floor = number(float(values["gpu_count"].value or 0)), None if split else fewest(result)
        key = "count_rounded" if floor else "count"
        words = draft.wording(key, what=t.what, count=counted, gpu=t.gpu, least=number(floor or 0))
        t.say(words, "gpu_count", further=named(t.slots, tools))
        if split:
            t.say(draft.wording("count_split", ranks=number(ranks)), "gpu_count")
        elif "split" in result.extra:
            fewer, over = (number(n) for n in result.extra["split"])
            draft.composer.values.append(Value("gpu_count", float(fewer), "1", fewer, scope=f"context_parallel={over}"))
            t.say(draft.wording("count_or_split", count=fewer, ranks=over), "gpu_count")
        if past := t.slots.get("past"):
            experience.told(t.fields, past, float(values["gpu_count"].value or 0), result, draft, tools)


def _state(t: Telling) -> None:
    """The values asked for, one by one; where nothing came of them, the first of those that were computed."""
    values, w, said = t.values, t.draft.wording, t.said
    for name in _to_state(t):
        if name in said:
            continue
        if name == "bytes_per_parameter" and "optimizer_states" in values:
            sentences.per_parameter(values, t.result, t.draft, t.tools)
            said[name] = None
        elif name == "mfu" and "training_time" in said and (told := sentences.of_run(values, t.result, t.draft, t.tools)):
            said |= dict.fromkeys(told)
        elif name in values:
            t.value(name, {**t.slots, "concurrency": t.result.request.concurrency})
    if "memory_total" in said and t.draft.verdict is None and not t.gpu:
        smallest.then(t.part, t.result, t.draft, t.tools)
        sentences.by_parameter(t.result, t.draft, t.tools)
    if "memory_per_gpu" in said and t.draft.verdict is None:
        placing.beside(t.result, t.draft, t.tools)
    if said and (lacking := [w.name(n) for n in t.part.wanted if n not in values and n not in said and n not in CHOSEN]):
        t.draft.composer.note(w("not_computed", list=w.join(lacking)))
    for name in [] if said else list(values)[:3]:
        t.value(name)
    if "gpu_count" in said and t.result.request.workload != "inference" and (runs := t.slots.get("runs")):
        total = int(runs) * (t.result.request.gpu_count or 1)
        t.draft.composer.values.append(Value("gpu_count", total, "gpus", f"{total}", scope="runs"))
        t.say(w("runs_each", count=number(runs), total=number(total)), "gpu_count")
    if "power_limit" in values:
        t.say(w("power_limit", limit=values["power_limit"].text), "power_limit")


def _to_state(t: Telling) -> tuple[str, ...]:
    """The values to state one by one, in order: those asked for or the usual ones, with what is told along with them."""
    part, slots, values, said, result, draft = t.part, t.slots, t.values, t.said, t.result, t.draft
    wanted = part.wanted or (
        (*USUAL.get(str(result.request.workload), ()),) if not result.verdict else ("weights", "memory_total")
    )
    wanted = tuple(n for n in wanted if not (t.unfit and n in (*PACED, *ROOM)))
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
    wanted = tuple(n for name in wanted for n in (*[BUILDING[n] for n in [name] if n in BUILDING], name, *WITH.get(name, ())))
    if "training_time" in wanted and (
        "mfu" in wanted or (result.request.workload == "pretrain" and not (slots.get("mfu") or slots.get("step_seconds")))
    ):
        wanted = (*(n for n in wanted if n != "mfu"), "mfu")  # by which a reader sees how fast that is
    if "break_even_use" in values:  # of a machine that runs a part of the time
        wanted = tuple("break_even_use" if name == "break_even" else name for name in wanted)
    if any(slots.get(s) for s in KEPT):  # of several files what they take together comes first
        wanted = tuple(n for name in wanted for n in (("storage", name) if name == "checkpoint_size" else (name,)))
    return wanted if not together(part) else ("storage",)


def _beneath(t: Telling) -> None:
    """What stands below the figures: remedies, assumptions, what of the question had no part, the calculation, and what would change it."""
    part, said, result, draft, tools, w, composer = (
        t.part,
        t.said,
        t.result,
        t.draft,
        t.tools,
        t.draft.wording,
        t.draft.composer,
    )
    if shows_images(t.reading.question or part.text) and t.slots.get("cause_told") != "images" and {*said} & {*GPU_MEMORY}:
        composer.say(w("text_only"), *standing(result, next(iter(said)), tools=tools))
    caused = bool(t.slots.get("cause_told")) and draft.verdict in (None, "fits")  # why it ran short was said, and what helps
    if part.intent == "troubleshoot" and not caused:
        remedies.tell(t.fields, result, draft, tools, kept=("seq_len", "context_len") if "worked_len" in t.slots else ())
    split_told = False
    if (t.about_memory or part.intent == "troubleshoot") and not caused:
        split_told = switches.tell(t.fields, t.slots, result, draft, tools, room=part.intent != "troubleshoot")
    state_assumed(result, said, draft, tools)
    if said and (spare := unused(part, t.reading, result)):
        composer.say(w("unused", list=w.join(list(spare))), *standing(result, next(iter(said)), tools=tools))
    calculate(result, said, draft, tools)
    for warning in result.warnings:
        draft.warnings.append(w.spaced(warning))
    hints = [w.spaced(o) for o in result.extra.get("options", ())] if t.about_memory or "max_parameters" in said else []
    change = set(result.extra.get("change", ()))
    change_told = t.hinted or placing.only_sharded(result) or (split_told and change == switches.SPLIT)
    for hint in hints:
        if composer.said(hint) or (change_told and hint == hints[0]):
            continue
        composer.break_paragraph()
        composer.values.append(Value("alternative", None, None, hint))
        composer.say(hint, *standing(result, next(iter(said)), tools=tools))
    draft.breakdown = draft.breakdown or (result.breakdown or None)
    _suggest(result, said, draft)


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
