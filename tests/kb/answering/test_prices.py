"""What is said of prices: each with its date, the launch price as what it is, and nothing where nothing is on file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kb.answering.cite import Composer
from kb.answering.draft import Draft
from kb.answering.tables import prices
from kb.answering.wording import Wording
from kb.api import KnowledgeBase
from kb.ingest.specs import read_specs
from kb.types.question import Part
from kb.types.specs import SpecBook


@cache
def book() -> SpecBook:
    return read_specs(Path(__file__).parents[3] / "corpus" / "specs")


def told(card: str, language: Any = "en") -> tuple[Draft, str]:
    draft = Draft(Composer(language), Wording(language))
    prices.tell(Part("size", "", entities=(("accelerators", card),), wanted=("cost",)), book(), draft)
    text, _ = draft.composer.finish()
    assert not draft.composer.dropped
    return draft, text


@pytest.mark.parametrize(("language", "says"), [("en", "not quotes of today"), ("zh", "不是今天的报价")])
def test_every_offer_is_told_with_its_date_cheapest_first(language: str, says: str) -> None:
    draft, text = told("h100-sxm5-80gb", language)
    offers = [r for r in book().rows("prices") if r.text("accelerator_id") == "h100-sxm5-80gb"]
    assert draft.kind == "spec" and draft.composer.table and len(draft.composer.table.rows) == len(offers) > 3
    figures = [float(row[3].split()[0]) for row in draft.composer.table.rows]
    assert figures == sorted(figures) and all(row[4].startswith("20") for row in draft.composer.table.rows)
    assert says in text and all((r.text("observed") or "?") in text for r in offers)
    assert {v.name for v in draft.composer.values} == {"price_per_gpu_hour_usd"}


def test_a_launch_price_is_dated_and_no_price_of_today() -> None:
    draft, text = told("rtx-4090")
    assert "launched at 1599 USD" in text and "announced 2022-09-20; it is not a price of today" in text
    assert "there is an offer on file" in text.casefold()
    assert ("msrp_usd", 1599) in [(v.name, v.value) for v in draft.composer.values]


def test_a_launch_price_whose_announcement_was_not_read_has_no_date() -> None:
    _, text = told("rtx-4070", "zh")
    assert "599 美元" in text and "这是首发价，不是现价" in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_card_without_a_price_on_file_is_declined_with_pages_to_look_at(language: str) -> None:
    draft, text = told("mi325x", language)
    assert draft.kind == "declined" and draft.declined and draft.declined.reason == "not_published"
    assert all(n.url.startswith("https://") for n in draft.declined.nearest) and "Instinct MI325X" in text
    assert not draft.composer.values


@pytest.mark.parametrize(
    ("wanted", "slots", "expected"),
    [
        (("cost",), {"gpu": "rtx-4090", "hours": 1.0}, True),
        (("cost",), {"gpu": "rtx-4090", "gpu_count": 1}, True),
        (("cost",), {"gpu": "rtx-4090", "gpu_count": 8}, False),
        (("cost",), {"gpu": "rtx-4090", "days": 3.0}, False),
        (("cost",), {"gpu": "rtx-4090", "model": "llama3-8b"}, False),
        (("cost",), {"gpu": "rtx-4090", "price_per_gpu_hour": 2.0}, False),
        (("power",), {"gpu": "rtx-4090"}, False),
    ],
)
def test_only_the_price_of_one_card_is_looked_up(wanted: tuple[str, ...], slots: dict[str, Any], expected: bool) -> None:
    assert prices.asked(Part("size", "", slots, (("accelerators", "rtx-4090"),), wanted=wanted)) is expected


def test_a_cost_without_a_card_is_no_price() -> None:
    assert not prices.asked(Part("size", "", {"hours": 1.0}, (), wanted=("cost",)))


@pytest.mark.parametrize(
    ("question", "asks_for", "not_for"),
    [
        ("训练一个7B模型要多少钱", "训练 token 数", "模型"),
        ("How much does it cost to train a 7B model?", "number of training tokens", "price"),
        ("How much does it cost to fine-tune Llama 3 70B with QLoRA on 2 A100?", "number of training tokens", "GPU"),
    ],
)
def test_the_bill_of_a_run_that_is_not_described_is_asked_about(
    knowledge: KnowledgeBase, question: str, asks_for: str, not_for: str
) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "clarification" and asks_for in answer.text and not_for not in answer.text


def test_the_bill_of_a_described_run_is_computed(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("用 64 张 H100 训练 7B 模型 1T token 要多少钱")
    assert answer.kind == "sizing" and "cost" in {v.name for v in answer.values}
