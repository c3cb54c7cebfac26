"""What a budget buys: never more than the budget, never less than the job takes, the choice before its dearer likes."""

from __future__ import annotations

from typing import Any

import pytest

from kb.ingest.specs import read_specs
from kb.settings import CORPUS
from kb.sizing.request import from_mapping
from kb.sizing.search.purchase import ALIKE, HOLDING, PAIR, purchases, rate_of
from kb.types.assumptions import Assumptions
from kb.types.specs import SpecBook

JOBS: dict[str, dict[str, Any]] = {
    "lora": {"model": {"parameters": 7e9}, "workload": "lora"},
    "run": {"model": {"parameters": 32e9}, "workload": "inference", "quantization": "int4"},
}


@pytest.fixture(scope="module")
def book() -> SpecBook:
    return read_specs(CORPUS / "specs")


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("limit", [500.0, 2000.0, 9000.0])
def test_what_is_bought_is_within_the_budget_and_holds_the_job(
    job: str, limit: float, book: SpecBook, assumptions: Assumptions
) -> None:
    found = purchases(from_mapping(JOBS[job]), limit, book, assumptions, "en")
    for one in found:
        row = book.row("accelerators", one.gpu)
        assert row and one.price == one.count * (row.number("msrp_usd") or 0) <= limit
        assert one.result.verdict in HOLDING and one.result.request.gpu_count == one.count
    counts = [max(one.count, PAIR) for one in found if one.result.verdict == "fits"]
    assert counts == sorted(counts)


def test_a_larger_budget_never_buys_more_cards_for_the_choice(book: SpecBook, assumptions: Assumptions) -> None:
    few = [purchases(from_mapping(JOBS["run"]), limit, book, assumptions, "en")[0].count for limit in (1500.0, 3000.0, 9000.0)]
    assert [max(n, PAIR) for n in few] == sorted((max(n, PAIR) for n in few), reverse=True)


@pytest.mark.parametrize("limit", [2000.0, 5000.0, 9000.0])
def test_a_pair_that_is_faster_comes_before_one_that_is_slower(limit: float, book: SpecBook, assumptions: Assumptions) -> None:
    found = purchases(from_mapping(JOBS["run"]), limit, book, assumptions, "en")
    paces = [next(v.value for v in p.result.values if v.name == "decode_tokens_per_second") for p in found if p.count <= PAIR]
    fitting = [float(pace or 0) for pace, p in zip(paces, found, strict=False) if p.result.verdict == "fits"]
    assert fitting[0] >= ALIKE * max(fitting)


def test_the_cheapest_costs_no_more_than_any_other(book: SpecBook, assumptions: Assumptions) -> None:
    request = from_mapping(JOBS["lora"])
    (one,) = purchases(request, 9000.0, book, assumptions, "en", cheapest=True)
    assert one.price <= min(p.price for p in purchases(request, 9000.0, book, assumptions, "en"))


def test_rates_are_on_file_with_their_source(assumptions: Assumptions) -> None:
    assert (rate := rate_of("CNY", assumptions)) and rate.evidence and 5 < rate.value < 9
    assert rate_of("XYZ", assumptions) is None
