"""Rows of the spec tables as short texts in both languages, so that a search finds a row by its names and its figures."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from kb.types.document import Document, PassageLanguage
from kb.types.source import DocumentId
from kb.types.specs import Bilingual, Cell, Column, Row, SpecBook, Table

LANGUAGES: tuple[PassageLanguage, ...] = ("zh", "en")
UNSUPPORTED = Bilingual("Not supported", "不支持")
FLAGS = {"yes": Bilingual("yes", "是"), "no": Bilingual("no", "否")}
COMMA, SEMICOLON, COLON, STOP = (Bilingual(", ", "、"), Bilingual("; ", "；"), Bilingual(": ", "："), Bilingual(". ", "。"))


def spec_documents(book: SpecBook) -> tuple[Document, ...]:
    """Every row, once in each language."""
    names = {row.id: row.name for row in book.rows()}
    return tuple(
        _document(table, row, language, names)
        for table in book.tables.values()
        for row in table.rows.values()
        for language in LANGUAGES
    )


def row_text(table: Table, row: Row, language: str, names: Mapping[str, str]) -> str:
    """All that is known of the row in a few sentences: name and table, known cells, what it does not support, notes.

    `names` by row id: a cell that points to another row is shown by that row's name."""
    facts = [(column, row.cells[column.name]) for column in table.columns]
    known = [(column, cell) for column, cell in facts if cell.status == "known" and cell.quote != row.name]
    lacking = [column for column, cell in facts if cell.status == "unsupported"]
    sentences = [COLON.of(language).join((row.name, table.label.of(language)))]
    sentences.append(SEMICOLON.of(language).join(_phrases(known, language, names)))
    if lacking:
        labels = COMMA.of(language).join(column.label.of(language) for column in lacking)
        sentences.append(COLON.of(language).join((UNSUPPORTED.of(language), labels)))
    sentences.append(row.notes if language == "en" else row.notes_zh)
    stop = STOP.of(language)
    return unicodedata.normalize("NFC", stop.join(s.rstrip(" .。") for s in sentences if s) + stop.rstrip())


def _phrases(facts: Iterable[tuple[Column, Cell]], language: str, names: Mapping[str, str]) -> Iterable[str]:
    """`memory 80 GB`; neighbours of one kind together: `dense compute: FP16 312, BF16 312 TFLOP/s`."""
    for (topic, unit), group in groupby(facts, key=lambda fact: (_topic(fact[0], language), fact[0].unit)):
        members = list(group)
        if len(members) == 1 or not topic:
            for column, cell in members:
                shown = FLAGS[cell.quote].of(language) if column.kind == "flag" else names.get(cell.quote, cell.quote)
                yield f"{column.label.of(language)} {shown}"
        else:
            short = [
                f"{column.label.of(language).split(' ')[0]} {cell.quote.removesuffix(f' {unit}')}" for column, cell in members
            ]
            yield f"{topic}{COLON.of(language)}{COMMA.of(language).join(short)} {unit}"


def _topic(column: Column, language: str) -> str:
    """What neighbouring columns have in common: the label of a quantity without its first word."""
    return column.label.of(language).partition(" ")[2] if column.unit else ""


def _document(table: Table, row: Row, language: PassageLanguage, names: Mapping[str, str]) -> Document:
    source = Counter(cell.source for cell in row.cells.values()).most_common(1)[0][0]
    topic = f"specs/{table.name}/{row.id}"
    return Document(
        id=DocumentId(f"{topic}.{language}"),
        kind=source.kind,
        title=unicodedata.normalize("NFC", row.name),
        url=source.url,
        language=language,
        text=row_text(table, row, language, names),
        topic=topic,
        published=source.published,
        retrieved=source.retrieved,
        entity=(table.name, row.id),
    )
