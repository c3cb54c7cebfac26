"""The kinds of GPU that a plan chooses among, each as a case of its own."""

from __future__ import annotations

import dataclasses

from kb.errors import InvalidInput
from kb.sizing import chip as chips
from kb.sizing.case import Case
from kb.sizing.defaults import filled
from kb.sizing.prices import Offer, offers
from kb.sizing.size import row_of
from kb.types.planning import Limits
from kb.types.sizing import GpuFigures
from kb.types.specs import SpecBook

NEEDED = ("memory", "bandwidth")
Gpu = str | GpuFigures


def kinds(base: Case, limits: Limits, book: SpecBook) -> tuple[list[Case], dict[str, Offer]]:
    """`base` on each kind of GPU that is allowed, and the offers that stand in for prices that the asker did not say.

    The kinds are those named, or all that the servers of the tables come with; ranked by cost, those of them with an offer. The
    deadline is the plan's to keep, not the case's. Raises UnknownEntity, and InvalidInput when some of several kinds have a price
    and others none, or a budget meets no price.
    """
    asked, gpus = base.asked, _named(base, limits, book)
    said = {row_of(book, "accelerators", "prices", id).id: price for id, price in limits.prices.items()}
    on_file: dict[str, Offer] = {}
    if not said and asked.price_per_gpu_hour is None and asked.electricity_price is None:
        found = offers(book, asked.currency)
        if not gpus and limits.objective == "cost":
            gpus = [id for id in usual(book) if id in found]
        wanted = gpus or list(usual(book))
        on_file = {g: found[g] for g in wanted if isinstance(g, str) and g in found}
        on_file = on_file if len(on_file) == len(wanted) else {}
    gpus = gpus or list(usual(book))
    priced = said or {g: offer.price for g, offer in on_file.items()}
    currency = next(iter(on_file.values())).currency if on_file else asked.currency
    out = [_on(base, gpu, priced.get(gpu) if isinstance(gpu, str) else None, currency, book) for gpu in gpus]
    _check(out, limits)
    return out, on_file


def usual(book: SpecBook) -> tuple[str, ...]:
    """Accelerators that a server or cloud instance of the tables comes with, and of which enough is published; without such a table
    all of the latter."""
    held = {row.text("accelerator_id") for row in book.rows("systems")}
    rows = [row for row in book.rows("accelerators") if not held or row.id in held]
    known = [(row.id, chips.from_row(row)) for row in rows]
    return tuple(id for id, chip in known if chip.peak("bf16") and all(chip.get(n) for n in NEEDED))


def _named(base: Case, limits: Limits, book: SpecBook) -> list[Gpu]:
    if isinstance(base.asked.gpu, GpuFigures):
        return [base.asked.gpu]
    slot, ids = ("gpus", limits.gpus) if limits.gpus else ("gpu", (base.asked.gpu,) if base.asked.gpu else ())
    return [row_of(book, "accelerators", slot, id).id for id in ids]


def _on(base: Case, gpu: Gpu, price: float | None, currency: str | None, book: SpecBook) -> Case:
    price = base.asked.price_per_gpu_hour if price is None else price
    days = None if base.training and base.asked.tokens else base.asked.days
    chip = chips.from_figures(gpu) if isinstance(gpu, GpuFigures) else chips.from_row(row_of(book, "accelerators", "gpu", gpu))
    asked = dataclasses.replace(base.asked, gpu=gpu, price_per_gpu_hour=price, currency=currency, days=days)
    return filled(dataclasses.replace(base, asked=asked, request=asked, chip=chip))


def _check(found: list[Case], limits: Limits) -> None:
    lacking = [str(c.asked.gpu) for c in found if c.asked.price_per_gpu_hour is None]
    if lacking and len(lacking) < len(found):
        raise InvalidInput(
            "prices", ", ".join(limits.prices), f"prices lacks {', '.join(lacking)}: give a price for each kind of GPU.",
            f"prices 缺少 {'、'.join(lacking)}：请为每种显卡给出单价。",
        )  # fmt: skip
    if lacking and limits.max_budget is not None and found[0].asked.electricity_price is None:
        raise InvalidInput(
            "price_per_gpu_hour", None, "price_per_gpu_hour is not given; max_budget needs it, or prices by GPU: not all have one on file.",
            "price_per_gpu_hour 未给出，使用 max_budget 时需要它，或用 prices 按型号给出：并非每种显卡都有在案价格。",
        )  # fmt: skip
