"""Whether GPUs and their host hold a training job together: states in the host's memory or on its drives, and what that takes."""

from __future__ import annotations

from collections.abc import Mapping

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, number
from kb.answering.sizing.grounds import gpu_name, standing
from kb.sizing.hosted import STATES
from kb.types.answer import Value, Verdict
from kb.types.sizing import SizingResult
from kb.types.source import Evidence

PLACED = ("memory_per_gpu", "memory_available_per_gpu")
GIB = "GiB"
PERCENT = 100


def told(
    what: str,
    decided: Verdict,
    result: SizingResult,
    values: Mapping[str, Value],
    draft: Draft,
    tools: Tools,
    *beside: Evidence,
) -> Verdict:
    """Say whether they do, with what each takes; where the host is too small, or the GPUs even so, by how much."""
    w, composer, request = draft.wording, draft.composer, result.request
    name = STATES[str(request.offload)]
    on_drives, filled = request.offload == "nvme", float(result.extra["host_filled"])
    there = float((request.storage_gb if on_drives else request.host_ram_gb) or 0)
    servers = _servers(values)
    have = amount(there, "GB", w) if servers == 1 else f"{number(servers)} × {amount(there, 'GB', w)}"
    share = f"{number(round(PERCENT * filled))} %"
    plain = float(result.extra["plain"])
    composer.values += [
        Value("host_ram_available", there, "GB", have),
        Value("host_filled", round(filled, 4), "1", share),
        Value("memory_per_gpu", plain, GIB, amount(plain, GIB, w), scope="offload=none"),
    ]
    crowded = float(values["memory_per_gpu"].value or 0) > float(values["memory_available_per_gpu"].value or 0)
    key = "crowded" if crowded else "short" if filled > 1 else "drives" if on_drives else "fits"
    words = {
        "what": what,
        "gpu": gpu_name(result, tools, w),
        "need": values["memory_per_gpu"].text,
        "have": values["memory_available_per_gpu"].text,
        "plain": amount(plain, GIB, w),
        "moved": w(f"moved:{_moved(result)}"),
        "states": values[name].text,
        "there": have,
        "share": share,
    }
    composer.say(w(f"offloaded:{key}", **words), *standing(result, *PLACED, name, tools=tools), *beside)
    wants = values["host_ram"]
    buffered = wants.value != values[name].value and not on_drives  # of frozen weights there are none
    if key == "fits":
        lacking = buffered and float(wants.value or 0) > servers * there
        words_of_pace = w("offloaded:buffers" if lacking else "offloaded:slow", buffers=wants.text)
        composer.say(words_of_pace, *standing(result, "host_ram", tools=tools))
    elif key == "short" and buffered:
        composer.say(w("offloaded:wants", buffers=wants.text), *standing(result, "host_ram", tools=tools))
    return decided


def _servers(values: Mapping[str, Value]) -> float:
    return float(values["nodes"].value or 1) if "nodes" in values else 1.0


def behind(result: SizingResult) -> tuple[str, ...]:
    """The value that the verdict rests on beside those of the GPUs."""
    return (STATES[str(result.request.offload)],) if "states_on_host" in result.extra else ()


def _moved(result: SizingResult) -> str:
    """What leaves the GPUs: of adapters the frozen weights, under full sharding all of the states."""
    if result.request.workload in ("lora", "qlora"):
        return "frozen"
    return "all" if result.request.zero_stage == 3 else "states"


def enough(result: SizingResult, values: Mapping[str, Value], draft: Draft, tools: Tools) -> None:
    """Of a host that is described and that the job does not need: whether it has what is usual beside such cards."""
    there, wants = result.request.host_ram_gb, values.get("host_ram")
    if there is None or wants is None or result.request.workload == "inference" or "host_filled" in result.extra:
        return
    w = draft.wording
    have = amount(there, "GB", w)
    draft.composer.values.append(Value("host_ram_available", there, "GB", have))
    key = "host:enough" if float(wants.value or 0) <= there else "host:less"
    draft.composer.say(w(key, there=have, usual=wants.text), *standing(result, "host_ram", tools=tools))
