"""Every accelerator and every model of the shipped tables can be sized, and nothing impossible comes out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kb.errors import SizewrightError
from kb.ingest.assumptions import read_assumptions
from kb.ingest.specs import read_specs
from kb.sizing.chip import from_row
from kb.sizing.request import from_mapping
from kb.sizing.size import size

CORPUS = Path(__file__).parents[3] / "corpus"
BOOK, ASSUMPTIONS = read_specs(CORPUS / "specs"), read_assumptions(CORPUS / "assumptions")
WORKLOADS = ("pretrain", "full_finetune", "lora", "qlora", "inference")
UNSIZED = 3  # models whose size nobody published


def checked(**request: Any) -> Iterator[str]:
    """What is impossible in a result."""
    result = size(from_mapping(request), BOOK, ASSUMPTIONS, ("cost",))
    for v in result.values:
        if isinstance(v.value, float) and (not math.isfinite(v.value) or v.value < 0):
            yield f"{v.name} is {v.value}"
        if v.low is not None and v.high is not None and not v.low <= v.value <= v.high:
            yield f"{v.name} lies outside its interval"
        if v.name in ("mfu", "hfu") and v.value > 1:
            yield f"{v.name} is {v.value}"


@pytest.mark.parametrize("workload", WORKLOADS)
def test_every_accelerator_can_be_sized(workload: str) -> None:
    faults = {
        row.id: found
        for row in BOOK.rows("accelerators")
        if (found := list(checked(workload=workload, model="llama3-8b", gpu=row.id, gpu_count=8)))
    }
    assert not faults


def test_a_gpu_whose_fp16_is_slower_than_its_fp32_computes_in_fp32() -> None:
    row = BOOK.row("accelerators", "p40")
    assert row is not None and row.number("fp16_dense_tflops") == 0.184
    peak = from_row(row).peak("fp16")
    assert peak is not None and peak.value == 12e12


@pytest.mark.parametrize("workload", ("pretrain", "inference"))
def test_every_model_of_known_size_can_be_sized(workload: str) -> None:
    faults, unsized = {}, []
    for row in BOOK.rows("models"):
        try:
            found = list(checked(workload=workload, model=row.id, gpu="h100-sxm5-80gb", gpu_count=64))
        except SizewrightError:
            unsized.append(row.id)
            continue
        if found:
            faults[row.id] = found
    assert not faults and len(unsized) <= UNSIZED, unsized


@pytest.mark.parametrize(("gpu", "shown"), [("l40s", 46068), ("a40", 46068), ("l4", 23034), ("t4", 15360), ("a2", 15356)])
def test_memory_that_error_correction_takes_is_not_offered(gpu: str, shown: int) -> None:
    result = size(from_mapping({"parameters": 1e9, "gpu": gpu}), BOOK, ASSUMPTIONS)
    (offered,) = (v for v in result.values if v.name == "memory_available_per_gpu")
    assert offered.value == pytest.approx(0.9 * shown / 1024)


@pytest.mark.parametrize("model", ["llama3-8b", "qwen3-32b", "deepseek-v3"])
def test_files_of_four_bits_are_larger_than_four_bits_a_weight(model: str) -> None:
    """Groups have scales, embeddings and head stay in 16 bits."""
    plain, awq = (
        size(from_mapping({"model": model, "quantization": quantization}), BOOK, ASSUMPTIONS).steps["weights"].value
        for quantization in ("int4", "awq-int4")
    )
    assert plain == pytest.approx(0.5 * (BOOK.row("models", model) or BOOK.rows("models")[0]).number("params_total"))
    assert 1.03 * plain < awq < 1.6 * plain
