"""What stands beside the GPUs: checkpoints, data, host memory, cores, network."""

from __future__ import annotations

from collections.abc import Mapping

from kb.sizing.case import Case, either
from kb.sizing.elementwise import is_array
from kb.sizing.plans import pace
from kb.sizing.plans.footprint import Footprint
from kb.sizing.rules import activations, cluster, communication, compute, memory, storage
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


def host(case: Case) -> dict[str, Node]:
    """Servers, and memory and cores of one of them."""
    count, per = case.field("gpu_count"), case.field("gpus_per_node")
    out: dict[str, Node] = {"nodes": cluster.nodes(gpu_count=count, gpus_per_node=per)}
    in_one = either(count.value < per.value, count, per)
    gpu_memory = case.chip.get("memory") if case.chip else None
    if gpu_memory:
        out["host_ram"] = storage.host_ram(gpus=in_one, gpu_memory=gpu_memory)
    if case.training and case.request.offload in ("cpu", "nvme") and case.shape:
        held = case.constant("offload.zero3" if case.request.zero_stage == 3 else "offload.zero2")
        out["host_ram"] = storage.offload_ram(
            parameters=case.shape["parameters"], held=held, slack=case.constant("offload.slack")
        )
    out["cpu_cores"] = storage.cpu_cores(
        gpus=in_one, per_gpu=case.constant("cores_per_gpu"), system=case.constant("system_cores")
    )
    return out


def network(case: Case, found: Footprint, paced: Mapping[str, Node]) -> dict[str, Node]:
    """Network per GPU that hides the gradient traffic of a step. A single server needs none: gradients are first summed inside the
    servers, whose GPUs then send a share each. A step is one of a usual batch, gathered over several micro-batches, unless the batch is
    said; full sharding that was asked for fetches the weights anew for every micro-batch."""
    if not case.training or "tokens_per_second" not in paced or is_array(case.gpu_count) or not case.several_servers:
        return {}
    inside = max(1, (case.request.gpus_per_node or 1) // (case.degree("tensor_parallel") * case.degree("context_parallel")))
    servers = case.data_parallel // inside
    if servers <= 1:
        return {}
    size = memory.share(
        total=found.whole["gradients"], shards=Given("shards", float(inside), "1"),
        tensor_parallel=case.field("tensor_parallel"), pipeline_parallel=case.field("pipeline_parallel"),
    )  # fmt: skip
    smallest = activations.batch_tokens(
        replicas=case.replicas, sequences=case.field("micro_batch"), length=case.field("seq_len", "token")
    )
    everywhere = case.asked.zero_stage == 3 and not case.adapted
    step = smallest if everywhere else pace.batch(case)
    traffic = communication.sharded if everywhere else communication.all_reduce
    time = compute.step_time(batch=step, tokens_per_second=paced["tokens_per_second"])
    sent = traffic(size=size, ranks=Given("servers", float(servers), "1"))
    return {"network_bandwidth": communication.bandwidth(traffic=sent, time=time)}


def interval(case: Case, checkpoint: Node, nodes: Node) -> Node:
    """Seconds between checkpoints that lose the least."""
    writers = storage.writers(nodes=nodes, per_node=case.constant("checkpoint_bandwidth"))
    write = storage.write_time(checkpoint=checkpoint, bandwidth=writers)
    between = storage.between_failures(per_gpu=case.constant("failures_per_gpu"), gpu_count=case.field("gpu_count"))
    return storage.checkpoint_interval(write_time=write, between_failures=between)
