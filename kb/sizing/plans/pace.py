"""How fast a training run goes, and how long it takes."""

from __future__ import annotations

from kb.sizing.case import Case, either
from kb.sizing.defaults import offloads
from kb.sizing.plans import traffic, wires
from kb.sizing.plans.training import adapted_projections, token_count
from kb.sizing.rules import activations, cluster, communication, compute, scaling, step
from kb.sizing.shape import Shape
from kb.types.derivation import Node

FAST_PRECISION = ("fp8", "fp4")


def work_per_token(case: Case) -> Node:
    """Model FLOPs of one training token; attention is counted when the shape is known, not when it is estimated."""
    assert case.shape is not None
    shape, matrices = case.shape, _matrix_work(case)
    if not shape.known("layers") or not (shape.known("hidden") or shape.known("heads", "head_dim")):
        return matrices
    return compute.model_work(matrices=matrices, attention=_attention_work(case))


def pace(case: Case) -> dict[str, Node]:
    """Work, speed and time of a laid-out training case, as far as tokens and compute are known. Methods that ask other models between
    the steps, or generate answers, have a pace of their own, which no rule knows."""
    if case.request.post_training:
        return {}
    per_token, peak = work_per_token(case), _peak(case)
    out: dict[str, Node] = {}
    if case.request.tokens:
        out["training_flops"] = compute.training(per_token=per_token, tokens=case.field("tokens"))
    if peak is None:
        return out
    tokens, count = batch(case), case.field("gpu_count")
    if case.request.tokens_per_second is not None:  # as measured
        speed: Node = case.field("tokens_per_second")
        out["step_time"] = compute.step_time(batch=tokens, tokens_per_second=speed)
        each: Node = step.speed_per_gpu(speed=speed, gpu_count=count)
        rate: Node = step.achieved(per_gpu=each, per_token=per_token)
        utilization: Node = step.mfu(achieved=rate, peak=peak)
    elif case.request.mfu is None:
        out["step_time"] = step_time(case, tokens, peak)
        speed = step.speed(batch=tokens, step_time=out["step_time"])
        each = step.speed_per_gpu(speed=speed, gpu_count=count)
        rate = step.achieved(per_gpu=each, per_token=per_token)
        utilization = step.mfu(achieved=rate, peak=peak)
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
    """The whole run; a stated utilization or speed is taken to be that of the whole run."""
    if case.request.mfu is not None or case.request.tokens_per_second is not None:
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
    count, busy = _micro_batches(case, batch), _busy(case, case.shape, peak)
    stages = case.field("pipeline_parallel")
    chunks: Node = case.constant("one_rank")
    if case.request.virtual_stages is not None:
        chunks = case.field("virtual_stages")
    elif case.request.zero_stage != 3:  # under full sharding every further chunk would be gathered again
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
        tensor=traffic.tensor(case, case.shape),
        bubble=bubble,
        waiting=traffic.waiting(case, case.shape, busy, count),
        optimizer=_offloaded(case, case.shape, count) if offloads(case) else _optimizer(case, case.shape),
        gpu_count=case.field("gpu_count"),
        scale=case.constant("scale_cost"),
    )


def _micro_batches(case: Case, batch: Node) -> Node:
    return case.once("micro-batches", lambda: step.micro_batches(batch=batch, replicas=case.replicas, tokens=_tokens(case)))


def _busy(case: Case, shape: Shape, peak: Node) -> Node:
    return case.once("busy", lambda: _busy_anew(case, shape, peak))


def _busy_anew(case: Case, shape: Shape, peak: Node) -> Node:
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
    launch = step.launch(
        layers=shape["layers"], stages=stages,
        latency=_latency(case),
        adapters=adapted_projections(case), adapter_kernels=case.constant("adapter_kernels"), recomputation=_recomputation(case),
    )  # fmt: skip
    dense: Node = step.busy(matrices=matrices, attention=attention, traffic=_traffic(case, shape), launch=launch)
    if case.request.workload == "qlora":
        dense = step.busy_widening(plain=dense, widening=_widening(case, shape))
    if not case.mixture:
        return dense
    width = case.field("expert_parallel")
    small = step.expert_launch(
        layers=shape["layers"], stages=stages, experts=shape["routed_experts"], expert_parallel=width,
        latency=case.constant("expert_latency"),
    )  # fmt: skip
    sent = communication.experts(
        tokens=token_count(case), hidden=shape["hidden"], element=case.constant("activation_element"), layers=shape["layers"],
        top_k=shape["active_experts"], expert_parallel=width, shares=shares,
    )  # fmt: skip
    inside = case.degree("expert_parallel") <= case.linked_gpus
    over = either(inside, wires.link(case), wires.network(case))
    exchange = communication.exposed(traffic=sent, bandwidth=over, cost=case.constant("exposed.experts"))
    return step.busy_mixture(dense=dense, experts=small, exchange=exchange)


def _latency(case: Case) -> Node:
    """Fine-tuning libraries start kernels from Python; what splits models or computes in low precision starts them faster."""
    usual, library = case.constant("kernel_latency.usual"), case.constant("kernel_latency.library")
    if case.request.workload == "pretrain" or case.request.precision in FAST_PRECISION:
        return usual
    return either(case.degree("tensor_parallel") * case.degree("pipeline_parallel") > 1, usual, library)


def _widening(case: Case, shape: Shape) -> Node:
    return step.widening(
        parameters=shape["multiplied"], traffic=case.constant("widening_traffic"),
        passes=case.constant(f"widening_passes.{'twice' if case.request.recompute == 'full' else 'once'}"), shares=case.shares,
        bandwidth=_bandwidth(case),
    )  # fmt: skip


def _traffic(case: Case, shape: Shape) -> Node:
    element = case.constant("activation_element")
    layer: Node = activations.layer(
        tokens=token_count(case), hidden=shape["hidden"], heads=shape["heads"], kv_heads=shape["kv_heads"],
        head_dim=shape["score_width"], width=shape["live_width"], maps=shape["maps"], element=element,
    )  # fmt: skip
    if case.request.flash_attention is False:
        scores = activations.scores(
            sequences=case.field("micro_batch"),
            length=case.field("seq_len"),
            heads=shape["heads"],
            kept=case.constant("kept_scores"),
        )
        layer = activations.layer_with_scores(layer=layer, scores=scores)
    one = case.constant("one_rank")
    logits = activations.logits(
        tokens=token_count(case),
        vocab=shape["vocab"],
        kept=case.constant("loss_traffic"),
        tensor_parallel=one,
        context_parallel=one,
    )
    return step.traffic(
        layer=layer, layers=shape["layers"], passes=case.constant("traffic_passes"), recomputation=_twice(case), logits=logits,
        shares=case.shares, bandwidth=_bandwidth(case),
    )  # fmt: skip


def speed(case: Case) -> float:
    """Tokens per second of a laid-out case; 0 where it is not known."""
    found = pace(case)
    return found["tokens_per_second"].value if "tokens_per_second" in found else 0.0


def waits(case: Case) -> bool:
    """Whether a step waits for what GPUs exchange."""
    peak = _peak(case)
    if peak is None or case.shape is None:
        return False
    count, busy = _micro_batches(case, batch(case)), _busy(case, case.shape, peak)
    return traffic.waiting(case, case.shape, busy, count).value > 0


def hiding_network(case: Case) -> Node:
    """Network per GPU behind which no data-parallel traffic of a step is waited for."""
    peak = _peak(case)
    assert case.shape is not None and peak is not None
    return traffic.hiding_network(case, case.shape, _busy(case, case.shape, peak), _micro_batches(case, batch(case)))


def _optimizer(case: Case, shape: Shape) -> Node:
    if case.adapted:
        return case.constant("no_pause")
    return step.optimizer(
        parameters=shape["parameters"], state=case.constant(_state_bytes(case)), passes=case.constant("optimizer_passes"),
        shards=_shards(case), bandwidth=_bandwidth(case),
    )  # fmt: skip


def _shards(case: Case) -> Node:
    """The GPUs that divide the optimizer's work."""
    if case.request.zero_stage:
        return case.field("gpu_count")
    return cluster.model_shards(
        tensor_parallel=case.field("tensor_parallel"), pipeline_parallel=case.field("pipeline_parallel")
    )


def _state_bytes(case: Case) -> str:
    return f"state_bytes.{'pure_bf16' if case.request.precision == 'pure_bf16' else 'mixed'}"


def _bandwidth(case: Case) -> Node:
    """Of the GPU's memory: as the table has it, or as is usual."""
    return (case.chip.get("bandwidth") if case.chip else None) or case.constant("usual_bandwidth")


def _offloaded(case: Case, shape: Shape, count: Node) -> Node:
    """The optimizer step on the host, of adapters next to nothing. Under full sharding the weights wait there too."""
    if case.adapted and case.request.zero_stage != 3:
        return case.constant("no_pause")
    passes = case.constant(f"weight_passes.{'every' if case.request.zero_stage == 3 else 'none'}")
    return step.offloaded(
        parameters=shape["parameters"], element=case.constant("training_element.bf16"),
        trips=step.trips(micro_batches=count, passes=passes),
        shards=_shards(case),
        link=wires.to_host(case), state=case.constant("offloaded" if case.adapted else _state_bytes(case)),
        passes=case.constant("host_passes"),
        nodes=cluster.nodes(gpu_count=case.field("gpu_count"), gpus_per_node=case.field("gpus_per_node")),
        host=case.constant(f"host_adam.{case.request.offload}"),
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
            layers=shape["layers"], heads=shape["heads"], width=shape["score_width"], length=case.field("seq_len"),
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
        return communication.batch(usual=_worthwhile(case), smallest=twice)
    usual = activations.batch_tokens(
        replicas=case.constant("one_rank"),
        sequences=case.constant("usual_batch.finetune"),
        length=case.field("seq_len", "token"),
    )
    smallest = activations.batch_tokens(replicas=case.replicas, sequences=case.constant("one_rank"), length=_tokens(case))
    return communication.batch(usual=usual, smallest=smallest)


def _worthwhile(case: Case) -> Node:
    """Tokens of a pretraining step: the usual number, more where a long run is known to want it."""
    usual = case.constant("usual_batch.pretrain")
    if not case.request.tokens:
        return usual
    kind = "moe" if case.shape is not None and case.shape.is_moe else "dense"
    return scaling.batch(
        usual=usual,
        compute=compute.training(per_token=work_per_token(case), tokens=case.field("tokens")),
        reference=case.constant(f"best_batch.reference.{kind}"),
        reached=case.constant(f"best_batch.reached.{kind}"),
        growing=case.constant("best_batch.growing"),
    )
