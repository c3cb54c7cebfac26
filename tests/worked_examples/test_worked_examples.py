"""Worked examples of published works, step by step, through the engine's own rules and through size()."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.ingest.assumptions import read_assumptions
from kb.sizing.request import from_mapping
from kb.sizing.rule import rules
from kb.sizing.shape import from_figures
from kb.sizing.size import size
from kb.types.derivation import Given, Node
from kb.types.sizing import ModelShape
from kb.types.specs import SpecBook
from kb.types.units import SCALE

HERE = Path(__file__).parent
ASSUMPTIONS = read_assumptions(HERE.parents[1] / "corpus" / "assumptions")
RULES = {rule.id: rule for rule in rules()}
WORKS = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in sorted(HERE.glob("*.yaml"))}
QUANTITY = re.compile(r"([\d.,e× ]+?)(?: ([A-Za-z/-]+))?")


def quantity(text: str | float) -> tuple[float, str, float]:
    """`31.4 GB` as a figure in base units, its unit, and half of its last printed digit; a product is exact."""
    match = QUANTITY.fullmatch(str(text))
    assert match, text
    scale, base = SCALE.get(match[2] or "1", (1.0, match[2] or "1"))
    factors = [f.strip().replace(",", "") for f in match[1].split("×")]
    digits, _, power = factors[0].partition("e")
    rounding = 0.5 * 10.0 ** (int(power or 0) - len(digits.partition(".")[2])) * scale
    return math.prod(float(f) for f in factors) * scale, base, rounding if len(factors) == 1 else 0.0


def meets(found: Node, printed: str, within: str | None, what: str) -> None:
    value, unit, rounding = quantity(printed)
    assert found.unit == unit, what
    tolerance = quantity(within)[0] if within else rounding
    assert found.value == pytest.approx(value, rel=1e-9, abs=tolerance * (1 + 1e-9)), what


def stepped(example: dict[str, Any]) -> None:
    """Every step of the example by its rule, each result against what is printed."""
    known: dict[str, Node] = {}

    def node(name: str, text: Any) -> Node:
        if text in known:
            return known[text]
        if text in ASSUMPTIONS.constants:
            return ASSUMPTIONS.constants[text]
        value, unit, _ = quantity(text)
        return Given(name, value, unit)

    for name, text in example.get("given", {}).items():
        known[name] = node(name, text)
    for name, step in example.get("steps", {}).items():
        known[name] = RULES[step["rule"]](**{key: node(key, text) for key, text in step["with"].items()})
        if "is" in step:
            meets(known[name], step["is"], step.get("within"), name)


def examples() -> Iterator[Any]:
    for stem, work in WORKS.items():
        for example in work["examples"]:
            yield pytest.param(example, id=f"{stem}: {example['name']}")


@pytest.mark.parametrize("example", list(examples()))
def test_the_engine_reproduces_what_is_printed(example: dict[str, Any]) -> None:
    stepped(example)
    if "shape" in example:
        shape = from_figures(ModelShape(**example["shape"]), ASSUMPTIONS)
        for name, printed in example["counts"].items():
            meets(shape[name], printed, example.get("within"), name)
    if "request" in example:
        wanted = example.get("wanted", ())
        steps = size(from_mapping(example["request"]), SpecBook(), ASSUMPTIONS, wanted).steps
        for name, printed in example["expect"].items():
            meets(steps[name], printed, None, name)


def test_a_figure_is_met_to_its_last_printed_digit() -> None:
    meets(Given("x", 31.4499e9, "B"), "31.4 GB", None, "x")
    with pytest.raises(AssertionError):
        meets(Given("x", 31.46e9, "B"), "31.4 GB", None, "x")
    with pytest.raises(AssertionError):
        meets(Given("x", 31.4e9, "s"), "31.4 GB", None, "x")
    with pytest.raises(AssertionError):
        meets(Given("x", 31.41e9, "B"), "2 × 15.7 GB", None, "x")


def test_every_work_and_example_says_where_it_stands() -> None:
    for stem, work in WORKS.items():
        assert work["title"] and work["url"].startswith("https://"), stem
        assert all(example["place"] for example in work["examples"]), stem


def test_every_example_meets_something_printed_and_a_wider_margin_has_its_reason() -> None:
    for stem, work in WORKS.items():
        for example in work["examples"]:
            steps = example.get("steps", {}).values()
            assert "expect" in example or "counts" in example or any("is" in step for step in steps), stem
            assert all(part.get("why") for part in (example, *steps) if "within" in part), stem


def test_the_examples_come_from_more_than_a_dozen_papers() -> None:
    assert len({work["url"] for work in WORKS.values() if "arxiv.org" in work["url"]}) > 12
