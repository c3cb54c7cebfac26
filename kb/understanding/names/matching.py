"""Names and words of the field in a folded text: longest match over the lexicon on token boundaries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import ahocorasick

from kb.types.lexicon import Alias, Lexicon, Term
from kb.understanding.text.fold import level

SEPARATOR = re.compile(r"[ \t\-_·]+")
SIZE_FOLLOWS = re.compile(r"\d{1,4}(?:\.\d{1,2})?b(?![a-z0-9])")
MULTIPLIED = re.compile(r"\d\s?[x*]$")
EDITION = re.compile(r"(?<![a-z\d])\d{4}s$")  # an edition written as one letter, 4080S, or several of the plain card
SEVERAL = re.compile(
    r"(?:(?<![a-z])(?:two|three|four|five|six|seven|eight|dual|both|many|some|(?:pair|couple|bunch) of|these|those)"
    r"|(?<![\d.])(?:[2-9]|1\d) ?x?) (?:rtx |geforce )*$"
)
PRECEDENCE = {"accelerator": 0, "system": 1, "model": 2, "cpu": 3, "storage": 3, "interconnect": 3}


@dataclass(frozen=True, slots=True)
class Name:
    """A term at low[start:end]. `others`: the terms the same words may also mean."""

    start: int
    end: int
    term: Term
    alias: Alias
    others: tuple[Term, ...] = ()


def squeeze(low: str) -> tuple[str, list[int]]:
    """`low` without blanks and hyphens (one hyphen stays between digits), and for each character its place in `low`."""
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for m in SEPARATOR.finditer(low):
        start, end = m.span()
        parts.append(low[at:start])
        places.extend(range(at, start))
        long = end - start > 3
        if long or (start > 0 and end < len(low) and low[start - 1].isdigit() and low[end].isdigit()):
            parts.append("\n" if long else "-")
            places.append(start)
        at = end
    parts.append(low[at:])
    places.extend(range(at, len(low)))
    return "".join(parts), places


class Names:
    """The lexicon as an automaton."""

    def __init__(self, lexicon: Lexicon) -> None:
        keys: dict[str, list[tuple[Term, Alias]]] = {}
        for term in lexicon.terms:
            for alias in term.aliases:
                named = term.category in ("accelerator", "model", "system")
                if not (alias.relation == "related" and named):
                    keys.setdefault(squeeze(level(alias.text))[0], []).append((term, alias))
        self._automaton = ahocorasick.Automaton()
        for key, found in keys.items():
            if key:
                found.sort(key=lambda pair: (pair[1].relation == "related", pair[1].weak, PRECEDENCE.get(pair[0].category, 4)))
                self._automaton.add_word(key, (len(key), tuple(found)))
        self._automaton.make_automaton()
        self.keys = tuple(keys)

    def find(self, low: str) -> list[Name]:
        """Non-overlapping names, left to right, the longest first; linear up to the number of matches."""
        squeezed, places = squeeze(low)
        hits = []
        for last, (length, found) in self._automaton.iter(squeezed):
            start, end = places[last - length + 1], places[last] + 1
            plural = low.isascii() and EDITION.search(low, start, end) and SEVERAL.search(low, 0, start)
            if not plural and _stands_alone(low, start, end, squeezed[last - length + 1]):
                hits.append((start, end, found))
        hits.sort(key=lambda h: (h[0], -h[1]))
        out: list[Name] = []
        reached = 0
        for start, end, found in hits:
            if start >= reached:
                (term, alias), rest = found[0], found[1:]
                out.append(
                    Name(start, end, term, alias, tuple(t for t, a in rest if t.category == term.category and t is not term))
                )
                reached = end
        return out


GLUED_MEMORY = re.compile(r"(?:16|24|32|40|48|64|80|94|96|141|192)gi?b?(?![a-z0-9])")  # of a card, behind its name


def _stands_alone(low: str, start: int, end: int, first: str) -> bool:
    """Whether a match keeps to token boundaries: no part of a longer Latin word, number or version."""
    head = low[start:end]
    if len(head) > 1 and head[0].isascii() and head[0].isalpha() and head[1] == " ":
        return False  # "a 100 GPU cluster" holds no A100
    if first.isascii() and first.isalnum() and start > 0:
        before = low[start - 1]
        if before == "#" or (before == "." and start > 1 and low[start - 2].isdigit()):
            return False
        if before.isascii() and before.isalnum() and not MULTIPLIED.search(low, max(0, start - 3), start):
            return False
    last = head[-1]
    if last.isascii() and last.isalnum() and end < len(low):
        after = low[end]
        if after == "." and last.isdigit() and low[end + 1 : end + 2].isdigit():
            return False
        if after.isascii() and after.isalnum():
            plural = after == "s" and not low[end + 1 : end + 2].isalnum()
            plural = plural or (after == "s" and not low[end + 1 : end + 2].isascii())
            sized = not last.isdigit() and SIZE_FOLLOWS.match(low, end) is not None
            times = last.isdigit() and after in "x*" and low[end + 1 : end + 2].isdigit()
            memory = last.isdigit() and GLUED_MEMORY.match(low, end) is not None  # a10080g
            return plural or sized or times or memory
    return True


class Words:
    """A list of words to look for, whole words where they are Latin."""

    def __init__(self, words: Iterable[str]) -> None:
        levelled = sorted({level(w) for w in words}, key=len, reverse=True)
        latin = [re.escape(w) for w in levelled if w.isascii()]
        other = [re.escape(w) for w in levelled if not w.isascii()]
        pieces = ([rf"(?<![a-z0-9])(?:{'|'.join(latin)})(?![a-z0-9])"] if latin else []) + (["|".join(other)] if other else [])
        self.pattern = re.compile("|".join(pieces) or r"(?!)")

    def first(self, low: str) -> str | None:
        m = self.pattern.search(low)
        return m.group() if m else None

    def count(self, low: str) -> int:
        return sum(1 for _ in self.pattern.finditer(low))
