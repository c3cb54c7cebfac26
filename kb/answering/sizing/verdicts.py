"""Whether it fits, as an answer says it, on what condition, and what of the question had no part in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, number
from kb.answering.sizing import hosted, placing
from kb.answering.sizing.grounds import gpu_name, standing
from kb.answering.sizing.groups import PACED, ROOM
from kb.answering.tables.specs import cell_evidence
from kb.sizing.advice import TIGHT
from kb.types.answer import Value, Verdict
from kb.types.derivation import Given, Step, walk
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult
from kb.types.source import Evidence
from kb.types.units import from_base
from kb.understanding.asks.columns import FORMAT_COLUMNS
from kb.understanding.text.fold import level

STORED = {"fp8": 2}  # of weights that a card without it only stores: how many times as large they are in half precision
SIXTEEN_BITS = ("bf16", "fp16")
PLACED = ("memory_per_gpu", "memory_available_per_gpu")  # what is needed, and what there is


MOST = 0.9  # of memory that the processor shares, however far its usual limit is raised


def overfull(part: Part, result: SizingResult) -> bool:
    """Whether the speed is asked for of a model that the GPUs do not hold, not even with all of their memory; or the room beside it."""
    if result.request.workload != "inference" or result.verdict != "does_not_fit":
        return False
    if left := [v.value for v in result.values if v.name in ROOM and v.name in part.wanted]:
        return not any(left)
    if not PACED & set(part.wanted):
        return False
    filled = result.steps.get("filled")
    assumed = any(a.slot == "gpu_memory_utilization" for a in result.assumptions)
    share = max(_share(result), MOST) if assumed else _share(result)
    return filled is not None and filled.value * share > 1


def _share(result: SizingResult) -> float:
    """The share of a GPU's memory that the calculation uses: as said, or as assumed."""
    told = next((a.value for a in result.assumptions if a.slot == "gpu_memory_utilization"), None)
    return result.request.gpu_memory_utilization or (told if isinstance(told, float) else 1.0)


def verdict_of(result: SizingResult, slots: Mapping[str, Any]) -> Verdict:
    """The verdict as an answer gives it: a model of which no precision was said runs on condition of being quantized, where that alone
    makes it fit; asked for in a precision it does not."""
    assert result.verdict is not None
    free = result.request.workload == "inference" and not slots.keys() & {"precision", "quantization"}
    eased = free and result.verdict == "does_not_fit" and result.extra.get("change", {}).keys() == {"quantization"}
    return "fits_with_conditions" if eased else result.verdict


def say_verdict(
    what: str,
    result: SizingResult,
    values: Mapping[str, Value],
    slots: Mapping[str, Any],
    draft: Draft,
    tools: Tools,
    *beside: Evidence,
    failed: bool = False,
) -> Verdict:
    """Say whether it fits, of values in words, and with which change it would where the verdict depends on one; the verdict given.
    `failed`: it ran out of memory all the same, so that what was told of the run is not all of it."""
    w, composer = draft.wording, draft.composer
    need, have = (values[n] for n in PLACED)
    decided, gpu = verdict_of(result, slots), gpu_name(result, tools, w)
    key, host, stands = str(decided), "", list(PLACED)
    if decided != result.verdict:
        key = "fits_quantized"
    elif "states_on_host" in result.extra:
        return hosted.told(what, decided, result, values, draft, tools, *beside)
    elif "host_filled" in result.extra:
        return _beside_host(what, decided, result, values, draft, tools, *beside)
    elif decided == "fits_with_conditions" and result.extra.get("experts_on_host"):
        key, host, stands = "fits_beside_host", values["host_ram"].text, [*PLACED, "host_ram"]
    elif decided == "fits_with_conditions" and result.extra.get("bare_weights"):
        key = "fits_bare"
    elif decided == "fits_with_conditions" and result.extra.get("filled", 0) > 1:
        key = "fits_narrowly"
    elif slots.get("never_starts") and decided == "fits":
        key = "fits_on_paper"
    elif slots.get("cause_told") and decided == "fits":
        key = "should_fit:images" if slots["cause_told"] == "images" else "should_fit:apart"
    elif failed and decided == "fits":
        key = "should_run" if result.request.workload == "inference" else "should_fit"
    placed = placing.keyed(key, decided, result)
    said = {"need": need.text, "have": have.text, "host": host, "checks": placing.checks(result, slots, draft)}
    others = placing.other(result, draft) if placed != key else {}
    composer.say(w(placed, what=what, gpu=gpu, **said, **others), *standing(result, *stands, tools=tools), *beside)
    if not others:
        placing.beside(result, draft, tools)
    hosted.enough(result, values, draft, tools)
    if decided != result.verdict:
        option = w.spaced(result.extra["options"][0])
        composer.values.append(Value("alternative", None, None, option))
        composer.say(option, *standing(result, PLACED[0], tools=tools))
    return decided


def _beside_host(
    what: str,
    decided: Verdict,
    result: SizingResult,
    values: Mapping[str, Value],
    draft: Draft,
    tools: Tools,
    *beside: Evidence,
) -> Verdict:
    """Say whether GPUs and the memory of their host hold it together, and how full that memory is."""
    w, composer, filled = draft.wording, draft.composer, float(result.extra["host_filled"])
    need, have, host = (values[n].text for n in (*PLACED, "host_ram"))
    there, share = float(result.request.host_ram_gb or 0), f"{number(round(100 * filled))} %"
    ram = amount(there, "GB", w)
    composer.values += [Value("host_ram_available", there, "GB", ram), Value("host_filled", round(filled, 4), "1", share)]
    fits, names = decided != "does_not_fit", [*PLACED, "host_ram", "weights"]
    short = "short_of_host" if not fits else "hardly_on_host" if filled > TIGHT else ""
    key = short or ("fits_beside_host" if "experts_on_host" in result.extra else "fits_in_layers")
    of_layers = {}
    if key == "fits_in_layers":
        every = _layers(result)
        composer.values.append(every)
        names, of_layers = [*names, "gpu_layers"], {"some": values["gpu_layers"].text, "every": every.text}
    words = {
        "need": need,
        "have": have,
        "host": host,
        "ram": ram,
        "share": share,
        "weights": values["weights"].text,
        **of_layers,
    }
    composer.say(w(key, what=what, gpu=gpu_name(result, tools, w), **words), *standing(result, *names, tools=tools), *beside)
    if not short:
        composer.say(w("host_filled", ram=ram, share=share), *standing(result, "host_ram", tools=tools))
    return decided


def _layers(result: SizingResult) -> Value:
    """Of the model, as the split counts them."""
    step = result.steps["gpu_layers"]
    every = next(round(n.value) for name, n in (step.inputs if isinstance(step, Step) else ()) if name == "layers")
    return Value("layers", every, "1", number(every))


def condition(filled: float, result: SizingResult, draft: Draft, tools: Tools) -> None:
    """On what a tight fit depends: on room that nothing else takes, or on a larger share of the memory than is usual."""
    if result.extra.keys() & {"experts_on_host", "bare_weights", "host_filled"}:
        return  # the condition has been said
    w, usual = draft.wording, _share(result)
    if filled <= 1:
        key, share = "condition_room", number(round(100 * filled))  # of a run that is as it was said
    elif usual < 1 and filled * usual < 1:
        key, share = "condition_share", number(math.ceil(100 * filled * usual))
    else:
        key, share = "condition_less", number(math.ceil(100 * filled))
    draft.composer.values.append(Value("filled", round(filled, 4), "1", f"{share} %"))
    if key == "condition_room" and (left := _left(filled, result, draft)):
        draft.composer.say(w("condition_left", share=share, **left), *standing(result, *PLACED, "kv_cache", tools=tools))
        return
    if result.request.workload != "inference":
        key = f"{key}_training"
    draft.composer.say(w(key, share=share), *standing(result, *PLACED, tools=tools))


def _left(filled: float, result: SizingResult, draft: Draft) -> dict[str, str] | None:
    """How much of a GPU's usable memory is left to the cache, in GiB and in tokens of all requests; None where a token's share is not
    known."""
    request = result.request
    cache = next((c.value for c in result.breakdown if c.component == "kv_cache" and c.unit == "GiB"), 0.0)
    held = (request.context_len or 0) * (request.concurrency or 1)
    need, have = (next((float(v.value or 0) for v in result.values if v.name == name), 0.0) for name in PLACED)
    if request.workload != "inference" or not cache or not held or have <= need:
        return None
    room = float(f"{(have - need) * held / cache:.2g}")
    texts = {"left": amount(have - need, "GiB", draft.wording), "tokens": number(room)}
    draft.composer.values += [
        Value("left", have - need, "GiB", texts["left"], scope="per_gpu"),
        Value("kv_cache_tokens", room, "1", texts["tokens"], scope="left"),
    ]
    return texts


def caveat(result: SizingResult, slots: Mapping[str, Any], draft: Draft, tools: Tools) -> None:
    """What the cards do with a format that they cannot compute in: 8-bit floats are only stored, FP16 stands for BF16."""
    gpu, request = result.request.gpu, result.request
    row = tools.book.row("accelerators", gpu) if isinstance(gpu, str) else None
    used = request.quantization if request.workload == "inference" else request.precision
    if row is None:
        return
    w, said = draft.wording, slots.get("quantization") or slots.get("precision")
    asked = used if used in STORED else "bf16" if used in SIXTEEN_BITS else ""
    cell = row.cells.get(FORMAT_COLUMNS.get(str(asked), ""))
    if cell is None or cell.status != "unsupported":
        return
    if asked == "bf16" and said != "fp16":
        key = "no_bf16:said" if said == "bf16" else "no_bf16"
        draft.composer.say(w(key, gpu=row.name), cell_evidence(row, FORMAT_COLUMNS["bf16"]))
    elif asked in STORED and (held := result.steps.get("weights")):
        widened = amount(from_base(held.value, "GiB") * STORED[asked], "GiB", w)
        draft.composer.values.append(
            Value("weights", from_base(held.value, "GiB") * STORED[asked], "GiB", widened, scope="bf16")
        )
        words = w("only_stored", gpu=row.name, format=str(asked).upper(), weights=widened)
        draft.composer.say(words, cell_evidence(row, FORMAT_COLUMNS[str(asked)]), *standing(result, "weights", tools=tools))


def start_check(result: SizingResult, draft: Draft, tools: Tools) -> None:
    """What to look at first where a model that its cards hold does not start."""
    split = result.request.tensor_parallel or 1
    words = draft.wording("start_check_split" if split > 1 else "start_check", count=number(split))
    draft.composer.say(words, *standing(result, *PLACED, tools=tools))


def fewest(result: SizingResult) -> float | None:
    """The number of GPUs that just holds it, where what was said is rounded up to whole servers or a usual number; None where it is not."""
    step = result.steps.get("gpu_count")
    inner = [n.value for _, n in step.inputs if isinstance(n, Step)] if isinstance(step, Step) else []
    return inner[0] if step and len(inner) == 1 and 1 <= inner[0] < step.value else None


# Fields whose figures somebody states because they matter: one that no rule took in is said.
MATTERS = frozenset({"tokens", "days", "budget", "gpu_hours", "micro_batch", "seq_len", "context_len", "network_gbps", "mfu"})


def unused(part: Part, reading: Understanding, result: SizingResult) -> tuple[str, ...]:
    """Figures of a part, as they were written, that went into no step of its calculation."""
    taken = {node.name for node in walk(*result.steps.values()) if isinstance(node, Given)}
    compared = {
        n for n in ("budget", "network_gbps") if any(n in w or n.partition("_")[0] in w.lower() for w in result.warnings)
    }
    compared |= {"network_gbps"} if {"interconnect", "adapters"} & taken else set()  # the same, said of a GPU or a server
    compared |= {"micro_batch"} if "concurrency" in taken else set()  # what a batch is of a model that runs
    aside = "other_model" if result.request.workload == "inference" else "people_said"  # of whom each has a run of its own
    other = (
        [str(part.slots[aside])] if part.slots.get(aside) and not ("runs" in part.slots and "gpu_count" in part.wanted) else []
    )
    other += [phrase for phrase in part.slots.get("uncounted", ()) if phrase in level(part.text)]
    left = [m for m in reading.mentions if m.slot in MATTERS and m.slot in part.slots and m.text in part.text]
    return tuple(dict.fromkeys((*(m.text for m in left if m.slot not in taken | compared), *other)))
