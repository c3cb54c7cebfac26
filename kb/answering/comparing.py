"""Devices side by side: a table, and for each pair that belongs together who has how much more or less."""

from __future__ import annotations

from collections.abc import Sequence

from kb.answering import specs
from kb.answering.derived import with_derived
from kb.answering.draft import Draft
from kb.answering.render import number
from kb.types.answer import Value
from kb.types.question import Part
from kb.types.specs import Column, Row, SpecBook

ORIGIN = "derived_from"  # the row that an export variant was cut down from
FEW = 3  # columns asked for of which the leader is named


def compare(part: Part, book: SpecBook, draft: Draft) -> bool:
    """Entities of one table side by side, with ratios and differences; a lookup when fewer than two are there."""
    composer, w = draft.composer, draft.wording
    book = with_derived(book, part.columns)
    named = [r for t, i in part.entities if (r := book.row(t, i))]
    rows = [r for r in named if r.table == named[0].table]
    if len(rows) < 2:
        return specs.lookup(part, book, draft)
    wanted = dict.fromkeys(c for r in rows for c in specs.columns_of(r, part, book))
    columns = [c for c in wanted if any(r.cells[c.name].status != "unknown" for r in rows)]
    pairs = _pairs(rows)
    for column in columns:
        if column.kind == "number":
            for one, other in pairs:
                _difference(one, other, column, draft, asked=bool(part.columns))
            if not pairs and 0 < len(part.columns) <= FEW:
                _leader(rows, column, draft)
        for row in rows:
            if row.cells[column.name].status == "unsupported" and part.columns:
                specs.missing(row, column, composer, w)
    lines = [
        ([r.name, *(specs.in_table(r, c, w) for c in columns)], specs.evidence_of(r, *(c.name for c in columns))) for r in rows
    ]
    known = [(r, c) for r in rows for c in columns if r.cells[c.name].status == "known"]
    composer.values += [specs.value_of(r, c) for r, c in known]
    composer.tabulate([w("item"), *(c.label.of(w.language) for c in columns)], lines, w("source"))
    if part.columns:
        specs.dispute(known, draft)
    specs.date(known, composer, w)
    return True


def _pairs(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Which rows to hold against which: two against one another, of more each variant against its original."""
    if len(rows) == 2:
        return [(rows[0], rows[1])]
    by_id = {r.id: r for r in rows}
    return [(r, by_id[origin]) for r in rows if (origin := r.text(ORIGIN)) and origin in by_id]


def _difference(a: Row, b: Row, column: Column, draft: Draft, asked: bool) -> None:
    """What `a` has more or less than `b`, and how many times as much the larger has; equality only when asked for."""
    w, x, y = draft.wording, a.number(column.name), b.number(column.name)
    if x is None or y is None or not x or not y:
        return
    label = column.label.of(w.language)
    both = (*specs.evidence_of(a, column.name), *specs.evidence_of(b, column.name))
    if x == y:
        if asked:
            draft.composer.say(w("equal", a=a.name, b=b.name, label=label, value=specs.shown(a, column, w)), *both)
        return
    low, high = sorted((x, y))
    gap, ratio, share = specs.figure(high - low, column, w), number(high / low), number(100 * (high - low) / y)
    scope = f"{column.name}:{a.id}/{b.id}"
    draft.composer.values += [
        Value("ratio", high / low, "1", ratio, scope=scope),
        Value("difference", high - low, column.unit, gap, scope=scope),
        Value("relative_difference", 100 * (high - low) / y, "%", f"{share} %", scope=scope),
    ]
    words = w("more" if x > y else "less", label=label, a=a.name, b=b.name, ratio=ratio, difference=gap, share=share)
    draft.composer.say(words, *both)


def _leader(rows: Sequence[Row], column: Column, draft: Draft) -> None:
    """Who of several has the most of a column, and how many times what the others have."""
    w = draft.wording
    held = sorted(((v, r) for r in rows if (v := r.number(column.name))), key=lambda pair: -pair[0])
    if len(held) < 2 or held[0][0] == held[-1][0]:
        return
    most, leader = held[0]
    times = []
    for value, row in held[1:]:
        ratio, gap = number(most / value), specs.figure(most - value, column, w)
        scope = f"{column.name}:{leader.id}/{row.id}"
        draft.composer.values += [
            Value("ratio", most / value, "1", ratio, scope=scope),
            Value("difference", most - value, column.unit, gap, scope=scope),
        ]
        times.append(w("times", name=row.name, ratio=ratio, difference=gap))
    words = w(
        "leader",
        label=column.label.of(w.language), name=leader.name, value=specs.shown(leader, column, w), others=w.join(times),
    )  # fmt: skip
    draft.composer.say(words, *(e for _, r in held for e in specs.evidence_of(r, column.name)))
