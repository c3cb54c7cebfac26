"""Value for money: what cards give for the dated prices on file, or that there is none."""

from __future__ import annotations

import pathlib
from functools import cache

import pytest

from kb.answering.cite import Composer
from kb.answering.draft import Draft
from kb.answering.tables import value
from kb.answering.tables.value import GIVEN
from kb.answering.wording import Wording
from kb.ingest.specs import read_specs
from kb.types.question import Part
from kb.types.specs import SpecBook

CORPUS = pathlib.Path(__file__).parents[3] / "corpus"


@cache
def book() -> SpecBook:
    return read_specs(CORPUS / "specs")


def part(text: str, *ids: str) -> Part:
    return Part("compare", text, entities=tuple(("accelerators", i) for i in ids))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("A100和H100哪个更划算", "zh"),
        ("性价比 A100 还是 H100", "zh"),
        ("A100 or H100, which is cheaper per token", "en"),
        ("better value, A100 or H100", "en"),
    ],
)
def test_value_goes_by_the_prices_on_file_with_their_dates(text: str, language: str) -> None:
    asked = part(text, "a100-sxm4-80gb", "h100-sxm5-80gb")
    draft = Draft(Composer(language), Wording(language))
    assert value.asked(asked) and value.tell(asked, book(), draft)
    said, _ = draft.composer.finish()
    assert not draft.composer.dropped and "2026-" in said
    shares = {v.scope: v.value for v in draft.composer.values if v.name == f"{GIVEN[0]}/{value.RENTAL}"}
    cheapest = min(
        p
        for r in book().rows("prices")
        if r.text("accelerator_id") == "a100-sxm4-80gb" and r.text("term") in value.TERMS and (p := r.number(value.RENTAL))
    )
    assert shares["a100-sxm4-80gb"] == pytest.approx(2039 / cheapest)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_card_without_a_price_is_said_to_have_none(language: str) -> None:
    draft = Draft(Composer(language), Wording(language))
    assert not value.tell(part("性价比", "l20", "h100-sxm5-80gb"), book(), draft)
    said, _ = draft.composer.finish()
    assert "NVIDIA L20" in said and "H100" not in said


def test_which_is_faster_or_what_a_job_costs_is_no_question_of_value() -> None:
    assert not value.asked(part("which is faster, A100 or H100", "a100-sxm4-80gb", "h100-sxm5-80gb"))
