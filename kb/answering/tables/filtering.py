"""The rows of a table that meet conditions, or stand first in an order, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kb.answering.draft import Draft
from kb.answering.render import amount, number, size_name
from kb.answering.tables import specs
from kb.answering.tables.comparing import ORIGIN
from kb.answering.tables.derived import with_derived
from kb.answering.tables.prices import LAUNCH
from kb.answering.wording import Wording
from kb.types.answer import AnswerTable, Value
from kb.types.question import Part
from kb.types.spec_query import meets
from kb.types.specs import Column, Row, SpecBook, Table
from kb.understanding.asks.conditions import UNPLUGGED, WHOLE

Stated = tuple[Column, str, Any]
# The operators of a ranking; of the first two the value is how many rows are asked for.
ORDERS = ("top", "bottom", "falling", "rising")
KIND = "kind"  # which rows a question is about, said in its condition and no column of the answer
LONGEST = 25  # rows of a table that the text shows, unless all are asked for; all stand in `Answer.table`


def select(part: Part, book: SpecBook, draft: Draft) -> bool:
    """The rows that meet every condition and no others; of a list that the asker gave, also why the others do not.

    False when the part has no condition over the columns of one table."""
    composer, w = draft.composer, draft.wording
    book = with_derived(book, [n for n, _, _ in part.conditions])
    table = _table(part, book)
    if table is None:
        return False
    stated = [(c, op, v) for n, op, v in part.conditions if (c := table.column(n))] + _within_budget(part, table)
    listed = [r for t, i in part.entities if t == table.name and (r := book.row(t, i))]
    if bound := next(((r, c) for r in listed for c, op, v in stated if op in "<>" and r.number(c.name) == v), None):
        row, column = bound  # the card that the others are to exceed
        label = w("of", label=column.label.of(w.language), what=row.name)
        composer.say(w("value", label=label, value=specs.shown(row, column, w)), *specs.evidence_of(row, column.name))
        listed = []
    pool = listed or list(table.rows.values())
    matching = _matching(pool, stated)
    if not matching and (narrow := _narrower(part, pool, stated)):
        stated, matching, precision = narrow
        composer.note(w("narrower_weights", precision=precision))
    telling = [c for c, op, v in stated if c.name != KIND and not (c.name == "vendor" and len(v) == 1)]
    columns = list(dict.fromkeys(telling or [c for c, _, _ in stated]))
    said = w.join([_condition(c, op, v, w) for c, op, v in stated])
    composer.known.append(said)
    composer.values += [
        Value(c.name, float(v), c.unit, specs.figure(v, c, w), scope="condition")
        for c, op, v in stated
        if op not in ORDERS and isinstance(v, int | float)
    ]
    _need(part, stated, book, draft)
    if not matching:
        _none(pool, stated, said, draft)
    else:
        composer.values.append(Value("matches", float(len(matching)), "1", str(len(matching))))
        first = specs.evidence_of(matching[0], *(c.name for c in columns))
        composer.say(_heading(matching, stated, w), *first)
        _tabulate(matching, columns, book, draft, whole=bool(WHOLE.search(part.text.lower())))
        if any(c.name == LAUNCH for c in columns):
            composer.note(w("launch_undated_all"))
        elif any(c.name == "form_factor" for c in columns):
            composer.note(w("shapes_partly"))
        elif table.column(LAUNCH) and part.slots.get("budget"):
            composer.note(w("budget_not_applied"))
        if UNPLUGGED.search(part.text.lower()):
            composer.note(w("plugs_unkept"))
        specs.date([(r, c) for r in matching for c in columns if r.cells[c.name].status == "known"], composer, w)
    for row in listed:
        if row not in matching and (fault := next((s for s in stated if not _holds(row, s)), None)):
            known = row.cells[fault[0].name].status == "known"
            words = w(
                "filter_misses" if known else "filter_lacks",
                name=row.name, label=fault[0].label.of(w.language), value=specs.shown(row, fault[0], w),
            )  # fmt: skip
            composer.say(words, *specs.evidence_of(row, fault[0].name))
    return True


def _within_budget(part: Part, table: Table) -> list[Stated]:
    """The condition that a stated budget in dollars puts on a card: its launch price, the only one of a purchase on file."""
    budget, launch = part.slots.get("budget"), table.column(LAUNCH)
    if not launch or not budget or part.slots.get("currency") != "USD" or any(c == LAUNCH for c, _, _ in part.conditions):
        return []
    return [(launch, "<=", float(budget))]


def _narrower(part: Part, pool: Sequence[Row], stated: Sequence[Stated]) -> tuple[list[Stated], list[Row], str] | None:
    """The conditions met with weights of fewer bits, where 16-bit ones leave no row and the asker named no precision; the
    memory has to be more than the weights take, as the KV cache needs some."""
    if not (part.slots.keys() & {"parameters", "model"}) or part.slots.keys() & {"quantization", "precision", "memory_gb"}:
        return None
    for precision, share in (("int8", 0.5), ("int4", 0.25)):
        eased = [(c, ">", v * share) if c.name == "memory_gb" and op == ">=" else (c, op, v) for c, op, v in stated]
        if eased != stated and (matching := _matching(pool, eased)):
            return eased, matching, precision
    return None


def _matching(pool: Sequence[Row], stated: Sequence[Stated]) -> list[Row]:
    return _ranked([r for r in pool if all(_holds(r, s) for s in stated)], stated)


def _table(part: Part, book: SpecBook) -> Table | None:
    """The table asked about: one that has all the columns, of a named entity, else the accelerators, else any."""
    names = dict.fromkeys([*(t for t, _ in part.entities), "accelerators", *book.tables])
    tables = [book.tables[n] for n in names if n in book.tables]
    wanted = {n for n, _, _ in part.conditions}
    return next((t for t in tables if wanted and all(t.column(n) for n in wanted)), None)


def _holds(row: Row, stated: Stated) -> bool:
    column, op, wanted = stated
    return row.number(column.name) is not None if op in ORDERS else meets(row, column.name, op, wanted)


def _ranked(rows: list[Row], stated: Sequence[Stated]) -> list[Row]:
    """Rows by the first order asked for, ties of the last place included; without one by the first column of numbers."""
    order = next((s for s in stated if s[1] in ORDERS), None)
    if order:
        column, op, count = order[0].name, order[1], max(1, int(order[2] or len(rows) or 1))
        sign = -1 if op in ("top", "falling") else 1
        rows.sort(key=lambda r: (sign * (r.number(column) or 0), r.name))
        last = rows[min(count, len(rows)) - 1].number(column) if rows else None
        return [r for i, r in enumerate(rows) if i < count or r.number(column) == last]
    by = next(((c.name, op) for c, op, _ in stated if c.kind == "number"), None)
    if by:
        sign = 1 if by[1] in ("<=", "<") else -1
        rows.sort(key=lambda r: (sign * (r.number(by[0]) or 0), r.name))
    return rows


def _need(part: Part, stated: Sequence[Stated], book: SpecBook, draft: Draft) -> None:
    """Where a condition on memory comes from a model: its parameters, and that weights are not all."""
    w = draft.wording
    model = next((r for t, i in part.entities if t == "models" and (r := book.row(t, i))), None)
    need = next((v for c, op, v in stated if c.name == "memory_gb" and op in (">=", ">")), None)
    if model and need and model.number("params_total"):
        count = size_name(model.number("params_total") or 0.0)
        draft.composer.values.append(Value("params_total", model.number("params_total"), None, count, scope=model.id))
        words = w("weights_need", model=model.name, params=count, need=amount(need, "GB", w))
        draft.composer.say(words, specs.cell_evidence(model, "params_total"))


def _none(pool: Sequence[Row], stated: Sequence[Stated], said: str, draft: Draft) -> None:
    """That nothing matches, on the evidence of the row that comes nearest in the first column of numbers."""
    words = draft.wording("filter_none", condition=said)
    key = next((c.name for c, _, _ in stated if c.kind == "number"), None)
    held = [r for r in pool if key and r.number(key) is not None]
    if key and held:
        nearest = max(held, key=lambda r: r.number(key) or 0)
        draft.composer.say(words, *specs.evidence_of(nearest, key))
    else:
        draft.composer.note(words)


def _tabulate(matching: Sequence[Row], columns: Sequence[Column], book: SpecBook, draft: Draft, whole: bool) -> None:
    composer, w = draft.composer, draft.wording
    most = len(matching) if whole else LONGEST

    def written(row: Row, column: Column) -> str:
        of = book.row(row.table, row.text(column.name) or "") if column.name == ORIGIN else None
        return of.name if of else specs.in_table(row, column, w)

    cells = [[r.name, *(written(r, c) for c in columns)] for r in matching]
    heads = (w("item"), *(c.label.of(w.language) for c in columns))
    fresh = composer.table is None
    lines = [(row, specs.evidence_of(r, *(c.name for c in columns))) for row, r in zip(cells, matching[:most], strict=False)]
    composer.tabulate(heads, lines, w("source"))
    composer.values += [specs.value_of(r, c, w) for r in matching[:most] for c in columns if r.cells[c.name].status == "known"]
    if rest := matching[most:]:
        composer.values.append(Value("matches_not_shown", float(len(rest)), "1", str(len(rest))))
        composer.say(w("filter_rest", count=len(rest)), *specs.evidence_of(rest[0], *(c.name for c in columns)))
    if fresh:
        composer.table = AnswerTable(heads, tuple(map(tuple, cells)))


def _heading(matching: Sequence[Row], stated: Sequence[Stated], w: Wording) -> str:
    """What stands over the rows: the conditions that they meet, or which of those that meet them come first."""
    order = next((s for s in stated if s[1] in ORDERS), None)
    if order is None:
        return w("filter", count=len(matching), condition=w.join([_condition(c, op, v, w) for c, op, v in stated]))
    column, op, count = order
    rest = w.join([_condition(c, o, v, w) for c, o, v in stated if o not in ORDERS])
    key = op if count != 1 else f"first:{op}" if len(matching) == 1 else f"tied:{op}"
    words = w(
        f"order:{key}",
        label=column.label.of(w.language), name=matching[0].name, value=specs.shown(matching[0], column, w), count=len(matching),
    )  # fmt: skip
    return w("among", condition=rest) + words if rest else words


def _condition(column: Column, op: str, wanted: Any, w: Wording) -> str:
    value = (
        (number(wanted) if op in ORDERS else specs.figure(wanted, column, w))
        if isinstance(wanted, int | float)
        else (w.join([str(x) for x in wanted]) if isinstance(wanted, list | tuple) else str(wanted))
    )
    if column.name == KIND and isinstance(wanted, list | tuple):
        group = str(wanted[0]) if len(wanted) == 1 else "gpu" if all("GPU" in str(k) for k in wanted) else "card"
        return w(f"kind:{group}")
    if column.name in specs.FORMATS and op in ("has", "lacks"):
        return w(f"op:{op}", label=specs.FORMATS[column.name], value="")
    if column.name == specs.BOTH_WAYS and op == "lacks":
        return w("op:lacks_link")
    of_column = f"op:{op}:{column.name}"
    key = of_column if w.has(of_column) else "op:has_text" if op == "has" and column.kind == "text" else f"op:{op}"
    return w(key, label=column.label.of(w.language), value=value)
