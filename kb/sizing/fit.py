"""Does it fit, on how many GPUs would it, and what is the cheapest change that makes it fit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kb.errors import InvalidInput
from kb.sizing.case import Case
from kb.sizing.defaults import filled, laid_out, per_node
from kb.sizing.plans import serving, training
from kb.sizing.plans.footprint import Footprint
from kb.sizing.plans.offered import usable
from kb.sizing.rules import cluster, memory
from kb.sizing.show import amount, shown
from kb.types.answer import Verdict
from kb.types.derivation import Node
from kb.types.specs import Bilingual

MOST_GPUS = 200_000
FOUR_BITS = ("int4", "awq-int4", "gptq-int4", "nf4", "nf4-dq", "fp4", "q4_k_m", "q4_k_s", "q4_0", "iq4_xs", "q3_k_m", "q2_k")


@dataclass(frozen=True, slots=True)
class Fit:
    """A laid-out case, what it needs and what a GPU offers; `available` None when no memory size is known."""

    case: Case
    found: Footprint
    available: Node | None

    @property
    def ratio(self) -> float:
        return self.found.per_gpu.value / self.available.value if self.available else 0.0


def fit(case: Case, gpu_count: int) -> Fit:
    """The case on `gpu_count` GPUs. Raises InvalidInput when the layout that was asked for does not divide."""
    placed = laid_out(case, gpu_count)
    plan = training if placed.training else serving
    return Fit(placed, plan.footprint(placed), usable(placed))


def lightest(case: Case, gpu_count: int) -> Fit:
    """The case on `gpu_count` GPUs, with the least recomputation and the narrowest layout that fit, where the asker says nothing of
    them; where nothing fits, what needs the least."""
    if not case.training:
        return fit(case, gpu_count)
    tried: list[Fit] = []
    for recompute, layout in _ways(case, gpu_count):
        tried.append(fit(case.but(recompute=recompute, **layout), gpu_count))
        if tried[-1].available is None or tried[-1].ratio <= _limit(case, recompute, layout):
            return tried[-1]
    return min(tried, key=lambda f: f.ratio)


def _ways(case: Case, gpu_count: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Kinds of recomputation and layouts to try. Pretraining widens the layout before it computes everything again, fine-tuning the
    other way round; on one GPU memory is short, so adapters are trained with everything computed again."""
    layouts = list(_layouts(case, gpu_count))
    if case.asked.recompute is not None:
        yield from ((case.asked.recompute, layout) for layout in layouts)
    elif case.available_memory is None or (case.adapted and gpu_count == 1):
        yield from (("full", layout) for layout in layouts)
    elif case.request.workload == "pretrain":
        yield from ((recompute, layout) for layout in layouts for recompute in ("none", "selective"))
        yield from (("full", layout) for layout in layouts)
    else:
        yield from ((recompute, layout) for layout in layouts for recompute in ("none", "selective", "full"))


def _limit(case: Case, recompute: str, layout: dict[str, int]) -> float:
    """Up to which share of the usable memory a way is taken; one that the asker stated, as far as the estimate may be too high."""
    if recompute == case.asked.recompute and case.laid and not layout:
        return case.constant("interval.training_memory.low").value ** -1
    return case.constant("fits.below" if recompute == "none" else "fits.in_full").value


def _layouts(case: Case, gpu_count: int) -> Iterator[dict[str, int]]:
    """Layouts to try where it is open: tensor parallel inside a server, then context parallel across."""
    yield {}
    r, shape, pretraining = case.asked, case.shape, case.request.workload == "pretrain"
    stated = r.tensor_parallel or r.pipeline_parallel or r.context_parallel or (r.zero_stage is not None and not pretraining)
    if shape is None or gpu_count == 1 or stated:
        return
    heads = int(shape["heads"].value) if shape.known("heads") else per_node(case)
    widths = [t for t in (2, 4, 8) if t <= per_node(case) and gpu_count % t == 0 and heads % t == 0]
    yield from ({"tensor_parallel": t} for t in widths)
    lengths = (2, 4, 8, 16) if widths and pretraining else ()
    for c in lengths:
        if gpu_count % (widths[-1] * c) == 0 and (case.request.seq_len or 0) % c == 0:
            yield {"tensor_parallel": widths[-1], "context_parallel": c}


def verdict(case: Case, ratio: float) -> Verdict:
    if ratio < case.constant("fits.below").value:
        return "fits"
    return "fits_with_conditions" if ratio <= case.constant("fits.up_to").value else "does_not_fit"


def smallest(case: Case) -> Fit | None:
    """The fewest GPUs, in practical numbers, whose usable memory holds the case; None when no number would. Raises InvalidInput when
    not even the first can be laid out; a later one that cannot has more replicas than the global batch has sequences."""
    count = practical(case, 1)
    for tries in range(40):
        try:
            tried = fit(case, count)
        except InvalidInput:
            if not tries:
                raise
            return None
        if tried.available is None or tried.ratio <= 1:
            return tried
        least = least_gpus(tried)
        if least.value > MOST_GPUS or least.value <= 0:
            return None
        count = practical(case, max(int(least.value), count + 1))
    return None


def least_gpus(tried: Fit) -> Node:
    """The bare minimum: GPUs that hold what can be divided beside what each needs for itself."""
    assert tried.available is not None
    case, whole, parts = tried.case, tried.found.whole, tried.found.parts
    count = case.field("gpu_count")
    share = (
        whole["model_states_per_gpu"]
        if case.training
        else memory.serving_share(weights=parts["weights"], kv_cache=parts["kv_cache"])
    )
    slack = case.constant("no_slack")
    divided = memory.divided(share=share, slack=slack, gpu_count=count)
    fixed = memory.fixed(needed=tried.found.per_gpu, divided=divided, gpu_count=count)
    if fixed.value >= tried.available.value:
        return case.constant("no_slack")
    return memory.gpus(divisible=divided, fixed=fixed, available=tried.available)


def counted(tried: Fit, least: Node) -> Node:
    """The practical number as a step from the bare minimum."""
    case, chosen = tried.case, tried.case.gpu_count
    group = next(g for g in (1, 2, 4, per_node(case), chosen) if math.ceil(least.value / g) * g == chosen)
    return cluster.practical(least=least, group=case.group(group))


def practical(case: Case, count: int) -> int:
    """The next number of GPUs in which they come: a power of two inside a server, then whole servers, in whole replicas."""
    stages, expert = case.degree("pipeline_parallel"), case.degree("expert_parallel")
    per, step = per_node(case), math.lcm(case.model_parallel, stages * expert if case.training else 1)
    sizes = [1 << i for i in range(11) if 1 << i < per] + [per]
    inside = next((s for s in sizes if s >= count and s % step == 0), None)
    if inside:
        return inside
    unit = math.lcm(per, step) if step > 1 else per
    return math.ceil(count / unit) * unit


def changes(case: Case) -> Iterator[tuple[dict[str, Any], Bilingual]]:
    """Changes that save memory, the least intrusive first."""
    r = case.request
    if case.training:
        if (r.micro_batch or 1) > 1:
            yield {"micro_batch": 1}, Bilingual("a micro-batch of 1", "微批次改为 1")
        if r.recompute != "full":
            yield {"recompute": "full"}, Bilingual("full activation recomputation", "开启完全重计算")
        if case.data_parallel > 1 and (r.zero_stage or 0) < 3:
            yield {"zero_stage": 3}, Bilingual("ZeRO-3 (full sharding)", "ZeRO-3（完全分片）")
        if not case.adapted and r.optimizer == "adamw":
            yield {"optimizer": "adamw_8bit"}, Bilingual("8-bit AdamW", "8 位 AdamW")
        if r.workload == "full_finetune":
            yield {"workload": "lora", "quantization": None}, Bilingual("LoRA instead of full fine-tuning", "改用 LoRA")
        if r.workload in ("full_finetune", "lora"):
            yield (
                {"workload": "qlora", "quantization": None},
                Bilingual("QLoRA (4-bit base weights)", "改用 QLoRA（4 位基座权重）"),
            )
        return
    if r.kv_precision in ("fp16", "bf16", "fp32"):
        yield {"kv_precision": "fp8"}, Bilingual("an fp8 KV cache", "KV 缓存改用 fp8")
    if r.quantization in ("fp32", "fp16", "bf16") and not (case.chip and "fp8" in case.chip.unsupported):
        yield {"quantization": "fp8"}, Bilingual("fp8 weights", "权重改用 fp8")
    if r.quantization not in FOUR_BITS:
        yield {"quantization": "awq-int4"}, Bilingual("4-bit weights", "权重量化为 4 位")
        if r.kv_precision in ("fp16", "bf16", "fp32"):
            both = {"quantization": "awq-int4", "kv_precision": "fp8"}
            yield both, Bilingual("4-bit weights and an fp8 KV cache", "权重量化为 4 位且 KV 缓存改用 fp8")


def cheapest(tried: Fit, limit: float) -> tuple[dict[str, Any], Bilingual, Fit] | None:
    """The first change after which the case fills no more than `limit` of the usable memory of the GPUs there are."""
    for change, words in changes(tried.case):
        try:
            after = fit(_changed(tried.case, change), tried.case.gpu_count)
        except InvalidInput:
            continue
        if after.ratio <= limit:
            return change, words, after
    return None


def _changed(case: Case, change: dict[str, Any]) -> Case:
    """The case with a change, layout and what depends on it filled in anew."""
    asked = case.asked
    layout = {n: getattr(asked, n) for n in ("tensor_parallel", "pipeline_parallel", "zero_stage", "sequence_parallel")}
    if not case.training and case.data_parallel > 1:  # replicas stay replicas
        layout = {}
    return filled(case.but(**{**layout, **change}))


def option(words: Bilingual, after: Fit) -> Bilingual:
    """The change as a sentence with what it then needs."""
    need = amount(*shown(after.found.per_gpu.value, "B"))
    return Bilingual(f"With {words.en} it needs {need} per GPU and fits.", f"{words.zh}后，单卡需要 {need}，可以放下。")


def more(case: Case, after: Fit) -> Bilingual:
    """More GPUs of the same kind as a sentence."""
    n = after.case.gpu_count
    return Bilingual(f"{n} GPUs of the same kind would hold it.", f"同型号显卡 {n} 张可以放下。")
