"""Centring vectors per language."""

import numpy as np

from kb.index.centre import ALIKE, ENOUGH, centre, means, nearness


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


def test_nearness_is_told_from_the_vectors_as_embedded() -> None:
    v = vectors(200, 3)
    languages = ["zh"] * len(v)
    common = means(v, languages)
    near = nearness(v[0], "zh", centre(v, languages, common), languages, common)
    level = float(common["zh"] @ common["zh"])
    assert near[0] == np.float32(1) or abs(near[0] - 1) < 1e-4
    assert np.allclose(near, (v @ v[0] - level) / (1 - level), atol=1e-4)
    assert abs(float(near[1:].mean())) < 0.5 < near[0]


def test_nearness_across_languages_is_measured_from_their_own_level() -> None:
    v = vectors(200, 4)
    v[100:] = np.roll(v[100:], 1, axis=1)
    languages = ["zh"] * 100 + ["en"] * 100
    common = means(v, languages)
    near = nearness(v[0], "zh", centre(v, languages, common), languages, common)
    assert abs(float(near[100:].mean())) < 0.1


def test_nearness_without_means_is_measured_from_a_level_that_is_given() -> None:
    v = vectors(3, 5)
    near = nearness(v[0], "en", v, ["en"] * 3, {})
    assert np.allclose(near, (v @ v[0] - ALIKE) / (1 - ALIKE), atol=1e-5)
    assert len(nearness(v[0], "en", v[:0], [], {})) == 0
