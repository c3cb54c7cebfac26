"""Lines of a derivation as an answer holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import count

from kb.types.answer import DerivationLine
from kb.types.source import Locator


def renumbered(lines: Sequence[DerivationLine], cited: Mapping[tuple[Locator, str], int]) -> tuple[DerivationLine, ...]:
    """Derivation lines with the citation numbers of the answer; a line that was not cited is left out."""
    by_rule = {getattr(locator, "rule", None): n for (locator, _), n in cited.items()}
    return tuple(replace(line, citation=by_rule[line.rule]) for line in lines if line.rule in by_rule)


def apart(lines: Sequence[DerivationLine], taken: Set[str]) -> list[DerivationLine]:
    """Lines whose ids no line of an earlier calculation has: all of a calculation get the same suffix, in what refers to them too."""
    if not taken & {line.id for line in lines}:
        return list(lines)
    suffix = next(f".{n}" for n in count(2) if not any(id.endswith(f".{n}") for id in taken))
    return [
        replace(
            line,
            id=line.id + suffix,
            inputs={k: replace(i, from_=i.from_ + suffix) if i.from_[1:].isdigit() else i for k, i in line.inputs.items()},
        )
        for line in lines
    ]
