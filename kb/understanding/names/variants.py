"""Several variants of one card named together: `A100 40G和80G`, 有 sxm 和 pcie 版, `the SXM` after the PCIe, all versions there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from kb.types.specs import Row, SpecBook
from kb.understanding.names.cards import FORM_NAMES, Card, choose, read_card
from kb.understanding.names.matching import Name

ANOTHER = re.compile(r"\s?(?:和|与|跟|vs\.?|/|还是|or|and|、)\s?(?P<mem>\d{2,3})(?:\s?gb?)?(?![a-z0-9/.%]|\s?[张块卡台个路人])")
FORM_ALONE = re.compile(r"(?:the|than|vs\.?|和|跟|与|比|还是|/|、|or|and)\s?(sxm\d?|pcie|nvl)(?![a-z0-9])")
AND = r"(?:和|与|跟|、|/|还是|or|and|vs\.?)"
MEMORY = re.compile(
    rf"(?<![a-z\d.])(\d{{1,3}})\s?(?:gb?(?![a-z0-9/])|(?=\s?(?:{AND}\s?\d|版)))|{AND}\s?(\d{{2,3}})(?![a-z0-9.])"
)
FORM = re.compile(r"(?<![a-z])(sxm\d?|pcie|nvl)(?![a-z0-9])")
VERSIONS = re.compile(
    r"\s?(?:有|出|分)?(?:了)?(?:几|哪|多少|什么)(?:个|些|种|几个)?(?:不同的?)?(?:版本|型号|变体)|\s?的?(?:各|所有|全部|不同|几个|两个)(?:个|种)?版本"
)
VERSIONS_OF = re.compile(
    r"(?<![a-z])(?:what|which|how many|all|list(?: the)?|different) (?:different |of the )?(?:versions?|variants?|editions?)"
    r"(?: (?:are there|exist))? (?:of|does|do|has|is there of) (?:the |an? )?(?:nvidia |amd )?$"
)
EDITION = r"\s?(?:edition|version|版本?)"
COMMON = {
    "server": "服务器",
    "workstation": "工作站",
    "passive": "被动",
    "active": "主动",
}  # words that name an edition only as one
ATTACHED = re.compile(r"[ \-(]{0,2}的?")
NOT = re.compile(r"(?:(?<![a-z])(?:not|no)(?: the| a)?|不是|不要|非)\s?$")
STOP = re.compile(r"[?。!;\n]")
REACH = 40  # characters behind a card in which another variant of it may be named


def read_cards(name: Name, low: str, book: SpecBook) -> list[Card]:
    """The card of a name, and the variants of it named beside it by their memory, form or edition alone."""
    card = read_card(name, low, book)
    rows = [r for id in card.term.rows if (r := book.row("accelerators", id))]
    if len(rows) < 2:
        return [card]
    if not card.memory and (VERSIONS.match(low, card.end) or VERSIONS_OF.search(low, 0, card.start)):
        return [replace(card, row=rows[0].id, assumed=None), *(Card(card.end, card.end, card.term, r.id) for r in rows[1:])]
    if several := _named_together(card, name, low, rows, book):
        return several
    if second := _second(card, name, low, rows, book):
        return [card, second]
    return [card]


def _second(card: Card, name: Name, low: str, rows: list[Row], book: SpecBook) -> Card | None:
    other, sizes = ANOTHER.match(low, card.end), {m for r in rows if (m := r.number("memory_gb"))}
    if card.memory and other and other["mem"] and float(other["mem"]) in sizes - {card.memory}:
        row, assumed, _ = choose(card.term, float(other["mem"]), card.form and card.form.lower(), low, name, book)
        return Card(other.start("mem"), other.end(), card.term, row, float(other["mem"]), card.form, assumed)
    for other in FORM_ALONE.finditer(low, card.end, card.end + 80) if card.form else ():
        short = other[1][:3] if other[1][:3] in FORM_NAMES else other[1]
        row, assumed, _ = choose(card.term, card.memory, short, low, name, book)
        if FORM_NAMES.get(short, short) != card.form and row != card.row:
            return Card(other.start(1), other.end(1), card.term, row, None, FORM_NAMES.get(short, short), assumed)
    return None


def _named_together(card: Card, name: Name, low: str, rows: list[Row], book: SpecBook) -> list[Card]:
    """The variants that words behind a card name; an edition right behind it is that of the card itself."""
    editions = _editions(tuple((r.id, r.name) for r in rows))
    start = ATTACHED.match(low, card.end)
    for row, written in editions:
        if start and (own := written.match(low, start.end())):
            return [replace(card, end=own.end(), row=row, assumed=None)]
    stop = STOP.search(low, card.end, card.end + REACH)
    end = stop.start() if stop else card.end + REACH
    found = [
        (*m.span(), row)
        for row, written in editions
        for m in written.finditer(low, card.end, end)
        if not NOT.search(low, 0, m.start())
    ]
    found += _by(card, name, low, end, rows, book)
    named = {row: (start, stop) for start, stop, row in sorted(found)}
    if not named:
        return []
    if card.row in named or (card.assumed and len(named) > 1):
        card = replace(card, row=card.row if card.row in named else next(iter(named)))
    return [replace(card, assumed=None), *(Card(a, b, card.term, row) for row, (a, b) in named.items())]


def _by(card: Card, name: Name, low: str, end: int, rows: list[Row], book: SpecBook) -> Iterator[tuple[int, int, str]]:
    """Two or more memories, or two or more forms, of the variants of a card."""
    sizes = {m for r in rows if (m := r.number("memory_gb"))}
    memories = [
        (m.span(1 if m[1] else 2), float(m[1] or m[2]))
        for m in MEMORY.finditer(low, card.end, end)
        if float(m[1] or m[2]) in sizes
    ]
    forms = [(m.span(1), m[1][:3] if m[1][:3] in FORM_NAMES else m[1]) for m in FORM.finditer(low, card.end, end)]
    for span, memory in memories if len({m for _, m in memories}) > 1 else ():
        if row := choose(card.term, memory, card.form and card.form.lower(), low, name, book)[0]:
            yield *span, row
    for span, form in forms if len({f for _, f in forms}) > 1 else ():
        if row := choose(card.term, card.memory, form, low, name, book)[0]:
            yield *span, row


@cache
def _editions(term_rows: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(row, how its edition is written) of (row, name) that differ by a word of their names: Max-Q, Server."""
    words = {id: set(re.findall(r"[a-z][a-z-]+", name.partition(" (")[0].lower())) for id, name in term_rows}
    out = []
    for id, own in words.items():
        marks = own.difference(*(w for r, w in words.items() if r != id), FORM_NAMES, ("gb", "sxm"))
        for mark in sorted(marks):
            bare = re.escape(mark).replace(r"\-", "[ -]?")
            written = rf"(?:(?:{bare}|{COMMON[mark]}){EDITION}|(?<=\(){bare})" if mark in COMMON else rf"{bare}(?:{EDITION})?"
            out.append((id, re.compile(rf"(?<![a-z0-9])(?:{written})(?![a-z0-9])")))
    return tuple(out)
