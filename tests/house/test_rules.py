"""Rules are dimensionally right, hold no hidden constants, and the engine knows no hardware."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from pathlib import Path

import pint
import pytest

from kb.ingest.assumptions import read_assumptions
from kb.sizing import rule
from kb.sizing.examples import worked
from kb.sizing.listing import figures
from kb.sizing.rule import Rule, rules

ROOT = Path(__file__).parents[2]
WORKED = worked(read_assumptions(ROOT / "corpus" / "assumptions"))
UNITS = pint.UnitRegistry(str(Path(__file__).with_name("sizing_units.txt")), autoconvert_to_preferred=False)
STRUCTURAL = {0, 0.5, 1, 2, 3, 4, 8}  # counts of copies and directions; anything else is an assumption with a source


def quantity(value: float, unit: str) -> pint.Quantity:
    return UNITS.Quantity(value, "dimensionless" if unit == "1" else unit)


@pytest.mark.parametrize("checked", rules(), ids=lambda r: r.id)
def test_a_rule_gives_the_dimension_it_states(checked: Rule) -> None:
    values = figures(checked, WORKED.get(checked.id))
    inputs = {name: quantity(values[name], unit) for name, unit in checked.inputs.items()}
    result = UNITS.Quantity(checked.function(**inputs))
    assert result.dimensionality == quantity(1.0, checked.unit).dimensionality


def test_a_lost_factor_of_bytes_is_noticed() -> None:
    weights = next(r for r in rules() if r.id == "memory.weights")
    lost = weights.function(parameters=quantity(8e9, "1"), element=quantity(2, "1"))
    assert lost.dimensionality != quantity(1, "B").dimensionality


@pytest.mark.parametrize("checked", rules(), ids=lambda r: r.id)
def test_a_rule_holds_small_structural_numbers_only(checked: Rule) -> None:
    tree = ast.parse(textwrap.dedent(inspect.getsource(checked.function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    returned = tree.body[-1]
    found = {n.value for n in ast.walk(returned) if isinstance(n, ast.Constant)}
    assert found <= STRUCTURAL, f"{checked.id}: move {found - STRUCTURAL} to corpus/assumptions"


def test_every_cited_work_is_in_the_bibliography() -> None:
    assumptions = read_assumptions(ROOT / "corpus" / "assumptions")
    for r in rules():
        for key in r.cites:
            assert assumptions.cited(key).url


def test_every_work_in_the_bibliography_is_cited() -> None:
    assumptions = read_assumptions(ROOT / "corpus" / "assumptions")
    used = {key.partition("#")[0] for r in rules() for key in r.cites}
    used |= {a.evidence.source.id for a in assumptions.constants.values() if a.evidence}
    used |= {c.evidence.source.id for c in assumptions.choices.values()}
    assert assumptions.sources.keys() == used


def test_every_assumption_is_used() -> None:
    assumptions = read_assumptions(ROOT / "corpus" / "assumptions")
    rooms = (ROOT / "kb" / "sizing", ROOT / "kb" / "answering")
    source = "\n".join(p.read_text("utf-8") for room in rooms for p in room.rglob("*.py"))
    for id in (*assumptions.constants, *assumptions.choices):
        families = [id.rsplit(".", n)[0] for n in range(1, id.count(".") + 1)]
        assert f'"{id}"' in source or any(f"{family}." in source for family in families), f"{id} is read nowhere"


def test_the_rule_engine_knows_no_hardware_and_stays_small() -> None:
    text = inspect.getsource(rule)
    assert not re.search(r"gpu|memory|byte|flop|token|model|hardware", text, re.I)
    assert len(text.splitlines()) <= 80
