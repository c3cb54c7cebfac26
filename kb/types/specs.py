"""The spec table as values: tables of rows of cells, each cell with its unit, status and source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from kb.types.source import CellLocator, Evidence, Source

Status = Literal["known", "unsupported", "unknown"]
UNPUBLISHED = "not published"  # the quote of an unknown cell whose source was read and does not print it
SECOND_HAND = ("secondary", "third-party", "preset")  # words of a confidence: the figure was read at second hand
UNREAD = "general knowledge"  # likewise: no document was read at all
CONVENTION = "convention"  # likewise: the table decides it, as the class of a chip; there is nothing to read


@dataclass(frozen=True, slots=True)
class Bilingual:
    """A short text in both languages."""

    en: str
    zh: str

    def of(self, language: str) -> str:
        return self.en if language == "en" else self.zh


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds. `unit` None: text, or a count; `low`/`high`: the range a value may lie in."""

    name: str
    kind: Literal["number", "text", "flag"]
    unit: str | None
    label: Bilingual
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Dissent:
    """What another source says of the same fact; `value` as it prints it."""

    value: str
    source: Source


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Sources that contradict one another about a cell: the value taken, the others, and why that one."""

    taken: str
    others: tuple[Dissent, ...]
    why: Bilingual

    def quote(self, other: Dissent) -> str:
        """What another source prints, held against what is taken: the text of its citation."""
        return f"{other.value} (≠ {self.taken})"


@dataclass(frozen=True, slots=True)
class Cell:
    """One fact. `quote` is the cell as a reader sees it: `80 GB`, `unsupported`, `GQA`."""

    value: float | str | bool | None
    unit: str | None
    status: Status
    source: Source
    quote: str
    note: str | None = None
    confidence: str | None = None
    disagreement: Disagreement | None = None

    @property
    def state(self) -> Status | Literal["unpublished"]:
        """The status; of what is unknown also whether the source of the cell was read in vain."""
        return "unpublished" if self.quote == UNPUBLISHED else self.status

    @property
    def second_hand(self) -> bool:
        """Whether the document that the cell names was known only through others."""
        return any(word in (self.confidence or "") for word in SECOND_HAND)

    @property
    def unread(self) -> bool:
        """Whether no document was read for the cell."""
        return UNREAD in (self.confidence or "")


@dataclass(frozen=True, slots=True)
class Row:
    """One entity: a chip, a server, a link, a model. `notes` and `notes_zh` say what the cells cannot."""

    table: str
    id: str
    name: str
    cells: Mapping[str, Cell]
    notes: str = ""
    notes_zh: str = ""

    def number(self, column: str) -> float | None:
        """The numeric value of a cell, or None when it is unknown, unsupported or no number."""
        cell = self.cells.get(column)
        value = cell.value if cell else None
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    def text(self, column: str) -> str | None:
        """The text of a cell, or None."""
        cell = self.cells.get(column)
        return cell.value if cell and isinstance(cell.value, str) else None

    def evidence(self, column: str) -> Evidence:
        """The cell as evidence for a citation; raises KeyError for a column the row has not."""
        cell = self.cells[column]
        return Evidence(cell.source, CellLocator(self.table, self.id, column), cell.quote)


@dataclass(frozen=True, slots=True)
class Table:
    """Columns in order, and rows by id."""

    name: str
    label: Bilingual
    columns: tuple[Column, ...]
    rows: Mapping[str, Row]

    def column(self, name: str) -> Column | None:
        return next((c for c in self.columns if c.name == name), None)


@dataclass(frozen=True, slots=True)
class SpecBook:
    """All spec tables."""

    tables: Mapping[str, Table] = field(default_factory=dict)

    def row(self, table: str, id: str) -> Row | None:
        found = self.tables.get(table)
        return found.rows.get(id) if found else None

    def rows(self, *tables: str) -> Iterator[Row]:
        """Rows of the named tables, or of all."""
        for name in tables or tuple(self.tables):
            if name in self.tables:
                yield from self.tables[name].rows.values()
