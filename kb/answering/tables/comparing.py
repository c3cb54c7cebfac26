"""Devices side by side: a table, and for each pair that belongs together who has how much more or less."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from kb.answering.draft import Draft
from kb.answering.render import number
from kb.answering.tables import specs
from kb.answering.tables.derived import parents, with_derived
from kb.answering.tables.lanes import ONE_WAY, faster
from kb.answering.tables.lookup import lookup
from kb.types.answer import Value
from kb.types.question import Part
from kb.types.specs import Column, Row, SpecBook
from kb.understanding.asks.decisions import GAIN, TOWARDS

ORIGIN = "derived_from"  # the row that an export variant was cut down from
ALIKE = 1.1  # a ratio below which a figure does not decide what is better for a use
FORMATS = ("fp8_dense_tflops", "int8_dense_tops", "fp4_dense_tflops")
IN_BF16, IN_FP16 = (
    "bf16_dense_tflops",
    "fp16_dense_tflops",
)  # older cards have only the second: then it is held against the first
FIGURE = re.compile(r"(\d+(?:\.\d+)?) ?([TGP]?)")
THOUSANDS = {"": 0, "G": 0, "T": 1, "P": 2}
ADDED = frozenset(
    {"memory_gb", "memory_bandwidth_gb_s", "tdp_w", IN_BF16, IN_FP16, *FORMATS}
)  # what several cards have more of
YEARS = ("release_year", "year")  # numbers of which no one is a multiple
LINK, SPEED = "interconnect_name", "interconnect_gb_s"
OF_TWO = {"most": "more", "least": "fewer"}  # how the first of two is told
USES = ("inference", "training", "prefill")  # for which one is faster or slower
FEW = 3  # columns asked for of which the leader is named


def compare(part: Part, book: SpecBook, draft: Draft) -> bool:
    """Entities of one table side by side, with ratios and differences; a lookup when fewer than two are there."""
    composer, w = draft.composer, draft.wording
    book = with_derived(book, part.columns)
    named = [r for t, i in part.entities if (r := book.row(t, i))]
    rows = [r for r in named if r.table == named[0].table]
    if len(rows) < 2:
        return lookup(part, book, draft)
    if faster(rows, part.slots.get("lanes", ()), draft):
        specs.date([(r, c) for r in rows if (c := book.tables[r.table].column(ONE_WAY))], composer, w)
        return True
    asked, decisions = part.columns, _decisions(part, rows)
    shown = dict.fromkeys((*asked, *(c for _, _, columns in decisions for c in columns)))
    part = replace(part, columns=tuple(shown))
    wanted = dict.fromkeys(c for r in rows for c in specs.columns_of(r, part, book))
    if LINK in part.columns and (speed := book.tables[rows[0].table].column(SPEED)):
        wanted[speed] = None  # whether there is a link at all is known of its speed
    added = {SPEED} if LINK in part.columns else set[str]()
    columns = [c for c in wanted if any(r.cells[c.name].status != "unknown" for r in rows)]
    for column in [c for c in wanted if c not in columns]:
        for row in rows:
            specs.missing(row, column, composer, w)
    if not asked and not decisions:
        columns += _telling_apart(rows, columns, book)
    counts = part.slots.get("gpu_counts", ())
    counts = counts if len(counts) == len(rows) and rows[0].table == "accelerators" else ()
    made_of = {p for c in asked if len(parents(c)) > 1 for p in parents(c)}
    pairs = _pairs(rows)
    if len(rows) == 2 and TOWARDS.search(part.text.lower()):
        pairs = [(b, a) for a, b in pairs]
    elif GAIN.search(part.text.lower()):
        pairs = [(b, a) if _ahead(b, a, columns) else (a, b) for a, b in pairs]  # what the better one has over the other
    decided = _decide(rows, decisions, columns, draft)
    for column in columns:
        if counts and column.name in ADDED:
            _together(rows, counts, column, draft)
        elif (
            column.kind == "number"
            and column.name not in YEARS
            and column.name not in decided | made_of
            and (asked or not decisions)
        ):
            for one, other in pairs:
                _difference(one, other, column, draft, asked=bool(asked))
            if not pairs and 0 < len(asked) <= FEW:
                _leader(rows, column, draft)
        lacking = [r for r in rows if r.cells[column.name].status == "unsupported"] if column.name in (*asked, *added) else []
        told = book.tables[rows[0].table].column(LINK if column.name == SPEED else column.name) or column
        for row in [r for r in rows if lacking and r.cells[column.name].status == "known" and told.name in asked]:
            fact = w("fact", label=told.label.of(w.language), value=specs.shown(row, told, w))
            composer.say(w("lookup", name=row.name, facts=fact), *specs.evidence_of(row, told.name))
        for row in lacking:
            specs.missing(row, column, composer, w)
    if not asked and not decisions and len(rows) == 2:
        _same(rows[0], rows[1], columns, draft)
    if any(c.name == SPEED for c in columns) and rows[0].table == "accelerators":
        specs.bridged(rows, draft)
    lines = [
        ([r.name, *(specs.in_table(r, c, w) for c in columns)], specs.evidence_of(r, *(c.name for c in columns))) for r in rows
    ]
    known = [(r, c) for r in rows for c in columns if r.cells[c.name].status == "known"]
    composer.values += [specs.value_of(r, c, w) for r, c in known]
    if columns:
        composer.tabulate([w("item"), *(c.label.of(w.language) for c in columns)], lines, w("source"))
    if asked:
        specs.dispute([(r, c) for r, c in known if _matters(r, c, rows)], draft)
    specs.date(known, composer, w)
    return True


def _together(rows: Sequence[Row], counts: Sequence[int], column: Column, draft: Draft) -> None:
    """What so many of each have together."""
    w, sums = draft.wording, list[str]()
    for row, count in zip(rows, counts, strict=True):
        if (each := row.number(column.name)) is None:
            return
        total = Value(column.name, count * each, column.unit, specs.figure(count * each, column, w), scope=f"{count}×{row.id}")
        draft.composer.values.append(total)
        draft.composer.known.append(f"{count} × {row.name}")
        sums.append(f"{count} × {row.name} {total.text}")
    evidence = [e for r in rows for e in specs.evidence_of(r, column.name)]
    draft.composer.say(w("together", label=column.label.of(w.language), list=w.join(sums)), *evidence)


def _telling_apart(rows: Sequence[Row], shown: Sequence[Column], book: SpecBook) -> list[Column]:
    """Formats that some of the rows have and others lack, or in which they differ by another ratio than in BF16."""

    def spread(column: str) -> float:
        held = [v for r in rows if (v := r.number(column))]
        return max(held) / min(held) if len(held) == len(rows) else 0.0

    out, usual = [], spread(IN_BF16)
    for name in FORMATS:
        column = book.tables[rows[0].table].column(name)
        if column is None or column in shown:
            continue
        statuses = {r.cells[name].status for r in rows}
        if statuses == {"known", "unsupported"} or (statuses == {"known"} and abs(spread(name) / (usual or 1) - 1) > ALIKE - 1):
            out.append(column)
    return out


def _decisions(part: Part, rows: Sequence[Row]) -> list[tuple[str, str, tuple[str, ...]]]:
    """What is to be decided, in a format that all of the rows have."""
    old = any((cell := r.cells.get(IN_BF16)) and cell.status == "unsupported" for r in rows)
    rate = {IN_BF16: IN_FP16} if old else {}
    return [(what, op, tuple(rate.get(c, c) for c in columns)) for what, op, columns in part.conditions]


def _decide(
    rows: Sequence[Row], decisions: Iterable[tuple[str, str, tuple[str, ...]]], columns: Sequence[Column], draft: Draft
) -> set[str]:
    """Say who is better, or whether what was claimed holds; the columns whose figures that told."""
    by_name, told = {c.name: c for c in columns if c.kind == "number"}, set[str]()
    for what, op, names in decisions:
        found = [c for n in names if (c := by_name.get(n))]
        if not found:
            continue
        if op in ("best", "worst"):
            for use in ("inference", "training") if what == "speed" else (what,):
                order = (
                    found if use != "training" or what == use else [found[1], found[0], *found[2:]] if len(found) > 1 else found
                )
                told |= _best(rows, use, order, draft, slowest=op == "worst")
        elif op in ("most", "least"):
            told |= _best(rows, op, found, draft)
        elif len(rows) == 2:
            telling = next((c for c in found if rows[0].number(c.name) != rows[1].number(c.name)), found[0])
            lead = draft.wording("yes" if _holds(rows, telling, op) else "no")
            for column in dict.fromkeys((telling, found[0])):
                _difference(rows[0], rows[1], column, draft, asked=True, lead=lead if column is telling else "")
                told.add(column.name)
    return told


def _holds(rows: Sequence[Row], column: Column, op: str) -> bool:
    x, y = rows[0].number(column.name) or 0.0, rows[1].number(column.name) or 0.0
    if op.startswith("x"):
        return bool(y) and abs(x / y - float(op[1:])) <= 0.1 * float(op[1:])
    return {">": x > y, "<": x < y, "==": x == y, "!=": x != y}[op]


def _best(rows: Sequence[Row], use: str, columns: Sequence[Column], draft: Draft, slowest: bool = False) -> set[str]:
    """Who is first in the first column in which the rows differ, or last where the `slowest` is asked for; that they are alike in those
    before it. The columns said.

    Training goes by the first of them, and generating by that of inference; one behind it only tells who has more of that."""
    w, told = draft.wording, set[str]()
    for column in columns:
        down = not (slowest or use == "least")
        held = sorted(((v, r) for r in rows if (v := r.number(column.name))), key=lambda pair: pair[0], reverse=down)
        if len(held) < 2:
            for row in [r for r in rows if column.name in specs.FORMATS and r.cells[column.name].status == "unsupported"]:
                specs.missing(row, column, draft.composer, w)
            continue
        evidence = [e for _, r in held for e in specs.evidence_of(r, column.name)]
        label, value = column.label.of(w.language), specs.shown(held[0][1], column, w)
        told.add(column.name)
        first, last = held[0][0], held[-1][0]
        level = number(max(first, last) / min(first, last)) == "1"
        if level or (use not in ("most", "least") and max(first, last) / min(first, last) < ALIKE):
            names = w.join([r.name for _, r in held])
            values = w.join([specs.shown(r, column, w) for _, r in held])
            key = "alike:training" if use == "training" and column is columns[0] else "alike" if first == last else "close"
            words = w(key, names=names, label=label, value=value, values=values)
            if not draft.composer.said(words):
                draft.composer.say(words, *evidence)
            continue
        others = w.join([_times(held[0], other, column, draft) for other in held[1:]])
        behind = {"training": "least" if slowest else "most", "inference": "prefill"} if column is not columns[0] else {}
        use = behind.get(use, use)
        key = OF_TWO.get(use, use) if len(held) == 2 else use
        words = w(
            f"{'worst' if slowest and use in USES else 'best'}:{key}",
            name=held[0][1].name,
            label=label,
            value=value,
            others=others,
        )
        draft.composer.say(words, *evidence)
        break
    return told


def _matters(row: Row, column: Column, rows: Sequence[Row]) -> bool:
    """Whether the figure of another source would change the order of the rows."""
    disagreement, taken = row.cells[column.name].disagreement, row.number(column.name)
    if disagreement is None or taken is None:
        return disagreement is not None
    rest = [v for r in rows if r is not row and (v := r.number(column.name)) is not None]
    scale = THOUSANDS.get((column.unit or "")[:1], 0)
    figures = [float(m[1]) * 1000 ** (THOUSANDS[m[2]] - scale) for o in disagreement.others if (m := FIGURE.match(o.value))]
    return any((figure > other) != (taken > other) for figure in figures for other in rest)


def _pairs(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Which rows to hold against which: two against one another, of more each variant against its original."""
    if len(rows) == 2:
        return [(rows[0], rows[1])]
    by_id = {r.id: r for r in rows}
    return [(r, by_id[origin]) for r in rows if (origin := r.text(ORIGIN)) and origin in by_id]


def _difference(a: Row, b: Row, column: Column, draft: Draft, asked: bool, lead: str = "") -> None:
    """What `a` has more or less than `b`, and how many times as much the larger has; equality only when asked for.
    `lead` stands before it: yes or no."""
    w, x, y = draft.wording, a.number(column.name), b.number(column.name)
    if x is None or y is None or not x or not y:
        return
    label = column.label.of(w.language)
    both = (*specs.evidence_of(a, column.name), *specs.evidence_of(b, column.name))
    if x == y:
        if asked:
            draft.composer.say(_led(lead, w("equal", a=a.name, b=b.name, label=label, value=specs.shown(a, column, w))), *both)
        return
    low, high = sorted((x, y))
    ratio, gap = _apart((x, a), (y, b), column, draft)
    share, scope = number(100 * (high - low) / y), f"{column.name}:{a.id}/{b.id}"
    draft.composer.values.append(Value("relative_difference", 100 * (high - low) / y, "%", f"{share} %", scope=scope))
    key = "nearly" if ratio == "1" else "more" if x > y else "less"
    figures = {"x": specs.shown(a, column, w), "y": specs.shown(b, column, w)}
    words = w(key, label=label, a=a.name, b=b.name, ratio=ratio, difference=gap, share=share, **figures)
    draft.composer.say(_led(lead, words), *both)


def _ahead(b: Row, a: Row, columns: Sequence[Column]) -> bool:
    """Whether `b` has more of the first figure in which the two differ."""
    told = ((a.number(c.name), b.number(c.name)) for c in columns if c.kind == "number")
    return next((y > x for x, y in told if x and y and x != y), False)


def _same(a: Row, b: Row, columns: Sequence[Column], draft: Draft) -> None:
    """In which figures two are alike, where it was asked what tells them apart."""
    alike = [c for c in columns if c.kind == "number" and a.number(c.name) and a.number(c.name) == b.number(c.name)]
    if alike:
        w = draft.wording
        words = w("same_in", a=a.name, b=b.name, list=w.join([c.label.of(w.language) for c in alike]))
        draft.composer.say(words, *(e for r in (a, b) for e in specs.evidence_of(r, *(c.name for c in alike))))


def _led(lead: str, words: str) -> str:
    return lead + words[:1].upper() + words[1:] if lead else words


def _leader(rows: Sequence[Row], column: Column, draft: Draft) -> None:
    """Who of several has the most of a column, and how many times what the others have."""
    w = draft.wording
    held = sorted(((v, r) for r in rows if (v := r.number(column.name))), key=lambda pair: -pair[0])
    if len(held) < 2 or held[0][0] == held[-1][0]:
        return
    leader = held[0][1]
    times = [_times(held[0], other, column, draft) for other in held[1:]]
    words = w(
        "leader",
        label=column.label.of(w.language), name=leader.name, value=specs.shown(leader, column, w), others=w.join(times),
    )  # fmt: skip
    draft.composer.say(words, *(e for _, r in held for e in specs.evidence_of(r, column.name)))


def _times(first: tuple[float, Row], other: tuple[float, Row], column: Column, draft: Draft) -> str:
    """How many times the other's figure the first has, or what part of it."""
    w, (x, _), (y, row) = draft.wording, first, other
    ratio, gap = _apart(first, other, column, draft)
    key = "times_alike" if ratio == "1" else "times" if x >= y else "times_less"
    return w(key, name=row.name, ratio=ratio, difference=gap, value=specs.shown(row, column, w))


def _apart(first: tuple[float, Row], other: tuple[float, Row], column: Column, draft: Draft) -> tuple[str, str]:
    """The ratio of the larger to the smaller and their difference, as text; both are values of the answer."""
    (x, a), (y, b) = first, other
    low, high = sorted((x, y))
    ratio, gap, scope = number(high / low), specs.figure(high - low, column, draft.wording), f"{column.name}:{a.id}/{b.id}"
    draft.composer.values += [
        Value("ratio", high / low, "1", ratio, scope=scope),
        Value("difference", high - low, column.unit, gap, scope=scope),
    ]
    return ratio, gap
