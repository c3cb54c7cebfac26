"""Centring vectors per language."""

import numpy as np

from kb.index.centre import ENOUGH, centre, means


def vectors(n: int, seed: int) -> np.ndarray:
    """Unit vectors around a common direction, as those of one language are."""
    out = np.random.default_rng(seed).normal(size=(n, 16)).astype(np.float32)
    out[:, 0] += 8
    return out / np.linalg.norm(out, axis=1, keepdims=True)


def test_centring_takes_the_common_direction_out() -> None:
    v = vectors(200, 1)
    languages = ["zh"] * 200
    moved = centre(v, languages, means(v, languages))
    assert float((v @ v.T).mean()) > 0.7
    assert abs(float((moved @ moved.T).mean())) < 0.05
    assert np.allclose(np.linalg.norm(moved, axis=1), 1, atol=1e-5)


def test_a_language_with_few_passages_is_left_as_it_is() -> None:
    v = vectors(ENOUGH - 1, 2)
    languages = ["en"] * len(v)
    assert means(v, languages) == {}
    assert (centre(v, languages, {}) == v).all()
