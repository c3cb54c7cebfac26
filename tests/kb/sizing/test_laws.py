"""What holds for every model and layout, over cases that are drawn at random (the same ones at every run)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kb.sizing.request import RANGES, from_mapping
from kb.sizing.shape import COLUMNS
from kb.sizing.show import shown
from kb.types.plain import plain
from kb.types.sizing import SizingResult
from kb.types.units import SCALE, from_base, to_base
from tests.kb.sizing.conftest import MODELS, ask

METHODS = ("qlora", "lora", "full_finetune")
GPU = {"gpu": "big-80gb", "gpu_count": 8}
SLACK = 1 + 1e-9  # of floating point
DRAWN = settings(max_examples=25, deadline=None, derandomize=True)

NAMED = st.sampled_from(sorted(MODELS.keys() - {"unpublished"}))
COUNTS = st.sampled_from([1, 2, 4, 8, 16, 64, 256])
RUNS = st.fixed_dictionaries(
    {
        "seq_len": st.sampled_from([512, 2048, 4096]),
        "micro_batch": st.integers(1, 4),
        "recompute": st.sampled_from(["none", "selective", "full"]),
        "precision": st.sampled_from(["bf16", "fp32", "pure_bf16"]),
        "optimizer": st.sampled_from(["adamw", "adamw_8bit", "sgd"]),
    }
)
FORMATS = st.sampled_from(["fp16", "fp8", "awq-int4", "q4_k_m", "q8_0"])


@st.composite
def shapes(draw: st.DrawFn) -> dict[str, Any]:
    """A dense decoder that could be built."""
    heads = draw(st.sampled_from([16, 32, 64]))
    hidden = heads * draw(st.sampled_from([64, 128]))
    return {
        "layers": draw(st.integers(16, 100)),
        "hidden": hidden,
        "ffn": int(hidden * draw(st.sampled_from([2.75, 3.5, 4]))),
        "heads": heads,
        "kv_heads": draw(st.sampled_from([1, 2, 8, heads])),
        "vocab": draw(st.sampled_from([32000, 128256])),
        "tied_embeddings": draw(st.booleans()),
        "gated_mlp": draw(st.booleans()),
    }


ANY = NAMED | shapes()


def found(result: SizingResult, name: str) -> float:
    value = next(v.value for v in result.values if v.name == name)
    assert isinstance(value, float)
    return value


def figures(name: str) -> dict[str, Any]:
    """A model of the table as a request would describe it."""
    row = MODELS[name]
    flags = {f: row[f] for f in ("gated_mlp", "tied_embeddings") if f in row}
    return {field: row[column] for field, column in COLUMNS.items() if column in row} | flags


@DRAWN
@given(model=ANY, run=RUNS, count=COUNTS, rank=st.sampled_from([4, 16, 64]), stage=st.integers(0, 3))
def test_qlora_needs_no_more_than_lora_and_lora_no_more_than_full_finetuning(
    model, run, count: int, rank: int, stage: int
) -> None:
    """At every stage, with the same loss; but where weights alone are replicated, those of an adapter may exceed a share of many shards
    of all gradients."""
    assume(stage in (0, 3) or count <= 16)
    asked = {"model": model, "gpu": "big-80gb", "gpu_count": count, "zero_stage": stage, "fused_loss": True, **run}
    full = found(ask(workload="full_finetune", **asked), "memory_per_gpu")
    lora, qlora = (found(ask(workload=w, lora_rank=rank, **asked), "memory_per_gpu") for w in ("lora", "qlora"))
    assert qlora <= lora * SLACK <= full * SLACK**2


@DRAWN
@given(model=ANY, run=RUNS, workload=st.sampled_from(["lora", "qlora"]), count=st.sampled_from([2, 4, 8, 64]))
def test_adapters_are_whole_on_every_gpu_where_one_holds_them_and_sharded_where_none_does(
    model, run, workload: str, count: int
) -> None:
    asked = {"workload": workload, "model": model, "gpu": "big-80gb", "gpu_count": count, **run}
    open_still, whole, sharded = (ask(**asked, **stage) for stage in ({}, {"zero_stage": 0}, {"zero_stage": 3}))
    held = found(whole, "memory_per_gpu") <= found(whole, "memory_available_per_gpu")
    assert found(open_still, "memory_per_gpu") == pytest.approx(found(whole if held else sharded, "memory_per_gpu"))
    assert open_still.request.zero_stage == (0 if held else 3)
    if count < 8:
        more = ask(**asked | {"gpu_count": 2 * count})
        assert found(more, "memory_per_gpu") <= found(open_still, "memory_per_gpu") * SLACK


@DRAWN
@given(model=ANY, run=RUNS, count=COUNTS)
def test_memory_falls_or_stays_with_the_zero_stage(model, run, count: int) -> None:
    results = [
        ask(workload="full_finetune", model=model, gpu="big-80gb", gpu_count=count, zero_stage=s, **run) for s in range(4)
    ]
    states = [found(r, "model_states_per_gpu") for r in results]
    assert all(later <= earlier * SLACK for earlier, later in pairwise(states))
    whole = [found(r, "memory_per_gpu") for r in results]
    assert whole[2] <= whole[1] * SLACK <= whole[0] * SLACK**2
    layers = {c.component: c.value for c in results[3].breakdown}.get("buffers", 0.0)  # full sharding gathers what it needs
    assert whole[3] <= (whole[2] + 1.08 * layers) * SLACK


@DRAWN
@given(model=ANY, run=RUNS, count=COUNTS, stage=st.integers(0, 3))
def test_memory_per_gpu_falls_or_stays_with_the_number_of_gpus(model, run, count: int, stage: int) -> None:
    asked = {"workload": "full_finetune", "model": model, "gpu": "big-80gb", "zero_stage": stage, **run}
    fewer, more = ask(**asked, gpu_count=count), ask(**asked, gpu_count=2 * count)
    assert found(more, "model_states_per_gpu") <= found(fewer, "model_states_per_gpu") * SLACK
    few, many = ({c.component: c.value for c in r.breakdown} for r in (fewer, more))
    growing = {"overhead", "fragmentation"} | ({"buffers"} if count == 1 else set())  # links and gathering come with the second
    assert all(many[name] <= few.get(name, 0.0) * SLACK for name in many.keys() - growing)
    if 1 < count < 8:
        assert found(more, "memory_per_gpu") <= found(fewer, "memory_per_gpu") * SLACK


@DRAWN
@given(model=ANY, workload=st.sampled_from(METHODS), count=COUNTS, sequences=st.sampled_from([1, 2, 8, 64, 512]))
def test_no_replica_of_a_fine_tuning_goes_without_a_sequence(model, workload: str, count: int, sequences: int) -> None:
    """Inside what tensor parallelism of a server and context parallelism of up to eight can split."""
    assume(count <= 64 * sequences)
    asked = {"workload": workload, "model": model, "gpu": "big-80gb", "gpu_count": count, "seq_len": 4096, "micro_batch": 1}
    fed = ask(**asked, global_batch_tokens=4096 * sequences)
    split = (fed.request.tensor_parallel or 1) * (fed.request.context_parallel or 1)
    assert count // split <= sequences
    spared = fed.extra["filled"] < 0.85  # a layout that spares traffic takes more where there is room
    assert spared or found(fed, "memory_per_gpu") <= found(ask(**asked), "memory_per_gpu") * SLACK  # than fed all


@DRAWN
@given(model=ANY, format=FORMATS, context=st.sampled_from([1024, 4096, 32768]), batch=st.integers(1, 64))
def test_serving_memory_per_gpu_falls_or_stays_inside_a_server(model, format: str, context: int, batch: int) -> None:
    needs = [
        found(
            ask(model=model, gpu="big-80gb", gpu_count=n, quantization=format, context_len=context, concurrency=batch),
            "memory_per_gpu",
        )
        for n in (1, 2, 4, 8)
    ]
    assert all(later <= earlier * SLACK for earlier, later in pairwise(needs))


@DRAWN
@given(
    model=ANY, gpu=st.sampled_from(["big-80gb", "older-80gb", "desk-24gb"]), count=st.sampled_from([1, 2, 8, 24, 64, 128, 384, 1024]),
    factor=st.sampled_from([2, 3, 8]),
)  # fmt: skip
def test_time_falls_with_gpus_and_never_faster_than_linearly(model, gpu: str, count: int, factor: int) -> None:
    layout = {"tensor_parallel": 1, "recompute": "full"}  # without them what fewer GPUs do not hold is laid out otherwise
    asked = {"workload": "pretrain", "model": model, "gpu": gpu, "tokens": 1e11, "seq_len": 4096, **layout}
    fewer, more = (ask(**asked, gpu_count=n) for n in (count, count * factor))
    assume(fewer.verdict != "does_not_fit")
    few, many = found(fewer, "training_time"), found(more, "training_time")
    assert many <= few * SLACK
    assert few <= many * factor * SLACK


@pytest.mark.parametrize("model", sorted(MODELS.keys() - {"unpublished"}))
@pytest.mark.parametrize("workload", ["inference", "pretrain", *METHODS])
def test_naming_a_model_and_giving_its_figures_give_the_same(model: str, workload: str) -> None:
    asked = {"workload": workload, "tokens": 1e10, **GPU}
    asked |= {"quantization": "fp8"} if workload == "inference" else {}
    by_name, by_figures = (ask(model=m, **asked) for m in (model, figures(model)))
    assert [(v.name, v.value, v.low, v.high) for v in by_name.values] == [
        (v.name, v.value, v.low, v.high) for v in by_figures.values
    ]
    assert by_name.verdict == by_figures.verdict and by_name.breakdown == by_figures.breakdown


@DRAWN
@given(model=ANY, workload=st.sampled_from(["inference", "pretrain", *METHODS]), count=COUNTS)
def test_the_total_is_the_sum_of_its_parts(model, workload: str, count: int) -> None:
    result = ask(workload=workload, model=model, gpu="big-80gb", gpu_count=count)
    per_gpu = found(result, "memory_per_gpu")
    assert sum(c.value for c in result.breakdown) == pytest.approx(per_gpu, rel=1e-9)
    assert found(result, "memory_total") == pytest.approx(count * per_gpu)
    if workload != "inference":
        parts = [found(result, n) for n in ("weights", "gradients", "optimizer_states")]
        parts += [found(result, "adapter")] if workload in ("lora", "qlora") else []
        assert found(result, "model_states") == pytest.approx(sum(parts))


@DRAWN
@given(
    model=ANY, run=RUNS, stage=st.integers(0, 3), tensor=st.sampled_from([1, 2, 8]), pipeline=st.sampled_from([1, 2, 4]),
    replicas=st.sampled_from([1, 2, 8]), expert=st.sampled_from([1, 2, 8]),
)  # fmt: skip
def test_all_gpus_together_hold_at_least_the_whole_model_states(
    model, run, stage: int, tensor: int, pipeline: int, replicas: int, expert: int
) -> None:
    count = tensor * pipeline * replicas
    mixture = isinstance(model, str) and "moe_experts" in MODELS[model]
    assume(expert == 1 or (mixture and (count // pipeline) % expert == 0))
    result = ask(
        workload="pretrain", model=model, gpu="big-80gb", gpu_count=count, zero_stage=stage, tensor_parallel=tensor,
        pipeline_parallel=pipeline, expert_parallel=expert, **run,
    )  # fmt: skip
    assert count * found(result, "model_states_per_gpu") * SLACK >= found(result, "model_states")


@pytest.mark.parametrize("unit", sorted(SCALE))
def test_every_unit_converts_there_and_back(unit: str) -> None:
    for value in (1e-6, 1.0, 80.0, 1234.5, 1e15):
        assert from_base(to_base(value, unit), unit) == pytest.approx(value, rel=1e-12)


@DRAWN
@given(value=st.floats(1e-9, 1e24), unit=st.sampled_from(sorted({base for _, base in SCALE.values()} - {"1", "token"})))
def test_the_unit_that_is_shown_keeps_the_value(value: float, unit: str) -> None:
    number, symbol = shown(value, unit)
    assert to_base(number, symbol) == pytest.approx(value, rel=1e-12) if symbol in SCALE else number == value


@DRAWN
@given(days=st.floats(0.01, 1000), watts=st.floats(10, 1e6))
def test_one_quantity_in_two_units_sizes_alike(days: float, watts: float) -> None:
    assert from_mapping({"days": days}).days == pytest.approx(from_mapping({"hours": 24 * days}).days)
    kilowatts, watt = (
        ask(wanted=("power",), gpu_count=1, days=days, **f) for f in ({"power_kw": watts / 1000}, {"power_w": watts})
    )
    assert found(kilowatts, "power") == pytest.approx(watts / 1000)
    assert watt.request.power_w == pytest.approx(watts)


@DRAWN
@given(model=ANY, workload=st.sampled_from(["inference", "pretrain", *METHODS]), count=COUNTS)
def test_the_request_that_comes_back_sizes_to_the_same_figures(model, workload: str, count: int) -> None:
    first = ask(workload=workload, model=model, gpu="big-80gb", gpu_count=count, tokens=1e10)
    again = ask(**{k: v for k, v in plain(first.request).items() if v is not None})
    memory = ("memory_per_gpu", "memory_total", "model_states", "weights", "kv_cache", "decode_tokens_per_second")
    names = [v.name for v in first.values if v.name in memory]
    assert [found(again, n) for n in names] == pytest.approx([found(first, n) for n in names])
    assert again.request == first.request


@DRAWN
@given(model=ANY, context=st.integers(1, 4096), factor=st.integers(2, 8), batch=st.integers(1, 32))
def test_the_cache_grows_linearly_in_context_until_a_window_and_linearly_in_sequences(
    model, context: int, factor: int, batch: int
) -> None:
    row = MODELS[model] if isinstance(model, str) else {}
    window = row.get("sliding_window")

    def cache(length: int, concurrency: int = 1) -> float:
        return found(ask(model=model, context_len=length, concurrency=concurrency), "kv_cache")

    assert cache(context, batch) == pytest.approx(batch * cache(context))
    if window is None or context * factor <= window:
        assert cache(context * factor) == pytest.approx(factor * cache(context))
    elif context >= window:
        full = row["full_attention_layers"] / row["layers"]
        per_token = found(ask(model=model), "kv_cache_per_token")
        assert cache(context * factor) - cache(context) == pytest.approx(full * per_token * context * (factor - 1), abs=1e-9)


@DRAWN
@given(
    model=ANY, gpu=st.sampled_from(["big-80gb", "older-80gb", "desk-24gb", "shared-64gb"]), count=st.sampled_from([1, 2, 4, 8]),
    format=FORMATS, context=st.sampled_from([256, 4096, 32768]), batch=st.sampled_from([1, 8, 64]),
    engine=st.sampled_from([None, "llama.cpp"]),
)  # fmt: skip
def test_decoding_never_exceeds_the_bandwidth_over_the_bytes_read(
    model, gpu: str, count: int, format: str, context: int, batch: int, engine: str | None
) -> None:
    asked = {
        "gpu": gpu,
        "gpu_count": count,
        "quantization": format,
        "context_len": context,
        "concurrency": batch,
        "engine": engine,
    }
    result = ask(model=model, **asked)
    bandwidth = {"big-80gb": 3350e9, "older-80gb": 2039e9, "desk-24gb": 1008e9, "shared-64gb": 400e9}[gpu]
    parameters, active = _counts(model)
    read = found(result, "weights") * active / parameters + found(result, "kv_cache")
    ceiling = count * bandwidth / (read * 2**30)
    assert found(result, "decode_tokens_per_second_per_request") < ceiling
    assert found(result, "decode_tokens_per_second") < batch * ceiling * SLACK


def _counts(model: Any) -> tuple[float, float]:
    """Parameters, and those every token must read: active ones without the embedding that is only looked up."""
    if isinstance(model, str):
        row = MODELS[model]
        lookup = 0 if row["tied_embeddings"] else row["vocab"] * row["hidden"]
        return row["params_total"], row["params_active"] - lookup
    sixteen = found(ask(model=model, quantization="fp16"), "weights") * 2**30 / 2
    return sixteen, sixteen - (0 if model["tied_embeddings"] else model["vocab"] * model["hidden"])


@DRAWN
@given(model=ANY, run=RUNS, factor=st.integers(2, 4))
def test_more_of_anything_never_takes_less_memory(model, run, factor: int) -> None:
    trained = {"workload": "full_finetune", "model": model, "tensor_parallel": 1, **GPU, **run}
    served = {"model": model, "gpu": "big-80gb", "gpu_count": 1, "context_len": 2048, "concurrency": 2}
    for asked, field in ((trained, "micro_batch"), (trained, "seq_len"), (served, "context_len"), (served, "concurrency")):
        less, more = (found(ask(**{**asked, field: asked[field] * f}), "memory_per_gpu") for f in (1, factor))
        assert less <= more * SLACK


def test_every_number_of_a_request_has_a_range_that_its_ends_keep() -> None:
    for low, high in RANGES.values():
        assert low < high


def test_every_value_name_comes_once_and_has_its_derivation(sized) -> None:
    result = sized(workload="pretrain", model="dense-8b", gpu="big-80gb", tokens=1e12, days=30)
    names = [v.name for v in result.values]
    assert len(names) == len(set(names))
    assert set(names) <= result.steps.keys()


def test_every_line_uses_earlier_lines_only_and_cites_a_source(sized) -> None:
    result = sized(workload="full_finetune", model="dense-70b", gpu="big-80gb")
    seen: set[str] = set()
    numbers = {c.n for c in result.citations}
    for line in result.derivation:
        assert all(i.from_ in seen for i in line.inputs.values() if i.from_.startswith("s") and i.from_[1:].isdigit())
        assert line.citation in numbers
        seen.add(line.id)
    assert all(c.source.title and c.source.url.startswith("http") for c in result.citations)
