"""Rankings against graded relevance: recall@k, nDCG@k, reciprocal rank."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def recall(ranked: Sequence[str], relevant: Mapping[str, float], k: int) -> float:
    """Share of the relevant ids among the first k; 0 when nothing is relevant."""
    wanted = {id for id, grade in relevant.items() if grade > 0}
    return len(wanted & set(ranked[:k])) / len(wanted) if wanted else 0.0


def ndcg(ranked: Sequence[str], relevant: Mapping[str, float], k: int) -> float:
    """Normalized discounted cumulative gain at k (Järvelin and Kekäläinen 2002; gain = grade, discount log2(rank + 1))."""
    gain = sum(relevant.get(id, 0.0) / math.log2(rank + 2) for rank, id in enumerate(ranked[:k]))
    best = sum(g / math.log2(rank + 2) for rank, g in enumerate(sorted(relevant.values(), reverse=True)[:k]))
    return gain / best if best else 0.0


def reciprocal_rank(ranked: Sequence[str], relevant: Mapping[str, float], k: int) -> float:
    """1 / rank of the first relevant id among the first k, else 0."""
    return next((1 / (rank + 1) for rank, id in enumerate(ranked[:k]) if relevant.get(id, 0) > 0), 0.0)
