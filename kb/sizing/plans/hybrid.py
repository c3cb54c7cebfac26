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

ENGINE = "ktransformers"  # that leaves experts to the processor
MOST_OF_A_DESKTOP = 256 * 2**30  # bytes: four modules of 64 GB


def meant(case: Case) -> bool:
    """Whether experts are to stay with the processor: by the engine, or because the host's memory is described."""
    if case.training or case.shape is None or not case.shape.is_moe:
        return False
    said = case.request.memory_mt_s is not None or case.request.memory_kind is not None or described(case)
    return by_engine(case) or said or (case.processor is not None and case.splits_layers)


def by_engine(case: Case) -> bool:
    """Whether the engine that was named does nothing else."""
    return ENGINE in (case.request.engine or "").lower()


def splits_experts(case: Case, ratio: float) -> bool:
    """Whether they do: where the GPUs do not hold the model."""
    return ratio > 1 and meant(case)


def described(case: Case) -> bool:
    """Whether it is said how much memory the host has for what of a running model the GPUs do not hold."""
    return not case.training and case.request.host_ram_gb is not None and case.chip is not None and not case.chip.unified


def split(case: Case, found: Footprint, available: Node) -> dict[str, Node]:
    """Memory of the host for the experts and of a GPU for the rest, and the pace, which the host's memory sets. Experts that the host
    does not hold, either, stand beside the rest."""
    assert case.shape is not None
    experts: Node = rules.experts_on_host(weights=found.whole["weights"], experts=case.shape["expert_fraction"])
    rest = rules.beside_experts(
        weights=found.whole["weights"], experts=experts, kv_cache=found.whole["kv_cache"],
        activations=found.parts["activations"], overhead=found.parts["overhead"], gpu_count=case.field("gpu_count"),
    )  # fmt: skip
    if described(case) and experts.value > case.field("host_ram_gb").value:
        experts = rules.experts_left(experts=experts, rest=rest, available=available, gpu_count=case.field("gpu_count"))
    total = memory.total(per_gpu=rest, gpu_count=case.field("gpu_count"))
    return {"host_ram": experts, "memory_per_gpu": rest, "memory_total": total, **_by_host(case, found)}


def layers(case: Case, found: Footprint, available: Node) -> dict[str, Node]:
    """Layers on the GPUs, what the others take of the host's memory, and the pace where that memory is described."""
    assert case.shape is not None
    out = serving.partial(case, found, available)
    by_host, by_gpus = _by_host(case, found), serving.speed(case, found)
    for name in ("decode_tokens_per_second", "decode_tokens_per_second_per_request"):
        if described(case) and name in by_gpus:
            out[name] = rules.split_pace(
                by_host=by_host[name], by_gpus=by_gpus[name], layers=case.shape["layers"], on_gpus=out["gpu_layers"]
            )
    return out


def _by_host(case: Case, found: Footprint) -> dict[str, Node]:
    """The pace of the whole model from the host's memory alone."""
    bandwidth = case.host_bandwidth or case.constant(_usual_bandwidth(case))
    by_host = replace(
        case.but(engine="cpu", tensor_parallel=1, gpu_count=1), chip=Chip({"bandwidth": bandwidth}, stacked=False), offer=None
    )
    return serving.speed(by_host, found)


def _usual_bandwidth(case: Case) -> str:
    """Cards of desktops stand in desktops, as far as those take the memory that is said."""
    desktop = described(case) and case.chip is not None and case.chip.personal and case.request.processor != "server"
    return (
        "host_bandwidth_of_desktops" if desktop and case.field("host_ram_gb").value <= MOST_OF_A_DESKTOP else "host_bandwidth"
    )
