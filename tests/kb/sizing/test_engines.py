"""What software of the same job does differently: schedules, attention, products of quantized weights."""

import pytest

PIPED = {
    "workload": "pretrain", "model": "dense-70b", "gpu": "big-80gb", "gpu_count": 64, "tensor_parallel": 8, "pipeline_parallel": 8,
    "micro_batch": 1, "seq_len": 4096, "global_batch_tokens": 32 * 4096,
}  # fmt: skip
SERVED = {"model": "dense-8b", "gpu": "big-80gb", "gpu_count": 1, "context_len": 512}


def test_a_schedule_that_is_said_decides_the_bubble(value) -> None:
    """Seven idle micro-batches beside 32, and a fifth of them with five chunks a stage."""
    plain, interleaved = (value("step_time", **PIPED, virtual_stages=v) for v in (1, 5))
    assert plain / interleaved == pytest.approx((1 + 7 / 32) / (1 + 7 / 160), rel=0.01)
    assert interleaved < value("step_time", **PIPED) < plain


def test_attention_whose_scores_go_through_memory_is_slower_the_longer_the_sequence(value) -> None:
    slower = [
        value("step_time", **(PIPED | {"seq_len": n, "flash_attention": False}))
        / value("step_time", **(PIPED | {"seq_len": n}))
        for n in (1024, 4096)
    ]
    assert 1 < slower[0] < slower[1]


@pytest.mark.parametrize("engine", ["DeepSpeed-Inference (TP 8)", "SAT"])
def test_an_engine_that_widens_weights_reads_more_than_they_take(value, engine: str) -> None:
    name = "decode_tokens_per_second_per_request"
    narrow, wide = (value(name, **SERVED, quantization="int8", engine=e) for e in (None, engine))
    assert wide < value(name, **SERVED, quantization="bf16") < narrow
    assert value(name, **SERVED, quantization="bf16", engine=engine) == pytest.approx(
        value(name, **SERVED, quantization="bf16")
    )


def test_the_kernels_of_a_layer_start_more_slowly_on_some_makers_chips_with_whatever_engine(value) -> None:
    """The time per token grows by the same for every layer, whatever is read of it."""

    def seconds(chip: object, engine: str | None) -> float:
        return 1 / value("decode_tokens_per_second_per_request", **(SERVED | {"gpu": chip}), engine=engine)

    plain = {"memory_gb": 64, "memory_bandwidth_gb_s": 400, "bf16_dense_tflops": 27}
    own = seconds("shared-64gb", None)
    assert own == pytest.approx(seconds("shared-64gb", "llama.cpp")) == pytest.approx(seconds("shared-64gb", "vllm"))
    assert own - seconds(plain, None) == pytest.approx(32 * (1.5e-4 - 5.67e-5), rel=0.05)
    assert seconds("older-80gb", "llama.cpp") > seconds("older-80gb", "vllm")
