"""Numbers that know where they come from.

Every number of a derivation is one of four kinds: the asker said so (Given), the spec table says so (Fact), we say so and
why (Assumption), or a rule says so (Step). There is no other way to enter one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.types.source import Evidence, RuleId
from kb.types.specs import Bilingual


@dataclass(frozen=True, slots=True)
class Given:
    name: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Fact:
    """`quote` of the evidence is the cell as printed; value and unit are in base units."""

    name: str
    value: float
    unit: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Assumption:
    """`slot` is the request field that would replace it; `evidence` what the choice rests on."""

    name: str
    value: float
    unit: str
    slot: str
    reason: Bilingual
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Step:
    rule: RuleId
    label: Bilingual
    formula: str
    inputs: tuple[tuple[str, Node], ...]
    value: float
    unit: str
    evidence: Evidence


Node = Given | Fact | Assumption | Step


def walk(*roots: Node) -> Iterator[Node]:
    """Every node under the roots once, inputs before the steps that use them."""
    seen: set[int] = set()
    found: list[Node] = []

    def visit(node: Node) -> None:
        seen.add(id(node))
        if isinstance(node, Step):
            for _, child in node.inputs:
                if id(child) not in seen:
                    visit(child)
        found.append(node)

    for root in roots:
        if id(root) not in seen:
            visit(root)
    return iter(found)
