"""What stands beside the GPUs: checkpoints, data, host memory, cores, network."""

from __future__ import annotations

from collections.abc import Mapping

from kb.sizing.case import Case, either
from kb.sizing.defaults import offloads
from kb.sizing.elementwise import is_array
from kb.sizing.plans import pace
from kb.sizing.plans.footprint import Footprint
from kb.sizing.rules import cluster, memory, storage
from kb.types.derivation import Given, Node


def files(case: Case, found: Footprint) -> dict[str, Node]:
    """Sizes on disk: the checkpoint, and dataset and capacity when the tokens are known."""
    out: dict[str, Node] = {}
    if not case.training:
        return {"checkpoint_size": found.whole["weights"]}
    if case.adapted:
        element = case.constant("adapter_file_element")
        trained = found.whole["gradients"]
        out["checkpoint_size"] = memory.weights(parameters=dict(trained.inputs)["trained"], element=element)  # type: ignore[union-attr]
    else:
        out["checkpoint_size"] = storage.checkpoint(
            weights=found.whole["weights"], optimizer_states=found.whole["optimizer_states"]
        )
    if case.request.tokens and case.shape:
        small = case.shape.known("vocab") and case.shape["vocab"].value < case.constant("token_bytes.limit").value
        ids = Given("tokens", case.request.tokens, "1")
        out["dataset_size"] = storage.dataset(tokens=ids, element=case.constant(f"token_bytes.{'small' if small else 'large'}"))
        out["storage"] = storage.capacity(
            checkpoint=out["checkpoint_size"], kept=case.constant("checkpoints_kept"), dataset=out["dataset_size"]
        )
    return out


def host(case: Case, found: Footprint) -> dict[str, Node]:
    """Servers, and memory and cores of one of them."""
    count, per = case.field("gpu_count"), case.field("gpus_per_node")
    out: dict[str, Node] = {"nodes": cluster.nodes(gpu_count=count, gpus_per_node=per)}
    in_one = either(count.value < per.value, count, per)
    gpu_memory = case.chip.get("memory") if case.chip else None
    if gpu_memory:
        out["host_ram"] = storage.host_ram(gpus=in_one, gpu_memory=gpu_memory)
    if case.training and offloads(case) and case.shape:
        out |= offloaded(case, found.whole["model_states"])
    out["cpu_cores"] = cores(case, in_one)
    return out


def offloaded(case: Case, model_states: Node) -> dict[str, Node]:
    """Host memory for what of training is moved there, or what the drives hold where it goes on to them. Of adapters that is all there
    is to hold, most of it frozen weights."""
    assert case.shape is not None
    if case.adapted and case.request.offload == "cpu":
        held_there = storage.offloaded_adapters(model_states=model_states)
        return {"host_ram": held_there, "offloaded_states": held_there}
    if case.request.offload == "nvme":
        return {"nvme_states": storage.nvme_states(parameters=case.shape["parameters"], held=case.constant("offload.nvme"))}
    held = case.constant("offload.zero3" if case.request.zero_stage == 3 else "offload.zero2")
    slack, parameters = case.constant("offload.slack"), case.shape["parameters"]
    least = storage.offloaded_states(parameters=parameters, held=held)
    return {"host_ram": storage.offload_ram(parameters=parameters, held=held, slack=slack), "offloaded_states": least}


def cores(case: Case, gpus: Node) -> Node:
    """Cores beside so many GPUs of one server."""
    return storage.cpu_cores(gpus=gpus, per_gpu=case.constant("cores_per_gpu"), system=case.constant("system_cores"))


def network(case: Case, paced: Mapping[str, Node]) -> dict[str, Node]:
    """Network per GPU behind which nothing of a step's data-parallel traffic is waited for, by the model of the pace. GPUs that one
    server or one link joins need none, adapters next to none."""
    if not case.training or "step_time" not in paced or is_array(case.gpu_count) or case.data_parallel == 1 or case.adapted:
        return {}
    return {"network_bandwidth": pace.hiding_network(case)} if case.gpu_count > case.linked_gpus else {}


def interval(case: Case, checkpoint: Node, nodes: Node) -> Node:
    """Seconds between checkpoints that lose the least."""
    writers = storage.writers(nodes=nodes, per_node=case.constant("checkpoint_bandwidth"))
    write = storage.write_time(checkpoint=checkpoint, bandwidth=writers)
    between = storage.between_failures(per_gpu=case.constant("failures_per_gpu"), gpu_count=case.field("gpu_count"))
    return storage.checkpoint_interval(write_time=write, between_failures=between)


def is_of_weights(case: Case) -> bool:
    """Whether the size that is stated may be that of the weights: of a model that is known, a quarter of a byte to four each."""
    if case.shape is None or not case.shape.known("parameters"):
        return True
    each = (case.request.size_gb or 0.0) * 1e9 / float(case.shape["parameters"].value)
    return 0.2 <= each <= 4.2
