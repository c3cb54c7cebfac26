"""What software of the same job does differently: schedules, attention, products of quantized weights."""

import pytest

from kb.api import KnowledgeBase

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


def test_the_kernels_of_a_layer_start_more_slowly_on_some_makers_chips_with_whatever_engine(sized) -> None:
    def milliseconds(chip: str, engine: str | None) -> float:
        lines = sized(**(SERVED | {"gpu": chip}), engine=engine).derivation
        return next(line.inputs["latency"].value for line in lines if line.rule == "serving.memory_time")

    assert {milliseconds("shared-64gb", engine) for engine in (None, "llama.cpp", "vllm")} == {0.15}
    assert milliseconds("older-80gb", "vllm") < milliseconds("older-80gb", "llama.cpp") < 0.15


@pytest.mark.parametrize("engine", ["ollama", "lm-studio", "LM Studio"])
def test_a_program_that_downloads_four_bits_runs_four_bits(knowledge: KnowledgeBase, engine: str) -> None:
    plain = {"model": "llama3.3-70b", "workload": "inference", "gpu": "rtx-3090", "gpu_count": 2}
    result = knowledge.size(plain | {"engine": engine})
    assert result.request.quantization == "q4_k_m" and any(a.slot == "quantization" for a in result.assumptions)
    assert knowledge.size(plain | {"engine": engine, "quantization": "q8_0"}).request.quantization == "q8_0"
    assert knowledge.size(plain | {"engine": "vllm"}).request.quantization == "bf16"
