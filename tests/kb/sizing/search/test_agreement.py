"""A layout computed among thousands and the same layout sized alone are the same layout."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from kb.sizing.search.kinds import kinds
from kb.sizing.search.limits import plan_from_mapping
from kb.sizing.search.plan import job
from kb.sizing.search.table import Tried, tried
from kb.sizing.size import size
from kb.types.sizing import SizingResult

SAMPLE = 25
PRICES = {"big-80gb": 2.5, "older-80gb": 1.1, "desk-24gb": 0.4, "shared-64gb": 0.3, "turing-16gb": 0.2}
TRAINING: dict[str, Mapping[str, Any]] = {
    "dense": {"workload": "pretrain", "model": "dense-8b", "tokens": 1e12},
    "large batch": {"workload": "pretrain", "model": "dense-70b", "tokens": 1e12, "global_batch_tokens": 4194304, "seq_len": 4096},
    "mixture": {"workload": "pretrain", "model": "mixture-671b", "tokens": 1e12, "precision": "fp8", "gpus": ["big-80gb"]},
    "long": {"workload": "full_finetune", "model": "dense-8b", "tokens": 1e9, "seq_len": 65536},
    "plain attention": {"workload": "full_finetune", "model": "dense-8b", "tokens": 1e9, "flash_attention": False},
    "replicated activations": {"workload": "pretrain", "model": "dense-8b", "tokens": 1e9, "sequence_parallel": False},
    "lora": {"workload": "lora", "model": "dense-70b", "tokens": 1e8},
    "qlora": {"workload": "qlora", "model": "dense-70b"},
    "short": {"workload": "lora", "model": "dense-8b", "tokens": 1e8, "seq_len": 128},
    "offload": {"workload": "full_finetune", "model": "dense-8b", "tokens": 1e9, "offload": "cpu"},
    "size alone": {"workload": "pretrain", "parameters": 13e9, "tokens": 3e11, "optimizer": "adamw_8bit"},
    "stated utilization": {"workload": "pretrain", "model": "dense-8b", "tokens": 1e12, "mfu": 0.45},
    "priced": {"workload": "pretrain", "model": "dense-8b", "tokens": 1e12, "prices": PRICES},
    "electricity": {"workload": "pretrain", "model": "dense-8b", "tokens": 1e12, "electricity_price": 0.12},
}  # fmt: skip
SERVING: dict[str, Mapping[str, Any]] = {
    "one stream": {"workload": "inference", "model": "dense-8b", "concurrency": 1},
    "many streams": {
        "workload": "inference",
        "model": "dense-70b",
        "concurrency": 96,
        "context_len": 8192,
        "quantization": "fp8",
    },
    "any number": {"workload": "inference", "model": "dense-70b", "quantization": "awq-int4"},
    "mixture": {"workload": "inference", "model": "mixture-671b", "quantization": "fp8", "concurrency": 64},
    "window": {"workload": "inference", "model": "windowed-7b", "context_len": 32768, "concurrency": 40},
    "load": {"workload": "inference", "model": "dense-8b", "requests_per_second": 30, "output_tokens": 200},
    "rented": {"workload": "inference", "model": "dense-8b", "concurrency": 30, "days": 30, "price_per_gpu_hour": 2},
}
KINDS = ["big-80gb", "older-80gb", "desk-24gb", "shared-64gb", "turing-16gb"]


@pytest.fixture
def found(spec_book, assumptions):
    def of(fields: Mapping[str, Any], most: int = 256) -> Tried:
        request, limits = plan_from_mapping({"gpus": KINDS, **fields})
        return tried(kinds(job(request, limits, spec_book, assumptions), limits, spec_book)[0], most)

    return of


@pytest.fixture
def alone(spec_book, assumptions):
    def of(found: Tried, row: int) -> tuple[SizingResult, dict[str, float]]:
        result = size(found.request(row), spec_book, assumptions)
        return result, {name: node.value for name, node in result.steps.items()}

    return of


def rows(found: Tried) -> list[int]:
    assert len(found)
    return random.Random(len(found)).sample(range(len(found)), min(SAMPLE, len(found)))


def verdict(found: Tried, row: int, assumptions) -> str:
    filled = found.columns["filled"][row]
    if filled < assumptions.constants["fits.below"].value:
        return "fits"
    return "fits_with_conditions" if filled <= assumptions.constants["fits.up_to"].value else "does_not_fit"


@pytest.mark.parametrize("case", TRAINING)
def test_training_layouts_agree_with_the_same_request_sized_alone(found, alone, assumptions, case: str) -> None:
    many = found(TRAINING[case])
    for row in rows(many):
        result, steps = alone(many, row)
        columns = {name: column[row] for name, column in many.columns.items()}
        assert result.verdict == verdict(many, row, assumptions)
        assert columns["filled"] == pytest.approx(steps["memory_per_gpu"] / steps["memory_available_per_gpu"], rel=1e-12)
        assert columns["speed"] == pytest.approx(steps["tokens_per_second"], rel=1e-12)
        if "training_time" in steps:
            assert columns["time"] == pytest.approx(steps["training_time"], rel=1e-12)
        if "cost" in steps:
            assert columns["cost"] == pytest.approx(steps["cost"], rel=1e-12)
        elif "gpu_hours" in steps and "electricity_price" not in TRAINING[case]:
            assert columns["cost"] == pytest.approx(steps["gpu_hours"], rel=1e-12)


@pytest.mark.parametrize("case", SERVING)
def test_serving_layouts_agree_with_the_same_request_sized_alone(found, alone, assumptions, case: str) -> None:
    many = found(SERVING[case], 64)
    for row in rows(many):
        result, steps = alone(many, row)
        columns = {name: column[row] for name, column in many.columns.items()}
        assert result.verdict == verdict(many, row, assumptions)
        assert columns["filled"] == pytest.approx(steps["memory_per_gpu"] / steps["memory_available_per_gpu"], rel=1e-12)
        assert columns["speed"] == pytest.approx(steps["decode_tokens_per_second"], rel=1e-12)
        assert columns["time"] == pytest.approx(1 / steps["decode_tokens_per_second_per_request"], rel=1e-12)
        if "cost" in steps:
            assert columns["cost"] == pytest.approx(steps["cost"], rel=1e-12)
