"""Rules: named, cited functions of keyword floats, each annotated with its unit. Applied to nodes a rule checks names and units
and returns a Step, so that every computation leaves its trace; `rule.function` is the bare formula, for a fit or a listing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args, get_type_hints

from kb.sizing.formula import Formula, formula_of
from kb.types.derivation import Node, Step
from kb.types.source import Evidence, RuleId, RuleLocator, Source
from kb.types.specs import Bilingual
from kb.types.units import Unit

registered: dict[RuleId, Rule] = {}


class RuleMisuse(TypeError):
    """A plan called a rule wrongly: names the rule, the argument, what it needs and what came."""


@dataclass(frozen=True)
class Rule:
    """`inputs` are units by name, in order; `cites` are keys of the bibliography, `key#place`."""

    id: RuleId
    label: Bilingual
    cites: tuple[str, ...]
    function: Callable[..., float]
    inputs: Mapping[str, str]
    unit: str

    @cached_property
    def body(self) -> Formula:
        return formula_of(self.function)

    @cached_property
    def evidence(self) -> Evidence:
        """Sources by key only; whoever shows the step puts in the works themselves."""
        first, *others = (Source(key, "rule", key, "") for key in self.cites)
        return Evidence(first, RuleLocator(self.id), f"{self.function.__name__} = {self.body.text({})}", tuple(others))

    def __call__(self, **nodes: Node) -> Step:
        """Apply the rule; raises RuleMisuse for a name it has not, a missing input or a differing unit."""
        if nodes.keys() != self.inputs.keys():
            raise RuleMisuse(f"{self.id} takes {sorted(self.inputs)}, got {sorted(nodes)}")
        values, inputs = {}, []
        for name, unit in self.inputs.items():
            if (node := nodes[name]).unit != unit:
                raise RuleMisuse(f"{self.id}: {name} is in {unit!r}, got {node.unit!r}")
            values[name] = node.value
            inputs.append((name, node))
        return Step(self.id, self.label, self.evidence.quote, tuple(inputs), self.function(**values), self.unit, self.evidence)


def rule(id: str, *, cites: tuple[str, ...], label: Bilingual) -> Callable[[Callable[..., float]], Rule]:
    """Register a function as the rule `id`, which is its module's last name and its own."""

    def register(function: Callable[..., float]) -> Rule:
        if id != f"{function.__module__.rpartition('.')[2]}.{function.__name__}" or id in registered or not cites:
            raise RuleMisuse(f"{id}: the id is module.function, used once, and every rule cites something")
        units = {name: _unit(id, name, hint) for name, hint in get_type_hints(function, include_extras=True).items()}
        made = Rule(RuleId(id), label, cites, function, units, units.pop("return"))
        return registered.setdefault(made.id, made)

    return register


def _unit(id: str, name: str, hint: Any) -> str:
    for unit in get_args(hint)[1:]:
        if isinstance(unit, Unit):
            return unit.symbol
    raise RuleMisuse(f"{id}: {name} has no unit")


def rules() -> tuple[Rule, ...]:
    """Every registered rule, by id."""
    return tuple(sorted(registered.values(), key=lambda r: r.id))
