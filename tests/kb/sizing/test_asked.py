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
        ("psu", {"gpu": "desk-24gb", "gpu_count": 2}, (2 * 450 + 300) * 1.25),
        ("psu", {"gpu": "desk-24gb", "gpu_count": 2, "gpu_power_w": 300}, (2 * 300 + 300) * 1.25),
        ("power_limit", {"gpu": "desk-24gb", "gpu_count": 2, "psu_w": 1125}, 300),
        ("psu", {"gpu": "desk-24gb", "processor": "server"}, (450 + 460) * 1.25),
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


def test_the_largest_model_that_runs_fills_a_gpu_with_a_margin(value, assumptions) -> None:
    room = 24e9 * 1.068 * 0.9 * 0.85 - assumptions.constants["overhead.serving"].value
    found = value("max_parameters", ("max_parameters",), gpu="desk-24gb", quantization="fp16")
    assert found == pytest.approx(room / 2)


@pytest.mark.parametrize("workload", ["pretrain", "full_finetune", "lora", "qlora"])
@pytest.mark.parametrize("asked", [{}, {"gpu_count": 4}, {"seq_len": 4096}])
def test_the_largest_model_that_is_trained_fills_a_gpu_with_all_that_training_takes(sized, workload: str, asked) -> None:
    card = {"gpu": "desk-24gb", "gpu_count": 1, "workload": workload, **asked}
    found = next(v.value for v in sized(("max_parameters",), **card).values if v.name == "max_parameters")
    whole = sized(**card, parameters=found)
    assert whole.extra["filled"] == pytest.approx(0.85, rel=1e-3)


def test_where_activations_alone_fill_a_gpu_no_model_is_the_largest(sized) -> None:
    long = sized(("max_parameters",), gpu="small-4gb", workload="pretrain", seq_len=65536)
    assert all(v.name != "max_parameters" for v in long.values)


def test_the_largest_model_in_an_open_format_names_models_in_sixteen_and_in_four_bits(sized) -> None:
    result = sized(("max_parameters",), gpu="desk-24gb", gpu_count=1)
    assert "Dense-8B" in result.extra["options"][0] and "27B" in result.extra["options"][1]
    assert "quantization" in {a.slot for a in result.assumptions}


def test_a_rack_holds_as_many_servers_as_its_power_feeds(value) -> None:
    assert value("server_count", ("server_count",), gpu="big-80gb", rack_w=40_000) == 5
    assert value("server_count", ("server_count",), rack_w=40_000, power_w=10_000) == 4


def test_activations_of_bare_figures_with_heads_keep_attention_scores(value, sized) -> None:
    asked = {"workload": "pretrain", "seq_len": 2048, "micro_batch": 4, "recompute": "none"}
    bare = {"layers": 40, "hidden": 6144, "heads": 48}
    published = 2048 * 4 * 6144 * (34 + 5 * 48 * 2048 / 6144) * 40 / 2**30
    assert value("activations", ("activations",), model=bare, **asked) == pytest.approx(published, rel=0.1)
    assert any(a.slot == "flash_attention" for a in sized(("activations",), model=bare, **asked).assumptions)
    assert value("activations", model=bare, **asked) < published / 1.5


def test_selective_recomputation_of_the_published_block_leaves_34_bytes(value) -> None:
    """34·s·b·h bytes a layer; with logits on top."""
    asked = {"workload": "pretrain", "seq_len": 4096, "micro_batch": 2, "model": {"layers": 32, "hidden": 4096, "heads": 32}}
    told = value("activations", ("activations",), **asked, recompute="selective")
    logits = 4096 * 2 * 64000 * 12 / 2**30
    assert told - logits == pytest.approx(34 * 4096 * 2 * 4096 * 32 / 2**30, rel=1e-6)


def test_states_on_drives_are_no_host_memory(value, sized) -> None:
    """20 bytes per parameter on NVMe, as the paper of ZeRO-Infinity counts them."""
    asked = {"workload": "full_finetune", "model": {"parameters": 30e9}, "zero_stage": 3}
    assert value("nvme_states", ("nvme_states",), **asked, offload="nvme") * 2**30 == pytest.approx(20 * 30e9)
    assert "offloaded_states" not in {v.name for v in sized(("host_ram",), **asked, offload="nvme").values}


def test_without_flash_attention_a_layer_keeps_five_bytes_a_score(value) -> None:
    """5·a·s²·b bytes of each layer, and of four times the length sixteen times as many."""
    for length in (2048, 8192):
        asked = {"model": "dense-8b", "workload": "pretrain", "seq_len": length, "micro_batch": 1, "gpu_count": 1}
        with_scores = value("activations", ("activations",), **asked, flash_attention=False)
        without = value("activations", ("activations",), **asked, recompute="none")
        assert with_scores - without == pytest.approx(32 * 5 * 32 * length**2 / 2**30)


def test_flash_attention_is_told_where_it_is_assumed(sized) -> None:
    asked = {"model": "dense-8b", "workload": "pretrain", "seq_len": 2048}
    told = {a.slot: a.value for a in sized(("activations",), **asked).assumptions}
    assert told["flash_attention"] is True
    assert "flash_attention" not in {a.slot for a in sized(("activations",), **asked, flash_attention=True).assumptions}


def test_a_stated_pue_replaces_the_usual_one(value) -> None:
    run = {"gpu": "big-80gb", "gpu_count": 8, "days": 30, "electricity_price": 0.6, "currency": "CNY"}
    assert value("energy", **run, pue=1.5) == pytest.approx(1.5 * value("energy", **run, pue=1))


def test_servers_with_a_card_per_gpu_send_by_all_of_them(value) -> None:
    """2 × 63/64 × 140 GB over 8 × 50 GB/s; over one card of 400 Gb/s a server it takes eight times as long."""
    fields = {"size_gb": 140, "gpu_count": 64, "gpus_per_node": 8, "network_gbps": 400}
    alone = value("all_reduce_time", ("all_reduce_time",), **fields)
    rails = value("all_reduce_time", ("all_reduce_time",), **fields, interconnect="400 Gb/s per GPU")
    ports = value("all_reduce_time", ("all_reduce_time",), **fields, interconnect="8x400 Gb/s per node")
    assert rails == ports == pytest.approx(2 * 63 / 64 * 140 / 400) == pytest.approx(alone / 8)


def test_servers_without_a_number_of_gpus_are_the_ranks(value) -> None:
    assert value("all_reduce_time", ("all_reduce_time",), size_gb=16, nodes=8, network_gbps=400) == pytest.approx(0.56)
