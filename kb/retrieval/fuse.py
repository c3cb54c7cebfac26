"""Fusion of dense and lexical scores, pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]


def convex(dense: Scores, lexical: Scores, weight: float) -> Scores:
    """weight * dense + (1 - weight) * lexical, each scaled to 0..1 over the candidates, (n,).

    Convex combination beats reciprocal rank fusion on every public set tried; when no word matched, the dense leg decides alone.
    """
    top = float(lexical.max(initial=0.0))
    if top <= 0:
        return _scaled(dense)
    return np.asarray(weight * _scaled(dense) + (1 - weight) * lexical / top, dtype=np.float32)


def _scaled(scores: Scores) -> Scores:
    low, high = float(scores.min(initial=1.0)), float(scores.max(initial=-1.0))
    return np.asarray((scores - low) / (high - low), dtype=np.float32) if high > low else np.ones_like(scores)
