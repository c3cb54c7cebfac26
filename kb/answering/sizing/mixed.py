"""What different cards in one machine draw together: each by its own data sheet, the supply for all of them."""

from __future__ import annotations

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
    """Whether different cards are put together, and it goes by their power."""
    counts = part.slots.get("gpu_counts")
    cards = part.slots.get("gpus", ())
    return (
        len(cards) > 1
        and "each" not in part.slots
        and bool(DRAWN & set(part.wanted))
        and (not counts or len(counts) == len(cards))
    )


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """The power of the cards, one by one and together, and what follows from that; False where a card's is not known."""
    cards = [row for id in part.slots["gpus"] if (row := tools.book.row("accelerators", str(id))) and row.number(COLUMN)]
    if len(cards) != len(part.slots["gpus"]):
        return False
    w, composer = draft.wording, draft.composer
    counts = part.slots.get("gpu_counts") or [1] * len(cards)
    watts = [count * float(row.number(COLUMN) or 0) for count, row in zip(counts, cards, strict=True)]
    shown = [amount(each, "W", w) for each in (*watts, sum(watts))]
    composer.known += [f"{count} × {row.name}" for count, row in zip(counts, cards, strict=True)]
    composer.values += [
        Value(COLUMN, each, "W", text, scope=row.id) for each, text, row in zip(watts, shown, cards, strict=False)
    ]
    composer.values.append(Value("power_of_gpus", sum(watts), "W", shown[-1]))
    told = [f"{count} × {row.name} {text}" for count, row, text in zip(counts, cards, shown, strict=False)]
    composer.say(w("power_of_all", list=" + ".join(told), total=shown[-1]), *(cell_evidence(row, COLUMN) for row in cards))
    kept = {k: v for k, v in part.slots.items() if k not in ("gpu", "gpus", "gpu_counts")}
    mean = {"gpu_count": sum(counts), "gpu_power_w": sum(watts) / sum(counts)}
    return job.respond(replace(part, slots={**kept, **mean}), reading, draft, tools)
