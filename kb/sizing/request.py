"""A mapping, as a question or a client gives it, becomes a checked SizingRequest."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Literal

from rapidfuzz import process

from kb.errors import InvalidInput
from kb.sizing.contradictions import check_figures
from kb.types.sizing import GpuFigures, ModelShape, SizingRequest

CHOICES: dict[str, tuple[str, ...]] = {
    "workload": ("pretrain", "full_finetune", "lora", "qlora", "inference"),
    "precision": ("fp32", "fp16", "bf16", "pure_bf16", "fp8", "fp4"),
    "optimizer": ("adamw", "adamw_8bit", "adafactor", "sgd", "lion", "muon"),
    "offload": ("none", "cpu", "nvme"),
    "recompute": ("none", "selective", "full"),
    "quantization": (
        "fp32", "fp16", "bf16", "fp8", "int8", "int4", "fp4", "awq-int4", "gptq-int4", "nf4", "nf4-dq", "mlx-4bit",
        "q2_k", "q3_k_s", "q3_k_m", "q3_k_l", "iq4_xs", "q4_0", "q4_k_s", "q4_k_m", "q5_0", "q5_k_s", "q5_k_m", "q6_k", "q8_0",
    ),
    "post_training": ("dpo", "ppo", "grpo"),
    "memory_kind": ("ddr4", "ddr5"),
    "kv_precision": ("fp32", "fp16", "bf16", "fp8", "int8", "int4"),
}  # fmt: skip

# Least and greatest value of a number; what lies outside is a slip or a joke.
RANGES: dict[str, tuple[float, float]] = {
    "gpu_count": (1, 1_000_000), "gpus_per_node": (1, 1024), "zero_stage": (0, 3), "tensor_parallel": (1, 1024),
    "pipeline_parallel": (1, 1024), "context_parallel": (1, 1024), "expert_parallel": (1, 4096), "shard_degree": (1, 1_000_000),
    "seq_len": (1, 100_000_000), "micro_batch": (1, 65_536), "global_batch_tokens": (1, 1e10),
    "global_batch": (1, 1e9), "data_parallel": (1, 1_000_000),
    "tokens": (1, 1e17), "mfu": (0.001, 1), "lora_rank": (1, 65_536),
    "reference_models": (0, 16), "reward_models": (0, 16), "critics": (0, 16), "rollout_engines": (0, 16),
    "context_len": (1, 100_000_000), "concurrency": (1, 1_000_000), "people": (1, 100_000_000), "active_users": (1, 10_000_000_000),
    "requests_per_second": (1e-6, 1e7), "demanded_tokens_per_second": (1e-3, 1e12),
    "prompt_tokens": (1, 100_000_000),
    "documents": (1, 1e15), "input_tokens": (1, 1e17), "generated_tokens": (1, 1e17),
    "output_tokens": (1, 100_000_000), "gpu_memory_utilization": (0.05, 1), "days": (1e-4, 36_500), "budget": (1e-3, 1e13),
    "price_per_gpu_hour": (0, 1e5), "price_per_month": (0, 1e12), "price_per_gb_month": (0, 1e3),
    "purchase_price": (0, 1e13), "electricity_price": (0, 1000), "utilization": (0.001, 1),
    "gpu_hours": (1e-3, 1e12), "power_kw": (1e-3, 1e7), "size_gb": (1e-9, 1e9), "disk_gb_s": (1e-6, 1e6),
    "network_gbps": (1e-6, 1e7), "bandwidth_gb_s": (1e-6, 1e7), "samples_per_second": (1e-6, 1e9), "copies": (1, 1_000_000),
    "power_w": (0.1, 1e9), "psu_w": (1, 1e9), "rack_w": (1, 1e9), "circuit_a": (0.5, 10_000),
    "circuit_v": (12, 50_000), "circuit_phases": (1, 3), "gpu_power_w": (1, 1e6), "gpu_memory_gb": (0.1, 100_000), "pue": (1, 5),
    "host_ram_gb": (0.5, 1e6), "storage_gb": (0.5, 1e9),
    "memory_channels": (1, 64), "memory_mt_s": (100, 100_000), "sockets": (1, 64),
    "micro_batches": (1, 1_000_000), "virtual_stages": (1, 1000), "link_gb_s": (1e-6, 1e7),
    "every_hours": (1e-3, 1e5), "steps": (1, 1e12),
    "step_seconds": (1e-6, 1e7), "samples": (1, 1e15), "epochs": (1e-3, 1e5), "items": (1, 1e15), "items_per_second": (1e-6, 1e9),
    "vocabulary": (2, 1e8), "temperature_rise": (0.1, 200),
    "every_steps": (1, 1e12), "seconds": (1e-6, 1e8), "mtbf_hours": (1e-2, 1e9), "token_bytes": (1, 8),
    "server_kw": (1e-3, 1e4), "tokens_per_second": (1e-3, 1e12), "tokens_per_day": (1, 1e16), "price_per_million_tokens": (0, 1e6),
    "running_per_day": (0, 1e9), "surcharge": (0, 10), "full_price_per_gpu_hour": (0, 1e5),
    "discount": (0.01, 1), "drives": (1, 1000), "adapters": (1, 1000), "gpu_lanes": (1, 64),
    "lost_share": (0, 0.95), "servers": (1, 1_000_000),
    "parameters": (1e5, 1e14), "active_parameters": (1e5, 1e14), "layers": (1, 10_000), "hidden": (8, 1_000_000), "ffn": (0, 10_000_000),
    "heads": (1, 100_000), "kv_heads": (1, 100_000), "head_dim": (1, 100_000), "vocab": (2, 100_000_000), "experts": (0, 100_000),
    "top_k": (1, 10_000), "expert_ffn": (1, 10_000_000), "shared_experts": (0, 1000), "dense_layers": (0, 10_000),
    "kv_lora_rank": (1, 100_000), "q_lora_rank": (1, 100_000), "qk_rope_head_dim": (1, 100_000), "qk_nope_head_dim": (1, 100_000),
    "v_head_dim": (1, 100_000), "context": (1, 100_000_000), "sliding_window": (1, 100_000_000), "full_attention_layers": (0, 10_000),
    "memory_gb": (0.1, 100_000), "memory_bandwidth_gb_s": (0.1, 1e7), "bf16_dense_tflops": (0.01, 1e7),
    "fp8_dense_tflops": (0.01, 1e7), "fp4_dense_tflops": (0.01, 1e7), "interconnect_gb_s": (0.01, 1e6), "tdp_w": (1, 1e6),
}  # fmt: skip
SHORTHANDS = ("parameters", "active_parameters", "memory_gb", "nodes", "hours", "hours_per_day")
FIELDS = frozenset(f.name for f in dataclasses.fields(SizingRequest)) | frozenset(SHORTHANDS)
UNSIZED = ("gpus", "language")  # slots of a question that a single request does not take

Kind = Literal["count", "number", "flag", "text"]


def from_mapping(fields: Mapping[str, Any]) -> SizingRequest:
    """A SizingRequest; None means not said. Besides its own fields it takes `parameters`, `active_parameters` (a model by its
    size), `memory_gb` (a GPU by its memory), `nodes`, `hours` and `hours_per_day`.

    Raises InvalidInput naming the field, the value and what would be allowed.
    """
    said = {k: v for k, v in fields.items() if v is not None and k not in UNSIZED}
    known = {f.name: f.type for f in dataclasses.fields(SizingRequest)}
    for name in said:
        if name not in known and name not in SHORTHANDS:
            raise _unknown(name, said[name], (*known, *SHORTHANDS))
    checked = {n: _checked(n, v, _kind(str(known[n]))) for n, v in said.items() if n in known and n not in ("model", "gpu")}
    if "model" in said:
        checked["model"] = _entity("model", said["model"], ModelShape)
    elif sizes := {n: said[n] for n in ("parameters", "active_parameters") if n in said}:
        checked["model"] = _entity("model", sizes, ModelShape, prefix="")
    if "gpu" in said:
        checked["gpu"] = _entity("gpu", said["gpu"], GpuFigures)
    elif "memory_gb" in said:
        checked["gpu"] = _entity("gpu", {"memory_gb": said["memory_gb"]}, GpuFigures, prefix="")
    if "hours" in said:
        checked.setdefault("days", _checked("hours", said["hours"], "number", (0.001, 1e6)) / 24)
    if "hours_per_day" in said:
        checked.setdefault("utilization", _checked("hours_per_day", said["hours_per_day"], "number", (0.01, 24)) / 24)
    if "nodes" in said:
        nodes = int(_checked("nodes", said["nodes"], "count", (1, 1_000_000)))
        if "gpu_count" not in checked and "gpus_per_node" in checked:
            checked["gpu_count"] = nodes * checked["gpus_per_node"]
        elif "gpu_count" in checked and "gpus_per_node" not in checked and checked["gpu_count"] % nodes == 0:
            checked["gpus_per_node"] = checked["gpu_count"] // nodes
        elif "gpu_count" not in checked:
            checked.setdefault("servers", nodes)
    return SizingRequest(**checked)


def _entity(field: str, value: Any, figures: type[ModelShape] | type[GpuFigures], prefix: str | None = None) -> Any:
    if isinstance(value, figures):
        value = {f.name: getattr(value, f.name) for f in dataclasses.fields(figures)}
    if isinstance(value, str) and value.strip():
        return value.strip()
    if not isinstance(value, Mapping) or not value:
        raise InvalidInput(
            field,
            value,
            f"{field}: give an id of the tables or figures, not {value!r}.",
            f"{field}：请给出表中的标识或一组参数，而不是 {value!r}。",
        )
    known = {f.name: f.type for f in dataclasses.fields(figures)}
    dotted = f"{field}." if prefix is None else prefix
    given = {n: v for n, v in value.items() if v is not None}
    for name in given:
        if name not in known:
            raise _unknown(dotted + name, given[name], tuple(known))
    found = figures(**{n: _checked(dotted + n, v, _kind(str(known[n]))) for n, v in given.items()})
    return _described(found, dotted) if isinstance(found, ModelShape) else found


def _described(figures: ModelShape, prefix: str) -> ModelShape:
    """The model's figures, checked against one another; multi-query attention has one key-value head."""
    check_figures(figures, prefix)
    single = "mqa" in (figures.attention or "").lower() and figures.kv_heads is None
    return dataclasses.replace(figures, kv_heads=1) if single else figures


def _kind(annotation: str) -> Kind:
    first = annotation.split(" |")[0]
    return {"int": "count", "float": "number", "bool": "flag"}.get(first, "text")  # type: ignore[return-value]


def _checked(field: str, value: Any, kind: Kind, span: tuple[float, float] | None = None) -> Any:
    name = field.rpartition(".")[2]
    if kind == "flag":
        if not isinstance(value, bool):
            raise InvalidInput(
                field, value, f"{field}: true or false, not {value!r}.", f"{field}：只能为 true 或 false，不能是 {value!r}。"
            )
        return value
    if kind == "text":
        return _word(field, name, value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidInput(
            field, value, f"{field}: a finite number, not {value!r}.", f"{field}：应为有限的数，不能是 {value!r}。"
        )
    low, high = span or RANGES[name]
    if not low <= value <= high:
        raise InvalidInput(
            field,
            value,
            f"{field} is {value:g}; it must lie between {low:g} and {high:g}.",
            f"{field} 为 {value:g}，应在 {low:g} 到 {high:g} 之间。",
        )
    if kind == "count" and value != int(value):
        raise InvalidInput(field, value, f"{field}: a whole number, not {value!r}.", f"{field}：应为整数，不能是 {value!r}。")
    return int(value) if kind == "count" else float(value)


def _word(field: str, name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200:
        raise InvalidInput(field, value, f"{field}: a short text, not {value!r}.", f"{field}：应为简短文本，不能是 {value!r}。")
    if name not in CHOICES:
        return value.strip()
    word = value.strip().lower()
    if word not in CHOICES[name]:
        allowed = ", ".join(CHOICES[name])
        raise InvalidInput(
            field, value, f"{field}: {value!r} is none of {allowed}.", f"{field}：不支持 {value!r}，可选：{allowed}。"
        )
    return word


def _unknown(field: str, value: Any, names: tuple[str, ...]) -> InvalidInput:
    close = process.extractOne(field.rpartition(".")[2], names)
    hint = close[0] if close and close[1] >= 60 else ""
    en = f"{field}: no such field." + (f" Did you mean {hint}?" if hint else "")
    zh = f"没有 {field} 这个字段。" + (f"您是指 {hint} 吗？" if hint else "")
    return InvalidInput(field, value, en, zh)
