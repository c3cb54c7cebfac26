"""Families of models: which member a size names, the versions of a family, the member that is meant when no size is said."""

from __future__ import annotations

import math
import re

from kb.types.lexicon import Lexicon, Term
from kb.types.specs import SpecBook

SEES_OR_HEARS = re.compile(r"[ -](?:vl|vision|omni|audio)(?![a-z])")  # behind a family whose language model it has
TYPICAL = 7.5e9  # parameters of the size of a family that people mean when they say none


class Families:
    """The families of the lexicon with the rows of their members."""

    def __init__(self, lexicon: Lexicon, book: SpecBook) -> None:
        self._book = book
        self._families = tuple(t for t in lexicon.terms if t.category == "model")

    def member(self, term: Term, size: str | None) -> tuple[str, str | None, str | None]:
        """(name, row, reason code) of a family and a size as written."""
        if size and size in term.member_names:
            return term.member_names[size], term.members.get(size), None
        if size is None:
            if term.rows:
                return term.canonical, term.rows[0], term.reason
            only = set(term.members.values())
            return term.canonical, only.pop() if len(only) == 1 else None, None
        row = term.members.get(size) or _nearest(term, size)
        if row is None and not term.rows:
            for other in self._versions(term):
                if (found := other.members.get(size)) is not None:
                    return f"{term.canonical}-{size.upper()}", found, "closest_version_of_family"
        name = term.canonical
        if term.sized and not name.lower().endswith(size):
            name = f"{name}-{size.upper().replace('X', 'x')}"
        return name, row or (term.rows[0] if term.rows and self._agrees(term.rows[0], size) else None), None

    def _versions(self, term: Term) -> list[Term]:
        """Other versions of a family, the newest first (of Llama-3 the 3.x, of a family without version all)."""
        base = term.canonical.lower().rstrip("-").replace("-", " ")
        dotted = base[-1:].isdigit()
        pattern = re.compile(re.escape(base) + (r"\.\d{1,9}" if dotted else r"[- ]?\d{1,9}(?:\.\d{1,9})?") + r"$")
        found = [t for t in self._families if t is not term and pattern.match(t.canonical.lower().replace("-", " "))]
        return sorted(found, key=lambda t: float(re.findall(r"\d{1,9}(?:\.\d{1,9})?", t.canonical)[-1]), reverse=True)

    def member_of(self, family: str, parameters: float) -> str | None:
        """The row of a family's member of about so many parameters."""
        low, size = family.lower(), f"{parameters / 1e9:g}b"
        fitting = [t for t in self._families if t.canonical == family or family.startswith(t.canonical + "-")]
        speaking = [
            t
            for t in self._families
            if low.startswith(name := t.canonical.lower()) and SEES_OR_HEARS.match(low, len(name)) and (t.members or t.rows)
        ]
        for terms in (fitting, speaking):
            if terms and (row := self.member(max(terms, key=lambda t: len(t.canonical)), size)[1]):
                return row
        return None

    def usual(self, family: str) -> tuple[str, ...]:
        """The rows of a family named without a size, the one meant first: of its newest version that has one about TYPICAL."""
        term = next((t for t in self._families if t.canonical == family), None)
        if term is None:
            return ()
        first: tuple[str, ...] = ()
        newer = self._versions(term)
        for version in (term, *newer) if term.canonical[-1].isdigit() else (*newer, term):
            sizes = {
                id: row.number("params_total")
                for id in dict.fromkeys(version.members.values())
                if (row := self._book.row("models", id))
            }
            near = sorted((abs(math.log(n / TYPICAL)), id) for id, n in sizes.items() if n)
            if len(near) > 1:
                rows = tuple(id for _, id in near)
                if near[0][0] < math.log(2):
                    return rows
                first = first or rows
        return first

    def of_layout(self, layout: str) -> str | None:
        """The row of an expert layout (`8x7b`) that one family has."""
        rows = {r for t in self._families for r in (*t.rows, *t.members.values()) if r.endswith(f"-{layout}")}
        return rows.pop() if len(rows) == 1 else None

    def sibling(self, row: str, parameters: float) -> str | None:
        """The row of about so many parameters in the family of another row."""
        term = next((t for t in self._families if row in t.members.values() and len(t.members) > 1), None)
        return _nearest(term, f"{parameters / 1e9:g}b") if term else None

    def _agrees(self, row: str, size: str) -> bool:
        if "x" in size:
            return size in row
        found = self._book.row("models", row)
        total = found.number("params_total") if found else None
        number = size_value(size)
        return total is None or number is None or abs(number - total) <= 0.08 * total


def _nearest(term: Term, size: str) -> str | None:
    """A member whose exact count of parameters rounds to the size said (bloom 7.1b as 7b, qwen3-235b without -a22b)."""
    wanted = size_value(size)
    if wanted is None:
        return None
    for label, row in term.members.items():
        if label.split("-")[0] == size or (size_value(label) is not None and abs(size_value(label) - wanted) <= 0.035 * wanted):  # type: ignore[operator]
            return row
    return None


def size_value(size: str) -> float | None:
    """7b -> 7e9, 350m -> 3.5e8, 235b-a22b -> 2.35e11; None for an expert layout."""
    m = re.match(r"(\d{1,9}(?:\.\d{1,9})?)([bmt])(?!\d)", size)
    return float(m[1]) * {"b": 1e9, "m": 1e6, "t": 1e12}[m[2]] if m else None
