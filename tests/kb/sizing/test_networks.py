"""The network between servers: whose port a rate is of, which layout spares it, and what of a step waits for it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.errors import InvalidInput
from kb.sizing.links import network_per_gpu, port
from tests.kb.sizing.conftest import MODELS, ask

SMALL = {"workload": "pretrain", "model": "dense-8b", "gpu": "big-80gb", "gpu_count": 64, "tokens": 1e12}
LARGE = {"workload": "full_finetune", "model": "dense-70b", "gpu": "big-80gb", "gpu_count": 64, "tokens": 1e9}


def time(**fields) -> float:
    return next(v.value for v in ask(**fields).values if v.name == "training_time")


def assumed(slot: str, **fields):
    return next((a.value for a in ask(**fields).assumptions if a.slot == slot), None)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    model=st.sampled_from(sorted(MODELS.keys() - {"unpublished"})), gpu=st.sampled_from(["big-80gb", "older-80gb", "desk-24gb"]),
    workload=st.sampled_from(["pretrain", "full_finetune", "lora", "qlora"]), count=st.sampled_from([16, 24, 64, 256]),
)  # fmt: skip
def test_a_faster_network_never_makes_a_run_slower(model: str, gpu: str, workload: str, count: int) -> None:
    job = {"workload": workload, "model": model, "gpu": gpu, "gpu_count": count, "tokens": 1e10}
    times = [time(**job, network_gbps=rate) for rate in (1, 25, 100, 200, 800)]
    assert all(faster <= slower * (1 + 1e-9) for slower, faster in pairwise(times))


@pytest.mark.parametrize("job", [SMALL, LARGE])
def test_a_very_slow_network_makes_a_run_slower(job) -> None:
    times = [time(**job, network_gbps=rate) for rate in (1, 10, 25, 100, 200, 400, 1600)]
    assert times == sorted(times, reverse=True)
    assert times[0] > 2 * times[-1]
    assert time(**job) == pytest.approx(times[-2])  # one 400 Gb/s port per GPU is what such servers have


@pytest.mark.parametrize("job", [SMALL, LARGE, {**SMALL, "workload": "lora"}])
def test_a_layout_nobody_asked_for_spares_a_slow_network(job) -> None:
    assert time(**job, network_gbps=25) < time(**job, network_gbps=25, zero_stage=3) / 2


def test_states_are_sharded_inside_servers_as_far_as_these_hold_them_else_stages_go_across() -> None:
    inside, across = (ask(**job, network_gbps=25) for job in (SMALL, LARGE))
    assert (inside.request.zero_stage, inside.request.shard_degree, inside.request.pipeline_parallel) == (3, 8, 1)
    assert (across.request.zero_stage, across.request.shard_degree, across.request.tensor_parallel) == (1, None, 8)
    assert across.request.pipeline_parallel > 1
    assert any(a.slot == "shard_degree" and "hybrid" in a.reason for a in inside.assumptions)
    assert all(a.slot != "shard_degree" for a in ask(**SMALL).assumptions)


def test_groups_hold_whole_copies_of_the_states() -> None:
    grouped, whole = (ask(**SMALL, zero_stage=3, shard_degree=n) for n in (8, 64))
    states = [next(v.value for v in r.values if v.name == "model_states_per_gpu") for r in (grouped, whole)]
    assert states[0] == pytest.approx(8 * states[1])
    assert time(**SMALL, zero_stage=3, shard_degree=64) == pytest.approx(time(**SMALL, zero_stage=3))


def test_the_network_that_bounds_a_run_is_told() -> None:
    assert any("25 Gbit/s carries 0.3906 GB/s per GPU" in w for w in ask(**SMALL, network_gbps=25).warnings)
    assert not any("Gbit/s carries" in w for w in ask(**SMALL, network_gbps=400).warnings)


@pytest.mark.parametrize(("rate", "sharers"), [(25, 8), (100, 8), (200, 1), (400, 1)])
def test_fast_ports_come_one_per_gpu_and_slow_ones_one_per_server(rate: float, sharers: float) -> None:
    assert assumed("gpus_per_network_port", **SMALL, network_gbps=rate) == sharers


@pytest.mark.parametrize(
    ("text", "per_gpu", "alone"),
    [
        ("400 Gb/s per GPU", 50e9, None),
        ("100 Gb/s per node", 12.5e9 / 8, None),
        ("NVLink 900 GB/s, 25 Gb/s Ethernet", None, 3.125e9),
        ("100GbE", None, 12.5e9),
        ("NVLink 900 GB/s per GPU", None, None),
    ],
)
def test_a_rate_is_of_bits_and_of_whom_its_text_says(text: str, per_gpu: float | None, alone: float | None) -> None:
    assert network_per_gpu(text, 8) == per_gpu
    assert port(text) == alone or per_gpu is not None


def test_a_group_that_does_not_divide_the_gpus_is_refused(sized) -> None:
    with pytest.raises(InvalidInput, match="shard_degree"):
        sized(**SMALL, zero_stage=3, shard_degree=7)


def test_experts_are_spread_over_a_server_instead_of_gathered_for_every_layer() -> None:
    tuned = {"workload": "lora", "model": "mixture-671b", "gpu": "big-80gb"}
    found = ask(**tuned)
    assert found.request.expert_parallel == 8 and found.request.gpu_count <= 32
    assert any(a.slot == "expert_parallel" and "experts" in a.reason.lower() for a in found.assumptions)
    spread, gathered = (
        {c.component: c.value for c in ask(**tuned, gpu_count=64, expert_parallel=n).breakdown}["buffers"] for n in (64, 1)
    )
    assert spread < gathered / 10
    assert ask(**{**tuned, "model": "dense-70b"}, gpu_count=8).request.expert_parallel == 1


def test_a_mixture_too_large_for_a_server_spreads_experts_inside_and_stages_across() -> None:
    """Gathering a mixture's shards for every micro-batch of few tokens would wait for the network."""
    run = ask(workload="pretrain", model="mixture-671b", gpu="big-80gb", gpu_count=2048, tokens=1e12)
    layout = {a.slot: a.value for a in run.assumptions}
    assert layout["pipeline_parallel"] > 1 and layout["expert_parallel"] > 1 and "shard_degree" not in layout


def test_a_long_run_takes_larger_steps_and_a_mixture_larger_ones_still() -> None:
    """Llama 2 70B took 4 million tokens a step, DeepSeek-V2 37.7 million; the batch grows with the 0.3271th power of the compute."""

    def step(**run) -> float:
        found = {v.name: v.value for v in ask(workload="pretrain", gpu="big-80gb", gpu_count=2048, **run).values}
        return found["step_time"] * found["tokens_per_second"]

    short, long = (step(model="dense-70b", tokens=t) for t in (1e12, 30e12))
    assert short == pytest.approx(4e6) and 4e6 * 15**0.3 < long < 4e6 * 15**0.36
    assert step(model="mixture-671b", tokens=4.6e12) == pytest.approx(37.7e6, rel=0.05)


@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_states_are_not_gathered_over_a_slow_link_where_each_gpu_holds_the_weights(count: int) -> None:
    """Of no stage stated the fastest that fits is taken, and named; of a stage that was stated that one."""
    job = {"workload": "pretrain", "model": {"parameters": 5e8}, "gpu": "desk-24gb", "gpu_count": count, "tokens": 1e10}
    left_open = time(**job)
    assert assumed("zero_stage", **job) == 1
    assert left_open == pytest.approx(min(time(**job, zero_stage=n) for n in (1, 2, 3)))
    assert left_open < time(**job, zero_stage=3)
    assert assumed("zero_stage", **{**job, "model": "dense-8b", "gpu_count": 8}) == 3  # whose weights leave no room
