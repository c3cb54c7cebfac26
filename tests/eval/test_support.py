"""Questions with and without an answer, told apart by signs that are made up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from eval import support
from eval.cases import SetFault
from eval.support import SIGNS, SINGLE, Kind, auroc, compare, fit, measure, shown
from kb.index.lexical import Lexical
from kb.types.evidence import Hit

FIRST = len(SINGLE) - len(SIGNS)


def kind(folder: str = "one", seed: int = 0, **higher: float) -> Kind:
    """Scores that tell nothing, but for those that are `higher` by so many standard deviations where there is an answer."""
    draw = np.random.default_rng(seed)
    has, lacks = draw.normal(size=(200, len(SINGLE))), draw.normal(size=(150, len(SINGLE)))
    for column, by in higher.items():
        has[:, int(column[1:])] += by
    return Kind(folder, "ooc", has, lacks)


def test_the_area_is_the_share_of_pairs_in_order_and_ties_count_half() -> None:
    assert auroc(np.array([3.0, 2.0]), np.array([1.0, 2.0])) == pytest.approx(3.5 / 4)


def test_two_signs_together_beat_the_better_of_them() -> None:
    telling = kind(**{f"c{FIRST}": 1.5, f"c{FIRST + 2}": 1.4})
    both = np.eye(len(SIGNS))[0] + np.eye(len(SIGNS))[2]
    told = compare(telling, both)
    assert told.single == SIGNS[0]
    assert told.low > 0 and told.area > told.single_area


def test_a_sign_that_tells_nothing_does_not_beat_the_cosine() -> None:
    told = compare(kind(**{f"c{FIRST}": 1.0}), np.eye(len(SIGNS))[1])
    assert told.single == "cosine" and told.high < 0


def test_one_score_for_all_sets_is_the_one_that_does_best_on_them_together() -> None:
    kinds = [kind("a", 1, **{f"c{FIRST}": 3.0}), kind("b", 2, **{f"c{FIRST + 2}": 1.2}), kind("c", 3, **{f"c{FIRST + 2}": 1.2})]
    found = measure(kinds)
    assert found["single_over_all"] == SIGNS[2]
    assert found["kinds"][0]["best_single"]["score"] == SIGNS[0]
    assert found["kinds"][0]["against_one"]["gain_low"] > 0 > found["kinds"][0]["shipped"]["gain_high"]


def test_the_fit_weighs_what_tells_and_nothing_below_zero() -> None:
    weights = fit([kind(**{f"c{FIRST}": 1.5, f"c{FIRST + 1}": -1.5})])
    assert weights.argmax() == 0 and weights[1] == 0 and (weights >= 0).all()


def test_every_set_is_measured_by_weights_fitted_to_the_others() -> None:
    misled, others = kind("odd", 1, **{f"c{FIRST}": -2.0, f"c{FIRST + 3}": 1.0}), kind("others", 2, **{f"c{FIRST}": 2.0})
    found = measure([misled, others])
    odd = found["kinds"][0]
    assert odd["left_out"]["auroc"] < 0.2 < odd["best_single"]["auroc"]
    assert measure([misled, replace(misled, name="adv")])["kinds"][0]["left_out"] is None
    text = shown(found)
    assert "odd ooc" in text and "200 / 150" in text and SIGNS[3] in text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [{"_id": f"q{i}", "text": f"query {i}", "split": "dev" if i % 2 else "heldout"} for i in range(8)]
    rows += [{"_id": f"n{i}", "text": f"other {i}", "answerable": False, "kind": "noise", "split": "dev"} for i in range(3)]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"_id": "d", "title": "", "text": "query 1"}), encoding="utf-8")
    return tmp_path


def build(documents: Any, home: Path) -> Any:
    def candidates(query: str) -> tuple[Hit, ...]:
        return ()

    return SimpleNamespace(candidates=candidates, index=SimpleNamespace(lexical=Lexical.build(["query"])))


def test_kinds_are_gathered_from_a_folder(folder: Path) -> None:
    (found,) = support.gather(folder, "dev", build=build)
    assert (found.name, found.with_answer.shape, found.without.shape) == ("noise", (4, len(SINGLE)), (3, len(SINGLE)))
    assert len(support.gather(folder, None, 2, build=build)[0].with_answer) == 2


def test_a_folder_where_every_query_has_an_answer_is_refused(folder: Path) -> None:
    with pytest.raises(SetFault, match="without an answer"):
        support.gather(folder, "heldout", build=build)
