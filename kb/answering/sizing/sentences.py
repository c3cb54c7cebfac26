"""Values that have a sentence of their own: servers, room of a cache, reserved memory, rent or purchase, whether there is enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, number, size_name, value_text
from kb.answering.sizing.grounds import standing
from kb.answering.sizing.groups import RESERVED, RESERVES
from kb.answering.wording import Wording
from kb.types.answer import Value, Verdict
from kb.types.derivation import Assumption, Step, walk
from kb.types.question import Part
from kb.types.sizing import SizingResult
from kb.types.units import to_base
from kb.understanding.asks.needs import THUMB

# What a question may ask "is it enough?" of beside GPU memory: the value needed, the slot that says what there is.
HAD = {"training_time": ("days", "day"), "host_ram": ("host_ram_gb", "GB"), "psu": ("psu_w", "W"), "power": ("psu_w", "W")}
FED = ("wall_power", "circuit_power")  # what a machine takes from a circuit, and what that has
MARGINS = {  # headroom is in them: of a supply a tenth has to be left without it
    "psu": (1.0, 1.125),
    "wall_power": (0.95, 1.0),
}
DAYS_OF = {"minute": 1 / 1440, "h": 1 / 24, "week": 7.0, "month": 30.0}
WITHOUT_COPY = ("pure_bf16",)  # precisions that keep no 32-bit weights beside the working ones
OF_EACH = (
    "activations",
    "logits",
    "buffers",
    "overhead",
    "fragmentation",
)  # parts of training memory that no further card takes
NEARLY_ALL = 0.95  # of the time of a run: what goes into steps where nothing else is worth a word
FULL = 0.8  # of the memory of a GPU: weights that take more leave little


def in_own_terms(
    part: Part, what: str, values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools
) -> tuple[str, ...]:
    """Say how many servers, and for how many tokens the cache has room, where that is asked; the names of the values said."""
    told = []
    if "nodes" in part.wanted and "nodes" in values and what:
        count = number(float(values["nodes"].value or 0))
        draft.composer.say(draft.wording("servers", what=what, count=count), *standing(result, "nodes", tools=tools))
        told.append("nodes")
    if "kv_cache_tokens" in part.wanted and "kv_cache_tokens" in values:
        _cache(values, result, draft, tools)
        told.append("kv_cache_tokens")
    if RESERVED in part.wanted and RESERVED in values:
        told += [RESERVED] if _reserved(values[RESERVED], result, draft, tools) else []
    return tuple(told)


def adapter_file(values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools) -> tuple[str, ...]:
    """Say how large the file of an adapter is, in both widths that such files have, and of what it is; the names of the values said."""
    names = ("adapter", "checkpoint_size", "trainable_parameters")
    if not set(names) <= values.keys():
        return ()
    w, rank, targets = draft.wording, result.request.lora_rank or 0, str(result.request.lora_targets or "all")
    modules = [t for t in targets.split(",") if t]
    blocks = f"targets:{targets}"
    where = w(blocks) if w.has(blocks) else w("targets:modules", list=w.join(modules))
    half, single = (small(values[n], w) for n in names[:2])
    draft.composer.values += [replace(values[n], text=t) for n, t in zip(names, (half, single), strict=False)]
    draft.composer.known.append(f"{rank}")
    words = w("adapter_file", half=half, single=single, rank=rank, where=where, count=values[names[2]].text)
    draft.composer.say(words, *standing(result, *names, tools=tools))
    return names


def by_own_bytes(part: Part, result: SizingResult, draft: Draft, tools: Tools) -> bool:
    """Say what one card holds of the model states by the bytes per parameter that the question counts with, from the least to the most;
    False where it states none."""
    counted, size = part.slots.get("state_bytes"), float(part.slots.get("parameters") or 0)
    name, shards = "model_states_per_gpu", result.request.gpu_count or 1
    if not counted or not size or name not in part.wanted:
        return False
    w, ends = draft.wording, list(dict.fromkeys(zip(counted["replicated"], counted["sharded"], strict=True)))
    sums = [size * (whole + shared / shards) / 2**30 for whole, shared in ends]
    texts = [amount(gib, "GiB", w) for gib in sums]
    draft.composer.values += [
        Value(name, gib, "GiB", text, scope="bytes of the question") for gib, text in zip(sums, texts, strict=True)
    ]
    made = [
        w("own_bytes:sum", count=size_name(size), whole=number(whole), shared=number(shared), shards=number(shards))
        for whole, shared in ends
    ]
    draft.composer.known += made
    key = "own_bytes:range" if len(ends) > 1 else "own_bytes"
    words = w(key, low=texts[0], high=texts[-1], first=made[0], last=made[-1])
    draft.composer.say(words, *standing(result, name, tools=tools))
    return True


def largest(value: Value, gpu: str, result: SizingResult, draft: Draft, tools: Tools) -> tuple[str, ...]:
    """Say how large a model the cards hold, for which job and in which format, with what else is known of it; the name of the value."""
    w, request = draft.wording, result.request
    served = request.workload in (None, "inference")
    told = request.quantization or (request.precision if served else None) or ("bf16" if served else "")
    how = (
        w("largest:in", what=w.name(str(request.workload or "inference")), format=told)
        if told
        else w.name(str(request.workload))
    )
    cards = gpu and w("largest:on", count=number(request.gpu_count or 1), gpu=gpu)
    draft.composer.known += [cards, how]
    stands = standing(result, value.name, tools=tools)
    draft.composer.say(w("largest", cards=cards, how=how, value=value.text), *stands)
    for hint in (w.spaced(o) for o in result.extra.get("options", ())):
        draft.composer.values.append(Value("alternative", None, None, hint))
        draft.composer.say(hint, *stands)
    return (value.name,)


def small(value: Value, w: Wording) -> str:
    """A size below a gigabyte in MiB and in the MB that a file manager shows; a larger one as it is."""
    gib = float(value.value or 0)
    if not 0.001 <= gib < 0.93:
        return value.text
    return w("both", binary=f"{number(gib * 1024)} MiB", decimal=f"{number(gib * 2**30 / 1e6)} MB")


def _reserved(now: Value, result: SizingResult, draft: Draft, tools: Tools) -> bool:
    """Say what an engine reserves by its present default, and by the one that it had for years; False where the share was stated."""
    under = (n for n in walk(result.steps[RESERVED]) if isinstance(n, Assumption) and n.name.startswith(RESERVES))
    w, share, older = draft.wording, next((n.value for n in under), None), result.extra.get("reserved_before")
    if share is None or older is None or not isinstance(now.value, int | float):
        return False
    before = replace(now, value=now.value * older / share, scope=f"gpu_memory_utilization={older}")
    before = replace(before, text=value_text(before, w))
    draft.composer.values += [before, *(Value("share", s, "1", f"{number(100 * s)} %") for s in (share, older))]
    words = w("reserved", value=now.text, share=number(100 * share), before=before.text, older=number(100 * older))
    draft.composer.say(words, *standing(result, RESERVED, tools=tools))
    return True


def _cache(values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools) -> None:
    w, room = draft.wording, float(values["kv_cache_tokens"].value or 0)
    stands = standing(result, "kv_cache_tokens", tools=tools)
    about = number(float(f"{room:.3g}"))
    draft.composer.values.append(Value("kv_cache_tokens", float(about), "1", about, scope="rounded"))
    draft.composer.say(w("kv_tokens", count=about), *stands)
    weights, have = (float(values[n].value or 0) if n in values else 0.0 for n in ("weights", "memory_available_per_gpu"))
    total = have * (result.request.gpu_count or 1)
    if total and weights / total >= FULL:
        share = f"{number(round(100 * weights / total))} %"
        draft.composer.values.append(Value("share", weights / total, "1", share, scope="weights"))
        draft.composer.say(w("kv_tight", share=share), *stands)


def per_parameter(values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools) -> None:
    """Of which bytes those of a parameter are made: by them a reader checks a total that others print."""
    w, parts = draft.wording, ("weights", "gradients", "optimizer_states", "ema")
    each, states = values["bytes_per_parameter"], float(values["model_states"].value or 0)
    made = []
    held = {name: float(values[name].value or 0) for name in parts if name in values and states}
    held["optimizer_states"] -= held.get("ema", 0.0)  # which stands among them
    for name, size in held.items():
        if size:
            share = float(each.value or 0) * size / states
            text = amount(share, "B", w)
            draft.composer.values.append(Value("bytes_per_parameter", share, "B", text, scope=f"part={name}"))
            made.append(f"{w.name(name)} {text}")
    whole = result.request.precision in WITHOUT_COPY
    words = w("per_parameter", value=each.text, list=w.join(made), copy=w("without_copy") if whole else "")
    draft.composer.say(words, *standing(result, "bytes_per_parameter", tools=tools))


def of_run(values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools) -> tuple[str, ...]:
    """Tell the utilization inside a step beside that of the whole run, and what of the time stands between them; the names of the values
    said, none where next to nothing does."""
    run, step = result.steps.get("training_time"), result.steps.get("step_time")
    if not isinstance(run, Step) or run.rule != "step.run" or step is None:
        return ()
    w, inputs = draft.wording, dict(run.inputs)
    pause, useful = inputs["pause"].value, inputs["goodput"].value
    kept = useful * step.value / (step.value + pause)
    if kept > NEARLY_ALL:
        return ()
    inside = values["mfu"]
    of_all = float(inside.value or 0) * kept
    lost, whole, share = amount(pause, "s", w), _percent(of_all), _percent(1 - useful)
    draft.composer.values += [
        Value("mfu", of_all, "1", whole, scope="run"),
        Value("step_pause", pause, "s", lost),
        Value("lost_share", 1 - useful, "1", share),
    ]
    key = "mfu_of_run" if step.value / (step.value + pause) > NEARLY_ALL else "mfu_of_run:pause"
    words = w(key, inside=inside.text, whole=whole, pause=lost, share=share)
    draft.composer.say(words, *standing(result, "mfu", "training_time", tools=tools))
    return ("mfu",)


def no_count(values: Mapping[str, Value], gpu: str, result: SizingResult, draft: Draft, tools: Tools) -> None:
    """Say that no number of cards holds the job, by what each of them needs for itself, and what would change that."""
    w, own = draft.wording, sum(c.value for c in result.breakdown if c.component in OF_EACH)
    fixed, have = amount(own, "GiB", w), values["memory_available_per_gpu"]
    draft.composer.values += [Value("memory_of_each_gpu", own, "GiB", fixed), have]
    draft.composer.known.append(gpu)
    stands = standing(result, "memory_per_gpu", "memory_available_per_gpu", tools=tools)
    draft.composer.say(w("count_none", gpu=gpu, fixed=fixed, have=have.text), *stands)
    for option in result.extra.get("options", ()):
        draft.composer.values.append(Value("alternative", None, None, option))
        draft.composer.say(w.spaced(option), *stands)
    draft.verdict = draft.verdict or "does_not_fit"


def _percent(share: float) -> str:
    return f"{number(float(f'{100 * share:.3g}'))} %"


def in_unit(value: Value, unit: str | None, w: Wording) -> Value:
    """A time in the unit that was asked for, with its interval; any other value as it is, and days of the calendar beside hours of use."""
    days = DAYS_OF.get(unit or "") if (value.name, unit) != ("break_even_time", "h") else None
    if days is None or value.unit != "day" or not isinstance(value.value, int | float):
        return value
    scaled = replace(
        value,
        value=value.value / days,
        unit=unit,
        low=value.low / days if value.low is not None else None,
        high=value.high / days if value.high is not None else None,
    )
    return replace(value, text=value_text(scaled, w))


def rent_or_buy(values: Mapping[str, Value], days: float, result: SizingResult, draft: Draft, tools: Tools) -> tuple[str, ...]:
    """Which is cheaper over the time that was said; the names of the values that this tells."""
    names = ("cost_of_owning", "cost_of_renting")
    own, rent = (values[n] for n in names)
    cheaper = "buy" if float(own.value or 0) < float(rent.value or 0) else "rent"
    w, horizon = draft.wording, amount(days, "day", draft.wording)
    draft.composer.values.append(Value("horizon", days, "day", horizon))
    words = w(f"cheaper:{cheaper}", time=horizon, own=own.text, rent=rent.text)
    draft.composer.say(words, *standing(result, *names, tools=tools))
    return names


def api_or_own(values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools) -> tuple[str, ...]:
    """From which load GPUs paid by the hour cost less than an API; the names of the values that this tells."""
    names = [n for n in ("api_break_even", "api_break_even_use", "cost_per_million_tokens") if n in values]
    w, busy = draft.wording, values.get("api_break_even_use")
    share = float(busy.value or 0) if busy else 0.0
    key = "api_or_own" if busy is None else "api_or_own:never" if share > 1 else "api_or_own:from"
    percent = f"{number(100 * share)} %"
    if busy:
        draft.composer.values.append(Value("api_break_even_use", 100 * share, "%", percent))
    own = values["cost_per_million_tokens"].text if busy else ""
    if busy and result.request.utilization:
        _at_load(values["cost_per_million_tokens"], share, result.request.utilization, result, draft, tools)
    draft.composer.say(
        w(key, load=values["api_break_even"].text, share=percent, own=own), *standing(result, *names, tools=tools)
    )
    return tuple(names)


def _at_load(full: Value, share: float, load: float, result: SizingResult, draft: Draft, tools: Tools) -> None:
    """What the tokens of a GPU cost that is busy for a part of its time, beside those of an API; `share`: from which it costs less."""
    w = draft.wording
    own = replace(full, value=float(full.value or 0) / load, low=None, high=None, scope="at_load")
    own = replace(own, text=value_text(own, w))
    percent = f"{number(100 * load)} %"
    draft.composer.values += [own, Value("utilization", 100 * load, "%", percent)]
    key = "api_or_own:at_api" if load < share else "api_or_own:at_own"
    draft.composer.say(w(key, load=percent, own=own.text), *standing(result, full.name, tools=tools))


def capped(values: Mapping[str, Value], cap: int, result: SizingResult, draft: Draft, tools: Tools) -> tuple[str, ...]:
    """How many requests of full length an engine works on at once that was told a bound; the names of the values that this tells."""
    names = ("kv_cache_tokens", "max_concurrency")
    if not set(names) <= values.keys():
        return ()
    key = "capped" if float(values[names[1]].value or 0) < cap else "cap_reached"
    words = draft.wording(key, tokens=values[names[0]].text, now=values[names[1]].text, cap=cap)
    draft.composer.say(words, *standing(result, *names, tools=tools))
    return names


def carried(part: Part, result: SizingResult, draft: Draft, tools: Tools) -> tuple[str, ...]:
    """Whether the GPUs there are keep up with a rate of tokens; the names of the values that this tells."""
    step, w = result.steps.get("gpus_for_load"), draft.wording
    if "gpus_for_load" not in part.wanted or not isinstance(step, Step) or draft.verdict is not None:
        return ()
    said = {name: node.value for name, node in step.inputs}
    most = said["speed"] * (result.request.gpu_count or 1) / said["gpu_count"]
    verdict: Verdict = (
        "fits" if said["demanded"] <= 0.85 * most else "fits_with_conditions" if said["demanded"] <= most else "does_not_fit"
    )
    have, need = (amount(rate, "token/s", w) for rate in (most, said["demanded"]))
    draft.composer.values += [
        Value("load_tokens_per_second", most, "1/s", have),
        Value("demanded_tokens_per_second", said["demanded"], "1/s", need),
    ]
    draft.composer.say(w(f"keeps_up:{verdict}", have=have, need=need), *standing(result, "gpus_for_load", tools=tools))
    draft.verdict = verdict
    return ("gpus_for_load",)


def by_parameter(result: SizingResult, draft: Draft, tools: Tools) -> None:
    """The whole memory by the parameter, as rules of thumb have it, where one is asked for."""
    steps, w = result.steps, draft.wording
    weights, total = steps.get("weights"), steps.get("memory_total")
    if not (THUMB.search(draft.composer.question.lower()) and isinstance(weights, Step) and isinstance(total, Step)):
        return
    count = next((n.value for name, n in weights.inputs if name == "parameters"), 0.0)
    if count:
        each, own = (f"{number(step.value / count, 2)} B" for step in (total, weights))
        draft.composer.values += [
            Value("memory_per_parameter", step.value / count, "B", text, scope=name)
            for step, text, name in ((total, each, "memory_total"), (weights, own, "weights"))
        ]
        draft.composer.say(w("by_parameter", each=each, weights=own), *standing(result, "memory_total", "weights", tools=tools))


def fed(values: Mapping[str, Value], part: Part, result: SizingResult, draft: Draft, tools: Tools) -> tuple[str, ...]:
    """Whether the circuit that is spoken of carries the machine, or any server at all; the names of the values that this tells."""
    w, (need, have) = draft.wording, FED
    if {need, have} <= values.keys() and draft.verdict is None:
        enough(need, values[need], float(values[have].value or 0), "W", result, draft, tools)
        return FED
    if "server_count" in part.wanted and "server_count" in values and not values["server_count"].value:
        words = w("none_fed", count=f"{w.name('server_count')} 0")
        draft.composer.say(words, *standing(result, "server_count", tools=tools))
        return ("server_count",)
    return ()


def enough(name: str, need: Value, has: float, unit: str, result: SizingResult, draft: Draft, tools: Tools) -> None:
    """Whether what the asker has of something is enough; the margins are those of GPU memory."""
    w = draft.wording
    ratio = to_base(float(need.value or 0), str(need.unit)) / to_base(has, unit)
    safe, most = MARGINS.get(name, (0.85, 1.05))
    verdict: Verdict = "fits" if ratio <= safe else "fits_with_conditions" if ratio <= most else "does_not_fit"
    step = result.steps.get(name)
    by_thumb = isinstance(step, Step) and step.rule == "storage.host_ram" and result.request.workload == "inference"
    if by_thumb and verdict == "does_not_fit":
        verdict = "fits_with_conditions"  # weights that stand on the GPUs need not stay in RAM
        key = "thumb:below"
    else:
        key = f"enough:{verdict}"
    there = Value(f"{name}_available", has, unit, "")
    there = replace(there, text=value_text(there, w))
    words = w(key, label=w.name(name), need=need.text, have=there.text)
    draft.composer.values.append(there)
    draft.composer.say(words, *standing(result, name, *FED[1:], tools=tools))
    draft.verdict = draft.verdict or verdict
