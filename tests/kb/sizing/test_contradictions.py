"""What cannot be is refused: the error names the field, its value and what would be allowed, in both languages."""

import pytest

from kb.errors import InvalidInput, UnknownEntity

BIG = {"gpu": "big-80gb"}
DENSE = {"model": "dense-8b", **BIG}
TRAINED = {"workload": "full_finetune", **DENSE}


def refused(sized, **fields) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        sized(**fields)
    return caught.value


@pytest.mark.parametrize(
    ("fields", "field", "allowed"),
    [
        ({**DENSE, "gpu_count": 8, "tensor_parallel": 3}, "tensor_parallel", "1, 2, 4, 8, 16, 32"),
        ({**DENSE, "gpu_count": 6, "tensor_parallel": 4}, "gpu_count", "4, 8"),
        ({**DENSE, "gpu_count": 2, "tensor_parallel": 4}, "gpu_count", "4"),
        ({**TRAINED, "gpu_count": 12, "tensor_parallel": 2, "pipeline_parallel": 4}, "gpu_count", "8, 16"),
        ({**DENSE, "gpu_count": 6, "tensor_parallel": 6}, "tensor_parallel", "1, 2, 4, 8, 16, 32"),
        ({**DENSE, "gpu_count": 64, "tensor_parallel": 64}, "tensor_parallel", "1, 2, 4, 8, 16, 32"),
        ({**TRAINED, "gpu_count": 64, "pipeline_parallel": 64}, "pipeline_parallel", "at most 32"),
        ({**TRAINED, "gpu_count": 8, "expert_parallel": 8}, "expert_parallel", "so 1"),
        (
            {"workload": "pretrain", "model": "mixture-671b", **BIG, "gpu_count": 24, "expert_parallel": 24},
            "expert_parallel",
            "1, 2, 4",
        ),
        (
            {
                "workload": "pretrain",
                "model": "mixture-671b",
                **BIG,
                "gpu_count": 64,
                "pipeline_parallel": 16,
                "expert_parallel": 8,
            },
            "expert_parallel",
            "1, 2, 4",
        ),
        ({**TRAINED, "gpu_count": 3, "context_parallel": 3, "seq_len": 4096}, "context_parallel", "1, 2, 4"),
        ({**TRAINED, "gpu_count": 8, "seq_len": 300_000}, "seq_len", "at most 262144"),
        ({**DENSE, "context_len": 300_000}, "context_len", "262144"),
        ({**DENSE, "prompt_tokens": 262_000, "output_tokens": 1000}, "prompt_tokens", "262144"),
        ({**DENSE, "context_len": 4096, "prompt_tokens": 4000, "output_tokens": 500}, "context_len", "4500"),
        ({"model": {"parameters": 1e9, "context": 2048}, "context_len": 70_000}, "context_len", "65536"),
        ({"model": {"parameters": 1e9, "context": 1_000_000}, "context_len": 1_000_001}, "context_len", "1000000"),
        ({"workload": "lora", **DENSE, "lora_rank": 5000}, "lora_rank", "4096"),
        (
            {**TRAINED, "gpu_count": 8, "tensor_parallel": 2, "micro_batch": 4, "seq_len": 4096, "global_batch_tokens": 32768},
            "global_batch_tokens",
            "65536",
        ),
        ({**TRAINED, "seq_len": 4096, "global_batch_tokens": 1000}, "global_batch_tokens", "4096"),
        (
            {"workload": "pretrain", "model": "dense-8b", "gpu": "older-80gb", "precision": "fp8"},
            "precision",
            "bf16, fp16, fp32",
        ),
    ],
)
def test_a_layout_or_length_that_cannot_be_is_refused(sized, fields, field: str, allowed: str) -> None:
    error = refused(sized, **fields)
    assert error.field == field
    assert allowed in error.en and allowed.removeprefix("at most ").removeprefix("so ") in error.zh


@pytest.mark.parametrize(
    ("model", "field", "allowed"),
    [
        ({"parameters": 1e9, "active_parameters": 2e9}, "active_parameters", "1e+09"),
        (
            {"layers": 4, "hidden": 512, "ffn": 2048, "vocab": 32000, "active_parameters": 2e9},
            "active_parameters",
            "parameters",
        ),
        ({"parameters": 7e9, "heads": 32, "kv_heads": 5}, "kv_heads", "1, 2, 4, 8, 16, 32"),
        ({"parameters": 7e9, "heads": 8, "kv_heads": 32}, "kv_heads", "8"),
        ({"parameters": 7e9, "experts": 8, "top_k": 16}, "top_k", "8"),
        ({"parameters": 7e9, "top_k": 2}, "top_k", "experts"),
        ({"parameters": 7e9, "layers": 8, "dense_layers": 9}, "dense_layers", "8"),
        ({"parameters": 7e9, "attention": "MLA"}, "kv_lora_rank", "kv_lora_rank"),
        ({"parameters": 7e9, "attention": "GQA", "heads": 32}, "kv_heads", "key-value heads"),
        ({"parameters": 1e8, "attention": "bidirectional encoder"}, "attention", "GQA"),
        ({"parameters": 7e9, "layers": 2, "hidden": 64, "ffn": 256, "vocab": 1000}, "parameters", "add up"),
    ],
)
def test_a_model_that_contradicts_itself_is_refused(sized, model, field: str, allowed: str) -> None:
    error = refused(sized, model=model)
    assert error.field == f"model.{field}"
    assert allowed in error.en and error.zh


def test_a_model_of_which_nothing_is_known_is_refused(sized) -> None:
    assert refused(sized, model={"layers": 3}).field == "model"
    assert refused(sized, model="unpublished").field == "model"


def test_a_shape_without_a_context_has_no_limit_and_defaults_stay_below_one(sized, value) -> None:
    assert value("kv_cache", model={"parameters": 7e9}, context_len=10_000_000) > 0
    short = sized(workload="lora", model={"parameters": 1e9, "context": 1024}, gpu="big-80gb")
    assert short.request.seq_len == 1024


def test_a_context_may_be_stretched_under_a_warning(sized) -> None:
    asked = {"model": {"parameters": 1e9, "context": 8192}}
    assert any("8192" in w for w in sized(**asked, context_len=131_072).warnings)
    assert not sized(**asked, context_len=8192).warnings


def test_weights_may_be_stored_in_what_the_hardware_does_not_compute_in(sized) -> None:
    assert any("fp8" in w for w in sized(model="dense-8b", gpu="older-80gb", quantization="fp8").warnings)


def test_a_batch_need_not_fill_replicas_that_nobody_asked_for(sized) -> None:
    assert sized(**TRAINED, gpu_count=512, seq_len=4096, global_batch_tokens=1_048_576).values


def test_a_name_that_is_no_language_model_of_the_table_says_which_models_are_sized(sized) -> None:
    with pytest.raises(UnknownEntity) as caught:
        sized(model="some-reranker-large")
    assert caught.value.field == "model"
    assert "reranker" in caught.value.en and "decoder" in caught.value.en and "解码器" in caught.value.zh
