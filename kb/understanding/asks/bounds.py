"""A card that is named as a bound: `more memory bandwidth than an H100`, `带宽比 H100 高的卡`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.types.specs import SpecBook
from kb.understanding.asks.ranking import card_column
from kb.understanding.found import Found

MORE, LESS = r"more|higher|larger|bigger|greater|faster", r"less|lower|smaller|fewer|slower"
THAN = re.compile(
    rf"(?<![a-z])(?:(?P<more>{MORE})|{LESS})(?![a-z])(?P<of>[^,.;?]{{0,40}}?)(?<![a-z])than(?: that of)?(?: an?| the| one| my)? ?$"
)
COMPARED = re.compile(r"(?P<of>[^,，。;?]{0,24})比(?:一?[张块])?\s?$")
HOW = re.compile(r"\s?(?:的)?(?P<of>[^,，。;?]{0,10}?)(?:更|还|要)?(?:(?P<more>高|大|多|快|强)|低|小|少|慢)")


def bound_of(low: str, start: int, end: int, found: Sequence[Found], book: SpecBook) -> tuple[str, str, float] | None:
    """(column, `>` or `<`, what the only card named in low[start:end] has of it); None where it is no bound."""
    cards = [f for f in found if f.quantity == "gpu" and start <= f.start < end]
    row = book.row("accelerators", str(cards[0].extra.get("row"))) if len(cards) == 1 else None
    if row is None:
        return None
    before, after = low[start : cards[0].start], low[cards[0].end : end]
    said, how = THAN.search(before), HOW.match(after)
    if said is None and how and (compared := COMPARED.search(before)):
        said, of = how, how["of"] or compared["of"]
    elif said:
        of = said["of"]
    else:
        return None
    column = card_column(of.strip())
    value = row.number(column) if column and "/" not in column else None
    return (column, ">" if said["more"] else "<", value) if column and value else None
