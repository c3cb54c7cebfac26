"""Misspelt names, a token one or two edits from a name of the lexicon, and misspelt words of the field: respelled before the text is read.

Numbers must agree and short letter groups too, so that one product is never taken for its neighbour: H300 is no H100, and
a V4 no V3. Bounded by the first LIMIT tokens of a text; ties are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rapidfuzz.distance import OSA

from kb.types.lexicon import Lexicon
from kb.understanding.names.matching import Names, Words, squeeze
from kb.understanding.text.fold import Folded, level

LIMIT = 80
LONGEST = 5  # tokens of a name
TOKEN = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
LOOKALIKE = re.compile(r"(?<![a-z0-9.])[a-z]{0,3}\d[\doil]{0,4}[oil][\doil]{0,4}(?![a-z0-9])")
DIGITS = str.maketrans("oil", "011")
WORD = re.compile(r"(?<![\w./@])[a-z]{4,16}(?![\w/@])")
SHORT = (
    6  # letters: a word of fewer has neighbours that differ by a vowel, and one that is written with fewer means one of them
)
INFLECTED = ("s", "d", "r", "ed")  # endings that make another word, not a slip
VOWELS = frozenset("aeiou")
NAMED = frozenset({"accelerator", "model", "system"})


@dataclass(frozen=True, slots=True)
class Respelling:
    """low[start:end], source[slice(*source)] as sent, read as `name`; `confidence` in 0..1: the share of characters that agree."""

    start: int
    end: int
    name: str
    confidence: float
    source: tuple[int, int] = (0, 0)


class Typos:
    """The names of the lexicon by their shape: numbers and short groups literally, long groups of letters open."""

    def __init__(self, lexicon: Lexicon, names: Names) -> None:
        self._names = names
        words = lexicon.words
        self._plain = Words((*words.get("field", ()), *words.get("generic", ()), *words.get("foreign", ())))
        self._spelt = words.get("spelt", ())
        self._shapes: dict[tuple[str, ...], dict[tuple[str, ...], str]] = {}
        self._chips: dict[str, str] = {}
        for term in lexicon.terms:
            for alias in term.aliases:
                low = level(alias.text)
                if not low.isascii() or alias.relation == "related":
                    continue
                if term.category == "accelerator" and re.search(r"\d", low):
                    self._chips.setdefault(squeeze(low)[0], alias.text)
                runs = tuple(TOKEN.findall(low))
                if alias.weak or not 1 <= len(runs) <= LONGEST or not _long(runs[0]):
                    continue
                coined = any(c.isupper() for c in alias.text[1:]) and " " not in alias.text and len(runs[0]) > 5
                numbered = term.category in NAMED and (len(runs) > 1 or term.category == "model")
                if coined or numbered:
                    key = runs if len(runs) > 1 or coined else (*runs, "#")
                    self._shapes.setdefault(_shape(key), {}).setdefault(key, alias.text)

    def respell(self, folded: Folded) -> tuple[Folded, tuple[Respelling, ...]]:
        """The text with its misspelt names put right, and what was changed; spans stay those of the text as sent."""
        low = folded.low
        if not (low.isascii() or re.search(r"[a-z0-9]{3}", low)):
            return folded, ()
        folded = self._worded(folded)
        low = folded.low
        taken = [(n.start, n.end) for n in self._names.find(low[:4000])]
        near = sorted(
            {r.start: r for r in (*self._near(low, taken), *self._lookalikes(low, taken))}.values(), key=lambda r: r.start
        )
        found = [replace(r, source=folded.span(r.start, r.end)) for r in near]
        return (_applied(folded, found), tuple(found)) if found else (folded, ())

    def _worded(self, folded: Folded) -> Folded:
        """The text with the misspelt words of the field put right; nobody is told, no other word is so near to them."""
        taken = [(n.start, n.end) for n in self._names.find(folded.low[:4000])]
        slips = [
            Respelling(m.start(), m.end(), word, 1.0)
            for _, m in zip(range(LIMIT), WORD.finditer(folded.low[:4000]), strict=False)
            if not _overlaps(m.start(), m.end(), taken) and (word := next((w for w in self._spelt if _slip(m.group(), w)), ""))
        ]
        return _applied(folded, slips) if slips else folded

    def _lookalikes(self, low: str, taken: Sequence[tuple[int, int]]) -> Iterable[Respelling]:
        """H10O, L4O: a letter that looks like a digit among digits."""
        for m in LOOKALIKE.finditer(low[:4000]):
            first = re.search(r"\d", m.group())
            at = first.start() if first else 0
            read = m.group()[:at] + m.group()[at:].translate(DIGITS)
            if len(read) > 2 and read in self._chips and not _overlaps(m.start(), m.end(), taken):
                yield Respelling(m.start(), m.end(), self._chips[read], 0.9)

    def _near(self, low: str, taken: Sequence[tuple[int, int]]) -> Iterable[Respelling]:
        tokens = [m for _, m in zip(range(LIMIT), TOKEN.finditer(low[:4000]), strict=False)]
        done = 0
        for i, first in enumerate(tokens):
            start = first.start()
            if start < done or not _long(first.group()) or _overlaps(start, first.end(), taken):
                continue
            if (start and low[start - 1] in "/_-@.") or self._plain.pattern.fullmatch(first.group()):
                continue
            for count in range(min(LONGEST, len(tokens) - i), 0, -1):
                window = tokens[i : i + count]
                if not _adjacent(window, low):
                    continue
                best = self._best(window, low)
                if best:
                    end, name, confidence = best
                    yield Respelling(start, end, name, confidence)
                    done = end
                    break

    def _best(self, window: Sequence[re.Match[str]], low: str) -> tuple[int, str, float] | None:
        runs = tuple(m.group() for m in window)
        end = window[-1].end()
        if end < len(low) and low[end].isascii() and low[end].isalnum():
            return None
        sized = len(runs) == 1 and re.match(r"[ -]?\d{1,4}(?:\.\d)?b(?![a-z0-9])", low[end : end + 10])
        for key in ((*runs, "#") if sized else runs, runs):
            scored = sorted(
                (score, name)
                for known, name in self._shapes.get(_shape(key), {}).items()
                if (score := _edits(key, known)) is not None
            )
            if (
                scored
                and scored[0][0] > 0
                and (len(scored) == 1 or scored[1][0] > scored[0][0] or _same(scored[0][1], scored[1][1]))
            ):
                length = sum(map(len, runs))
                return end, scored[0][1], round(1 - scored[0][0] / length, 2)
        return None


def _slip(written: str, word: str) -> bool:
    """Whether `written` is `word` with one letter missing, doubled, out of its place, or one vowel for another."""
    if (
        written[0] != word[0]
        or len(written) < SHORT <= len(word)
        or any(written == word + e or word == written + e for e in INFLECTED)
    ):
        return False
    if OSA.distance(written, word, score_cutoff=1) != 1:
        return False
    if len(written) > len(word):
        extra = next((i for i, (a, b) in enumerate(zip(written, word, strict=False)) if a != b), len(word))
        return written[extra] == written[extra - 1]
    other = [(a, b) for a, b in zip(written, word, strict=False) if a != b]
    return len(written) < len(word) or len(other) == 2 or (len(word) >= SHORT and {*other[0]} <= VOWELS)


def _long(run: str) -> bool:
    return len(run) >= 4 and run[0].isalpha()


def _shape(runs: Sequence[str]) -> tuple[str, ...]:
    return tuple("*" if _long(r) else r for r in runs)


def _edits(runs: Sequence[str], known: Sequence[str]) -> int | None:
    """Edits in the long groups; None: too many, another beginning, or merely a plural."""
    total = 0
    for ours, theirs in zip(runs, known, strict=True):
        if ours == theirs:
            continue
        most = 2 if len(theirs) > 9 else 1
        edits = OSA.distance(ours, theirs, score_cutoff=most)
        if edits > most or ours[0] != theirs[0] or ours == theirs + "s" or theirs == ours + "s":
            return None
        total += edits
    return total


def _same(a: str, b: str) -> bool:
    return squeeze(a.lower())[0] == squeeze(b.lower())[0]


def _overlaps(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    return any(s < end and start < e for s, e in taken)


def _adjacent(window: Sequence[re.Match[str]], low: str) -> bool:
    return all(low[a.end() : b.start()] in ("", " ", "-", "_") for a, b in pairwise(window))


def _applied(folded: Folded, found: Sequence[Respelling]) -> Folded:
    """The text with the names in place; each of their characters stems from the stretch they replace."""
    origin = folded.origin or range(len(folded.low))
    cased, places, at = [], list[int](), 0
    for r in found:
        name = r.name
        cased += [folded.cased[at : r.start], name]
        places += origin[at : r.start]
        width, last = r.end - r.start, len(name) - 1
        places += [origin[r.start + (i * (width - 1) // last if last else 0)] for i in range(len(name))]
        at = r.end
    cased.append(folded.cased[at:])
    places += origin[at:]
    text = "".join(cased)
    return Folded(folded.source, text, level(text), tuple(places))
