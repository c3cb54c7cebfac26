"""What GPUs exchange in a training step, and how long it waits for that: tensor, data and pipeline parallelism."""

from __future__ import annotations

from kb.sizing.case import Case, either
from kb.sizing.elementwise import is_array
from kb.sizing.plans import wires
from kb.sizing.plans.training import adapter_parameters, token_count
from kb.sizing.plans.weights import weights_of
from kb.sizing.rules import communication, memory
from kb.sizing.shape import Shape
from kb.types.derivation import Given, Node


def tensor(case: Case, shape: Shape) -> Node:
    """Time of the tensor-parallel traffic of a micro-batch."""
    full = case.request.recompute == "full"
    sent = communication.tensor_parallel(
        tokens=token_count(case), hidden=shape["hidden"], element=case.constant("activation_element"), layers=shape["layers"],
        passes=case.constant("tensor_passes.twice" if full else "tensor_passes.once"),
        tensor_parallel=case.field("tensor_parallel"), pipeline_parallel=case.field("pipeline_parallel"),
        context_parallel=case.field("context_parallel"),
    )  # fmt: skip
    return communication.exposed(traffic=sent, bandwidth=wires.of_tensor(case), cost=case.constant("exposed.tensor"))


def waiting(case: Case, shape: Shape, busy: Node, count: Node) -> Node:
    """What a step waits for data parallelism, and between servers for the next stage of a pipeline."""
    waited = _for_data(case, shape, busy, count)
    across = (case.degree("pipeline_parallel") > 1) & (case.gpu_count > case.linked_gpus)
    if not is_array(across) and not across:
        return waited
    sent = communication.between_stages(
        tokens=token_count(case), hidden=shape["hidden"], element=case.constant("activation_element"), times=count,
        shares=Given("shares", 1.0 * case.model_width, "1"),
    )  # fmt: skip
    between = communication.waiting(
        traffic=communication.time(traffic=sent, bandwidth=wires.network(case)),
        computing=communication.hideable(busy=busy, micro_batches=count, usable=count),
        hidden=case.constant("hidden_share"),
    )
    return communication.waiting_twice(first=waited, second=either(across, between, case.constant("no_pause")))


def _for_data(case: Case, shape: Shape, busy: Node, count: Node) -> Node:
    """What a step waits for gradients, or for weights under full sharding; gradients of adapters alone are too small to matter."""
    if case.request.zero_stage != 3:
        return case.constant("no_pause") if case.adapted else _for_gradients(case, shape, busy, count)
    inside = _for_weights(case, shape, busy, count)
    if case.request.shard_degree is None:
        return inside
    return communication.waiting_twice(first=inside, second=_for_gradients(case, shape, busy, count))


def _for_weights(case: Case, shape: Shape, busy: Node, count: Node) -> Node:
    """Full sharding gathers weights for every micro-batch, among the GPUs that share a copy; frozen ones inside a server need not be."""
    grouped = case.request.shard_degree is not None
    span = case.sharded_over * case.degree("tensor_parallel") if grouped else case.gpu_count
    if case.adapted and not is_array(span) and span <= case.linked_gpus:
        return case.constant("no_pause")
    ranks = Given("ranks", 1.0 * case.sharded_over, "1")
    if case.adapted:
        frozen = weights_of(case, case.request.quantization if case.request.workload == "qlora" else None)
        sent: Node = communication.gathered_frozen(size=_part(case, shape, frozen, 1), ranks=ranks, times=count)
    else:
        once = communication.sharded(size=_held(case, shape, 1), ranks=ranks)
        sent = communication.gathered_per_step(once=once, times=_gatherings(case, count))
    computing = communication.hideable(busy=busy, micro_batches=count, usable=count)
    waited = _waited(case, sent, wires.of_data(case, case.model_width, span), computing)
    return either(span <= case.linked_gpus, case.constant("no_pause"), waited) if case.adapted else waited


def _for_gradients(case: Case, shape: Shape, busy: Node, count: Node) -> Node:
    """Gradients are summed once a step, each GPU's shard of them where the states are sharded in groups."""
    grouped = case.request.zero_stage == 3 and case.request.shard_degree is not None
    shards = case.sharded_over if grouped else 1
    sent = communication.all_reduce(size=_held(case, shape, shards), ranks=Given("ranks", 1.0 * case.holders / shards, "1"))
    parts = case.degree("tensor_parallel") * shards if grouped else case.model_width
    return _waited(
        case, sent, wires.of_data(case, parts, case.gpu_count),
        communication.hideable(busy=busy, micro_batches=count, usable=case.constant("hiding_micro_batches")),
    )  # fmt: skip


def hiding_network(case: Case, shape: Shape, busy: Node, count: Node) -> Node:
    """Network per GPU behind which no data-parallel traffic of a step is waited for. Full sharding that nobody asked for is taken to
    stay inside the servers, so that gradients alone cross the network, once a step."""
    size, ranks = _held(case, shape, 1), Given("ranks", 1.0 * case.holders, "1")
    if case.asked.zero_stage == 3 and case.asked.shard_degree is None:
        usable: Node = count
        once = communication.sharded(size=size, ranks=ranks)
        traffic = communication.gathered_per_step(once=once, times=_gatherings(case, count))
    else:
        usable = case.constant("hiding_micro_batches")
        traffic = communication.all_reduce(size=size, ranks=ranks)
    return communication.hiding_network(
        traffic=traffic, cost=case.constant("exposed.data"), hidden=case.constant("hidden_share"), linked=wires.linked(case),
        computing=communication.hideable(busy=busy, micro_batches=count, usable=usable),
        parts=Given("parts", 1.0 * case.model_width, "1"),
    )  # fmt: skip


def _gatherings(case: Case, count: Node) -> Node:
    """How often a step gathers the weights: once in a pipeline, which keeps them, otherwise for every micro-batch."""
    return either(case.degree("pipeline_parallel") > 1, case.constant("one_rank"), count)


def _waited(case: Case, sent: Node, over: Node, computing: Node) -> Node:
    return communication.waiting(
        traffic=communication.exposed(traffic=sent, bandwidth=over, cost=case.constant("exposed.data")),
        computing=computing,
        hidden=case.constant("hidden_share"),
    )


def _held(case: Case, shape: Shape, shards: int) -> Node:
    """The weights that one GPU trains, or their gradients, in 16 bits: what data parallelism replicates or, in `shards`, divides."""
    trained = adapter_parameters(case) if case.adapted else shape["parameters"]
    whole = memory.weights(parameters=trained, element=case.constant("training_element.bf16"))
    return _part(case, shape, whole, shards)


def _part(case: Case, shape: Shape, total: Node, shards: int) -> Node:
    """One GPU's part of weights by model parallelism and `shards`."""
    layout = {"tensor_parallel": case.field("tensor_parallel"), "pipeline_parallel": case.field("pipeline_parallel")}
    count = Given("shards", 1.0 * shards, "1")
    if case.mixture and shape.is_moe:
        return memory.expert_share(
            total=total, experts=shape["expert_fraction"], expert_parallel=case.field("expert_parallel"), shards=count, **layout
        )
    return memory.share(total=total, shards=count, **layout)
