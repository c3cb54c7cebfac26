"""A running model on GPUs and the memory of their host together."""

from __future__ import annotations

import pytest

DENSE = {"workload": "inference", "model": {"parameters": 70e9}, "gpu": "desk-24gb", "gpu_count": 1}


def test_layers_that_the_card_does_not_hold_stand_in_host_memory(sized, value) -> None:
    asked = {**DENSE, "quantization": "q4_k_m", "host_ram_gb": 64}
    result = sized(**asked)
    assert result.verdict == "fits_with_conditions"
    assert result.extra["host_filled"] == pytest.approx(value("host_ram", **asked) / 64)
    held = value("weights", **asked) + value("kv_cache", **asked)
    assert held - value("memory_available_per_gpu", **asked) < value("host_ram", **asked) < held


def test_the_pace_lies_between_that_of_the_host_and_that_of_the_card(value) -> None:
    speed = ("decode_tokens_per_second",)
    asked = {**DENSE, "quantization": "q4_k_m", "host_ram_gb": 64}
    split = value("decode_tokens_per_second", speed, **asked)
    bandwidth = {"workload": "inference", "model": {"parameters": 70e9}, "quantization": "q4_k_m"}
    host = value("decode_tokens_per_second", speed, **bandwidth, engine="cpu", gpu={"memory_bandwidth_gb_s": 89.6})
    card = value("decode_tokens_per_second", speed, **bandwidth, gpu="desk-24gb")
    assert host < split < card


@pytest.mark.parametrize("quantization", ["bf16", "int8", "q4_k_m", "awq-int4"])
@pytest.mark.parametrize("model", [{"parameters": 70e9}, {"parameters": 230e9, "active_parameters": 20e9}])
def test_more_memory_never_turns_a_fit_into_none(sized, model, quantization) -> None:
    order = ("does_not_fit", "fits_with_conditions", "fits")
    asked = {**DENSE, "model": model, "quantization": quantization}
    told = [order.index(sized(**asked, host_ram_gb=ram).verdict) for ram in (8, 64, 256, 1024)]
    assert told == sorted(told) and told[0] == 0 and told[-1] == 1


def test_what_the_card_holds_needs_no_host(sized) -> None:
    small = {**DENSE, "model": {"parameters": 8e9}, "quantization": "q4_k_m"}
    with_host, without = sized(**small, host_ram_gb=64), sized(**small)
    assert with_host.verdict == without.verdict == "fits" and "host_filled" not in with_host.extra
    assert [v.value for v in with_host.values] == [v.value for v in without.values]


def test_where_both_are_short_fewer_bits_or_more_memory_is_named(sized) -> None:
    short = sized(**DENSE, quantization="bf16", host_ram_gb=48).extra["options"]
    assert len(short) == 1 and "Q6_K" in short[0]
    hopeless = sized(**{**DENSE, "model": {"parameters": 600e9}}, quantization="bf16", host_ram_gb=16).extra["options"]
    assert len(hopeless) == 1 and "of RAM" in hopeless[0]
