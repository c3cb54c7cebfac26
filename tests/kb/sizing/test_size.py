"""What size() says, refuses and assumes."""

import pytest

from kb.errors import UnknownEntity


def test_zero_stages_give_the_table_of_their_paper(value) -> None:
    published = {(1, 0): 120, (64, 1): 31.4, (64, 2): 16.6, (64, 3): 1.9}
    for (gpus, stage), gb in published.items():
        found = value(
            "model_states_per_gpu", workload="full_finetune", parameters=7.5e9, gpu="big-80gb", gpu_count=gpus, zero_stage=stage
        )
        assert found * 2**30 / 1e9 == pytest.approx(gb, abs=0.06)


def test_weights_of_a_mixture_count_all_experts(value) -> None:
    assert value("weights", model="mixture-671b", quantization="fp8") * 2**30 == pytest.approx(671026419200)


def test_compressed_attention_caches_one_vector_per_layer(value) -> None:
    assert value("kv_cache_per_token", model="mixture-671b") * 2**30 == pytest.approx(70272)


def test_without_a_gpu_there_are_totals_and_no_verdict(sized) -> None:
    result = sized(workload="full_finetune", parameters=7e9)
    assert result.verdict is None
    assert {v.name for v in result.values} >= {"model_states", "memory_total"}


@pytest.mark.parametrize(
    ("count", "verdict"),
    [(1, "does_not_fit"), (2, "fits_with_conditions"), (4, "fits")],
)
def test_the_verdict_has_a_margin(sized, count: int, verdict: str) -> None:
    assert sized(model="dense-70b", gpu="big-80gb", gpu_count=count, quantization="bf16").verdict == verdict


def test_what_does_not_fit_comes_with_the_change_that_would(sized) -> None:
    result = sized(workload="lora", model="dense-70b", gpu="big-80gb", gpu_count=1)
    assert result.verdict == "does_not_fit"
    assert any("GPUs of the same kind" in o for o in result.extra["options"])
    alone = sized(workload="lora", model="dense-8b", gpu="turing-16gb", gpu_count=1)
    assert alone.extra["change"]["workload"] == "qlora"
    assert "QLoRA" in alone.extra["options"][0]


@pytest.mark.parametrize("said", [{}, {"quantization": "bf16"}, {"quantization": "fp16"}])
def test_a_model_that_fits_only_in_fewer_bits_does_not_fit_and_is_told_which(sized, said: dict[str, str]) -> None:
    """Whether 16 bits were said or assumed: what would fit is the change, not the verdict."""
    dense = {"layers": 64, "hidden": 5120, "ffn": 25600, "heads": 64, "kv_heads": 8, "head_dim": 128, "vocab": 151936}
    for model, gpu in (({"parameters": 7e9}, "laptop-8gb"), (dense, {"memory_gb": 40, "memory_bandwidth_gb_s": 1555})):
        result = sized(model=model, gpu=gpu, gpu_count=1, language="zh", **said)
        assert result.verdict == "does_not_fit" and result.extra["filled"] > 1.05
        changed = sized(model=model, gpu=gpu, gpu_count=1, **result.extra["change"])
        assert result.extra["change"].keys() == {"quantization"} and changed.verdict != "does_not_fit"
        assert "权重" in result.extra["options"][0] and "可以放下" in result.extra["options"][0]


def test_the_verdict_is_the_share_of_usable_memory_that_is_filled(sized) -> None:
    verdicts = set()
    for parameters in range(20, 50):
        result = sized(parameters=parameters * 1e9, gpu="big-80gb", gpu_count=1)
        filled = result.extra["filled"]
        assert result.verdict == ("fits" if filled < 0.85 else "fits_with_conditions" if filled <= 1.05 else "does_not_fit")
        verdicts.add(result.verdict)
    assert len(verdicts) == 3


def test_the_number_of_gpus_is_the_smallest_practical_one(value) -> None:
    assert value("gpu_count", model="dense-70b", gpu="big-80gb", concurrency=20, context_len=8192) == 4
    assert value("gpu_count", model="mixture-671b", gpu="older-80gb") == 24
    assert value("gpu_count", model="mixture-671b", gpu="big-80gb", quantization="fp8") == 16


def test_a_deadline_decides_the_number_of_gpus(value) -> None:
    asked = {"workload": "pretrain", "parameters": 7e9, "gpu": "older-80gb", "tokens": 1e12, "days": 30, "mfu": 0.4}
    assert value("gpu_count", **asked) == 136  # 130 would do, and servers have eight
    assert value("training_time", **asked) <= 30
    assert value("gpu_count", **{**asked, "tokens": 2e10}) == 4


def test_a_known_time_implies_the_utilization(value) -> None:
    asked = {"workload": "pretrain", "parameters": 130e9, "gpu": "older-80gb", "gpu_count": 768, "tokens": 400e9, "days": 60}
    assert value("mfu", ("mfu",), **asked) == pytest.approx(0.251, abs=0.001)


def test_hours_prices_and_power_need_no_model(value) -> None:
    assert value("gpu_hours", gpu_count=160, days=15) == pytest.approx(57600)
    assert value("cost", gpu_count=8, hours=48, price_per_gpu_hour=2.5, currency="USD") == pytest.approx(960)
    assert value("cost", gpu_hours=57600, price_per_gpu_hour=1.8) == pytest.approx(103680)
    assert value("training_time", gpu_hours=184320, gpu_count=64) == pytest.approx(120)
    assert value("cost", power_kw=3.5, days=30, electricity_price=0.8) == pytest.approx(2016)
    bought = {"purchase_price": 15000, "price_per_gpu_hour": 2.5, "currency": "CNY"}
    assert value("break_even", **bought) == pytest.approx(6000)
    assert value("break_even", utilization=0.3, **bought) == pytest.approx(20000)
    running = {"purchase_price": 280000, "price_per_gpu_hour": 2.2, "gpu_count": 8, "power_kw": 10, "electricity_price": 0.12}
    assert value("break_even", **running) / 24 == pytest.approx(711, abs=1)


def test_money_is_in_the_currency_that_was_named(sized) -> None:
    result = sized(gpu_count=8, days=2, price_per_gpu_hour=2.5, currency="CNY")
    cost = next(v for v in result.values if v.name == "cost")
    assert (cost.unit, cost.text) == ("CNY", "960 CNY")


def test_defaults_are_stated_in_the_language_of_the_asker(sized) -> None:
    en, zh = (sized(workload="full_finetune", model="dense-8b", gpu="big-80gb", language=lang) for lang in ("en", "zh"))
    assert [a.slot for a in en.assumptions] == [a.slot for a in zh.assumptions]
    assert {"seq_len", "micro_batch", "optimizer", "precision", "recompute", "zero_stage"} <= {a.slot for a in en.assumptions}
    assert all(a.reason for a in zh.assumptions)
    assert any("权重" in line.text for line in zh.derivation)


def test_the_arithmetic_is_written_out(sized) -> None:
    result = sized(model="dense-70b", gpu="big-80gb", gpu_count=2)
    assert result.derivation[0].text == "weights = 70.55e9 × 2 B = 131.4 GiB"


def test_given_values_are_no_assumptions(sized) -> None:
    result = sized(workload="lora", model="dense-8b", gpu="big-80gb", gpu_count=1, seq_len=1024, micro_batch=4, lora_rank=8)
    assert not {"seq_len", "micro_batch", "lora_rank", "gpu_count"} & {a.slot for a in result.assumptions}


def test_a_precision_that_the_hardware_lacks_is_warned_of(sized) -> None:
    assert any("fp8" in w for w in sized(model="dense-8b", gpu="older-80gb", quantization="fp8").warnings)


def test_a_layer_splitting_engine_adds_capacity_and_no_speed(value) -> None:
    asked = {"model": "dense-8b", "gpu": "desk-24gb", "quantization": "q4_k_m", "engine": "llama.cpp"}
    one, four = (value("decode_tokens_per_second_per_request", gpu_count=n, **asked) for n in (1, 4))
    assert four == pytest.approx(one)


def test_an_unknown_name_brings_the_nearest(sized) -> None:
    with pytest.raises(UnknownEntity) as caught:
        sized(model="dense-80b")
    assert "dense-8b" in caught.value.nearest


def test_the_same_request_gives_the_same_result(sized) -> None:
    asked = {"workload": "qlora", "model": "dense-8b", "gpu": "desk-24gb"}
    assert sized(**asked) == sized(**asked)


def test_offloading_with_full_sharding_leaves_layers_and_activations_on_the_gpu(sized) -> None:
    asked = {
        "workload": "full_finetune",
        "parameters": 6.7e9,
        "gpu": "desk-24gb",
        "gpu_count": 1,
        "zero_stage": 3,
        "offload": "cpu",
    }
    result = sized(**asked)
    assert result.verdict == "fits"
    assert next(v.value for v in result.values if v.name == "host_ram") > 100


def test_memory_shared_with_the_processor_leaves_the_gpu_less(value) -> None:
    small, large = (value("memory_available_per_gpu", model="dense-8b", gpu=f"shared-{n}gb", gpu_count=1) for n in (32, 64))
    assert small == pytest.approx(32 * 2 / 3, rel=1e-3)
    assert large == pytest.approx(48)
    assert value("memory_available_per_gpu", model="dense-8b", gpu="shared-64gb", gpu_memory_utilization=0.9) == pytest.approx(
        57.6
    )


def test_a_model_runs_in_the_precision_it_was_published_in_unless_another_is_said(sized, value) -> None:
    result = sized(model="eight-bit-30b", gpu="big-80gb")
    assert result.request.quantization == "fp8"
    assert "published in fp8" in next(a.reason for a in result.assumptions if a.slot == "quantization")
    assert value("weights", model="eight-bit-30b", quantization="bf16") == pytest.approx(
        2 * value("weights", model="eight-bit-30b")
    )


def test_hardware_without_bf16_trains_in_fp16(sized) -> None:
    result = sized(workload="lora", model="dense-8b", gpu="turing-16gb")
    assert result.request.precision == "fp16"
    assert not any("bf16" in w for w in result.warnings)
    assert any(a.slot == "precision" and a.value == "fp16" and "bf16" in a.reason for a in result.assumptions)


def test_an_adapter_rank_means_lora(sized) -> None:
    assert sized(model="dense-8b", gpu="big-80gb", lora_rank=8).request.workload == "lora"


TRAINED = {"workload": "pretrain", "model": "dense-8b", "gpu": "big-80gb", "tokens": 1e12}


def test_a_network_is_needed_between_servers_only(sized, value) -> None:
    assert all(v.name != "network_bandwidth" for v in sized(**TRAINED, gpu_count=8).values)
    assert 1 < value("network_bandwidth", **TRAINED, gpu_count=64) < 400


def test_full_sharding_needs_more_network_than_sharded_optimizer_states(value) -> None:
    asked = {**TRAINED, "gpu_count": 64, "global_batch_tokens": 1 << 22}
    assert value("network_bandwidth", **asked, zero_stage=3) > value("network_bandwidth", **asked, zero_stage=1)


def test_the_network_that_is_needed_does_not_depend_on_the_one_there_is(value) -> None:
    slow, fast = (value("network_bandwidth", **TRAINED, gpu_count=64, interconnect=link) for link in ("slow-10g", "fast-400g"))
    assert slow == pytest.approx(fast)


@pytest.mark.parametrize(("link", "slow"), [("slow-10g", True), ("fast-400g", False), ("1 x 10 Gbps per node", True)])
def test_a_link_is_held_against_the_network_that_is_needed(sized, link: str, slow: bool) -> None:
    result = sized(**TRAINED, gpu_count=64, interconnect=link)
    assert any(link in w for w in result.warnings) == slow
    assert not any("per GPU one way" in w for w in sized(**TRAINED, gpu_count=64, interconnect="two tin cans").warnings)


def test_a_budget_buys_gpu_hours_and_is_held_against_the_cost(sized, value) -> None:
    asked = {**TRAINED, "gpu_count": 64, "price_per_gpu_hour": 2, "currency": "USD"}
    assert value("affordable_gpu_hours", **asked, budget=128_000) == pytest.approx(64_000)
    assert value("affordable_time", **asked, budget=128_000) == pytest.approx(64_000 / 64 / 24)
    assert any("more than the budget" in w for w in sized(**asked, budget=100).warnings)
    assert any("足够" in w for w in sized(**asked, budget=1e9, language="zh").warnings)


def test_what_one_gpu_does_not_hold_is_said_when_more_were_taken(sized) -> None:
    assert sized(model="dense-70b", gpu="big-80gb").extra["options"][0] == "One such GPU does not hold it, 2 do."
    assert sized(model="dense-8b", gpu="big-80gb").extra["options"] == ()


def test_assumptions_of_a_typical_shape_are_what_the_model_is_taken_to_be(sized) -> None:
    stated = {a.slot: a.value for a in sized(parameters=7e9, gpu="big-80gb").assumptions}
    assert 3000 < stated["hidden"] < 5000 and 25 < stated["layers"] < 40 and stated["kv_heads"] == 8


def test_servers_follow_from_the_gpus_that_are_needed(value) -> None:
    assert value("nodes", model="mixture-671b", gpu="big-80gb", quantization="fp8") == 2


@pytest.mark.parametrize(("micro_batch", "kept"), [(4, True), (32, False)])
def test_what_keeps_the_quality_is_changed_together_with_as_little_as_will_do_of_what_does_not(
    sized, micro_batch: int, kept: bool
) -> None:
    job = {"workload": "full_finetune", "model": "dense-8b", "gpu": "desk-24gb", "gpu_count": 4, "recompute": "none"}
    result = sized(**job, micro_batch=micro_batch)
    assert result.extra["change"].keys() > {"recompute", "optimizer"}
    assert ("micro_batch" not in result.extra["change"]) == kept
    assert "fits" in result.extra["options"][0]


def test_an_open_number_of_gpus_recomputes_where_activations_alone_would_not_fit(value) -> None:
    assert value("gpu_count", workload="lora", model="dense-70b", gpu="desk-24gb") > 4


def test_the_first_token_waits_at_least_for_the_weights_to_be_read(value) -> None:
    asked = {"model": "dense-8b", "gpu": "desk-24gb", "gpu_count": 1}
    short, longer, long = (value("time_to_first_token", **asked, prompt_tokens=n) for n in (8, 64, 4096))
    assert short == longer > (8030261248 - 128256 * 4096) * 2 / 1008e9
    assert long > 10 * short


def test_a_length_counts_by_either_of_its_names_and_is_no_assumption(sized) -> None:
    served = sized(workload="inference", model="dense-8b", seq_len=32768)
    trained = sized(workload="lora", model="dense-8b", context_len=8192)
    prompted = sized(model="dense-8b", prompt_tokens=1000, output_tokens=24)
    assert (served.request.context_len, trained.request.seq_len, prompted.request.context_len) == (32768, 8192, 1024)
    for result in (served, trained, prompted):
        assert not {"context_len", "seq_len"} & {a.slot for a in result.assumptions}


def test_the_longest_context_is_no_longer_than_the_model_s_own_though_more_tokens_fit(value) -> None:
    asked = {"model": "dense-8b", "gpu": "big-80gb", "gpu_count": 2}
    assert value("max_context_len", **asked) == 131072
    assert value("kv_cache_tokens", **asked) > 2 * 131072
    assert value("kv_cache_tokens", **asked) == pytest.approx(
        value(
            "max_context_len",
            **{
                **asked,
                "model": {
                    "parameters": 8030261248,
                    "layers": 32,
                    "heads": 32,
                    "kv_heads": 8,
                    "head_dim": 128,
                    "hidden": 4096,
                    "ffn": 14336,
                    "vocab": 128256,
                },
            },
        ),
        rel=1e-6,
    )


def test_tensor_parallel_gpus_pay_for_their_exchange(value) -> None:
    """Eight GPUs read eight times as fast, but every layer ends in two all-reduces; over PCIe a prompt waits longer for them."""
    asked = {"model": "dense-70b", "quantization": "fp8", "concurrency": 1, "prompt_tokens": 4096, "output_tokens": 10}
    two, eight = (value("decode_tokens_per_second_per_request", **asked, gpu="big-80gb", gpu_count=n) for n in (2, 8))
    assert two < eight < 4 * two
    linked = {"memory_gb": 80, "memory_bandwidth_gb_s": 3350, "bf16_dense_tflops": 989, "interconnect_gb_s": 900}
    alone = {k: v for k, v in linked.items() if k != "interconnect_gb_s"}
    fast, slow = (value("time_to_first_token", **asked, gpu=gpu, gpu_count=8) for gpu in (linked, alone))
    assert slow > 1.5 * fast
    one = {"model": "dense-8b", "gpu_count": 1}
    assert value("time_to_first_token", **one, gpu=linked) == value("time_to_first_token", **one, gpu=alone)


def test_an_engine_that_deals_layers_out_decodes_no_faster_on_more_gpus(value) -> None:
    asked = {"model": "dense-70b", "gpu": "big-80gb", "quantization": "fp8", "engine": "accelerate (layers dealt out)"}
    two, eight = (value("decode_tokens_per_second_per_request", **asked, gpu_count=n) for n in (2, 8))
    assert eight == pytest.approx(two)


@pytest.mark.parametrize(
    ("said", "recompute"),
    [
        ({"workload": "lora", "gpu_count": 8}, "full"),
        ({"workload": "full_finetune", "gpu_count": 1}, "full"),
        ({"workload": "full_finetune", "gpu_count": 8, "precision": "fp8"}, "selective"),
        ({"workload": "lora", "gpu_count": 8, "tensor_parallel": 4}, "selective"),
        ({"workload": "pretrain", "gpu_count": 8}, "selective"),
    ],
)
def test_what_is_recomputed_follows_from_the_kind_of_training(sized, said: dict[str, object], recompute: str) -> None:
    result = sized(model="dense-8b", gpu="big-80gb", **said)
    assert result.request.recompute == recompute
    assert next(a for a in result.assumptions if a.slot == "recompute").value == recompute


def test_low_precision_gains_what_the_peaks_of_the_chip_promise(value) -> None:
    """Four-bit products gain more where their peak is higher; the output layer stays in 16 bits, so a large vocabulary gains less."""
    figures = {
        "memory_gb": 288,
        "memory_bandwidth_gb_s": 8000,
        "bf16_dense_tflops": 2500,
        "fp8_dense_tflops": 5000,
        "tdp_w": 1400,
    }
    run = {"workload": "pretrain", "model": "dense-8b", "gpu_count": 8, "micro_batch": 2, "seq_len": 8192, "recompute": "none"}

    def speed(precision: str, fp4: float) -> float:
        return value("tokens_per_second_per_gpu", **run, precision=precision, gpu={**figures, "fp4_dense_tflops": fp4})

    assert speed("bf16", 10000) < speed("fp8", 10000) < 2 * speed("bf16", 10000)
    assert speed("fp8", 10000) < speed("fp4", 10000) < speed("fp4", 15000)
    large = {"layers": 32, "hidden": 4096, "ffn": 14336, "heads": 32, "kv_heads": 8, "vocab": 1_000_000}
    small = {**large, "vocab": 32_000}
    gains = [
        value("mfu", **{**run, "model": m}, gpu=figures, precision="fp8") / value("mfu", **{**run, "model": m}, gpu=figures)
        for m in (large, small)
    ]
    assert gains[0] < gains[1]


def test_a_pipeline_under_full_sharding_is_not_interleaved(value) -> None:
    run = {
        "workload": "pretrain", "model": "dense-70b", "gpu": "big-80gb", "gpu_count": 64, "tensor_parallel": 8, "pipeline_parallel": 8,
        "global_batch_tokens": 8 * 8192, "seq_len": 8192,
    }  # fmt: skip
    assert value("tokens_per_second", **run, zero_stage=3) < value("tokens_per_second", **run, zero_stage=1)


def test_gpus_of_one_link_sum_up_before_the_network(value) -> None:
    """More GPUs than the link joins are not slower than fewer that it does."""
    run = {"workload": "pretrain", "model": "dense-8b", "gpu": "domain-186gb", "tokens": 1e12, "tensor_parallel": 1}
    times = [value("training_time", **run, gpu_count=n) for n in (32, 64, 128, 256)]
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize("model", ["dense-8b", "dense-70b"])
def test_a_run_whose_batch_is_open_is_not_cut_into_more_stages_for_more_gpus(value, model: str) -> None:
    """The batch grows with the replicas, so that GPU-hours rise no faster than stragglers and traffic make them."""
    run = {"workload": "pretrain", "model": model, "gpu": "big-80gb", "tokens": 15e12, "seq_len": 8192}
    hours = [value("gpu_hours", **run, gpu_count=n) for n in (4096, 8192, 12288, 14448, 16384, 20480)]
    assert hours == sorted(hours) and hours[-1] < 1.15 * hours[0]


def test_an_8_bit_optimizer_of_a_library_keeps_no_master_weights_and_saves_six_bytes(sized) -> None:
    """Weight, gradient and two moments of one byte; alike in precision, the states are 8 and 2 bytes per parameter."""
    base = {"model": "dense-8b", "gpu": "big-80gb", "gpu_count": 1, "workload": "full_finetune"}
    states = {
        (o, p): sized(**base, optimizer=o, precision=p).steps["bytes_per_parameter"].value
        for o in ("adamw", "adamw_8bit")
        for p in (None, "bf16")
    }
    assert states == {("adamw", None): 16, ("adamw", "bf16"): 16, ("adamw_8bit", None): 6, ("adamw_8bit", "bf16"): 10}
    assert "pure_bf16" in {a.value for a in sized(**base, optimizer="adamw_8bit").assumptions}
    sharded = sized(**base | {"gpu_count": 8}, optimizer="adamw_8bit", zero_stage=3)
    assert sharded.steps["bytes_per_parameter"].value == 10


def test_whether_master_weights_are_kept_is_a_condition_where_it_decides(sized) -> None:
    base = {"model": "dense-8b", "gpu": "big-80gb", "gpu_count": 1, "workload": "full_finetune", "optimizer": "adamw_8bit"}
    open_still, kept = sized(**base), sized(**base, precision="bf16")
    assert open_still.verdict == "fits_with_conditions" and kept.verdict == "does_not_fit"
    assert "master weights" in open_still.extra["options"][-1]
    small = sized(**base | {"model": {"parameters": 1e9}})
    assert small.verdict == "fits" and "bare_weights" not in small.extra
