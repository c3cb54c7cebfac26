"""What the parts of a question are read against, and what of the tables a clause is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb.types.question import Intent, Part, Premise
from kb.types.specs import SpecBook
from kb.understanding.found import Found
from kb.understanding.mentions import Reading
from kb.understanding.premises.stated import premises_of
from kb.understanding.slots.known import tells_model

TABLE_OF = {"gpu": "accelerators", "model": "models"}
SPECS: frozenset[Intent] = frozenset({"lookup", "compare"})
ASKED_OF = frozenset({"accelerators", "models"})  # tables whose columns are understood of an unknown name, too
AROUND = frozenset({"interconnects", "storage_and_memory", "cpus"})  # what stands around a card that is named beside it
Source = Callable[[int, int], str]


@dataclass(frozen=True, slots=True)
class Context:
    """What the parts are read against. `earlier`: the part asked before, whose wish a turn without one repeats; `recent`: what was
    named before it, the latest last."""

    low: str
    reading: Reading
    carried: Mapping[str, Any]
    source: Source
    words: Mapping[str, Sequence[str]]
    book: SpecBook
    earlier: Part | None = None
    recent: tuple[tuple[str, str], ...] = ()


def entities_of(here: Sequence[Found], slots: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """(table, row) of what is named, else of what the slots hold."""
    out: list[tuple[str, str]] = []
    for f in here:
        if f.extra.get("system"):
            out.append(("systems", f.extra["system"]))
        elif f.quantity in TABLE_OF and f.extra.get("row"):
            out.append((TABLE_OF[f.quantity], f.extra["row"]))
        elif f.quantity == "row":
            out.append((str(f.unit), str(f.value)))
    if not out:
        for many, one, table in (("gpus", "gpu", "accelerators"), ("models", "model", "models")):
            values = slots.get(many) or ([slots[one]] if slots.get(one) else [])
            out += [(table, v) for v in values]
    chips = [e for e in out if e[0] in ("accelerators", "systems")]
    return tuple(dict.fromkeys(e for e in out if not chips or e[0] not in AROUND))


def beliefs(c: Context, start: int, end: int, slots: Mapping[str, Any]) -> tuple[Premise, ...]:
    """What a clause alone believes."""
    here = [replace(f, start=f.start - start, end=f.end - start) for f in c.reading.found if start <= f.start < end]
    return premises_of(c.low[start:end], c.reading.entities.low[start:end], here, slots, c.book)


def of_unknown(c: Context, slots: Mapping[str, Any], entities: tuple[tuple[str, str], ...]) -> bool:
    """Whether a question about figures is about something that is in no table and of which nothing else is said."""
    kinds = {s.kind for s in c.reading.entities.unknown}
    if "model" in kinds and not tells_model(slots):
        return True
    return "accelerator" in kinds and not (entities or slots.get("memory_gb") or slots.get("parameters"))
