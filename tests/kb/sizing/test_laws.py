"""What holds for every model and layout."""

import pytest

METHODS = ("qlora", "lora", "full_finetune")
GPU = {"gpu": "big-80gb", "gpu_count": 8}


@pytest.mark.parametrize("model", ["dense-8b", "dense-70b", "mixture-671b"])
def test_qlora_needs_less_than_lora_and_lora_less_than_full_finetuning(value, model: str) -> None:
    needs = [value("memory_per_gpu", workload=w, model=model, **GPU) for w in METHODS]
    assert needs == sorted(needs)


@pytest.mark.parametrize("model", ["dense-8b", "mixture-671b"])
def test_memory_falls_with_the_zero_stage(value, model: str) -> None:
    needs = [value("model_states_per_gpu", workload="full_finetune", model=model, zero_stage=s, **GPU) for s in (3, 2, 1, 0)]
    assert needs == sorted(needs)


def test_memory_per_gpu_falls_with_the_number_of_gpus_under_full_sharding(value) -> None:
    needs = [
        value("memory_per_gpu", workload="full_finetune", model="dense-70b", gpu="big-80gb", gpu_count=n, zero_stage=3)
        for n in (64, 32, 16, 8)
    ]
    assert needs == sorted(needs)


def test_time_falls_with_gpus_and_never_faster_than_linearly(value) -> None:
    times = {
        n: value("training_time", workload="pretrain", model="dense-8b", gpu="big-80gb", gpu_count=n, tokens=1e11)
        for n in (8, 64, 128, 512)
    }
    for n, m in ((8, 64), (64, 128), (128, 512)):
        assert times[m] < times[n] <= times[m] * m / n * (1 + 1e-9)


def test_naming_a_model_and_giving_its_shape_give_the_same_figures(sized) -> None:
    shape = {
        "parameters": 8030261248, "layers": 32, "hidden": 4096, "ffn": 14336, "heads": 32, "kv_heads": 8, "head_dim": 128, "vocab": 128256,
        "tied_embeddings": False, "gated_mlp": True,
    }  # fmt: skip
    for workload in ("inference", *METHODS):
        by_name, by_shape = (sized(workload=workload, model=m, **GPU) for m in ("dense-8b", shape))
        assert [(v.name, v.value) for v in by_name.values] == [(v.name, v.value) for v in by_shape.values]


@pytest.mark.parametrize("workload", ["inference", *METHODS, "pretrain"])
def test_the_breakdown_sums_to_the_memory_per_gpu(sized, workload: str) -> None:
    result = sized(workload=workload, model="dense-70b", **GPU)
    total = next(v.value for v in result.values if v.name == "memory_per_gpu")
    assert sum(c.value for c in result.breakdown) == pytest.approx(total, rel=1e-9)


def test_kv_cache_grows_linearly_in_context_until_a_window(value) -> None:
    short, long = (value("kv_cache", model="dense-8b", context_len=n) for n in (4096, 32768))
    assert long == pytest.approx(8 * short)
    assert value("kv_cache", model="windowed-7b", context_len=4096) == value("kv_cache", model="windowed-7b", context_len=65536)


def test_decoding_is_never_faster_than_reading_the_weights(value) -> None:
    speed = value("decode_tokens_per_second_per_request", model="dense-8b", gpu="big-80gb", gpu_count=1)
    read = (8030261248 - 128256 * 4096) * 2
    assert speed < 3350e9 / read


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
