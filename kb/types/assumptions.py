"""What we assume when nobody said, and the works the rules rest on: values of `corpus/assumptions/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kb.types.derivation import Assumption
from kb.types.source import Evidence, Source
from kb.types.specs import Bilingual


@dataclass(frozen=True, slots=True)
class Choice:
    """A default that is a word, not a number: `adamw` for `optimizer`."""

    slot: str
    value: str
    reason: Bilingual
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Assumptions:
    """`constants` and `choices` by id (`mfu.linked`, `default.optimizer`); `sources` by the key that rules cite."""

    constants: Mapping[str, Assumption] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    _works: dict[str, Source] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # made, by the key that cites them

    def cited(self, key: str) -> Source:
        """The source a rule cites as `zero-2020#table 1`, its title followed by the place; raises KeyError."""
        if (made := self._works.get(key)) is None:
            id, _, place = key.partition("#")
            found = self.sources[id]
            title = f"{found.title}, {place}" if place else found.title
            made = self._works[key] = replace(found, id=id, title=title)
        return made
