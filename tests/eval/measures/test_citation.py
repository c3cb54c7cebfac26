"""Citations are checked against the text, the documents and the tables."""

import copy

import pytest
from answers import FakeBase, answer, case, declined

from eval.measures import citation

BASE = FakeBase({})


def changed(at, **fields):
    citations = copy.deepcopy(answer()["citations"])
    citations[at] |= fields
    return answer(citations=citations)


def test_a_sound_answer_holds():
    assert citation.holds(case(), answer(), BASE).passed
    assert citation.cited(case(), answer(), BASE).passed


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (answer(text="80 GB。[1] 模型。[2] 还有。[3]"), "mark [3] without a citation"),
        (answer(text="80 GB。[1]"), "citation 2 without a mark"),
        (changed(0, answer_spans=[]), "supports nothing"),
        (changed(0, answer_spans=[{"start": 5, "end": 999}]), "outside the text"),
        (changed(0, quote=" "), "empty quote"),
        (changed(0, quote="96 GB"), "does not hold the quote"),
        (changed(0, locator={"table": "accelerators", "row": "card-b", "column": "memory_gb"}), "does not hold the quote"),
        (changed(1, locator={"heading_path": [], "start": 0, "end": 4}), "is not the quote"),
        (changed(1, source={"id": "other", "title": "x"}), "is not the quote"),
    ],
)
def test_what_does_not_hold_is_named(broken, said):
    score = citation.holds(case(), broken, BASE)
    assert not score.passed
    assert said in score.detail


def test_a_rule_needs_only_its_quote():
    assert citation.holds(case(), changed(0, locator={"rule": "memory.weights"}), BASE).passed


def test_a_sentence_with_a_figure_and_no_mark_lowers_the_share():
    score = citation.cited(case(), answer(text="显存为 80 GB。[1]功耗为 700 W。"), BASE)
    assert score.value == 0.5
    assert "700 W" in score.detail


def test_an_answer_that_declines_claims_nothing():
    assert citation.cited(case(), declined(), BASE) is None


def test_the_expected_cell_must_be_cited():
    wanted = {"kind": "cell", "table": "accelerators", "row": "card-a", "column": "memory_gb"}
    assert citation.cell(case(wanted), answer(), BASE)[0].passed
    assert not citation.cell(case({**wanted, "column": "tdp_w"}), answer(), BASE)[0].passed
