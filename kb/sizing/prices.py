"""What an hour of a GPU costs when the asker does not say: the dated offers of the price table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kb.types.source import Evidence
from kb.types.specs import Row, SpecBook

USUAL = "usd"
STEADY, FLEETING = "on demand", "spot"


@dataclass(frozen=True, slots=True)
class Offer:
    """`price` per GPU-hour in `currency`, as a provider asked it on a date."""

    price: float
    currency: str
    provider: str
    observed: str
    evidence: Evidence

    @property
    def said(self) -> str:
        """With its provider and date."""
        return f"{self.price:g} {self.currency} ({self.provider}, {self.observed})"


def offers(book: SpecBook, currency: str | None) -> dict[str, Offer]:
    """By accelerator the middle one of its offers in the currency: those on demand, else all that are not fleeting, else none."""
    column = f"price_per_gpu_hour_{(currency or USUAL).lower()}"
    by_card: dict[str, list[Row]] = {}
    for row in book.rows("prices"):
        if row.number(column) and row.text("term") != FLEETING:
            by_card.setdefault(row.text("accelerator_id") or "", []).append(row)
    return {card: _middle(rows, column, (currency or USUAL).upper()) for card, rows in by_card.items()}


def _middle(rows: list[Row], column: str, currency: str) -> Offer:
    steady = [row for row in rows if row.text("term") == STEADY] or rows
    ranked = sorted(steady, key=lambda row: (row.number(column) or 0.0, row.id))
    row = ranked[(len(ranked) - 1) // 2]
    return Offer(
        row.number(column) or 0.0, currency, row.text("provider") or row.name, row.text("observed") or "", row.evidence(column)
    )


def told(used: Mapping[str, Offer], names: Mapping[str, str]) -> str:
    """Each with its provider and date."""
    return "; ".join(f"{names[card]} {o.said}" for card, o in used.items())
