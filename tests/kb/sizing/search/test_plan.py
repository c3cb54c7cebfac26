"""What a plan chooses, what it leaves out, and why."""

from itertools import pairwise
from typing import Any

import pytest

from kb.errors import InvalidInput, UnknownEntity
from kb.sizing.size import size

PRETRAIN = {"workload": "pretrain", "model": "dense-8b", "tokens": 1e12, "gpus": ["big-80gb", "older-80gb"]}
PRICES = {"big-80gb": 3.0, "older-80gb": 0.5}
SERVE = {"workload": "inference", "model": "dense-70b", "gpus": ["big-80gb"]}


def of(option: Any, name: str) -> float:
    return next(v.value for v in option.values if v.name == name)


def test_size_answers_the_request_of_an_option_with_its_figures(planned, spec_book, assumptions) -> None:
    for fields in (PRETRAIN | {"max_days": 60}, SERVE | {"concurrency": 32}):
        option = planned(**fields).options[0]
        again = size(option.request, spec_book, assumptions)
        names = {v.name for v in again.values}
        assert again.verdict == option.verdict
        assert [v for v in option.values if v.name in names] == list(again.values)


def test_the_options_keep_to_the_limits(planned) -> None:
    result = planned(**PRETRAIN, max_gpus=128, max_days=40, max_budget=2e5, prices=PRICES)
    assert result.options
    for option in result.options:
        assert option.request.gpu_count <= 128 and option.verdict != "does_not_fit"
        assert of(option, "training_time") <= 40 and of(option, "cost") <= 2e5


def test_what_is_considered_is_allowed_or_has_a_reason(planned) -> None:
    for fields in (PRETRAIN | {"max_days": 30}, SERVE, {"workload": "pretrain", "model": "mixture-671b", "gpus": ["big-80gb"]}):
        result = planned(**fields, max_gpus=256)
        assert result.considered == result.feasible + sum(r.count for r in result.rejected)


@pytest.mark.parametrize(("objective", "name"), [("cost", "cost"), ("time", "training_time"), ("gpus", "gpu_count")])
def test_the_rank_follows_the_objective(planned, objective: str, name: str) -> None:
    options = planned(**PRETRAIN, max_gpus=256, prices=PRICES, objective=objective).options
    ranked = [option.request.gpu_count if name == "gpu_count" else of(option, name) for option in options]
    assert [option.rank for option in options] == list(range(1, len(options) + 1))
    assert all(one <= after * (1 + 1e-6) for one, after in pairwise(ranked))


def test_prices_decide_between_kinds_of_gpu(planned) -> None:
    cheap_old = planned(**PRETRAIN, max_gpus=64, prices=PRICES).options[0]
    dear_old = planned(**PRETRAIN, max_gpus=64, prices={"big-80gb": 1.0, "older-80gb": 0.9}).options[0]
    assert (cheap_old.request.gpu, dear_old.request.gpu) == ("older-80gb", "big-80gb")


def test_no_option_on_the_front_is_beaten_by_another(planned) -> None:
    options = planned(**PRETRAIN, max_gpus=256, prices=PRICES).options
    points = [(of(o, "cost"), of(o, "training_time"), o.request.gpu_count) for o in options]
    for option, point in zip(options, points, strict=True):
        beaten = any(all(o <= p * (1 - 1e-6) for o, p in zip(other, point, strict=True)) for other in points)
        assert not (option.pareto and beaten)
    assert any(o.pareto for o in options)


def test_the_best_of_every_kind_of_gpu_is_shown(planned) -> None:
    assert {o.request.gpu for o in planned(**PRETRAIN, max_gpus=256).options} == {"big-80gb", "older-80gb"}


def test_what_is_too_slow_names_the_fastest_and_what_is_too_large_the_closest(planned) -> None:
    result = planned(**PRETRAIN, max_gpus=8, max_days=1)
    assert not result.options
    nearest = {r.reason: r.nearest for r in result.rejected}
    assert of(nearest["deadline"], "training_time") > 1 and nearest["deadline"].request.gpu_count == 8
    assert nearest["memory"].verdict == "does_not_fit"


def test_the_deadline_is_met_with_more_gpus_than_are_tried_at_first(planned) -> None:
    result = planned(workload="pretrain", model="dense-70b", tokens=1.5e13, gpus=["older-80gb"], max_days=90)
    assert result.options and min(o.request.gpu_count for o in result.options) > 1024


def test_an_option_that_may_miss_the_deadline_is_said_to_and_one_that_will_not_is_named(planned) -> None:
    result = planned(**PRETRAIN, max_days=30)
    ends = [next(v.high for v in o.values if v.name == "training_time") for o in result.options]
    sure = next(rank for rank, end in enumerate(ends, 1) if end <= 30)
    assert ends[0] > 30 and f"option {sure} keeps to them" in result.warnings[-1]
    assert not any("80 %" in w for w in planned(**PRETRAIN, max_days=3000, max_gpus=64).warnings)


def test_heads_layers_servers_and_batches_bound_the_layout(planned) -> None:
    odd = {"parameters": 7e9, "layers": 28, "hidden": 3584, "heads": 28, "kv_heads": 4, "vocab": 152064}
    result = planned(
        workload="pretrain", model=odd, gpus=["big-80gb"], max_gpus=64, tokens=1e9, seq_len=4096, global_batch_tokens=24 * 4096
    )
    assert {"heads", "layers", "batch"} <= {r.reason for r in result.rejected}
    for option in result.options:
        r = option.request
        replicas = r.gpu_count // (r.tensor_parallel * r.pipeline_parallel * r.context_parallel)
        assert 28 % r.tensor_parallel == 0 and r.tensor_parallel <= 8
        assert 24 % (replicas * r.micro_batch) == 0
    wide = planned(**PRETRAIN | {"tensor_parallel": 16}, max_gpus=64)
    assert [r.reason for r in wide.rejected] == ["server"] and not wide.options


def test_experts_spread_over_gpus_that_divide_them(planned) -> None:
    result = planned(workload="pretrain", model="mixture-671b", gpus=["big-80gb"], tokens=1e12, max_gpus=1024)
    assert result.options
    assert all(256 % o.request.expert_parallel == 0 for o in result.options)


def test_pipelines_are_offered_with_a_sharded_optimizer_only_and_that_is_told(planned) -> None:
    open_stage = {"workload": "pretrain", "model": "dense-70b", "gpus": ["big-80gb"], "tokens": 1e12, "pipeline_parallel": 4}
    result = planned(**open_stage, max_gpus=128)
    assert result.options and all(o.request.zero_stage < 2 for o in result.options)
    left_out = next(r for r in result.rejected if r.reason == "stages")
    assert "DeepSpeed" in left_out.text and left_out.nearest.request.zero_stage >= 2
    asked = planned(**open_stage, zero_stage=3, max_gpus=128)
    assert asked.options and all(r.reason != "stages" for r in asked.rejected)


def test_what_is_said_of_the_layout_is_kept(planned) -> None:
    said = {
        "tensor_parallel": 4,
        "pipeline_parallel": 2,
        "zero_stage": 1,
        "recompute": "selective",
        "micro_batch": 2,
        "gpu_count": 64,
    }
    options = planned(**PRETRAIN, **said).options
    assert options and all({n: getattr(o.request, n) for n in said} == said for o in options)


def test_hardware_that_cannot_compute_in_the_precision_is_left_out_with_the_reason(planned) -> None:
    result = planned(**PRETRAIN, precision="fp8", max_gpus=64)
    assert {o.request.gpu for o in result.options} == {"big-80gb"}
    assert next(r for r in result.rejected if r.reason == "hardware").text.startswith("precision is fp8")


def test_a_load_is_met_by_replicas(planned) -> None:
    result = planned(**SERVE, quantization="fp8", requests_per_second=40, output_tokens=250, objective="gpus")
    assert all(of(o, "decode_tokens_per_second") >= 40 * 250 for o in result.options)
    assert len({o.request.gpu_count for o in result.options}) == len(result.options)
    assert "load" in {r.reason for r in result.rejected}


def test_without_a_load_the_best_use_of_a_replica_is_sought(planned) -> None:
    options = planned(**SERVE).options
    assert len({o.request.concurrency for o in options}) > 1
    over = [of(o, "memory_per_gpu") > of(o, "memory_available_per_gpu") for o in options]
    spent = [o.request.gpu_count / of(o, "decode_tokens_per_second") for o in options]
    ranked = list(zip(over, spent, strict=True))
    assert ranked == sorted(ranked)  # what fills more than the usable memory comes last


def test_a_service_has_a_cost_per_hour_and_per_million_tokens(planned) -> None:
    option = planned(**SERVE, concurrency=32, price_per_gpu_hour=2.5, currency="USD").options[0]
    hourly = 2.5 * option.request.gpu_count
    assert of(option, "cost_per_hour") == pytest.approx(hourly)
    assert of(option, "cost_per_million_tokens") == pytest.approx(1e6 / of(option, "decode_tokens_per_second") * hourly / 3600)


def test_what_is_tight_or_does_not_fit_says_what_would_help(planned) -> None:
    result = planned(workload="full_finetune", model="dense-8b", gpus=["desk-24gb"], max_gpus=4, tokens=1e9)
    assert not result.options
    assert next(r.nearest for r in result.rejected if r.reason == "memory").hints
    tight = next(o for o in planned(**SERVE, concurrency=64, context_len=8192).options if o.verdict == "fits_with_conditions")
    assert tight.hints


def test_accelerators_without_published_figures_are_left_out(planned) -> None:
    result = planned(workload="inference", model="dense-8b", gpu={"memory_gb": 80})
    assert {r.reason for r in result.rejected} >= {"unpublished"} and not result.options
    assert planned(workload="inference", model="dense-8b", gpu={"memory_gb": 80}, objective="gpus", concurrency=1).options


def test_without_a_gpu_named_all_with_published_figures_are_tried(planned, spec_book) -> None:
    result = planned(workload="inference", model="dense-8b", quantization="awq-int4", concurrency=4)
    tried = next(a.value for a in result.assumptions if a.slot == "gpus")
    figures = ("memory_gb", "memory_bandwidth_gb_s", "fp16_dense_tflops")
    assert tried == [row.id for row in spec_book.rows("accelerators") if all(row.number(f) for f in figures)]


def test_reasons_and_assumptions_speak_the_language_of_the_caller(planned) -> None:
    result = planned("zh", **PRETRAIN, max_days=20)
    assert "20 天" in next(r.text for r in result.rejected if r.reason == "deadline")
    assert all(any("一" <= char <= "鿿" for char in a.reason) for a in result.assumptions)
    assert "卡时" in result.warnings[0]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"max_gpus": 0}, "max_gpus"),
        ({"max_gpus": 8.5}, "max_gpus"),
        ({"max_days": -3}, "max_days"),
        ({"max_budget": True}, "max_budget"),
        ({"objective": "beauty"}, "objective"),
        ({"gpus": []}, "gpus"),
        ({"gpus": [7]}, "gpus"),
        ({"prices": {"big-80gb": -1}}, "prices"),
        ({"prices": 3}, "prices"),
        ({"prices": {"big-80gb": 2.5}}, "prices"),
        ({"max_gpus": 8, "gpu_count": 16}, "max_gpus"),
        ({"max_gpus": 8, "tensor_parallel": 8, "pipeline_parallel": 2}, "max_gpus"),
        ({"max_days": 10, "days": 20}, "max_days"),
        ({"gpu": "desk-24gb"}, "gpu"),
        ({"gpu": {"memory_gb": 80}}, "gpus"),
        ({"tensor_parallel": 3}, "tensor_parallel"),
        ({"gpu_count": 12, "pipeline_parallel": 8}, "gpu_count"),
        ({"tokens": None, "max_days": 10}, "tokens"),
        ({"max_budget": 1e6}, "price_per_gpu_hour"),
        ({"workload": "inference", "tokens": None, "max_days": 10}, "max_days"),
        ({"workload": "inference", "tokens": None, "max_budget": 9, "price_per_gpu_hour": 1}, "days"),
        ({"workload": "inference", "tokens": None, "requests_per_second": 9}, "output_tokens"),
        ({"model": None}, "model"),
        ({"max_gpu": 8}, "max_gpu"),
    ],
)
def test_limits_that_cannot_be_are_refused_by_name(planned, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        planned(**PRETRAIN | fields)
    assert refused.value.field == field
    assert field in refused.value.en and any("一" <= char <= "鿿" for char in refused.value.zh)


def test_an_unknown_gpu_is_refused_with_the_nearest(planned) -> None:
    with pytest.raises(UnknownEntity) as refused:
        planned(**PRETRAIN | {"gpus": ["big-80g"]})
    assert refused.value.field == "gpus" and "big-80gb" in refused.value.nearest
