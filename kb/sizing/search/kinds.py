"""The kinds of GPU that a plan chooses among, each as a case of its own."""

from __future__ import annotations

import dataclasses

from kb.errors import InvalidInput
from kb.sizing import chip as chips
from kb.sizing.case import Case
from kb.sizing.chip import Chip
from kb.sizing.defaults import filled
from kb.sizing.size import row_of
from kb.types.planning import Limits
from kb.types.sizing import GpuFigures
from kb.types.specs import SpecBook

NEEDED = ("memory", "bandwidth")


def kinds(base: Case, limits: Limits, book: SpecBook) -> list[Case]:
    """`base` on each kind of GPU that is allowed: those named, or all that the servers of the tables come with. The deadline is the
    plan's to keep, not the case's. Raises UnknownEntity, and InvalidInput when some of several kinds have a price and others none."""
    named = [limits.gpus, "gpus"] if limits.gpus else [(base.asked.gpu,), "gpu"] if base.asked.gpu else [usual(book), "gpus"]
    allowed, slot = named
    priced = {row_of(book, "accelerators", "prices", id).id: price for id, price in limits.prices.items()}
    out = []
    for gpu in allowed:
        if isinstance(gpu, GpuFigures):
            out.append(_on(base, gpu, chips.from_figures(gpu), None))
            continue
        row = row_of(book, "accelerators", str(slot), str(gpu))
        out.append(_on(base, row.id, chips.from_row(row), priced.get(row.id)))
    lacking = [str(c.asked.gpu) for c in out if c.asked.price_per_gpu_hour is None]
    if lacking and len(lacking) < len(out):
        raise InvalidInput(
            "prices", ", ".join(priced), f"prices lacks {', '.join(lacking)}: give a price for each kind of GPU.",
            f"prices 缺少 {'、'.join(lacking)}：请为每种显卡给出单价。",
        )  # fmt: skip
    return out


def usual(book: SpecBook) -> tuple[str, ...]:
    """Accelerators that a server or cloud instance of the tables comes with, and of which enough is published; without such a table
    all of the latter."""
    held = {row.text("accelerator_id") for row in book.rows("systems")}
    rows = [row for row in book.rows("accelerators") if not held or row.id in held]
    known = [(row.id, chips.from_row(row)) for row in rows]
    return tuple(id for id, chip in known if chip.peak("bf16") and all(chip.get(n) for n in NEEDED))


def _on(base: Case, gpu: str | GpuFigures, chip: Chip, price: float | None) -> Case:
    price = base.asked.price_per_gpu_hour if price is None else price
    days = None if base.training and base.asked.tokens else base.asked.days
    asked = dataclasses.replace(base.asked, gpu=gpu, price_per_gpu_hour=price, days=days)
    return filled(dataclasses.replace(base, asked=asked, request=asked, chip=chip))
