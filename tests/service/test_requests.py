"""The wire takes what the engine takes."""

from __future__ import annotations

from dataclasses import fields

import pytest
from pydantic import BaseModel

from kb.sizing.request import FIELDS
from kb.sizing.search import limits
from kb.types import sizing
from service import requests


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (requests.ModelFigures, {f.name for f in fields(sizing.ModelShape)}),
        (requests.GpuFigures, {f.name for f in fields(sizing.GpuFigures)}),
        (requests.SizingRequest, FIELDS),
        (requests.PlanRequest, FIELDS | set(limits.FIELDS)),
    ],
)
def test_a_body_has_every_field_of_what_it_stands_for_and_no_other(body: type[BaseModel], names: set[str]) -> None:
    assert set(body.model_fields) == names
