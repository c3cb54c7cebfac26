"""Outside names of results, their units, and the interval that measured quantities carry."""

from __future__ import annotations

from collections.abc import Mapping

from kb.sizing.case import Case
from kb.sizing.show import amount, shown
from kb.types.answer import Value
from kb.types.derivation import Node
from kb.types.units import from_base

# The units outside, and the names of the results in each.
BY_UNIT: dict[str, tuple[str, ...]] = {
    "GiB": (
        "model_states", "model_states_per_gpu", "ema", "weights", "gradients", "optimizer_states", "activations", "kv_cache",
        "kv_cache_per_token", "adapter", "reference_models", "critics", "reward_models", "rollout_engines", "rollout_cache",
        "overhead", "memory_per_gpu", "memory_available_per_gpu", "memory_reserved_per_gpu",
        "memory_total", "checkpoint_size", "dataset_size", "storage", "storage_of_kept", "host_ram", "offloaded_states", "nvme_states",
        "all_reduce_traffic", "moments", "master_weights", "embedding_table", "logits_once", "logits_in_all", "logits_fused",
    ),
    "1": (
        "gpu_count", "nodes", "mfu", "hfu", "max_concurrency", "max_context_len", "cpu_cores", "parameters",
        "active_parameters", "dp_size", "gradient_accumulation", "gpus_for_load", "max_parameters", "trainable_parameters",
        "gpu_layers", "kv_cache_tokens", "server_count", "pipeline_bubble", "pipeline_idle", "saves", "optimal_tokens",
        "optimal_parameters", "job_tokens", "optimizer_steps",
        "max_adapters", "host_cache_tokens", "cooling_tons", "gpus_on_power", "saved_share", "api_break_even_use", "pcie_lanes",
    ),
    "1/s": (
        "tokens_per_second", "tokens_per_second_per_gpu", "decode_tokens_per_second", "decode_tokens_per_second_per_request",
        "decode_ceiling", "prefill_tokens_per_second", "job_rate", "job_pace", "api_break_even",
    ),
    "day": ("job_time", "training_time", "affordable_time", "break_even_time"),
    "s": (
        "load_time", "write_time", "download_time", "kv_transfer_time",
        "all_reduce_time", "all_reduce_time_network", "step_time", "all_gather_time",
        "reduce_scatter_time", "all_to_all_time",
        "time_to_first_token", "checkpoint_interval",
    ),
    "B": ("bytes_per_parameter",),
    "h": ("affordable_gpu_hours", "between_failures", "gpu_hours", "break_even", "break_even_use"),
    "money": ("saving", "cost_instead", "cost_of_owning", "cost_of_renting", "cost_per_million_tokens", "storage_cost", "cost"),
    "GB/s": ("read_bandwidth", "write_bandwidth", "transfer_bandwidth"),
    "kW": ("facility_power", "power"),
    "BTU/h": ("heat",),
    "m³/h": ("airflow",),
    "CFM": ("airflow_cfm",),
    "VA": ("ups_va",),
    "W": ("ups", "psu", "wall_power", "circuit_power", "power_limit"),
    "TFLOP/s": ("tflops_per_gpu",),
    "FLOP": ("training_flops",),
    "Gbit/s": ("network_bandwidth", "transfer_link"),
    "kWh": ("energy", "ups_energy"),
    "money/h": ("cost_per_useful_hour", "cost_per_owned_hour", "rent_per_gpu_hour"),
}  # fmt: skip
UNITS = {name: unit for unit, names in BY_UNIT.items() for name in names}
MONEY = {"money": 1.0, "money/h": 3600.0}  # of the base unit
# Whose interval a predicted value has: by name, and by the kind of job.
SPEED = ("tokens_per_second", "tokens_per_second_per_gpu", "tflops_per_gpu", "mfu")
STEP = ("step_time",)
RUN = ("training_time", "gpu_hours")
DECODE = ("decode_tokens_per_second", "decode_tokens_per_second_per_request")
PREFILL = ("prefill_tokens_per_second", "time_to_first_token")
MEMORY = ("memory_per_gpu", "memory_total")


def values_of(steps: Mapping[str, Node], case: Case, exact: bool) -> tuple[Value, ...]:
    """A value for every named node; predicted quantities with an 80 % interval, but for times and speeds that are `exact` since the
    asker fixed what is uncertain."""
    out, currency = [], case.request.currency or ""
    for name, node in steps.items():
        if name not in UNITS:
            continue
        unit = UNITS[name]
        value = node.value * MONEY[unit] if unit in MONEY else from_base(node.value, unit)
        low, high = _possible(name, value, interval(name, value, case, exact), steps, case)
        text = amount(*_read(node, value, unit, currency))
        out.append(Value(name, value, unit.replace("money", currency or "money"), text, low, high))
    return tuple(out)


def _possible(
    name: str, value: float, bounds: tuple[float | None, float | None], steps: Mapping[str, Node], case: Case
) -> tuple[float | None, float | None]:
    """An interval no better than the hardware: a prompt is not read faster than its compute takes at peak, and nothing is decoded faster
    than the bandwidth delivers what each step reads."""
    low, high = bounds
    if low is None or high is None:
        return bounds
    reached = case.constant("compute_reached").value
    if name == "time_to_first_token":
        return max(low, value * reached), high
    if name in PREFILL:
        return low, min(high, value / reached)
    if name in DECODE and (ceiling := steps.get("decode_ceiling")):
        share = value / steps["decode_tokens_per_second"].value  # of all requests
        return low, min(high, ceiling.value * share)
    return bounds


def interval(name: str, value: float, case: Case, exact: bool = False) -> tuple[float | None, float | None]:
    """Low and high of the 80 % interval; None where the value is exact. A time is long where a speed is low."""
    kind = interval_of(name, case)
    if kind is None or (exact and name in (*SPEED, *STEP, *RUN)):
        return None, None
    low, high = (case.constant(f"interval.{kind}.{end}").value for end in ("low", "high"))
    return (value / high, value / low) if name in STEP or (name in RUN and kind != "run") else (value * low, value * high)


def interval_of(name: str, case: Case) -> str | None:
    """The kind of published values that the value is measured by."""
    if name in RUN and case.request.workload == "pretrain":
        return "run"
    if name in (*SPEED, *STEP, *RUN) and case.training and case.request.samples_per_second is None:
        return f"training_speed.{speed_kind(case)}"
    if name in MEMORY:
        return ("fine_tuning_memory" if case.adapted else "training_memory") if case.training else "serving_memory"
    return "decode" if name in DECODE else "prefill" if name in PREFILL else None


def speed_kind(case: Case) -> str:
    if case.request.workload != "pretrain":
        return "fine_tuning"
    if case.mixture:
        return "mixture"
    return "low_precision" if case.request.precision in ("fp8", "fp4") else "dense"


def _read(node: Node, value: float, unit: str, currency: str) -> tuple[float, str]:
    """Memory and money in the unit that suits their size, everything else in its outside unit."""
    if unit == "GiB" or unit in MONEY:
        return shown(node.value, node.unit, currency)
    return value, "token/s" if unit == "1/s" else unit
