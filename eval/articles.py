"""The articles held against the tables: figures said of a thing must be its figures, and sums written out must come out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log10

from kb.ingest.chunk import sentences
from kb.ingest.corpus import Corpus
from kb.types.document import Document
from kb.types.lexicon import Lexicon
from kb.types.specs import Row, SpecBook

TABLES = ("accelerators", "systems", "cpus")
ROUNDING = 0.015  # what a figure in prose may lose against the cell
SUM_ROUNDING = 0.03  # what the result of a sum may lose

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
UNITS = {"TB/s": ("GB/s", 1000), "GB/s": ("GB/s", 1), "TB": ("GB", 1000), "GB": ("GB", 1), "kW": ("W", 1000), "W": ("W", 1)}
UNITS |= {"PFLOPS": ("TFLOP/s", 1000), "TFLOPS": ("TFLOP/s", 1)}
UNIT_OF_CELL = {"TB/s": ("GB/s", 1000), "TB": ("GB", 1000), "kW": ("W", 1000), "PFLOP/s": ("TFLOP/s", 1000)}
FIGURE = re.compile(rf"(?<![\w.])({NUMBER}) ?({'|'.join(map(re.escape, UNITS))})(?![\w/])")
# What may stand between a name and a figure that is said of it.
BOUND = re.compile(r"\s?(?:\(|（|has|have|offers?|draws?|with|is|：|:|是|有|提供|只有)?\s?")
COUNT = re.compile(r"(\d+) ?(?:×|张|台|块)? ?$")  # before a name: so many of it
# `a × b [unit] × … / c = d [unit]`: a product or quotient of numbers and what it is said to be.
FACTOR = rf"(?:\({NUMBER} [+−-] {NUMBER}\)|{NUMBER})"
WORD = r"(?: ?(?:B|T|Gb/s|GB/s|TFLOPS|GB|kW|W|bytes?|字节|cores|lanes|channels|条|个))?"
SUM = re.compile(rf"(?<![×/^] )(?<![\w.])({FACTOR}{WORD}(?: [×/] {FACTOR}{WORD})+) = ({NUMBER})")
OPERAND = re.compile(rf"(?:(×|/) )?({FACTOR})")


@dataclass(frozen=True, slots=True)
class Examined:
    """How many statements were found and compared, and those that do not hold, as text."""

    figures: int
    sums: int
    faults: tuple[str, ...]


def examine(corpus: Corpus) -> Examined:
    """Every article, in both languages."""
    named = _names(corpus.lexicon, corpus.book)
    articles = [document for document in corpus.documents if document.kind == "article"]
    figures = [found for document in articles for found in _figures(document, named)]
    sums = [found for document in articles for found in _sums(document)]
    return Examined(len(figures), len(sums), tuple(fault for fault in (*figures, *sums) if fault))


def _names(lexicon: Lexicon, book: SpecBook) -> Mapping[str, tuple[Row, ...]]:
    """Every name of a row of the tables, and the rows it may mean."""
    rows: dict[str, tuple[Row, ...]] = {row.name: (row,) for row in book.rows(*TABLES)}
    for term in lexicon.terms:
        if term.table in TABLES and term.rows:
            meant = tuple(row for id in term.rows if (row := book.row(term.table, id)) is not None)
            rows |= {alias.text: meant for alias in term.aliases if not alias.text.isdecimal()}
            rows[term.canonical] = meant
    return rows


def _figures(document: Document, named: Mapping[str, tuple[Row, ...]]) -> Iterator[str]:
    """For every figure that stands directly after a name: why it is not the thing's, or nothing."""
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(re.escape(n) for n in sorted(named, key=len, reverse=True))})(?![\w-])")
    reported = [(c.start, c.end) for c in document.claims if c.stance not in (None, "right")]
    for start, end in sentences(document.text, document.language):
        if any(a < end and start < b for a, b in reported):
            continue
        sentence = document.text[start:end]
        names = list(pattern.finditer(sentence))
        for name in names:
            figure = FIGURE.match(sentence, BOUND.match(sentence, name.end()).end())  # type: ignore[union-attr]
            if figure:
                unit, scale = UNITS[figure[2]]
                value = float(figure[1].replace(",", "")) * scale
                known = sorted({v for row in named[name[0]] for v in _values(row, unit)})
                count = int(found[1]) if (found := COUNT.search(sentence[: name.start()])) else 1
                wrong = known and not any(abs(value - n * v) <= ROUNDING * n * v for v in known for n in (1, count))
                yield f"{document.id}: {name[0]} … {figure[0]}, the table knows {known}" if wrong else ""


def _values(row: Row, unit: str) -> Iterator[float]:
    """All figures of a row in one unit, those of its notes included."""
    for cell in row.cells.values():
        if isinstance(cell.value, float | int) and not isinstance(cell.value, bool):
            own, scale = UNIT_OF_CELL.get(cell.unit or "", (cell.unit, 1))
            if own == unit:
                yield float(cell.value) * scale
    for figure in FIGURE.finditer(row.notes):
        own, scale = UNITS[figure[2]]
        if own == unit:
            yield float(figure[1].replace(",", "")) * scale


def _sums(document: Document) -> Iterator[str]:
    """For every sum written out: what it comes to instead, or nothing. Powers of 1000 and bits for bytes are units."""
    for found in SUM.finditer(document.text):
        value = 1.0
        for operator, factor in OPERAND.findall(found[1]):
            parts = [float(n.replace(",", "")) for n in re.findall(NUMBER, factor)]
            number = parts[0] if len(parts) == 1 else parts[0] + parts[1] * (1 if "+" in factor else -1)
            value = value / number if operator == "/" else value * number
        said = float(found[2].replace(",", ""))
        ratio = abs(value / said)
        bits = ratio / 8 if "Gb/s" in found[1] else ratio
        off = min(abs(10 ** (3 * round(log10(r) / 3)) / r - 1) for r in (ratio, bits))
        yield f"{document.id}: {found[0]}, it comes to {value:g}" if off > SUM_ROUNDING else ""


def shown(found: Examined) -> str:
    lines = [f"articles: {found.figures} figures said of a row of the tables and {found.sums} sums written out compared"]
    return "\n".join([*lines, *(f"  {fault}" for fault in found.faults)])
