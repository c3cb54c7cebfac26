"""A plan on the small spec book."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kb.sizing.search.limits import plan_from_mapping
from kb.sizing.search.plan import plan
from kb.types.assumptions import Assumptions
from kb.types.planning import PlanResult
from kb.types.specs import SpecBook


@pytest.fixture(scope="session")
def planned(spec_book: SpecBook, assumptions: Assumptions) -> Callable[..., PlanResult]:
    def of(language: str = "en", **fields: Any) -> PlanResult:
        return plan(*plan_from_mapping(fields), spec_book, assumptions, language=language)

    return of
