"""A mapping becomes a request, or an error that names the field, the value and what would be allowed."""

import math

import pytest

from kb.errors import InvalidInput
from kb.sizing.request import from_mapping
from kb.types.sizing import GpuFigures, ModelShape


def test_shorthands_become_model_gpu_and_time() -> None:
    request = from_mapping({"parameters": 7e9, "memory_gb": 24, "hours": 48, "workload": None})
    assert request.model == ModelShape(parameters=7e9)
    assert request.gpu == GpuFigures(memory_gb=24)
    assert request.days == 2
    assert from_mapping({"nodes": 4, "gpus_per_node": 8}).gpu_count == 32


@pytest.mark.parametrize(
    ("fields", "field", "hint"),
    [
        ({"gpu_count": 0}, "gpu_count", "between 1"),
        ({"budget": -5}, "budget", "between"),
        ({"days": 0}, "days", "between"),
        ({"gpu_memory_utilization": 1.5}, "gpu_memory_utilization", "between 0.05 and 1"),
        ({"parameters": 1e9, "active_parameters": 2e9}, "active_parameters", "1e+09"),
        ({"gpu_count": 2.5}, "gpu_count", "whole number"),
        ({"parameters": -7e9}, "parameters", "between 100000"),
        ({"parameters": 1e30}, "parameters", "1e+14"),
        ({"model": {"parameters": math.nan}}, "model.parameters", "finite"),
        ({"tokens": math.inf}, "tokens", "finite"),
        ({"seq_len": True}, "seq_len", "finite number"),
        ({"precision": "fp7"}, "precision", "fp8"),
        ({"workload": 3}, "workload", "text"),
        ({"gpu_cout": 3}, "gpu_cout", "gpu_count"),
        ({"model": {"layer": 3}}, "model.layer", "layers"),
        ({"model": []}, "model", "figures"),
        ({"gpu": {"memory_gb": "80"}}, "gpu.memory_gb", "finite"),
        ({"flash_attention": "yes"}, "flash_attention", "true or false"),
    ],
)
def test_what_cannot_be_is_refused_by_name(fields, field: str, hint: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        from_mapping(fields)
    assert caught.value.field == field
    assert hint in caught.value.en
    assert caught.value.zh
