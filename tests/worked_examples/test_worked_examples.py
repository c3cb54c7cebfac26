"""Published worked examples, step by step: each file names its source, each expectation its arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.ingest.assumptions import read_assumptions
from kb.sizing.request import from_mapping
from kb.sizing.size import size
from kb.types.specs import SpecBook
from kb.types.units import to_base

HERE = Path(__file__).parent
ASSUMPTIONS = read_assumptions(HERE.parents[1] / "corpus" / "assumptions")
EXACT = 1e-4  # relative, where the source prints no rounding of its own


def examples() -> Iterator[Any]:
    for path in sorted(HERE.glob("*.yaml")):
        for example in yaml.safe_load(path.read_text("utf-8"))["examples"]:
            yield pytest.param(example, id=f"{path.stem}: {example['name']}")


@pytest.mark.parametrize("example", list(examples()))
def test_the_engine_reproduces(example: dict[str, Any]) -> None:
    request = dict(example["request"])
    result = size(
        from_mapping({k: v for k, v in request.items() if k != "wanted"}), SpecBook(), ASSUMPTIONS, request.get("wanted", ())
    )
    for name, expected in example["expect"].items():
        found = result.steps[name].value
        want, unit = float(expected["value"]), str(expected["unit"])
        tolerance = to_base(float(expected.get("within", want * EXACT)), unit)
        assert found == pytest.approx(to_base(want, unit), abs=tolerance), name


def test_every_file_names_its_source() -> None:
    for path in HERE.glob("*.yaml"):
        assert yaml.safe_load(path.read_text("utf-8"))["source"].startswith("https://"), path.name
