"""Values that are worked out when they are asked for."""

import pytest


@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [
        ("load_time", {"size_gb": 700, "disk_gb_s": 3.5}, 200),
        ("load_time", {"parameters": 70e9, "precision": "bf16", "bandwidth_gb_s": 7}, 20),
        ("download_time", {"parameters": 8e9, "precision": "bf16", "network_gbps": 1}, 128),
        ("write_time", {"size_gb": 100, "disk_gb_s": 2}, 50),
        ("all_reduce_time", {"parameters": 10e9, "precision": "bf16", "bandwidth_gb_s": 100}, 0.4),
        ("dp_size", {"gpu_count": 512, "tensor_parallel": 8, "pipeline_parallel": 4}, 16),
        ("psu", {"gpu": "desk-24gb", "gpu_count": 2}, 2 * 450 * 1.3),
        ("psu", {"gpu": "desk-24gb", "gpu_count": 2, "gpu_power_w": 300}, 2 * 300 * 1.3),
        ("power_limit", {"gpu": "desk-24gb", "gpu_count": 2, "psu_w": 780}, 300),
        ("power", {"gpu": "desk-24gb", "gpu_count": 2, "power_w": 200}, 1.1),
        ("tokens_per_second", {"samples_per_second": 2.5, "seq_len": 4096}, 10240),
        ("host_ram", {"gpu": "desk-24gb", "gpu_count": 2}, 48e9 / 2**30),
    ],
)
def test_a_value_asked_for_follows_from_what_is_stated(value, name: str, fields: dict[str, object], expected: float) -> None:
    asked = "psu" if name == "power_limit" else name
    assert value(name, (asked,), **fields) == pytest.approx(expected)


def test_a_ring_of_known_size_sends_less_than_the_bound(value) -> None:
    fields = {"parameters": 10e9, "precision": "bf16", "bandwidth_gb_s": 100}
    assert value("all_reduce_time", ("all_reduce_time",), gpu_count=2, **fields) == pytest.approx(0.2)


@pytest.mark.parametrize(("alone", "each"), [(True, 2), (False, 14)])
def test_checkpoints_kept_are_multiples_of_one(value, alone: bool, each: int) -> None:
    kept = value("storage", ("checkpoint_size",), workload="full_finetune", parameters=7e9, copies=10, weights_only=alone)
    assert kept * 2**30 == pytest.approx(10 * each * 7e9)


def test_a_value_names_itself_once_although_asked_for_twice(sized) -> None:
    names = [v.name for v in sized(("psu", "power", "psu"), gpu="desk-24gb", gpu_count=2, power_w=100).values]
    assert len(names) == len(set(names))


def test_supply_that_suffices_needs_no_power_limit(sized) -> None:
    assert all(v.name != "power_limit" for v in sized(("psu",), gpu="desk-24gb", gpu_count=1, psu_w=1000).values)
