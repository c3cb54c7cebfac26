"""How fast a training run goes, and how long it takes."""

from __future__ import annotations

from kb.sizing.case import Case, either
from kb.sizing.plans import wires
from kb.sizing.rules import activations, cluster, communication, compute, memory, step
from kb.sizing.shape import Shape
from kb.types.derivation import Given, Node

FAST_PRECISION = ("fp8", "fp4")


def work_per_token(case: Case) -> Node:
    """Model FLOPs of one training token; attention is counted when the shape is known, not when it is estimated."""
    assert case.shape is not None
    shape, matrices = case.shape, _matrix_work(case)
    if not shape.known("layers") or not (shape.known("hidden") or shape.known("heads", "head_dim")):
        return matrices
    return compute.model_work(matrices=matrices, attention=_attention_work(case))


def pace(case: Case) -> dict[str, Node]:
    """Work, speed and time of a laid-out training case, as far as tokens and compute are known."""
    per_token, peak = work_per_token(case), _peak(case)
    out: dict[str, Node] = {}
    if case.request.tokens:
        out["training_flops"] = compute.training(per_token=per_token, tokens=case.field("tokens"))
    if peak is None:
        return out
    tokens, count = batch(case), case.field("gpu_count")
    if case.request.mfu is None:
        out["step_time"] = step_time(case, tokens, peak)
        speed: Node = step.speed(batch=tokens, step_time=out["step_time"])
        each: Node = step.speed_per_gpu(speed=speed, gpu_count=count)
        rate: Node = step.achieved(per_gpu=each, per_token=per_token)
        utilization: Node = step.mfu(achieved=rate, peak=peak)
    else:
        utilization = case.field("mfu")
        rate = compute.achieved(peak=peak, mfu=utilization)
        each = compute.tokens_per_second_per_gpu(achieved=rate, per_token=per_token)
        speed = compute.tokens_per_second(per_gpu=each, gpu_count=count)
        out["step_time"] = compute.step_time(batch=tokens, tokens_per_second=speed)
    out |= {"mfu": utilization, "tflops_per_gpu": rate, "tokens_per_second_per_gpu": each, "tokens_per_second": speed}
    out["hfu"] = compute.hfu(mfu=utilization, recomputation=_recomputation(case))
    if case.request.tokens:
        out["training_time"] = _run(case, out, tokens)
        out["gpu_hours"] = cluster.gpu_time(gpu_count=count, time=out["training_time"])
    return out


def _run(case: Case, found: dict[str, Node], batch: Node) -> Node:
    """The whole run; a stated utilization is taken to be that of the whole run."""
    if case.request.mfu is not None:
        return compute.run_time(tokens=case.field("tokens"), speed=found["tokens_per_second"])
    return step.run(
        tokens=case.field("tokens"),
        batch=batch,
        step_time=found["step_time"],
        pause=either(case.gpu_count > 1, case.constant("step_pause"), case.constant("no_pause")),
        goodput=step.goodput(
            lost=case.constant("lost_share"), gpu_count=case.field("gpu_count"), large=case.constant("lost_from")
        ),
    )


def step_time(case: Case, batch: Node, peak: Node) -> Node:
    """One optimizer step on the layout: a roofline of computing and memory, traffic of each kind of parallelism, the bubble."""
    assert case.shape is not None
    count = step.micro_batches(batch=batch, replicas=case.replicas, tokens=_tokens(case))
    busy = _busy(case, case.shape, peak)
    stages = case.field("pipeline_parallel")
    chunks: Node = case.constant("one_rank")
    if case.request.zero_stage != 3:  # under full sharding every further chunk would be gathered again
        chunks = communication.model_chunks(
            layers=case.shape["layers"], stages=stages, layers_per_chunk=case.constant("layers_per_chunk")
        )
    bubble = communication.bubble(
        stages=stages,
        micro_batches=step.at_least_one(count=count),
        virtual=chunks,
    )
    return step.time(
        micro_batches=count,
        busy=busy,
        tensor=_tensor(case, case.shape),
        bubble=bubble,
        waiting=_waiting(case, case.shape, busy, count),
        optimizer=_optimizer(case, case.shape),
        gpu_count=case.field("gpu_count"),
        scale=case.constant("scale_cost"),
    )


def _busy(case: Case, shape: Shape, peak: Node) -> Node:
    tokens, shares = _tokens(case), case.shares
    stages = case.field("pipeline_parallel")
    matrices = step.matrices(
        work=_matrix_work(case), recomputation=_recomputation(case), tokens=tokens, shares=shares, peak=peak,
        reached=_reached(case, "matrices", peak), gain=_gain(case, shape, peak),
    )  # fmt: skip
    attention = step.attention(
        work=_attention_work(case), recomputation=_twice(case), tokens=tokens, shares=shares, peak=peak,
        reached=_reached(case, "attention", peak),
    )  # fmt: skip
    launch = step.launch(layers=shape["layers"], stages=stages, latency=case.constant("kernel_latency"))
    dense = step.busy(matrices=matrices, attention=attention, traffic=_traffic(case, shape), launch=launch)
    if not case.mixture:
        return dense
    width = case.field("expert_parallel")
    small = step.expert_launch(
        layers=shape["layers"], stages=stages, experts=shape["routed_experts"], expert_parallel=width,
        latency=case.constant("expert_latency"),
    )  # fmt: skip
    sent = communication.experts(
        tokens=_count(case), hidden=shape["hidden"], element=case.constant("activation_element"), layers=shape["layers"],
        top_k=shape["active_experts"], expert_parallel=width, shares=shares,
    )  # fmt: skip
    inside = case.degree("expert_parallel") <= case.linked_gpus
    over = either(inside, wires.link(case), wires.network(case))
    exchange = communication.exposed(traffic=sent, bandwidth=over, cost=case.constant("exposed.experts"))
    return step.busy_mixture(dense=dense, experts=small, exchange=exchange)


def _traffic(case: Case, shape: Shape) -> Node:
    assert case.chip is not None
    element = case.constant("activation_element")
    layer = activations.layer(
        tokens=_count(case), hidden=shape["hidden"], heads=shape["heads"], kv_heads=shape["kv_heads"], head_dim=shape["head_dim"],
        width=shape["live_width"], maps=shape["maps"], element=element,
    )  # fmt: skip
    one = case.constant("one_rank")
    logits = activations.logits(
        tokens=_count(case), vocab=shape["vocab"], kept=case.constant("loss_traffic"), tensor_parallel=one, context_parallel=one
    )
    return step.traffic(
        layer=layer, layers=shape["layers"], passes=case.constant("traffic_passes"), recomputation=_twice(case), logits=logits,
        shares=case.shares, bandwidth=case.chip.get("bandwidth") or case.constant("usual_bandwidth"),
    )  # fmt: skip


def _tensor(case: Case, shape: Shape) -> Node:
    full = case.request.recompute == "full"
    sent = communication.tensor_parallel(
        tokens=_count(case), hidden=shape["hidden"], element=case.constant("activation_element"), layers=shape["layers"],
        passes=case.constant("tensor_passes.twice" if full else "tensor_passes.once"),
        tensor_parallel=case.field("tensor_parallel"), pipeline_parallel=case.field("pipeline_parallel"),
        context_parallel=case.field("context_parallel"),
    )  # fmt: skip
    return communication.exposed(traffic=sent, bandwidth=wires.of_tensor(case), cost=case.constant("exposed.tensor"))


def _waiting(case: Case, shape: Shape, busy: Node, count: Node) -> Node:
    """What a step waits for gradients, or for weights under full sharding; adapters are too small to matter."""
    if case.adapted:
        return case.constant("no_pause")
    element = case.constant("training_element.bf16")
    share = memory.weights(parameters=shape["parameters"], element=element)
    layout = {"tensor_parallel": case.field("tensor_parallel"), "pipeline_parallel": case.field("pipeline_parallel")}
    whole = Given("shards", 1.0, "1")
    if case.mixture and shape.is_moe:
        size = memory.expert_share(
            total=share, experts=shape["expert_fraction"], expert_parallel=case.field("expert_parallel"), shards=whole, **layout
        )
    else:
        size = memory.share(total=share, shards=whole, **layout)
    ranks = case.sharing
    if case.request.zero_stage == 3:
        once = communication.sharded(size=size, ranks=ranks)
        times = either(case.degree("pipeline_parallel") > 1, case.constant("one_rank"), count)
        sent, usable = communication.gathered_per_step(once=once, times=times), count
    else:
        sent, usable = communication.all_reduce(size=size, ranks=ranks), case.constant("hiding_micro_batches")
    link = wires.link(case)
    across = communication.across_servers(
        link=link, network=wires.network(case), linked=wires.linked(case), tensor_parallel=case.field("tensor_parallel"),
        context_parallel=case.field("context_parallel"),
    )  # fmt: skip
    over = either(case.gpu_count <= case.linked_gpus, link, across)
    return communication.waiting(
        traffic=communication.exposed(traffic=sent, bandwidth=over, cost=case.constant("exposed.data")),
        computing=communication.hideable(busy=busy, micro_batches=count, usable=usable),
        hidden=case.constant("hidden_share"),
    )


def _optimizer(case: Case, shape: Shape) -> Node:
    assert case.chip is not None
    if case.adapted:
        return case.constant("no_pause")
    layout = {"tensor_parallel": case.field("tensor_parallel"), "pipeline_parallel": case.field("pipeline_parallel")}
    shards = case.field("gpu_count") if case.request.zero_stage else cluster.model_shards(**layout)
    pure = case.request.precision == "pure_bf16"
    return step.optimizer(
        parameters=shape["parameters"], state=case.constant(f"state_bytes.{'pure_bf16' if pure else 'mixed'}"),
        passes=case.constant("optimizer_passes"), shards=shards,
        bandwidth=case.chip.get("bandwidth") or case.constant("usual_bandwidth"),
    )  # fmt: skip


def implied(case: Case) -> dict[str, Node]:
    """What a run of known length on known GPUs amounts to: speed, and utilization when the work is known."""
    if not (case.request.tokens and case.request.days):
        return {}
    tokens, time = case.field("tokens"), case.field("days")
    out: dict[str, Node] = {"tokens_per_second": compute.required_speed(tokens=tokens, time=time)}
    if case.asked.gpu_count is None:
        return out
    count = case.field("gpu_count")
    out["tokens_per_second_per_gpu"] = compute.required_speed_per_gpu(tokens=tokens, time=time, gpu_count=count)
    out["gpu_hours"] = cluster.gpu_time(gpu_count=count, time=time)
    peak = _peak(case)
    if peak and case.shape and case.training:
        work = compute.training(per_token=work_per_token(case), tokens=tokens)
        out |= {"training_flops": work, "mfu": compute.implied_mfu(work=work, gpu_count=count, peak=peak, time=time)}
    return out


def _matrix_work(case: Case) -> Node:
    assert case.shape is not None
    parameters, work = case.shape["multiplied"], case.constant("work.frozen" if case.adapted else "work.training")
    return case.once("matrix work", lambda: compute.per_token(parameters=parameters, work=work))


def _attention_work(case: Case) -> Node:
    assert case.shape is not None
    shape = case.shape
    return case.once(
        "attention work",
        lambda: compute.attention_per_token(
            layers=shape["layers"], heads=shape["heads"], head_dim=shape["head_dim"], length=case.field("seq_len"),
            work=case.constant("work.training"),
        ),
    )  # fmt: skip


def _recomputation(case: Case) -> Node:
    frozen = case.adapted and case.request.recompute == "full"
    return case.constant("recomputation.full_frozen" if frozen else f"recomputation.{case.request.recompute}")


def _twice(case: Case) -> Node:
    """Attention and memory traffic under recomputation: the selective kind does not repeat them."""
    return case.constant("recomputation.full" if case.request.recompute == "full" else "recomputation.none")


def _reached(case: Case, what: str, peak: Node) -> Node:
    assert case.chip is not None
    usual, power = case.constant(f"reached.{what}"), case.chip.get("tdp")
    if power is None:
        return usual
    return step.reached(
        usual=usual,
        peak=peak,
        power=power,
        reference=case.constant("reached.reference"),
        falling=case.constant(f"falling.{what}"),
        most=case.constant("reached.most"),
    )


def _gain(case: Case, shape: Shape, peak: Node) -> Node:
    """Of the low precision that the matrix products run in, where the chip has it."""
    precisions = {"fp4": ("fp4", "fp8"), "fp8": ("fp8",)}.get(case.request.precision or "", ())
    found = next((p for p in precisions if case.chip and case.chip.get(p)), None)
    if found is None or case.chip is None:
        return case.constant("low_precision.none")
    low = case.chip.get(found)
    assert low is not None
    kept = step.kept(
        vocab=shape["vocab"], hidden=shape["hidden"], multiplied=shape["multiplied"],
        layers_kept=case.constant(f"low_precision.layers_kept.{found}"),
    )  # fmt: skip
    return step.gain(low=low, peak=peak, reached=case.constant("low_precision.reached"), kept=kept)


def _peak(case: Case) -> Node | None:
    precision = case.request.precision or "bf16"
    return case.chip.peak("bf16" if precision in FAST_PRECISION else precision) if case.chip else None


def _count(case: Case) -> Node:
    return case.once("count", lambda: activations.tokens(sequences=case.field("micro_batch"), length=case.field("seq_len")))


def _tokens(case: Case) -> Node:
    """The tokens of a replica's micro-batch."""
    sequences, length = case.field("micro_batch"), case.field("seq_len", "token")
    return case.once("tokens", lambda: activations.micro_batch(sequences=sequences, length=length))


def batch(case: Case) -> Node:
    """Tokens of a step: as said, or as usual for the kind of training, but a micro-batch on every replica at least."""
    if case.request.global_batch_tokens is not None:
        return case.field("global_batch_tokens")
    if case.request.workload == "pretrain":
        twice = activations.batch_tokens(
            replicas=case.replicas, sequences=case.constant("fewest_micro_batches"), length=_tokens(case)
        )
        return communication.batch(usual=case.constant("usual_batch.pretrain"), smallest=twice)
    usual = activations.batch_tokens(
        replicas=case.constant("one_rank"),
        sequences=case.constant("usual_batch.finetune"),
        length=case.field("seq_len", "token"),
    )
    smallest = activations.batch_tokens(replicas=case.replicas, sequences=case.constant("one_rank"), length=_tokens(case))
    return communication.batch(usual=usual, smallest=smallest)
