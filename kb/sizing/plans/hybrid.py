"""A mixture of experts on a machine whose GPU holds all but the experts, which stand in the processor's memory and are computed there."""

from __future__ import annotations

from dataclasses import replace

from kb.sizing.case import Case
from kb.sizing.chip import Chip
from kb.sizing.plans import serving
from kb.sizing.plans.footprint import Footprint
from kb.sizing.rules import memory
from kb.sizing.rules import serving as rules
from kb.types.derivation import Node

ENGINE = "ktransformers"  # which does nothing else


def meant(case: Case) -> bool:
    """Whether experts are to stay with the processor: by the engine, or because the host's memory is described."""
    engine, r = (case.request.engine or "").lower(), case.request
    if case.training or case.shape is None or not case.shape.is_moe:
        return False
    return ENGINE in engine or r.memory_mt_s is not None or (case.processor is not None and case.splits_layers)


def splits_experts(case: Case, ratio: float) -> bool:
    """Whether they do: where the GPUs do not hold the model."""
    return ratio > 1 and meant(case)


def split(case: Case, found: Footprint) -> dict[str, Node]:
    """Memory of the host for the experts and of a GPU for the rest, and the pace, which the host's memory sets."""
    assert case.shape is not None
    experts = rules.experts_on_host(weights=found.whole["weights"], experts=case.shape["expert_fraction"])
    rest = rules.beside_experts(
        weights=found.whole["weights"], experts=experts, kv_cache=found.whole["kv_cache"],
        activations=found.parts["activations"], overhead=found.parts["overhead"], gpu_count=case.field("gpu_count"),
    )  # fmt: skip
    bandwidth = case.host_bandwidth or case.constant("host_bandwidth")
    by_host = replace(
        case.but(engine="cpu", tensor_parallel=1, gpu_count=1), chip=Chip({"bandwidth": bandwidth}, stacked=False), offer=None
    )
    total = memory.total(per_gpu=rest, gpu_count=case.field("gpu_count"))
    return {"host_ram": experts, "memory_per_gpu": rest, "memory_total": total, **serving.speed(by_host, found)}
