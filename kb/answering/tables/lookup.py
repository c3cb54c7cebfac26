"""Lookups: the cells that are asked for of what is named, and premises put right from the cell that contradicts them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from kb.answering.cite import Composer
from kb.answering.draft import Draft
from kb.answering.render import amount, number
from kb.answering.tables.derived import with_derived
from kb.answering.tables.lanes import narrower
from kb.answering.tables.specs import (
    BOTH_WAYS,
    FORMATS,
    bridged,
    cell_evidence,
    columns_of,
    date,
    denied,
    dispute,
    evidence_of,
    instead,
    missing,
    shown,
    value_of,
)
from kb.answering.wording import Wording
from kb.types.answer import Value
from kb.types.question import Part, Premise
from kb.types.specs import Column, Row, SpecBook
from kb.understanding.asks.columns import IN_TERABYTES, SHAPES, STATES_RATE
from kb.understanding.asks.decisions import SPEEDUP
from kb.understanding.asks.polarity import asks_two, senses
from kb.understanding.premises.claims import CONFIRMED, NEAR, claimed_of
from kb.understanding.text.fold import level

CONFIRMABLE = frozenset({"rate", "sparse", "bandwidth"})  # figures that a question is about, not such as it builds on
FIGURE = re.compile(r"\d+(?:\.\d+)?")
ROUNDING = 0.01  # by which people round a rate they name


def lookup(part: Part, book: SpecBook, draft: Draft) -> bool:
    """State the cells asked for of each entity; False when there is nothing to state."""
    composer, w = draft.composer, draft.wording
    book = with_derived(book, part.columns)
    rows = [r for t, i in part.entities if (r := book.row(t, i))]
    said: list[tuple[Row, Column]] = []
    lacking: list[tuple[Row, Column]] = []
    for row in rows:
        columns = columns_of(row, part, book)
        facts, stated = [], []
        for name in [n for n in part.columns if w.has(f"unkept:{n}")]:
            composer.note(w("unkept", name=row.name, label=w(f"unkept:{name}")))
        for column in columns:
            if row.cells[column.name].status == "known":
                value = _as_asked(shown(row, column, w), row, column, part, composer, w)
                facts.append(w("fact", label=column.label.of(w.language), value=value))
                stated.append((row, column))
                composer.values.append(value_of(row, column, w))
            elif part.columns:
                missing(row, column, composer, w)
                lacking.append((row, column))
                if len(rows) == 1 and row.cells[column.name].status == "unsupported":
                    instead(row, column, draft)
        if facts:
            words = _whether(row, stated, part, w) + w("lookup", name=row.name, facts=w.join(facts))
            composer.say(words, *(e for r, c in stated for e in evidence_of(r, c.name)))
            said += stated
        narrower(row, part.slots.get("lanes", ()), [c for _, c in stated], draft)
        if any(c.name == BOTH_WAYS for c in columns) and part.columns and (both := row.number(BOTH_WAYS)):
            one = amount(both / 2, "GB/s", w)
            composer.values.append(Value("interconnect_gb_s_per_direction", both / 2, "GB/s", one, scope=row.id))
            composer.say(w("per_direction", value=one), cell_evidence(row, BOTH_WAYS))
            bridged([row], draft)
    if part.columns:
        dispute((*said, *lacking), draft)
    date(said, composer, w)
    return bool(rows)


def _as_asked(value: str, row: Row, column: Column, part: Part, composer: Composer, w: Wording) -> str:
    """A rate of bytes in thousands, where it is asked for so."""
    rate = row.number(column.name)
    if column.unit != "GB/s" or not rate or not IN_TERABYTES.search(part.text.lower()):
        return value
    asked = f"{number(rate / 1000, 4)} TB/s"
    composer.values.append(Value(column.name, rate / 1000, "TB/s", asked, scope=row.id))
    return w("both", binary=asked, decimal=value)


def _whether(row: Row, stated: Sequence[tuple[Row, Column]], part: Part, w: Wording) -> str:
    """Whether a row reaches the bandwidth, or has the shape, that a question names, where it asks that."""
    if any(c.name == "form_factor" for _, c in stated) and (shaped := _shaped(row.text("form_factor") or "", part)) is not None:
        return w("yes" if shaped else "no")
    for column in (c for _, c in stated):
        told, held = claimed_of(level(part.text), column.name), row.number(column.name)
        if told and held and abs(told[0] / held - 1) <= NEAR:
            return w("yes")
    rate = next((held for _, c in stated if c.unit == "GB/s" and (held := row.number(c.name))), None)
    named = part.slots.get("bandwidth_gb_s")
    if rate is None or not named or not STATES_RATE.search(part.text.lower()) or asks_two(part.text) or not senses(part.text):
        return ""
    return w("yes" if rate >= (1 - ROUNDING) * float(named) else "no")


def _shaped(held: str, part: Part) -> bool | None:
    """Whether a board has the shape that a question names; None where the table does not tell, or nothing was asked so."""
    named = [shape for shape, pattern in SHAPES if re.search(pattern, part.text.lower())]
    if len(named) != 1 or asks_two(part.text) or not senses(part.text):
        return None
    return True if named[0] in held else False if "slot" in named[0] and "slot" in held else None


def correct(premise: Premise, book: SpecBook, draft: Draft) -> None:
    """Put a wrong premise right, from the cell that contradicts it; nothing is said of one that is about no row."""
    composer, w = draft.composer, draft.wording
    if not premise.table:
        return
    row = book.row(premise.table, premise.row)
    column = book.tables[premise.table].column(premise.column) if row else None
    if row is None or column is None:
        return
    evidence = cell_evidence(row, column.name)
    label = column.label.of(w.language)
    if row.cells[column.name].status == "unsupported":
        lead = w("no_faster") if column.name in FORMATS and SPEEDUP.search(level(composer.question)) else ""
        composer.say(lead + denied("premise_unsupported", row, column, w), evidence)
        instead(row, column, draft)
        draft.judged = f"format:{FORMATS.get(column.name)}"
    else:
        key = f"premise_{premise.kind}" if w.has(f"premise_{premise.kind}") else "premise_differs"
        others = [other for id in premise.variants if (other := book.row(premise.table, id))]
        several = {r.number(column.name): r for r in reversed((row, *others))}  # the first row of each size
        values = [
            value_of(r, column, w) for r in sorted(several.values(), key=lambda r: (r is not row, r.number(column.name) or 0))
        ]
        name = _shared([r.name for r in (row, *others)]) or row.name
        words = w(key, name=name, label=label, value=w("or").join(v.text for v in values), claimed=premise.claimed)
        composer.values += values
        lead = w("premise_lead")
        if premise.kind in CONFIRMABLE and words.startswith(lead) and CONFIRMED.search(level(composer.question)):
            words = w("premise_lead:asked") + words[len(lead) :]
        composer.say(words, evidence, *(cell_evidence(r, column.name) for r in several.values() if r is not row))
        _figure_of(premise, row, column, book, composer, w)


def _shared(names: Sequence[str]) -> str:
    """The words that names begin with alike: what their variants are called together."""
    words = [column[0] for column in takewhile(lambda c: len(set(c)) == 1, zip(*(n.split() for n in names), strict=False))]
    return " ".join(words)


def _figure_of(premise: Premise, row: Row, column: Column, book: SpecBook, composer: Composer, w: Wording) -> None:
    """Of what a wrong rate is the figure, where the row has it of another format."""
    said = FIGURE.match(premise.claimed)
    if premise.kind != "rate" or said is None:
        return
    for other in book.tables[premise.table].columns:
        rate = row.number(other.name) if other.unit == column.unit and other.name != column.name else None
        if rate and abs(float(said.group()) / rate - 1) <= ROUNDING:
            words = w("premise_figure_of", claimed=premise.claimed, label=other.label.of(w.language))
            composer.values.append(value_of(row, other, w))
            composer.say(words, cell_evidence(row, other.name))
            return
