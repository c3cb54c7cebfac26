"""The spec tables: one TOML file per entity becomes a row of cells, each with its unit, status and source.

specs/schema.toml            tables and columns
specs/limits.toml            what no figure may exceed
specs/<table>/<id>.toml      id, name, the columns that are known, [source], and where needed [sources.<column>] or
                             [sources."<column>, <column>"], [disagreement.<column>] and [notes]
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from kb.errors import CorpusFault
from kb.ingest.spec_copy import dump_specs, load_specs
from kb.ingest.spec_limits import check_limits, check_silent, read_limits
from kb.ingest.spec_schema import Complain, TableSchema, read_schema, read_toml
from kb.ingest.spec_source import disagreement_of, source_of
from kb.types.source import Source
from kb.types.specs import CONVENTION, UNPUBLISHED, Cell, Column, Row, SpecBook, Status, Table

__all__ = ["dump_specs", "load_specs", "read_specs"]

OWN_KEYS = {"id", "name", "source", "sources", "notes", "disagreement"}
QUANTITY = re.compile(r"(-?\d+(?:\.\d+)?) (\S.*)")
STATUSES: dict[str, Status] = {"unknown": "unknown", UNPUBLISHED: "unknown", "unsupported": "unsupported"}


def read_specs(path: Path) -> SpecBook:
    """The book of the folder `path`; raises CorpusFault with every fault of every file at once."""
    faults: list[str] = []

    def complain(file: str, key: str, what: str) -> None:
        faults.append(f"specs/{file}: {key}: {what}" if key else f"specs/{file}: {what}")

    schemas = read_schema(path / "schema.toml", partial(complain, "schema.toml"))
    tables = {
        schema.name: Table(schema.name, schema.label, schema.columns, dict(_rows(path / schema.name, schema, complain)))
        for schema in schemas
    }
    for folder in sorted(p.name for p in path.iterdir() if p.is_dir()) if path.is_dir() else ():
        if folder not in tables:
            complain(folder, "", f"is no table of the schema; tables are {', '.join(tables)}")
    book = SpecBook(tables)
    for schema in schemas:
        _check_rows(book, schema, complain)
    _check_sources(book, complain)
    limits = read_limits(path / "limits.toml", partial(complain, "limits.toml"))
    for row in book.rows():
        check_silent(row, limits, partial(complain, f"{row.table}/{row.id}.toml"))
    for row in book.rows("accelerators"):
        check_limits(row, limits, partial(complain, f"accelerators/{row.id}.toml"))
    for id in limits.uncounted:
        if book.row("models", id) is None:
            complain("limits.toml", f"uncounted.{id}", f"there is no models/{id}.toml")
    if faults:
        raise CorpusFault(tuple(faults))
    return book


def _rows(folder: Path, schema: TableSchema, complain: Any) -> Iterable[tuple[str, Row]]:
    for file in sorted(folder.glob("*.toml")):
        if (row := _row(file, schema, partial(complain, f"{schema.name}/{file.name}"))) is not None:
            yield file.stem, row


def _row(file: Path, schema: TableSchema, complain: Complain) -> Row | None:
    """The row of a file, or None when the file does not parse."""
    raw = read_toml(file, complain)
    if not raw:
        return None
    columns = {column.name: column for column in schema.columns}
    sources, disputes = (_section(raw, section, columns, complain) for section in ("sources", "disagreement"))
    for key in ("id", "name"):
        if not isinstance(raw.get(key), str) or not raw[key].strip():
            complain(key, "is missing")
    if raw.get("id", file.stem) != file.stem:
        complain("id", f"is {raw['id']!r}; it must be the name of the file, {file.stem!r}")
    for key in sorted(raw.keys() - OWN_KEYS - columns.keys()):
        complain(key, f"is no column; columns are {', '.join(columns)}")
    base = source_of(raw.get("source"), schema.source_kind, "source", complain)
    own = {name: {"title": title, "url": "", "confidence": CONVENTION} for name, title in schema.conventions.items()}
    told: Mapping[str, Any] = {**own, **sources}
    cells = {}
    for name, column in columns.items():
        source, confidence, note = base[0], base[1], schema.notes.get(name)
        if name in told:
            source, confidence, note = source_of(told[name], schema.source_kind, f"sources.{name}", complain, raw.get("source"))
        value, status, quote = _value(raw.get(name, "unknown"), column, complain)
        dispute = disagreement_of(disputes[name], source, quote, f"disagreement.{name}", complain) if name in disputes else None
        cells[name] = Cell(value, column.unit, status, source, quote, note, confidence, dispute)
        _check_gap(name, cells[name], name in raw, name in schema.complete, complain)
    return Row(schema.name, file.stem, str(raw.get("name", "")), cells, *_notes(raw.get("notes", {}), complain))


def _check_gap(name: str, cell: Cell, given: bool, complete: bool, complain: Complain) -> None:
    """Only a source that was read can be said not to print a figure, and by whom where it was read at second hand; a column of
    `complete` says why a cell is empty."""
    read = not (cell.second_hand or cell.unread)
    if cell.state == "unpublished" and not read and (cell.unread or not cell.note):
        complain(
            name,
            f'is "{UNPUBLISHED}", but its source was not read ({cell.confidence}): write "unknown", or say in the note who read it',
        )
    elif complete and not given:
        complain(name, f'is left out; write the figure, "unsupported", "{UNPUBLISHED}" or "unknown"')
    elif complete and cell.state == "unknown" and read:
        complain(name, f'is "unknown", but its source was read ({cell.confidence}): write "{UNPUBLISHED}" where it prints none')


def _section(raw: Mapping[str, Any], section: str, columns: Mapping[str, Column], complain: Complain) -> Mapping[str, Any]:
    """`[sources]` or `[disagreement]`: a table by column; a key may name several columns, separated by commas."""
    raw_section = raw.get(section, {})
    if not isinstance(raw_section, Mapping):
        complain(section, f"wants tables, [{section}.<column>]")
        return {}
    found = {column.strip(): told for key, told in raw_section.items() for column in key.split(",")}
    for key in sorted(found.keys() - columns.keys()):
        complain(f"{section}.{key}", "is about no column of the table")
    return found


def _notes(raw: Any, complain: Complain) -> tuple[str, str]:
    if not isinstance(raw, Mapping) or raw.keys() - {"en", "zh"} or not all(isinstance(text, str) for text in raw.values()):
        complain("notes", "wants texts, [notes] en = ... and zh = ...")
        return "", ""
    return raw.get("en", ""), raw.get("zh", "")


def _value(raw: Any, column: Column, complain: Complain) -> tuple[float | str | bool | None, Status, str]:
    """Value, status and quote of a cell; a fault reads as unknown."""
    unknown: tuple[None, Status, str] = (None, "unknown", "unknown")
    if isinstance(raw, str) and raw in STATUSES:
        return None, STATUSES[raw], raw
    if column.kind == "flag":
        if isinstance(raw, bool):
            return raw, "known", "yes" if raw else "no"
        complain(column.name, f"is {raw!r}; a flag is true or false")
        return unknown
    if column.kind == "text":
        if isinstance(raw, str) and raw.strip():
            return raw, "known", raw
        complain(column.name, f'is {raw!r}; wants a text, "unsupported", "{UNPUBLISHED}" or "unknown"')
        return unknown
    number = _number(raw, column, complain)
    if number is None:
        return unknown
    if (column.low is not None and number < column.low) or (column.high is not None and number > column.high):
        complain(column.name, f"is {raw!r}; allowed is {column.low} to {column.high}")
    return number, "known", str(raw)


def _number(raw: Any, column: Column, complain: Complain) -> float | None:
    if column.unit is None:
        if isinstance(raw, int | float) and not isinstance(raw, bool) and math.isfinite(raw):
            return raw
        complain(column.name, f"is {raw!r}; wants a plain number")
        return None
    match = QUANTITY.fullmatch(raw) if isinstance(raw, str) else None
    if match is None:
        complain(column.name, f'is {raw!r}; wants a number with its unit, like "1 {column.unit}"')
        return None
    if match[2] != column.unit:
        complain(column.name, f"is in {match[2]!r}; the unit of this column is {column.unit}")
    return float(match[1]) if "." in match[1] else int(match[1])


def _check_rows(book: SpecBook, schema: TableSchema, complain: Any) -> None:
    """What one row alone does not show: names once only, references that resolve, words allowed, rates in their order."""
    names: dict[str, str] = {}
    for row in book.rows(schema.name):
        file = f"{schema.name}/{row.id}.toml"
        if (first := names.setdefault(row.name.casefold(), row.id)) != row.id:
            complain(file, "name", f"is {row.name!r}, which {first}.toml has already")
        for column, table in schema.refers.items():
            if (target := row.text(column)) is not None and book.row(table, target) is None:
                complain(file, column, f"is {target!r}; there is no {table}/{target}.toml")
        for column, allowed in schema.among.items():
            if (text := row.text(column)) is not None and text not in allowed:
                complain(file, column, f"is {text!r}; allowed are {', '.join(allowed)}")
        for column in schema.required:
            if row.cells[column].status != "known":
                complain(file, column, "is missing; every row of this table gives it")
        rates = [(column, rate) for column in schema.rising if (rate := row.number(column)) is not None]
        for (slow, below), (fast, above) in pairwise(rates):
            if above < below:
                complain(file, fast, f"is {above:g}, less than {slow} ({below:g}); a sparse or a swapped figure?")


def _check_sources(book: SpecBook, complain: Any) -> None:
    """One title, one address: a citation finds its source by the title alone."""
    addresses: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for row in book.rows():
        for source in _sources(row):
            addresses[source.id].setdefault(source.url, f"{row.table}/{row.id}.toml")
    for id, found in addresses.items():
        if len(found) > 1:
            where = "; ".join(f"{url or 'no url'} in {file}" for url, file in found.items())
            complain(next(iter(found.values())), "source.title", f"{id!r} has more than one url: {where}")


def _sources(row: Row) -> Iterable[Source]:
    for cell in row.cells.values():
        yield cell.source
        yield from (dissent.source for dissent in cell.disagreement.others) if cell.disagreement else ()
