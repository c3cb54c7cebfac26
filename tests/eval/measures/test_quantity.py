"""A value counts by name, dimension and tolerance."""

import pytest
from answers import answer, case

from eval.measures.quantity import in_unit, value


def score(expected, **given):
    values = [{"name": "weights", "value": 15.0, "unit": "GiB", "text": "15.0 GiB", **given}]
    return value(case({"kind": "value", "name": "weights", **expected}), answer(values=values), None)[0]


@pytest.mark.parametrize(
    ("expected", "passes"),
    [
        ({"value": 16.1, "unit": "GB"}, True),
        ({"value": 15, "unit": "GiB", "tolerance": 0}, True),
        ({"value": 17, "unit": "GB"}, False),
        ({"low": 15, "high": 16, "unit": "GiB"}, True),
        ({"low": 15.1, "unit": "GiB"}, False),
        ({"high": 15, "unit": "GiB"}, True),
        ({"value": 15, "unit": "W"}, False),
        ({"value": 15, "unit": None}, False),
        ({"value": 15, "unit": "GiB", "scope": "card-b"}, False),
    ],
)
def test_a_value_is_compared_in_its_dimension(expected, passes):
    assert score(expected).passed is passes


def test_a_missing_value_says_what_was_expected_and_given():
    assert "weights: 16.66 to 17.34 GB expected, 15.0 GiB given" in score({"value": 17, "unit": "GB"}).detail
    assert "nothing given" in score({"value": 17, "unit": "GB"}, name="kv_cache").detail


def test_text_values_are_no_quantities():
    assert not score({"value": 15, "unit": "GiB"}, value="unknown").passed


def test_no_unit_counts_as_one():
    assert in_unit(8, None, "1") == 8
    assert in_unit(2, "h", "minute") == 120
    assert in_unit(1, "USD", "CNY") is None
