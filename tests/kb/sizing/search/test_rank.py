"""Order, front and choice of what is shown, on tables small enough to check by eye."""

import numpy as np

from kb.sizing.search.rank import SHOWN, best_of_each_place, front, shown


def table(**columns: list[float]) -> dict[str, np.ndarray]:
    rows = len(next(iter(columns.values())))
    usual = dict.fromkeys(("gpu", "gpu_count", "tight", "cost", "time", "filled"), [1.0] * rows)
    return {name: np.array(column, dtype=float) for name, column in (usual | columns).items()}


def test_a_place_is_held_by_the_layout_that_fits_with_room_even_if_a_tight_one_is_faster() -> None:
    found = table(tight=[1, 0, 0], time=[1, 3, 2], filled=[0.9, 0.5, 0.8])
    assert best_of_each_place(found, "time").tolist() == [2]


def test_of_equally_fast_layouts_the_simpler_holds_the_place() -> None:
    found = table(pipeline_parallel=[4, 1], filled=[0.1, 0.8])
    assert best_of_each_place(found, "cost").tolist() == [1]


def test_a_difference_of_rounding_does_not_decide() -> None:
    found = table(gpu_count=[8, 16], cost=[1.0, 1.0 - 1e-15], time=[2, 2])
    assert best_of_each_place(found, "cost").tolist() == [0, 1]


def test_the_front_holds_what_no_other_beats_and_equals_beat_none() -> None:
    found = table(cost=[1, 2, 2, 3], time=[9, 5, 6, 9], gpu_count=[8, 16, 16, 8])
    assert front(found, np.arange(4)).tolist() == [True, True, False, False]
    assert front(table(cost=[1, 1]), np.arange(2)).all()


def test_the_first_the_best_of_each_kind_and_both_ends_of_the_front_are_shown() -> None:
    n = 100
    found = table(gpu=[0] * (n - 1) + [1], cost=list(range(n)), time=list(range(n, 0, -1)))
    ranked = best_of_each_place(found | {"gpu_count": np.arange(n)}, "cost")
    picked = shown(found, ranked, front(found, ranked))
    assert len(picked) == SHOWN and picked == sorted(picked)
    assert picked[0] == 0 and picked[-1] == n - 1
