"""Cells of the spec tables as answers state them: what lookups, comparisons and filters have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kb.answering.cite import Composer
from kb.answering.draft import Dispute, Draft
from kb.answering.render import amount, number, size_name
from kb.answering.tables.derived import parents
from kb.answering.wording import Wording
from kb.types.answer import Value
from kb.types.question import Part
from kb.types.source import CellLocator, Evidence
from kb.types.specs import Column, Row, SpecBook

# What a question about a device is about when it names no property.
USUAL = {
    "accelerators": ("memory_gb", "memory_bandwidth_gb_s", "bf16_dense_tflops", "interconnect_gb_s", "tdp_w"),
    "models": ("params_total", "params_active", "layers", "context", "attention"),
    "systems": (
        "accelerator_count",
        "accelerator_memory_total_gb",
        "ram_gb",
        "network_gbps_total",
        "local_storage_tb",
        "power_max_kw",
    ),
    "interconnects": ("gb_s_per_direction", "gb_s_bidirectional"),
    "storage_and_memory": ("seq_read_gb_s", "seq_write_gb_s", "gb_s_total"),
    "cpus": ("cores", "memory_channels", "memory_gb_s", "pcie_lanes", "tdp_w"),
}
FORMATS = {
    "bf16_dense_tflops": "BF16", "fp16_dense_tflops": "FP16", "fp8_dense_tflops": "FP8", "fp4_dense_tflops": "FP4",
    "tf32_dense_tflops": "TF32", "int8_dense_tops": "INT8",
}  # fmt: skip
# Told along with a column where the row has them: a rate with what it is made of, a total with what of it is active.
COMPANIONS = {
    "gb_s_per_direction": ("raw_gbps_per_port", "links_per_gpu"),
    "params_total": ("params_active",),
    "moe_experts": ("moe_top_k",),
}
BOTH_WAYS = "interconnect_gb_s"  # vendors quote the sum of both directions
MOST_DISPUTES = 2
LARGER = {"TFLOP/s": "PFLOP/s", "TOP/s": "POP/s"}  # the unit people use from a thousand on
PARAMETERS = ("params_total", "params_active")  # columns of numbers that people round: 37.6B


def cell_evidence(row: Row, column: str) -> Evidence:
    """The cell as evidence, its source titled with the row's name: a reader sees what the figure is of."""
    evidence = row.evidence(column)
    return replace(evidence, source=replace(evidence.source, title=f"{row.name} · {evidence.source.title}"))


def evidence_of(row: Row, *columns: str) -> tuple[Evidence, ...]:
    """The cells as evidence; of a derived column the cells that it follows from."""
    return tuple(cell_evidence(row, name) for column in columns for name in parents(column))


def columns_of(row: Row, part: Part, book: SpecBook) -> list[Column]:
    """The columns to state of a row: those asked for that its table has, or the usual ones."""
    table = book.tables[row.table]
    asked = [n for n in part.columns if table.column(n)]
    unkept = part.columns and not [n for n in part.columns if any(t.column(n) for t in book.tables.values())]
    names: Sequence[str] = asked or (() if unkept else USUAL.get(row.table, ()))
    link = row.cells.get(BOTH_WAYS)
    if link and link.status == "unsupported":  # that a card has no link says more than the name of none
        names = [BOTH_WAYS if n == "interconnect_name" else n for n in names]
    names = [
        n
        for name in names
        for n in (name, *(c for c in COMPANIONS.get(name, ()) if row.number(c) not in (None, row.number(name))))
    ]
    return [c for n in dict.fromkeys(names) if (c := table.column(n))]


def missing(row: Row, column: Column, composer: Composer, w: Wording) -> None:
    """Say why a cell holds no value, unless a corrected premise said so."""
    evidence, cell = evidence_of(row, column.name), row.cells[column.name]
    if "*" in column.name and cell.status == "unknown":
        composer.say(w("dense_only", name=row.name, label=column.label.of(w.language)), evidence[0])
        return
    if composer.stands_on(evidence[0]):
        return
    if cell.status == "unsupported":
        composer.say(denied("unsupported", row, column, w), *evidence)
        return
    told = {"name": row.name, "label": column.label.of(w.language), "source": cell.source.title, "date": cell.source.retrieved}
    composer.say(w(cell.state, **told), *evidence)


def denied(key: str, row: Row, column: Column, w: Wording) -> str:
    """That a row does not support what a column is about, in the words that fit the column."""
    label = column.label.of(w.language)
    if w.has(f"{key}:{column.name}"):
        return w(f"{key}:{column.name}", name=row.name, label=label)
    if column.name in FORMATS:
        return w(f"{key}_format", name=row.name, format=FORMATS[column.name])
    return w(key, name=row.name, label=label)


WIDER = (
    "fp4_dense_tflops",
    "fp8_dense_tflops",
    "bf16_dense_tflops",
    "fp16_dense_tflops",
)  # each wider than the one before, or as wide


def instead(row: Row, column: Column, draft: Draft) -> None:
    """Of a format that a row does not compute in: the next wider one that it has."""
    w, place = draft.wording, WIDER.index(column.name) + 1 if column.name in WIDER else len(WIDER)
    other = next((n for n in WIDER[place:] if row.number(n)), None)
    if other is None or draft.composer.stands_on(evidence_of(row, other)[0]):
        return
    value = shown(row, replace(column, name=other), w)
    draft.composer.values.append(Value(other, row.number(other), column.unit, value, scope=row.id))
    draft.composer.say(w("format_instead", format=FORMATS[other], value=value), *evidence_of(row, other))


BRIDGED = "bridge"  # in the name of a link: it joins a few cards, not all of a server


def bridged(rows: Iterable[Row], draft: Draft) -> None:
    """Of cards that a bridge joins: that the bandwidth of the link holds between those alone, and what joins all others."""
    w = draft.wording
    for row in rows:
        link = row.text("interconnect_name") or ""
        gen, lanes = row.number("pcie_gen"), row.number("pcie_lanes")
        if BRIDGED not in link or not gen or not lanes:
            continue
        words = w("bridged", name=row.name, link=link, gen=f"{gen:.1f}", lanes=number(lanes))
        draft.composer.known.append(words)
        draft.composer.say(words, *evidence_of(row, "interconnect_name", "pcie_gen", "pcie_lanes"))


def dispute(said: Iterable[tuple[Row, Column]], draft: Draft) -> None:
    """State what other sources print of the figures said, or of those that the cell's own source does not print: of the first few
    that sources contradict one another about."""
    w = draft.wording
    found = [(r, c, d) for r, c in said if (d := r.cells[c.name].disagreement)]
    for row, column, disagreement in found[: MOST_DISPUTES - len(draft.disputes)]:
        taken, label = cell_evidence(row, column.name), column.label.of(w.language)
        others = tuple(
            Evidence(o.source, CellLocator(row.table, row.id, column.name), disagreement.quote(o)) for o in disagreement.others
        )
        printed = w.join([w("prints", source=o.source.title, value=o.value) for o in disagreement.others])
        key = "disputed" if row.cells[column.name].status == "known" else "elsewhere"
        draft.composer.say(w(key, name=row.name, label=label, others=printed, taken=taken.quote), taken, *others)
        claim = w("claim", name=row.name, label=label)
        draft.disputes.append(Dispute(claim, taken, others, disagreement.why.of(w.language)))


def date(said: Iterable[tuple[Row, Column]], composer: Composer, w: Wording) -> None:
    """The date of the newest source once, and whether figures were read at second hand."""
    cells = [(r.cells[n], cell_evidence(r, n)) for r, c in said for n in parents(c.name)]
    dates = sorted({e.source.published or e.source.retrieved or "" for _, e in cells} - {""})
    if not dates:
        return
    first = next(e for _, e in cells if dates[-1] in (e.source.published, e.source.retrieved))
    unread = [e for c, e in cells if c.unread]
    second = [e for c, e in cells if c.second_hand]
    if unread:
        words = w("dated_unread" if len(unread) == len(cells) else "dated_partly_unread", date=dates[-1])
        composer.say(words, *dict.fromkeys((first, unread[0])))
    elif second:
        words = w("dated_secondary" if len(second) == len(cells) else "dated_partly", date=dates[-1])
        composer.say(words, *dict.fromkeys((first, second[0])))
    else:
        composer.say(w("dated", date=dates[-1]), first)


def shown(row: Row, column: Column, w: Wording) -> str:
    """A cell as an answer writes it."""
    cell = row.cells[column.name]
    if cell.status != "known":
        return w(f"{cell.state}_fact", label=column.label.of(w.language))
    rate, larger = row.number(column.name), LARGER.get(column.unit or "")
    if larger and rate and rate >= 1000:
        return w("both", binary=cell.quote, decimal=f"{number(rate / 1000)} {larger}")
    return _written(row, column)


NO_LINK = "none (PCIe only)"  # as the tables write it


def in_table(row: Row, column: Column, w: Wording) -> str:
    """A cell as a table writes it, under the label of its column."""
    cell = row.cells[column.name]
    written = _written(row, column) if cell.status == "known" else w(f"{cell.state}_cell")
    return w("no_link_cell") if written == NO_LINK else written


def figure(value: float, column: Column, w: Wording) -> str:
    """A number of a column as an answer writes it."""
    return size_name(value) if column.name in PARAMETERS else amount(value, column.unit, w)


def value_of(row: Row, column: Column, w: Wording) -> Value:
    """A known cell as a value of the answer, as sentences write it, its row as scope."""
    cell = row.cells[column.name]
    number = row.number(column.name)
    text = None if cell.value is None else str(cell.value)
    return Value(column.name, text if number is None else number, cell.unit, shown(row, column, w), scope=row.id)


def _written(row: Row, column: Column) -> str:
    held = row.number(column.name) if column.name in PARAMETERS else None
    return row.cells[column.name].quote if held is None else size_name(held)
