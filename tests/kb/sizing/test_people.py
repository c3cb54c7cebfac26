"""Of people who may use a service a part does at the same time; what is said of that part counts instead."""

import pytest

SERVED = {"workload": "inference", "model": "dense-8b", "gpu": "big-80gb"}


@pytest.mark.parametrize(("people", "at_once"), [(3, 3), (10, 10), (60, 10), (200, 20), (5001, 501)])
def test_a_tenth_at_a_time_but_ten_at_least(sized, people: int, at_once: int) -> None:
    result = sized(**SERVED, people=people)
    assert result.request.concurrency == at_once
    reason = next(a.reason for a in result.assumptions if a.slot == "concurrency")
    assert "tenth" in reason


def test_more_people_need_more_cache(value) -> None:
    few, many = (value("kv_cache", **SERVED, people=n) for n in (100, 1000))
    assert many == pytest.approx(10 * few)


def test_those_said_to_be_served_at_once_count(sized) -> None:
    assert sized(**SERVED, people=500, concurrency=7).request.concurrency == 7


def test_training_is_for_nobody_in_particular(value) -> None:
    tuned = {"workload": "lora", "model": "dense-8b", "gpu": "big-80gb", "gpu_count": 1}
    assert value("memory_total", **tuned, people=50) == value("memory_total", **tuned)


@pytest.mark.parametrize(("users", "at_once"), [(2_000, 10), (100_000, 200), (2_000_000, 4_000)])
def test_of_active_users_next_to_none_wait_at_once(sized, users: int, at_once: int) -> None:
    assert sized(**SERVED, active_users=users).request.concurrency == at_once
