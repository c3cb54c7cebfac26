"""Derivations computed again with other constants: what a fit needs thousands of times, without sizing anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kb.sizing.rule import rules
from kb.types.derivation import Assumption, Node, Step

Array = Any  # numpy array, or a number
FUNCTIONS = {rule.id: rule.function for rule in rules()}


@dataclass(frozen=True, slots=True)
class Program:
    """A derivation as a list: leaves by value, constants by name, steps by function and the places of their inputs."""

    leaves: tuple[tuple[int, float], ...]
    constants: tuple[tuple[int, str], ...]
    steps: tuple[tuple[int, Any, tuple[tuple[str, int], ...]], ...]
    length: int

    def run(self, values: Mapping[str, Array]) -> Array:
        """The last step's value with these constants, numbers or arrays of one shape."""
        held: list[Array] = [0.0] * self.length
        for place, value in self.leaves:
            held[place] = value
        for place, name in self.constants:
            held[place] = values[name]
        for place, function, inputs in self.steps:
            held[place] = function(**{name: held[at] for name, at in inputs})
        return held[-1]


def compiled(node: Node, names: Sequence[str]) -> Program:
    """The program of a node in which the constants `names` stay open."""
    places: dict[int, int] = {}
    leaves: list[tuple[int, float]] = []
    constants: list[tuple[int, str]] = []
    steps: list[tuple[int, Any, tuple[tuple[str, int], ...]]] = []

    def visit(n: Node) -> int:
        if id(n) in places:
            return places[id(n)]
        inputs = tuple((name, visit(of)) for name, of in n.inputs) if isinstance(n, Step) else ()
        place = places[id(n)] = len(places)
        if isinstance(n, Step):
            steps.append((place, FUNCTIONS[n.rule], inputs))
        elif isinstance(n, Assumption) and n.name in names:
            constants.append((place, n.name))
        else:
            leaves.append((place, n.value))
        return place

    visit(node)
    return Program(tuple(leaves), tuple(constants), tuple(steps), len(places))


def logarithms(programs: Sequence[Program], values: Mapping[str, Array]) -> Array:
    """The logarithm of every program's result, programs first."""
    shape = np.broadcast_shapes(*(np.shape(v) for v in values.values()))
    return np.log(np.stack([np.broadcast_to(np.asarray(p.run(values), dtype=float), shape) for p in programs]))
