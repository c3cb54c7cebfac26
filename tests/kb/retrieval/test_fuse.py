"""Convex fusion."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kb.retrieval.fuse import convex

scores = arrays(np.float32, 6, elements=st.floats(0, 30, width=32))


def test_without_a_matching_word_the_dense_leg_decides() -> None:
    dense = np.array([0.2, 0.9, 0.5], np.float32)
    assert convex(dense, np.zeros(3, np.float32), 0.5).argmax() == 1


def test_a_passage_that_leads_both_legs_leads() -> None:
    assert convex(np.array([0.1, 0.8], np.float32), np.array([1, 7], np.float32), 0.5).argmax() == 1


@given(scores, scores, st.floats(0, 1))
def test_fused_scores_stay_between_0_and_1(dense: np.ndarray, lexical: np.ndarray, weight: float) -> None:
    fused = convex(dense, lexical, weight)
    assert ((fused >= -1e-6) & (fused <= 1 + 1e-6)).all()
