"""Rules check what they are given and record what they did."""

import pytest

from kb.sizing.rule import RuleMisuse, rule, rules
from kb.sizing.rules import memory
from kb.types.derivation import Given
from kb.types.specs import Bilingual
from kb.types.units import Byte, Ratio

EIGHT = Given("parameters", 8e9, "1")
TWO_BYTES = Given("element", 2, "B")


def test_applying_a_rule_records_inputs_formula_and_result() -> None:
    step = memory.weights(parameters=EIGHT, element=TWO_BYTES)
    assert (step.value, step.unit, step.rule) == (16e9, "B", "memory.weights")
    assert step.inputs == (("parameters", EIGHT), ("element", TWO_BYTES))
    assert step.formula == "weights = parameters × element"


def test_a_missing_input_is_refused_by_name() -> None:
    with pytest.raises(RuleMisuse, match=r"memory.weights takes \['element', 'parameters'\], got \['parameters'\]"):
        memory.weights(parameters=EIGHT)


def test_a_differing_unit_is_refused_with_what_is_needed_and_what_came() -> None:
    with pytest.raises(RuleMisuse, match="element is in 'B', got '1'"):
        memory.weights(parameters=EIGHT, element=EIGHT)


def test_a_rule_without_a_unit_is_refused_when_it_is_written() -> None:
    with pytest.raises(RuleMisuse, match="bare has no unit"):

        @rule("test_rule.unitless", cites=("zero-2020",), label=Bilingual("x", "x"))
        def unitless(*, bare: float) -> Ratio:
            return bare


def test_the_id_is_module_and_function_name() -> None:
    with pytest.raises(RuleMisuse, match="the id is module"):

        @rule("memory.other", cites=("zero-2020",), label=Bilingual("x", "x"))
        def misnamed(*, total: Byte) -> Byte:
            return total


def test_the_function_of_a_rule_takes_arrays() -> None:
    np = pytest.importorskip("numpy")
    found = memory.weights.function(parameters=np.array([1e9, 2e9]), element=2.0)
    assert found.tolist() == [2e9, 4e9]


def test_every_rule_is_labelled_in_both_languages_and_explained() -> None:
    for r in rules():
        assert r.label.en and r.label.zh and r.function.__doc__, r.id
