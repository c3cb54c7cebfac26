"""The spec tables examined: does everything read and add up, which facts are oldest, and a sample of cells to check by hand."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.ingest.corpus import read_corpus
from kb.ingest.spec_schema import read_schema
from kb.sizing.shape import counted
from kb.types.assumptions import Assumptions
from kb.types.specs import CONVENTION, Cell, Row, SpecBook

TOLERANCE = 0.01  # of a model's total against the count of its shape
OWN_COUNTS = ("params_total", "params_active")
SHEETLESS = "no public data sheet"  # how the source of a cell is called where the maker prints none of the chip


@dataclass(frozen=True, slots=True)
class Totals:
    """`agree` model rows of `given` that publish a total and a shape; `off`: those that differ, by id, as a ratio - 1."""

    given: int
    agree: int
    off: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Gap:
    """Columns of a row that hold no figure for one reason: their source was read and prints none, or no source that prints one
    could be read. `source` is what the cells name, `read` the day it was consulted."""

    row: str
    columns: tuple[str, ...]
    source: str
    read: str


@dataclass(frozen=True, slots=True)
class Gaps:
    """Of a table whose schema says what a row must tell: `complete` of its `rows` hold a figure or "unsupported" in all of these
    columns; what the others lack, by reason. `sheetless`: rows of what has no public data sheet."""

    table: str
    rows: int
    complete: int
    sheetless: tuple[str, ...]
    unpublished: tuple[Gap, ...]
    unknown: tuple[Gap, ...]

    @property
    def full(self) -> int:
        """Rows with a public data sheet that hold all of these columns, or say that what was read prints none."""
        return self.rows - len(set(self.sheetless) | {gap.row for gap in self.unknown})


@dataclass(frozen=True, slots=True)
class Audit:
    """`unexplained`: models off by more than the tolerance that specs/limits.toml does not list, a fault;
    `needless`: listed ones that agree by now."""

    rows: int
    cells: int
    totals: Totals
    gaps: tuple[Gaps, ...]
    unexplained: tuple[str, ...]
    needless: tuple[str, ...]
    oldest: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Sampled:
    row: Row
    column: str
    cell: Cell


def audit(corpus: Path, oldest: int = 10) -> Audit:
    """Examine the corpus folder; raises CorpusFault with every fault when something does not read."""
    read = read_corpus(corpus)
    limits = tomllib.loads((corpus / "specs" / "limits.toml").read_text(encoding="utf-8"))
    totals, listed = totals_of(read.book, read.assumptions), set(limits["uncounted"])
    known = _known(read.book)
    schemas = read_schema(corpus / "specs" / "schema.toml", lambda *_: None)  # read_corpus has complained
    due = {schema.name: schema.complete for schema in schemas if schema.complete}
    return Audit(
        rows=sum(1 for _ in read.book.rows()),
        cells=len(known),
        totals=totals,
        gaps=tuple(gaps_of(read.book, name, columns) for name, columns in due.items()),
        unexplained=tuple(sorted(totals.off.keys() - listed)),
        needless=tuple(sorted(id for id in listed - totals.off.keys() if _has_total(read.book, id))),
        oldest=oldest_of(read.book, oldest),
    )


def totals_of(book: SpecBook, assumptions: Assumptions) -> Totals:
    """The total of every model counted from its shape, against the one published."""
    given, off = 0, {}
    for row in book.rows("models"):
        shape = {name: cell.value for name, cell in row.cells.items() if cell.value is not None and name not in OWN_COUNTS}
        published = row.number("params_total")
        if published and row.number("layers") and row.number("hidden"):
            given += 1
            ratio = counted(shape, assumptions)["params_total"] / published - 1
            if abs(ratio) > TOLERANCE:
                off[row.id] = ratio
    return Totals(given, given - len(off), off)


def gaps_of(book: SpecBook, table: str, columns: Collection[str]) -> Gaps:
    """What rows of a table lack of these columns, and why."""
    found: dict[str, list[Gap]] = {"unpublished": [], "unknown": []}
    for row in book.rows(table):
        for state, gaps in found.items():
            by_source: dict[tuple[str, str], list[str]] = {}
            for column in (c for c in columns if row.cells[c].state == state):
                source = row.cells[column].source
                by_source.setdefault((source.title, source.retrieved or ""), []).append(column)
            gaps += [Gap(row.id, tuple(names), title, read) for (title, read), names in by_source.items()]
    lacking = {gap.row for gaps in found.values() for gap in gaps}
    rows = sum(1 for _ in book.rows(table))
    sheetless = tuple(row.id for row in book.rows(table) if any(SHEETLESS in c.source.title for c in row.cells.values()))
    return Gaps(table, rows, rows - len(lacking), sheetless, tuple(found["unpublished"]), tuple(found["unknown"]))


def oldest_of(book: SpecBook, count: int) -> tuple[tuple[str, int, str], ...]:
    """Date, cells and title of the sources that are oldest: what to look at first when refreshing."""
    cells = Counter((s.cell.source.published or s.cell.source.retrieved or "", s.cell.source.title) for s in _known(book))
    return tuple((date, n, title) for (date, title), n in sorted(cells.items())[:count])


def sample(book: SpecBook, seed: int, count: int) -> tuple[Sampled, ...]:
    """Known cells drawn without replacement, of those that rest on a document; the same seed and book give the same cells."""
    cells = [s for s in _known(book) if s.cell.confidence != CONVENTION]
    return tuple(random.Random(seed).sample(cells, min(count, len(cells))))


def shown(audit: Audit) -> str:
    """The audit as text."""
    totals = audit.totals
    lines = [f"{audit.rows} rows, {audit.cells} known cells; schema, units, ranges, limits, references, names: no fault"]
    lines.append(f"parameter totals: {totals.agree} of {totals.given} models agree with their shape within {TOLERANCE:.0%}")
    lines += [
        f"  {id}: {ratio:+.1%}{'' if id not in audit.unexplained else '  NOT EXPLAINED in specs/limits.toml'}"
        for id, ratio in totals.off.items()
    ]
    lines += [f"  {id}: agrees by now, its entry in specs/limits.toml can go" for id in audit.needless]
    for gaps in audit.gaps:
        lines.append(f"{gaps.table}: {gaps.complete} of {gaps.rows} rows are complete")
        lines.append(
            f"  with a public data sheet: {gaps.rows - len(gaps.sheetless)} rows, {gaps.full} of them complete as far as it goes"
        )
        lines.append(f"  without one: {', '.join(gaps.sheetless) or 'none'}")
        lines += _listed("not published by the source that was read", gaps.unpublished)
        lines += _listed("open, no source that says it could be read", gaps.unknown)
    lines.append("oldest facts:")
    lines += [f"  {date:10}  {n:4} cells  {title}" for date, n, title in audit.oldest]
    return "\n".join(lines)


def listed(cells: tuple[Sampled, ...]) -> str:
    """The sample, one cell a line: where it is, what it says, and on whose word."""
    return "\n".join(
        f"{n:3}  {s.row.table}/{s.row.id}/{s.column} = {s.cell.quote}  [{s.cell.confidence}]  {s.cell.source.title}  {s.cell.source.url}"
        + (f"  ({s.cell.note})" if s.cell.note else "")
        for n, s in enumerate(cells, 1)
    )


def _listed(reason: str, gaps: Collection[Gap]) -> list[str]:
    lines = [f"  {reason}: {sum(len(g.columns) for g in gaps)} cells of {len({g.row for g in gaps})} rows"]
    return lines + [f"    {g.row}: {', '.join(g.columns)}  [{g.source}, {g.read}]" for g in gaps]


def _known(book: SpecBook) -> list[Sampled]:
    return [Sampled(r, c, r.cells[c]) for r in book.rows() for c in r.cells if r.cells[c].status == "known"]


def _has_total(book: SpecBook, id: str) -> bool:
    row = book.row("models", id)
    return row is not None and row.number("params_total") is not None
