"""What different cards in one machine draw together: each by its own data sheet, the supply for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount
from kb.answering.sizing import job
from kb.answering.tables.specs import cell_evidence
from kb.types.answer import Value
from kb.types.question import Part, Understanding

DRAWN = frozenset({"psu", "wall_power", "power", "heat"})  # what goes by the power of all cards
COLUMN = "tdp_w"


def asked(part: Part) -> bool:
    """Whether it goes by the power of different cards that are put together, or of the cards alone, without the machine around them."""
    cards, counts = _named(part)
    together = len(cards) > 1 and ("each" not in part.slots or bool(part.slots.get("gpu_counts")))
    return bool(DRAWN & set(part.wanted)) and len(counts) == len(cards) and (together or (bool(cards) and _alone(part)))


def _alone(part: Part) -> bool:
    return bool(part.slots.get("cards_alone")) and set(part.wanted) == {"power"}


def _named(part: Part) -> tuple[Sequence[str], Sequence[int]]:
    """The cards that are named, and how many there are of each."""
    slots = part.slots
    if cards := slots.get("gpus"):
        return cards, slots.get("gpu_counts") or [1] * len(cards)
    return ([slots["gpu"]], [slots.get("gpu_count") or 1]) if slots.get("gpu") else ([], [])


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """The power of the cards, one by one and together, and what follows from that; False where a card's is not known."""
    ids, counts = _named(part)
    cards = [row for id in ids if (row := tools.book.row("accelerators", str(id))) and row.number(COLUMN)]
    if len(cards) != len(ids):
        return False
    w, composer = draft.wording, draft.composer
    each = [float(row.number(COLUMN) or 0) for row in cards]
    watts = [count * one for count, one in zip(counts, each, strict=True)]
    total = amount(sum(watts), "W", w)
    composer.known += [f"{count} × {row.name}" for count, row in zip(counts, cards, strict=True)]
    composer.values += [Value(COLUMN, of, "W", amount(of, "W", w), scope=row.id) for of, row in zip(watts, cards, strict=True)]
    composer.values.append(Value("power_of_gpus", sum(watts), "W", total))
    told = [f"{count} × {amount(one, 'W', w)} ({row.name})" for count, one, row in zip(counts, each, cards, strict=True)]
    composer.say(w("power_of_all", list=" + ".join(told), total=total), *(cell_evidence(row, COLUMN) for row in cards))
    if _alone(part):
        composer.values.append(Value("power", sum(watts) / 1e3, "kW", total))
        draft.settle("sizing")
        return True
    kept = {k: v for k, v in part.slots.items() if k not in ("gpu", "gpus", "gpu_counts", "each", "workload")}
    mean = {"gpu_count": sum(counts), "gpu_power_w": sum(watts) / sum(counts)}
    return job.respond(replace(part, slots={**kept, **mean}), reading, draft, tools)
