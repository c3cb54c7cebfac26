"""A rate of tokens takes as many GPUs as requests that come to the same; lengths that nobody says are those of conversations."""

import pytest

SERVED = {"workload": "inference", "model": "dense-8b", "gpu": "big-80gb"}


def test_tokens_a_second_are_as_heavy_as_the_requests_that_make_them(value) -> None:
    exchange = {"prompt_tokens": 500, "output_tokens": 200}
    tokens = value("gpus_for_load", **SERVED, **exchange, demanded_tokens_per_second=40_000)
    assert tokens == value("gpus_for_load", **SERVED, **exchange, requests_per_second=200)


def test_twice_the_rate_takes_twice_the_gpus_or_less(value) -> None:
    one, two = (value("gpu_count", **SERVED, demanded_tokens_per_second=rate) for rate in (50_000, 100_000))
    assert one < two <= 2 * one


def test_the_concurrency_of_a_load_carries_its_rate(value) -> None:
    """What is assumed to be in flight, decoded at its own pace, comes to the rate at least."""
    assert value("decode_tokens_per_second", **SERVED, demanded_tokens_per_second=20_000) >= 20_000


@pytest.mark.parametrize("load", [{"requests_per_second": 5.0}, {"demanded_tokens_per_second": 2000.0}])
def test_lengths_are_those_of_conversations_unless_said(sized, load: dict[str, float]) -> None:
    usual = sized(**SERVED, **load)
    assert {"prompt_tokens", "output_tokens"} <= {a.slot for a in usual.assumptions}
    assert "context_len" not in {a.slot for a in usual.assumptions}
    said = sized(**SERVED, **load, prompt_tokens=4000, output_tokens=500)
    assert said.request.context_len == 4500 and "output_tokens" not in {a.slot for a in said.assumptions}
