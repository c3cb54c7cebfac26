"""Training that the GPUs do not hold by themselves, with model states in the memory, or on the drives, of a host that is described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kb.sizing import fit as fitting
from kb.sizing.case import Case
from kb.sizing.defaults import filled, offloads
from kb.sizing.fit import Fit
from kb.sizing.plans import host
from kb.sizing.rules import cluster
from kb.types.derivation import Node

STATES = {"cpu": "offloaded_states", "nvme": "nvme_states"}  # what stands in the host's memory, or on its drives


def described(case: Case) -> bool:
    """Whether it is said how much memory stands beside the GPUs of a training job."""
    r, chip = case.request, case.chip
    apart = chip is not None and chip.get("memory") is not None and not chip.unified
    return case.training and apart and r.host_ram_gb is not None and r.post_training is None


def placed(case: Case) -> Case:
    """The case as it is where its GPUs hold it or nothing is said of a host; else with the least offloaded with which GPUs and host hold
    it, else with which the GPUs do, else with the most."""
    count = case.asked.gpu_count or 1
    if not described(case) or case.asked.offload is not None or fitting.fit(case, count).ratio <= 1:
        return case
    ways = [(way, fitting.fit(way, count)) for way in _ways(case)]
    held = [(way, tried) for way, tried in ways if tried.ratio <= 1]
    enough = (way for way, tried in held if share(tried.case, steps(tried)) <= 1)
    return next(enough, held[0][0] if held else ways[-1][0])


def _ways(case: Case) -> Iterator[Case]:
    """Gradients and optimizer states in host memory, then the weights too, then all of it on drives that are described; of adapters
    there is little but the weights."""
    said = case.asked.zero_stage
    stages = (said,) if said is not None else (3,) if case.adapted else (2, 3)
    yield from (filled(case.but(offload="cpu", zero_stage=stage)) for stage in stages)
    if case.request.storage_gb is not None and not case.adapted:
        yield filled(case.but(offload="nvme", zero_stage=3))


def steps(tried: Fit) -> dict[str, Node]:
    """What is offloaded of a job that was laid out."""
    return host.offloaded(tried.case, tried.found.whole["model_states"])


def share(case: Case, steps: Mapping[str, Node]) -> float:
    """What of the memory, or of the drives, of every server the states take that are offloaded."""
    servers = cluster.nodes(gpu_count=case.field("gpu_count"), gpus_per_node=case.field("gpus_per_node"))
    there = case.field("storage_gb" if case.request.offload == "nvme" else "host_ram_gb")
    return steps[STATES[str(case.request.offload)]].value / (servers.value * there.value)


def judged(case: Case) -> bool:
    """Whether the verdict is one on GPUs and host together."""
    away = described(case) and offloads(case)
    return away and (case.request.offload == "cpu" or case.request.storage_gb is not None)
