"""The rules as they are listed outside."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kb.sizing.examples import CASES, worked
from kb.sizing.listing import rules_as_plain
from kb.sizing.rule import rules
from kb.sizing.show import shown

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def listed(assumptions) -> dict[str, dict[str, Any]]:
    return {r["id"]: r for r in rules_as_plain(assumptions)}


def test_every_rule_is_listed_with_source_and_meaning_in_both_languages(listed) -> None:
    assert listed.keys() == {r.id for r in rules()}
    for id, rule in listed.items():
        assert rule["citation"]["url"].startswith("https://") and rule["meaning"], id
        assert rule["label"]["en"] and CHINESE.search(rule["label"]["zh"]), id


def test_every_rule_has_an_example_with_the_units_of_its_inputs_and_its_result(listed) -> None:
    for rule in rules():
        example = listed[rule.id]["example"]
        assert example["inputs"].keys() == rule.inputs.keys(), rule.id
        for name, unit in rule.inputs.items():
            given = example["inputs"][name]
            assert given["unit"] in {shown(v, unit, "USD")[1] for v in (1e-6, 1.0, 1e4, 1e7, 1e13)}, (rule.id, name)
            if given["unit"] != "1":
                assert f" {given['unit']}" in example["text"], (rule.id, name)
        assert example["text"].endswith(example["result"]["unit"] if example["result"]["unit"] != "1" else ""), rule.id


def test_an_example_comes_from_a_case_that_was_sized(assumptions, listed) -> None:
    steps = worked(assumptions)
    by_id = {rule.id: rule for rule in rules()}
    assert len(steps) > 0.95 * len(by_id)
    for id, step in steps.items():
        computed = by_id[id].function(**{name: node.value for name, node in step.inputs})
        assert computed == pytest.approx(step.value), id
        assert listed[id]["example"]["result"]["value"] == pytest.approx(shown(step.value, step.unit, "USD")[0]), id


def test_the_cases_name_no_product() -> None:
    assert all(not isinstance(request.get("gpu"), str) and request.get("engine") in (None, "cpu") for request, _ in CASES)


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("memory.weights", "8.03e9 × 2 B = 14.96 GiB"),
        ("memory.latent_kv_per_token", "61 × (512 + 64) × 2 B = 68.62 KiB"),
        ("cluster.rent", "5760 GPU-h × 2.5 USD/h = 14400 USD"),
        ("parameters.mixed_attention", "(58.72e6 × 8 + 67.11e6 × (32 − 8)) / 32 = 65.01e6"),
    ],
)
def test_the_example_is_computed(listed, id: str, text: str) -> None:
    assert listed[id]["example"]["text"] == text
