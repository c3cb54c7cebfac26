"""What a card costs: dated offers of the price table and the launch price, never as a price of today; or that none is on file."""

from __future__ import annotations

from collections.abc import Sequence

from kb.answering.draft import Draft
from kb.answering.tables.specs import cell_evidence
from kb.types.answer import Declined, Nearest, Value
from kb.types.question import Part
from kb.types.specs import Row, SpecBook

PRICES = ("price_per_gpu_hour_usd", "price_per_gpu_hour_cny", "purchase_price_usd", "purchase_price_cny")
LAUNCH = "msrp_usd"
# Slots that make a question of cost one of sizing: how much work there is, or what is paid for it.
SIZED = (
    "model", "model_family", "parameters", "layers", "workload", "task", "tokens", "days", "gpu_hours", "nodes", "power_w", "budget",
    "price_per_gpu_hour", "price_per_hour", "price_per_month", "purchase_price", "electricity_price",
)  # fmt: skip


def asked(part: Part) -> bool:
    """Whether the part asks what one card costs, and nothing that would have to be computed."""
    slots = part.slots
    one = (slots.get("gpu_count") or 1) == 1 and (slots.get("hours") or 1) == 1
    cards = any(table == "accelerators" for table, _ in part.entities)
    return set(part.wanted) == {"cost"} and cards and one and not any(slots.get(s) for s in SIZED)


def tell(part: Part, book: SpecBook, draft: Draft) -> None:
    """Every offer on file for each card with its date, cheapest first, and its launch price; says so where there is neither."""
    cards = [row for table, id in part.entities if table == "accelerators" and (row := book.row(table, id))]
    for card in cards:
        offers = [r for r in book.rows("prices") if r.text("accelerator_id") == card.id and _price(r)]
        if offers:
            _offers(card, sorted(offers, key=lambda r: (r.number(_price(r)) or 0, r.id)), draft)
        if launched(card, draft) or offers:
            draft.settle("spec")
        else:
            draft.composer.note(draft.wording("price_unknown", name=card.name))
            draft.kind = draft.kind or "declined"
            draft.declined = draft.declined or Declined("not_published", _pages(book))


def launched(card: Row, draft: Draft) -> bool:
    """The launch price told as what it is, with its date; False when it is not on file."""
    cell, w = card.cells.get(LAUNCH), draft.wording
    if cell is None or cell.status != "known":
        return False
    evidence, date = cell_evidence(card, LAUNCH), cell.source.published
    if not draft.composer.stands_on(evidence):
        draft.composer.values.append(Value(LAUNCH, card.number(LAUNCH), cell.unit, w.spelled(cell.quote), scope=card.id))
        draft.composer.say(w("launch_price", name=card.name, value=w.spelled(cell.quote)), evidence)
    draft.composer.say(w("launch_dated", date=date) if date else w("launch_undated"), evidence)
    return True


def _offers(card: Row, offers: Sequence[Row], draft: Draft) -> None:
    """The range of the offers and their dates, a table of them, and that prices move."""
    w, composer = draft.wording, draft.composer
    cheapest, dearest = offers[0], offers[-1]
    dates = sorted(row.text("observed") or "" for row in offers)
    ends = {end: w.spelled(r.cells[_price(r)].quote) for end, r in (("low", cheapest), ("high", dearest))}
    read = dates[0] if dates[0] == dates[-1] else w("period", first=dates[0], last=dates[-1])
    key = "offers" if ends["low"] != ends["high"] else "offer"
    evidence = [cell_evidence(row, _price(row)) for row in offers]
    composer.known.append(card.name)  # the 80 of H100 80GB is a name
    composer.say(w(key, name=card.name, read=read, **ends), *evidence)
    rows = []
    for row, cited in zip(offers, evidence, strict=True):
        term, region = w(f"term:{row.text('term')}"), row.text("region") or "–"
        price = w.spelled(cited.quote)
        rows.append(([row.text("provider") or "", term, region, price, row.text("observed") or ""], [cited]))
        composer.values.append(Value(_price(row), row.number(_price(row)), row.cells[_price(row)].unit, price, scope=row.id))
    composer.tabulate([w(f"offer:{c}") for c in ("provider", "term", "region", "price", "date")], rows, w("source"))
    composer.note(w("prices_move"))


def _price(row: Row) -> str:
    """The column that holds the row's price, or an empty text."""
    return next((c for c in PRICES if row.number(c) is not None), "")


def _pages(book: SpecBook) -> tuple[Nearest, ...]:
    """Where providers print their prices: the nearest useful thing when none is on file."""
    pages = {page: r.text("provider") or r.name for r in book.rows("prices") if (page := r.text("page"))}
    return tuple(Nearest(provider, page) for page, provider in list(pages.items())[:3])
