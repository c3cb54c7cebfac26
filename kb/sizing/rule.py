"""Rules: named, cited functions whose every application is recorded.

A rule is written as a plain function of keyword floats, each annotated with its unit. Called with nodes it checks names and
units and returns a Step; `rule.function` stays reachable for arrays. There is no way to compute that leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from kb.sizing.formula import Formula, formula_of
from kb.types.derivation import Node, Step
from kb.types.source import Evidence, RuleId, RuleLocator, Source
from kb.types.specs import Bilingual
from kb.types.units import Unit

_registry: dict[RuleId, Rule] = {}


class RuleMisuse(TypeError):
    """A plan called a rule wrongly: names the rule, the argument, what it needs and what came."""


@dataclass(frozen=True)
class Rule:
    """`inputs` are (name, unit) in order; `cites` are keys of the bibliography, `key#place`."""

    id: RuleId
    label: Bilingual
    cites: tuple[str, ...]
    function: Callable[..., float]
    inputs: tuple[tuple[str, str], ...]
    unit: str
    names: frozenset[str] = field(repr=False)

    @cached_property
    def body(self) -> Formula:
        return formula_of(self.function)

    @cached_property
    def evidence(self) -> Evidence:
        """Sources by key only; whoever shows the step puts in the works themselves."""
        sources = [Source(key, "rule", key, "") for key in self.cites]
        quote = f"{self.function.__name__} = {self.body.text({})}"
        return Evidence(sources[0], RuleLocator(self.id), quote, tuple(sources[1:]))

    def __call__(self, **nodes: Node) -> Step:
        """Apply the rule; raises RuleMisuse for a name it has not, a missing input or a differing unit."""
        if nodes.keys() != self.names:
            raise RuleMisuse(f"{self.id} takes {sorted(self.names)}, got {sorted(nodes)}")
        values = {}
        for name, unit in self.inputs:
            if nodes[name].unit != unit:
                raise RuleMisuse(f"{self.id}: {name} is in {unit!r}, got {nodes[name].unit!r}")
            values[name] = nodes[name].value
        inputs = tuple((name, nodes[name]) for name, _ in self.inputs)
        quote = self.evidence.quote
        return Step(self.id, self.label, quote, inputs, self.function(**values), self.unit, self.evidence)


def rule(id: str, *, cites: tuple[str, ...], label: Bilingual) -> Callable[[Callable[..., float]], Rule]:
    """Register a function as the rule `id`, which is its module's last name and its own."""

    def register(function: Callable[..., float]) -> Rule:
        if id != f"{function.__module__.rpartition('.')[2]}.{function.__name__}" or id in _registry or not cites:
            raise RuleMisuse(f"{id}: the id is module.function, used once, and every rule cites something")
        units = {name: _unit(id, name, hint) for name, hint in get_type_hints(function, include_extras=True).items()}
        unit = units.pop("return")
        made = Rule(RuleId(id), label, cites, function, tuple(units.items()), unit, frozenset(units))
        _registry[made.id] = made
        return made

    return register


def _unit(id: str, name: str, hint: Any) -> str:
    if get_origin(hint) is Annotated and isinstance(unit := get_args(hint)[1], Unit):
        return unit.symbol
    raise RuleMisuse(f"{id}: {name} has no unit")


def rules() -> tuple[Rule, ...]:
    """Every registered rule, by id."""
    return tuple(sorted(_registry.values(), key=lambda r: r.id))
