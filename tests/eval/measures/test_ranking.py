"""Ranking measures on rankings computed by hand."""

import pytest

from eval.measures.ranking import ndcg, recall, reciprocal_rank

RANKED = ["a", "b", "c", "d"]


def test_recall_is_the_share_of_relevant_found():
    assert recall(RANKED, {"b": 1, "z": 1}, 2) == 0.5
    assert recall(RANKED, {"d": 1}, 3) == 0
    assert recall(RANKED, {}, 3) == 0


def test_ndcg_is_one_for_the_ideal_order_and_falls_with_rank():
    assert ndcg(RANKED, {"a": 2, "b": 1}, 4) == 1
    assert ndcg(RANKED, {"b": 1}, 4) == pytest.approx(0.6309, abs=1e-4)
    assert ndcg(RANKED, {"z": 1}, 4) == 0


def test_the_reciprocal_rank_is_of_the_first_relevant():
    assert reciprocal_rank(RANKED, {"c": 1, "d": 1}, 4) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKED, {"d": 1}, 3) == 0
