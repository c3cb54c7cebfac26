"""Outside names of results, their units, and the interval that measured quantities carry."""

from __future__ import annotations

from collections.abc import Mapping

from kb.sizing.show import amount, shown
from kb.types.answer import Value
from kb.types.assumptions import Assumptions
from kb.types.derivation import Node
from kb.types.units import from_base

# Name: (unit outside, base unit inside).
UNITS: dict[str, str] = {
    **dict.fromkeys(
        (
            "model_states",
            "model_states_per_gpu",
            "weights",
            "gradients",
            "optimizer_states",
            "activations",
            "kv_cache",
            "kv_cache_per_token",
            "adapter",
            "overhead",
            "memory_per_gpu",
            "memory_available_per_gpu",
            "memory_reserved_per_gpu",
            "memory_total",
            "checkpoint_size",
            "dataset_size",
            "storage",
            "host_ram",
        ),
        "GiB",
    ),
    **dict.fromkeys(
        (
            "gpu_count",
            "nodes",
            "mfu",
            "hfu",
            "max_concurrency",
            "max_context_len",
            "cpu_cores",
            "parameters",
            "active_parameters",
        ),
        "1",
    ),
    **dict.fromkeys(
        (
            "tokens_per_second",
            "tokens_per_second_per_gpu",
            "decode_tokens_per_second",
            "decode_tokens_per_second_per_request",
            "prefill_tokens_per_second",
        ),
        "1/s",
    ),
    "training_time": "day",
    **dict.fromkeys(("load_time", "write_time", "download_time", "all_reduce_time"), "s"),
    "dp_size": "1",
    "gpus_for_load": "1",
    "max_parameters": "1",
    "gpu_layers": "1",
    "bytes_per_parameter": "B",
    "server_count": "1",
    "affordable_gpu_hours": "h",
    "affordable_time": "day",
    "psu": "W",
    "power_limit": "W",
    "gpu_hours": "h",
    "break_even": "h",
    "tflops_per_gpu": "TFLOP/s",
    "training_flops": "FLOP",
    **dict.fromkeys(("step_time", "time_to_first_token", "checkpoint_interval"), "s"),
    "network_bandwidth": "Gbit/s",
    "power": "kW",
    "energy": "kWh",
    "cost": "money",
}
SPREAD = {
    "training_time": "spread.training_time",
    "gpu_hours": "spread.training_time",
    "step_time": "spread.training_time",
    "tokens_per_second": "spread.training_time",
    "tokens_per_second_per_gpu": "spread.training_time",
    "tflops_per_gpu": "spread.training_time",
    "decode_tokens_per_second": "spread.decode",
    "decode_tokens_per_second_per_request": "spread.decode",
    "prefill_tokens_per_second": "spread.prefill",
    "time_to_first_token": "spread.prefill",
}
MEMORY = ("memory_per_gpu", "memory_total")


def values_of(
    steps: Mapping[str, Node], assumptions: Assumptions, currency: str, training: bool, exact: bool
) -> tuple[Value, ...]:
    """A value for every named node; measured quantities with an 80 % interval, unless `exact` (the asker fixed what is uncertain)."""
    out = []
    for name, node in steps.items():
        if name not in UNITS:
            continue
        unit = UNITS[name]
        value = node.value if unit == "money" else from_base(node.value, unit)
        spread = SPREAD.get(name) if name not in MEMORY else f"spread.{'training' if training else 'serving'}_memory"
        factor = assumptions.constants[spread].value if spread and not (exact and spread == "spread.training_time") else None
        text = amount(*_read(node, value, unit, currency))
        low, high = (value / factor, value * factor) if factor else (None, None)
        out.append(Value(name, value, currency or "money" if unit == "money" else unit, text, low, high))
    return tuple(out)


def _read(node: Node, value: float, unit: str, currency: str) -> tuple[float, str]:
    """Memory and money in the unit that suits their size, everything else in its outside unit."""
    if unit in ("GiB", "money"):
        return shown(node.value, node.unit, currency)
    return value, "token/s" if unit == "1/s" else unit
