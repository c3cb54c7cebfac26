"""A question's parts: clauses that ask something, each with its intent, its own slots and what it asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kb.types.question import Intent, Part
from kb.types.specs import SpecBook
from kb.understanding import asks
from kb.understanding.conditions import conditions_of
from kb.understanding.found import Found
from kb.understanding.mentions import Reading
from kb.understanding.slots import read_slots

CLAUSE = re.compile(r"[?？。!！；;\n]+|(?<=[a-z]{3})\.(?=\s|$)")
SPLIT_COMMA = re.compile(
    r"[,，](?=\s?(?:另外|还有|以及|然后|顺便|同时问|and (?:what|how|which|also|does|is|can)|also |what |how |带不带|有没有|要不要|能不能))"
)
SIZED = frozenset({"memory_total", "memory_per_gpu"})
ENTITY_TABLES = {"gpu": "accelerators", "model": "models"}
# Which slot a value needs before it is a matter of computing at all.
COMPUTED_ALONE = frozenset(
    {
        "gpu_hours",
        "cost",
        "break_even",
        "energy",
        "dp_size",
        "load_time",
        "write_time",
        "download_time",
        "mfu",
        "server_count",
        "all_reduce_time",
        "training_time",
        "tokens_per_second",
        "max_concurrency",
    }
)
GPU_ONLY = frozenset(
    {"memory_total", "power", "weights", "network_bandwidth", "host_ram", "storage", "memory_per_gpu", "psu", "cost"}
)


@dataclass(frozen=True, slots=True)
class Clause:
    """low[start:end], one sentence or question."""

    start: int
    end: int


def clauses(low: str) -> list[Clause]:
    """The clauses of a text, none of them blank."""
    cuts = sorted(
        [(m.start(), m.end()) for m in CLAUSE.finditer(low)] + [(m.start(), m.end()) for m in SPLIT_COMMA.finditer(low)]
    )
    out, at = [], 0
    for start, end in [*cuts, (len(low), len(low))]:
        stop = min(end, len(low))
        if low[at:start].strip():
            out.append(Clause(at, stop))
        at = max(at, end)
    return out


def read_parts(
    low: str,
    reading: Reading,
    carried: Mapping[str, Any],
    source: Any,
    brands: Sequence[str],
    book: SpecBook,
    earlier: Part | None,
) -> tuple[tuple[Part, ...], dict[str, Any]]:
    """(parts, all slots). `carried`: slots of the conversation so far; `source(start, end)`: the text as sent;
    `earlier`: the part asked before, whose wish a turn without one repeats."""
    masked = reading.entities.low
    parts: list[Part] = []
    slots: dict[str, Any] = {}
    pending: list[Clause] = []
    for clause in clauses(low):
        found = read_slots(masked, low, clause.start, clause.end, reading.found, {**carried, **slots})
        slots = merge(slots, found)
        text = low[clause.start : clause.end]
        here = [f for f in reading.found if clause.start <= f.start < clause.end]
        part = _part(
            clause, text, masked[clause.start : clause.end], low, here, reading, {**merge(carried, slots)}, source, brands, book
        )
        if part is None:
            pending.append(clause)
        else:
            parts.append(part)
    everything = merge(carried, slots)
    if not parts:
        parts.append(_silent(low, reading, everything, source, earlier, book))
    elif earlier is None or len(parts) > 1:
        parts = [_shared(p, everything) for p in parts]
    parts = _without_echoes(parts)
    return tuple(parts), everything


def merge(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Slots after an addition: what excludes one another does not survive."""
    out = dict(old)
    if "workload" in new:
        out.pop("task", None)
        out.pop("workloads", None)
    if "task" in new and "workload" not in new:
        out.pop("workload", None)
        out.pop("workloads", None)
    if "gpu" in new or "gpu_name" in new:
        for key in ("gpu", "gpus", "gpu_name", "memory_gb", "system"):
            out.pop(key, None)
    if "gpu_count" in new and "nodes" not in new:
        out.pop("nodes", None)
        out.pop("gpus_per_node", None)
    if "model" in new or "model_family" in new or "parameters" in new:
        for key in ("model", "models", "model_family", "parameters", "parameters_list", "active_parameters"):
            out.pop(key, None)
    if "quantization" in new and "precision" not in new and out.get("precision") in ("fp16", "bf16", "fp32", "fp8"):
        out.pop("precision", None)
    if "precision" in new and "quantization" not in new:
        out.pop("quantization", None)
    if "workload" in new and new["workload"] in ("full_finetune", "pretrain", "lora") and "quantization" not in new:
        out.pop("quantization", None)
    if "zero_stage" in new:
        out.pop("zero_stages", None)
    return {**out, **new}


def _shared(part: Part, everything: Mapping[str, Any]) -> Part:
    """A part with the context that only came after it, where it says nothing of its own."""
    extra = {k: v for k, v in everything.items() if k not in part.slots and not (k in ("workload", "task") and ("workload" in part.slots or "task" in part.slots))
             and not (k in ("precision", "quantization") and ("precision" in part.slots or "quantization" in part.slots))}  # fmt: skip
    return Part(
        part.intent,
        part.text,
        {**part.slots, **extra},
        part.entities,
        part.columns,
        part.wanted,
        part.conditions,
        part.asks_verdict,
    )


def _entities(here: Sequence[Found], slots: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    out: list[tuple[str, str]] = []
    for f in here:
        if f.extra.get("system"):
            out.append(("systems", f.extra["system"]))
        elif f.quantity in ENTITY_TABLES and f.extra.get("row"):
            out.append((ENTITY_TABLES[f.quantity], f.extra["row"]))
        elif f.quantity == "row":
            out.append((str(f.unit), str(f.value)))
    if not out:
        for slot, table in (("gpus", "accelerators"), ("gpu", "accelerators"), ("models", "models"), ("model", "models")):
            value = slots.get(slot)
            if value and not (slot in ("gpu", "model") and slots.get(slot + "s")):
                out += [(table, v) for v in (value if isinstance(value, list) else [value])]
    return tuple(dict.fromkeys(out))


def _part(
    clause: Clause,
    text: str,
    masked: str,
    low: str,
    here: list[Found],
    reading: Reading,
    slots: dict[str, Any],
    source: Any,
    brands: Sequence[str],
    book: SpecBook,
) -> Part | None:
    wanted = asks.wanted_of(text, masked)
    verdict = asks.asks_verdict(text, masked)
    entities = _entities(here, slots)
    tables = frozenset(t for t, _ in entities)
    columns = asks.columns_of(text, here, tables) if tables else ()
    listing = bool(asks.LIST.search(text) or asks.LIST.search(masked))
    conditions = conditions_of(low, clause.start, clause.end, here, slots, brands, book) if listing else ()
    comparing = bool(asks.COMPARE.search(text))
    trouble, why, how = bool(asks.TROUBLE.search(text)), bool(asks.WHY.search(text)), bool(asks.HOWTO.search(text))
    intent = _intent(text, slots, entities, columns, wanted, conditions, verdict, listing, comparing, trouble, why, how)
    if intent is None:
        return None
    if intent in ("lookup", "compare") and not columns:
        columns = ()
    kept = () if intent in ("lookup", "compare", "filter", "explain", "troubleshoot") else wanted
    shown = columns if intent in ("lookup", "compare") else ()
    return Part(
        intent,
        source(clause.start, clause.end).strip(),
        slots,
        entities,
        shown,
        kept,
        conditions if intent == "filter" else (),
        verdict and intent == "size",
    )


def _intent(text: str, slots: Mapping[str, Any], entities: tuple[tuple[str, str], ...], columns: tuple[str, ...], wanted: tuple[str, ...], conditions: tuple[Any, ...], verdict: bool, listing: bool, comparing: bool, trouble: bool, why: bool, how: bool) -> Intent | None:  # fmt: skip
    subject = bool(slots.get("model") or slots.get("parameters") or slots.get("layers") or slots.get("model_family"))
    tables = {t for t, _ in entities}
    chips = [e for e in entities if e[0] in ("accelerators", "systems")]
    if trouble and (why or how or not (wanted or verdict)):
        return "troubleshoot"
    if listing and conditions and not (subject and verdict and chips):
        return "filter"
    if why and not wanted and not columns:
        return "troubleshoot" if trouble else "explain"
    if len(chips) > 1 and comparing and not (subject and (wanted or verdict)):
        return "compare"
    if columns and chips and not subject and not (set(wanted) - GPU_ONLY) and not (verdict and slots.get("workload")):
        if _many(slots) and ("power" in wanted or "psu" in wanted or "memory_total" in wanted):
            return "size"
        if "psu" in wanted or "host_ram" in wanted:
            return "size"
        return "compare" if len(chips) > 1 else "lookup"
    if (
        "models" in tables
        and columns
        and not (set(wanted) & {"weights", "kv_cache", "memory_total"})
        and not chips
        and any(c not in ("context",) or not wanted for c in columns)
    ):
        return "compare" if len(entities) > 1 else "lookup"
    if wanted or verdict:
        numbers = (
            subject
            or chips
            or slots.get("memory_gb")
            or set(wanted) & COMPUTED_ALONE
            or slots.get("workload")
            or slots.get("task")
            or slots.get("power_w")
            or slots.get("host_ram_gb")
            or slots.get("psu_w")
        )
        if numbers or wanted:
            return "explain" if how and not wanted else "size"
    if comparing and len(entities) > 1:
        return "compare"
    if how or why or listing:
        return "explain"
    return "troubleshoot" if trouble else None


def _many(slots: Mapping[str, Any]) -> bool:
    return bool((slots.get("gpu_count") or 0) > 1 or slots.get("gpu_counts"))


def _silent(low: str, reading: Reading, slots: dict[str, Any], source: Any, earlier: Part | None, book: SpecBook) -> Part:
    """A turn that asks for nothing of its own: the earlier wish again, else what its subject suggests."""
    text = source(0, len(low)).strip()
    entities = _entities(reading.found, slots)
    if earlier is not None:
        own = _entities(reading.found, {})
        shown = own or (earlier.entities if earlier.intent in ("lookup", "compare", "filter") else entities)
        return Part(
            earlier.intent, text, slots, shown, earlier.columns, earlier.wanted, earlier.conditions, earlier.asks_verdict
        )
    subject = slots.get("model") or slots.get("parameters")
    if subject:
        wish = bool(slots.get("gpu") or slots.get("memory_gb"))
        rate = slots.get("tokens") and slots.get("gpu")
        return Part("size", text, slots, entities, (), ("training_time",) if rate else (), (), wish and not rate)
    if slots.get("gpu_hours") or (slots.get("price_per_gpu_hour") and slots.get("hours")):
        return Part("size", text, slots, entities, (), ("cost",) if slots.get("currency") else ("gpu_hours",), ())
    if entities:
        return Part("compare" if len(entities) > 1 else "lookup", text, slots, entities)
    return Part("explain", text, slots, entities)


def _without_echoes(parts: list[Part]) -> list[Part]:
    """Parts in order; at most six; a later clause that asks the same again is dropped."""
    out: list[Part] = []
    for part in parts:
        if not any(
            p.intent == part.intent
            and p.columns == part.columns
            and p.wanted == part.wanted
            and p.entities == part.entities
            and dict(p.slots) == dict(part.slots)
            and part.intent in ("lookup", "compare", "size")
            for p in out
        ):
            out.append(part)
    return out[:6]
