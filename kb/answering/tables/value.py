"""Which card gives more for its price: bandwidth and compute by the dated rental prices on file, else by launch prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kb.answering.draft import Draft
from kb.answering.render import number
from kb.answering.tables.prices import LAUNCH, SIZED
from kb.answering.tables.specs import cell_evidence
from kb.types.answer import Value
from kb.types.question import Part
from kb.types.source import Evidence
from kb.types.specs import Row, SpecBook
from kb.understanding.asks.decisions import FOR_THE_MONEY

RENTAL = "price_per_gpu_hour_usd"
TERMS = ("on demand", "marketplace")  # what anybody pays by the hour, without a term or the risk of losing the card
GIVEN = ("memory_bandwidth_gb_s", "bf16_dense_tflops")  # what decoding and what training go by
CLOSE = 1.05  # a ratio below which neither is the better


def asked(part: Part) -> bool:
    """Whether two or more cards are to be compared by what they give for the money, and no job is described."""
    cards = sum(table == "accelerators" for table, _ in part.entities)
    told = any(part.slots.get(s) for s in SIZED if s != "workload")
    return part.intent == "compare" and cards > 1 and not told and FOR_THE_MONEY.search(part.text.lower()) is not None


def tell(part: Part, book: SpecBook, draft: Draft) -> bool:
    """State price, and bandwidth and compute for it, of each card; False, with a note, where no price of one kind is on file of all."""
    w, composer = draft.wording, draft.composer
    cards = [r for t, i in part.entities if t == "accelerators" and (r := book.row(t, i)) and all(r.number(c) for c in GIVEN)]
    offers = {card.id: _cheapest(card, book) for card in cards}
    rented = all(offers.values())
    if len(cards) < 2 or not (rented or all(card.number(LAUNCH) for card in cards)):
        composer.note(w("value_unpriced", names=w.join([c.name for c in cards if not offers[c.id]])))
        composer.break_paragraph()
        return False
    prices = {c.id: _priced(c, offers[c.id] if rented else None) for c in cards}
    unit = "USD/h" if rented else "USD"
    for column in GIVEN:
        _leader(cards, column, prices, unit, draft)
    lines = []
    for card in cards:
        price, evidence, where = prices[card.id]
        cells = [card.name, w.spelled(evidence.quote), where]
        for column in GIVEN:
            share = (card.number(column) or 0) / price
            text = number(share)
            composer.values.append(Value(f"{column}/{RENTAL if rented else LAUNCH}", share, None, text, scope=card.id))
            cells.append(text)
        composer.known += [where, card.name]
        lines.append((cells, (evidence, *(cell_evidence(card, c) for c in GIVEN))))
    labels = [f"{_label(cards[0], c, book, draft)} / ({unit})" for c in GIVEN]
    composer.tabulate([w("item"), w("offer:price"), w("offer:provider"), *labels], lines, w("source"))
    composer.note(w("prices_move"))
    return True


def _priced(card: Row, offer: Row | None) -> tuple[float, Evidence, str]:
    """(price, its cell, where and when it was read)."""
    if offer is None:
        evidence = cell_evidence(card, LAUNCH)
        return (
            card.number(LAUNCH) or 0.0,
            evidence,
            "MSRP" + (f", {evidence.source.published}" if evidence.source.published else ""),
        )
    return offer.number(RENTAL) or 0.0, cell_evidence(offer, RENTAL), f"{offer.text('provider')}, {offer.text('observed')}"


def _cheapest(card: Row, book: SpecBook) -> Row | None:
    held = [
        r for r in book.rows("prices") if r.text("accelerator_id") == card.id and r.text("term") in TERMS and r.number(RENTAL)
    ]
    return min(held, key=lambda r: (r.number(RENTAL) or 0.0, r.id), default=None)


def _label(card: Row, column: str, book: SpecBook, draft: Draft) -> str:
    found = book.tables[card.table].column(column)
    return found.label.of(draft.wording.language) if found else column


def _leader(
    cards: Sequence[Row], column: str, prices: Mapping[str, tuple[float, Evidence, str]], unit: str, draft: Draft
) -> None:
    """Who gives the most of a column for its price, and how many times what the next one does."""
    w = draft.wording
    shares = sorted(((((c.number(column) or 0) / prices[c.id][0]), c) for c in cards), key=lambda s: -s[0])
    (best, first), (next_best, second) = shares[0], shares[1]
    ratio = best / next_best
    use = w("value_use:inference" if column == GIVEN[0] else "value_use:training")
    key = "value_close" if ratio < CLOSE else "value_best"
    text = number(ratio)
    draft.composer.values.append(Value(f"{column}_value_ratio", ratio, None, text, scope=f"{first.id}/{second.id}"))
    evidence = [e for c in (first, second) for e in (cell_evidence(c, column), prices[c.id][1])]
    draft.composer.say(w(key, use=use, name=first.name, other=second.name, ratio=text, unit=unit), *evidence)
