"""How fast a training run goes, how long it takes, and how many GPUs a deadline needs."""

from __future__ import annotations

from kb.sizing.case import Case, either
from kb.sizing.rules import activations, cluster, compute
from kb.types.derivation import Given, Node

FAST_PRECISION = ("fp8", "fp4")


def work_per_token(case: Case) -> Node:
    """Model FLOPs of one training token; attention is counted when the shape is known, not when it is estimated."""
    assert case.shape is not None
    shape = case.shape
    work = case.constant("work.frozen" if case.adapted else "work.training")
    matrices = compute.per_token(parameters=shape["multiplied"], work=work)
    if not shape.known("layers") or not (shape.known("hidden") or shape.known("heads", "head_dim")):
        return matrices
    scores = compute.attention_per_token(
        layers=shape["layers"],
        heads=shape["heads"],
        head_dim=shape["head_dim"],
        length=case.field("seq_len"),
        work=case.constant("work.training"),
    )
    return compute.model_work(matrices=matrices, attention=scores)


def mfu(case: Case) -> Node:
    """As the asker says, or what GPUs with and without a fast link usually reach."""
    if case.request.mfu is not None:
        return Given("mfu", case.request.mfu, "1")
    link = case.chip.get("link") if case.chip else None
    fast = link is not None and link.value >= case.constant("link_threshold").value
    return compute.expected_mfu(
        hfu=either(case.gpu_count == 1, case.constant("hfu.single"), case.constant("hfu.linked" if fast else "hfu.unlinked")),
        recomputation=case.constant(f"recomputation.{case.request.recompute}"),
        mixture=case.constant("mixture.experts" if _mixture(case) else "mixture.dense"),
    )


def goodput(case: Case) -> Node:
    """The share of a long run that is spent in steps; a stated utilization is taken to be that of the whole run."""
    large, small = case.constant("goodput.large"), case.constant("goodput.small")
    if case.request.mfu is not None:
        return small
    return either(case.gpu_count >= case.constant("goodput.from").value, large, small)


def achieved(case: Case, utilization: Node) -> Node | None:
    """Useful FLOP/s of one GPU; None when its compute is not known."""
    peak = _peak(case)
    if peak is None:
        return None
    if case.request.precision in FAST_PRECISION and case.chip and case.chip.get("fp8") and case.request.mfu is None:
        return compute.low_precision(peak=peak, mfu=utilization, gain=case.constant("low_precision_gain"))
    return compute.achieved(peak=peak, mfu=utilization)


def pace(case: Case) -> dict[str, Node]:
    """Work, speed and time of a training case, as far as tokens and compute are known."""
    per_token = work_per_token(case)
    utilization = mfu(case)
    rate = achieved(case, utilization)
    count = case.field("gpu_count")
    out: dict[str, Node] = {}
    work = compute.training(per_token=per_token, tokens=case.field("tokens")) if case.request.tokens else None
    if work:
        out["training_flops"] = work
    if rate is None:
        return out
    out |= {"mfu": utilization, "tflops_per_gpu": rate}
    out["hfu"] = compute.hfu(mfu=utilization, recomputation=case.constant(f"recomputation.{case.request.recompute}"))
    each = compute.tokens_per_second_per_gpu(achieved=rate, per_token=per_token)
    out |= {"tokens_per_second_per_gpu": each, "tokens_per_second": compute.tokens_per_second(per_gpu=each, gpu_count=count)}
    batch = case.field("global_batch_tokens") if case.request.global_batch_tokens else _smallest_batch(case)
    out["step_time"] = compute.step_time(batch=batch, tokens_per_second=out["tokens_per_second"])
    if work:
        out["training_time"] = compute.training_time(work=work, achieved=rate, gpu_count=count, goodput=goodput(case))
        out["gpu_hours"] = cluster.gpu_time(gpu_count=count, time=out["training_time"])
    return out


def for_deadline(case: Case) -> Node | None:
    """GPUs that finish the tokens in the days allowed; None when something for it is not known."""
    if not (case.request.tokens and case.request.days and case.shape):
        return None
    rate = achieved(case, mfu(case))
    if rate is None:
        return None
    work = compute.training(per_token=work_per_token(case), tokens=case.field("tokens"))
    return cluster.gpus_for_deadline(work=work, achieved=rate, time=case.field("days"), goodput=goodput(case))


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


def _peak(case: Case) -> Node | None:
    precision = case.request.precision or "bf16"
    return case.chip.peak("bf16" if precision in FAST_PRECISION else precision) if case.chip else None


def _mixture(case: Case) -> bool:
    shape = case.shape
    return shape is not None and shape["active_parameters"].value < shape["parameters"].value


def _smallest_batch(case: Case) -> Node:
    """One micro-batch on every replica."""
    return activations.batch_tokens(
        replicas=case.replicas, sequences=case.field("micro_batch"), length=case.field("seq_len", "token")
    )
