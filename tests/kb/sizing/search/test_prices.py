"""Prices that the asker does not say are dated offers of the table, or none at all."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from kb.errors import InvalidInput
from kb.sizing.prices import offers
from kb.sizing.search.limits import plan_from_mapping
from kb.sizing.search.plan import plan
from kb.types.planning import PlanResult
from kb.types.source import Source
from kb.types.specs import Bilingual, Cell, Row, SpecBook, Table

OFFERS = [
    ("big-80gb", "on demand", 12.0), ("big-80gb", "on demand", 4.0), ("big-80gb", "on demand", 3.0), ("big-80gb", "spot", 0.5),
    ("older-80gb", "marketplace", 1.2), ("desk-24gb", "spot", 0.2),
]  # fmt: skip
RUN = {"workload": "pretrain", "model": "dense-8b", "tokens": 1e11, "max_gpus": 64}


@pytest.fixture(scope="module")
def priced(spec_book: SpecBook) -> SpecBook:
    page = Source("prices", "price", "A price page", "https://example.org/prices")
    rows = {}
    for number, (card, term, price) in enumerate(OFFERS):
        told = {"accelerator_id": card, "term": term, "provider": f"Provider {number}", "observed": "2026-10-01"}
        cells = {name: Cell(text, None, "known", page, text) for name, text in told.items()}
        cells["price_per_gpu_hour_usd"] = Cell(price, "USD/h", "known", page, f"{price} USD/h")
        rows[f"offer-{number}"] = Row("prices", f"offer-{number}", f"Offer {number}", cells)
    table = Table("prices", Bilingual("prices", "价格"), (), rows)
    return replace(spec_book, tables={**spec_book.tables, "prices": table})


@pytest.fixture(scope="module")
def planned_at(priced: SpecBook, assumptions) -> Callable[..., PlanResult]:
    def of(**fields: Any) -> PlanResult:
        return plan(*plan_from_mapping(RUN | fields), priced, assumptions)

    return of


def test_the_offer_taken_is_the_middle_one_on_demand_and_never_a_spot_price(priced: SpecBook) -> None:
    found = offers(priced, None)
    assert {card: offer.price for card, offer in found.items()} == {"big-80gb": 4.0, "older-80gb": 1.2}
    assert offers(priced, "CNY") == {}


def test_a_plan_without_prices_ranks_by_offers_and_says_whose_and_when(planned_at) -> None:
    result = planned_at(gpus=["big-80gb", "older-80gb"])
    assert {v.unit for o in result.options for v in o.values if v.name == "cost"} == {"USD"}
    said = next(a for a in result.assumptions if a.slot == "prices")
    assert said.value == {"big-80gb": 4.0, "older-80gb": 1.2}
    assert "4 USD (Provider 1, 2026-10-01)" in said.reason and not result.warnings


def test_without_a_gpu_named_the_ranking_by_cost_is_among_those_with_an_offer(planned_at) -> None:
    assert {o.request.gpu for o in planned_at().options} == {"big-80gb", "older-80gb"}
    assert "desk-24gb" in next(a.value for a in planned_at(objective="time").assumptions if a.slot == "gpus")


def test_a_kind_without_an_offer_puts_the_ranking_back_to_gpu_time(planned_at) -> None:
    result = planned_at(gpus=["big-80gb", "desk-24gb"])
    assert "GPU time" in result.warnings[0] and not any(a.slot == "prices" for a in result.assumptions)
    with pytest.raises(InvalidInput) as refused:
        planned_at(gpus=["big-80gb", "desk-24gb"], max_budget=1e5)
    assert refused.value.field == "price_per_gpu_hour"


def test_a_price_that_is_said_stands_before_the_offers(planned_at) -> None:
    result = planned_at(gpus=["big-80gb"], price_per_gpu_hour=2.0)
    assert {o.request.price_per_gpu_hour for o in result.options} == {2.0}
    assert not any(a.slot == "prices" for a in result.assumptions)
