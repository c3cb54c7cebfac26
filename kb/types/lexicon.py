"""The bilingual lexicon: what the names and words of the field are called, and what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from kb.types.specs import Bilingual

Relation = Literal["same", "variant", "related"]


@dataclass(frozen=True, slots=True)
class Alias:
    """One way of writing a term. `variant` also fixes a memory size or form; `related` serves query expansion only;
    `weak`: the alias alone is no evidence (`4090`, `R1`)."""

    text: str
    language: Literal["en", "zh"]
    relation: Relation = "same"
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """One thing and its names.

    `rows` are the rows of `table` it may mean, likeliest first; `reason` is the code of the choice when several remain.
    `members` of a model family: size as written, lower case (`70b`, `8x7b`, `30b-a3b`) -> row.
    `sized`: the size belongs to the model's name (Llama-3-70B), not only to its description (GPT-3 175B).
    """

    category: str
    canonical: str
    code: str
    label: Bilingual
    aliases: tuple[Alias, ...]
    table: str | None = None
    rows: tuple[str, ...] = ()
    reason: str | None = None
    members: Mapping[str, str] = field(default_factory=dict)
    member_names: Mapping[str, str] = field(default_factory=dict)
    sized: bool = True


@dataclass(frozen=True)
class Lexicon:
    """All terms, and lists of words by purpose (`brands`, `foreign`, ...). Not slotted: keeps its expansion table once built."""

    terms: tuple[Term, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reasons: Mapping[str, Bilingual] = field(default_factory=dict)  # code of a choice -> why, as a sentence

    @cached_property
    def _expansions(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        out: dict[str, list[str]] = {}
        for term in self.terms:
            for alias in term.aliases:
                if len(alias.text) < 2 or alias.weak:
                    continue
                others = [
                    a.text for a in term.aliases if a.language != alias.language and not a.weak and a.relation != "variant"
                ]
                seen = out.setdefault(alias.text.lower(), [])
                seen.extend(o for o in others[:4] if o not in seen)
        return tuple((alias, tuple(others)) for alias, others in out.items() if others)

    def expand(self, text: str) -> tuple[str, ...]:
        """Names in the other language of the terms that stand in `text`, without those already there; at most 24."""
        low = text[:4000].lower()
        found: dict[str, None] = {}
        for alias, others in self._expansions:
            at = low.find(alias)
            if at >= 0 and _whole(low, at, at + len(alias)):
                found |= {other: None for other in others if other.lower() not in low}
        return tuple(found)[:24]


def _whole(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is no part of a longer Latin word or number."""
    return not (_latin(text, start - 1) and _latin(text, start)) and not (_latin(text, end - 1) and _latin(text, end))


def _latin(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at].isascii() and text[at].isalnum()
