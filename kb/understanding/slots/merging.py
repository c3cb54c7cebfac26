"""How new slots join old ones: what excludes one another does not survive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TRAINING = frozenset({"pretrain", "full_finetune", "lora", "qlora"})
TUNING = frozenset({"full_finetune", "lora", "qlora"})
MODEL_SLOTS = ("model", "models", "model_family", "parameters", "parameters_list", "active_parameters")
GPU_SLOTS = ("gpu", "gpus", "gpu_name", "memory_gb", "system")
WHOLE_FORMATS = ("fp16", "bf16", "fp32", "fp8")
# When the first is said anew, the others no longer hold.
DISPLACES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("workload",), ("task", "workloads")),
    (("gpu", "gpu_name"), GPU_SLOTS),
    (("model", "model_family", "parameters"), MODEL_SLOTS),
    (("weights_only",), ("with_optimizer",)),
    (("with_optimizer",), ("weights_only",)),
    (("days",), ("hours", "seconds")),
    (("hours",), ("days", "seconds")),
    (("price_per_gpu_hour",), ("price_per_hour", "price_per_month")),
    (("people",), ("concurrency", "active_users")),
    (("active_users",), ("concurrency", "people")),
    (("concurrency",), ("people", "active_users")),
    (("post_training",), ("reference_models", "critics", "reward_models", "rollout_engines")),
)  # fmt: skip


def merge(old: Mapping[str, Any], new: Mapping[str, Any], same_turn: bool = False) -> dict[str, Any]:
    """Slots after an addition. In the same turn a lone size does not replace a named model (`people say 56B`), and a time does
    not replace another."""
    fresh = dict(new)
    out = dict(old)
    if same_turn and "model" in out and "model" not in fresh:
        for key in ("parameters", "parameters_list", "model_family"):
            fresh.pop(key, None)
    if "task" in fresh and "workload" not in fresh:
        kept = out.get("workload")
        if (fresh["task"] == "train" and kept in TRAINING) or (fresh["task"] == "finetune" and kept in TUNING):
            fresh.pop("task")
        else:
            out.pop("workload", None)
            out.pop("workloads", None)
    if "memory_gb" in fresh and "gpu" not in fresh and not same_turn:
        for key in ("gpu", "gpus", "gpu_name", "system"):
            out.pop(key, None)
    if "each" in out and "each" not in fresh and not same_turn:
        out.pop("each")
    for causes, effects in DISPLACES:
        if any(c in fresh for c in causes) and not (same_turn and causes[0] in ("days", "hours", "people")):
            for key in effects:
                out.pop(key, None)
    if fresh.get("workload") in ("lora", "qlora") and "offload" not in fresh and not same_turn:
        out.pop("offload", None)  # of the states of full fine-tuning
    if "gpu_count" in fresh and "nodes" not in fresh and not same_turn:
        out.pop("nodes", None)
        out.pop("gpus_per_node", None)
    if "nodes" in fresh and "gpu_count" not in fresh and out.get("gpus_per_node"):
        fresh["gpu_count"] = int(fresh["nodes"]) * int(out["gpus_per_node"])
    if "quantization" in fresh and "precision" not in fresh and out.get("precision") in WHOLE_FORMATS:
        out.pop("precision", None)
    if "precision" in fresh and "quantization" not in fresh:
        out.pop("quantization", None)
    if fresh.get("workload") in ("full_finetune", "pretrain", "lora") and "quantization" not in fresh and not same_turn:
        out.pop("quantization", None)
    return {**out, **fresh}


def first_wins(first: Mapping[str, Any], everything: Mapping[str, Any]) -> dict[str, Any]:
    """The slots of the first part, with what only later clauses say."""
    groups = (("workload", "task", "workloads"), ("precision", "quantization"), MODEL_SLOTS, GPU_SLOTS, ("days", "hours"))
    taken = {key for group in groups if any(k in first for k in group) for key in group}
    return {**{k: v for k, v in everything.items() if k not in taken or (k in ("gpus", "models") and k in first)}, **first}
