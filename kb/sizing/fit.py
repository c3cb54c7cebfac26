"""Does it fit, on how many GPUs would it, and what is the cheapest change that makes it fit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb.errors import InvalidInput
from kb.sizing.case import Case
from kb.sizing.defaults import bare_eight_bits, filled, laid_out, per_node, replicable
from kb.sizing.plans import pace, serving, training
from kb.sizing.plans.footprint import Footprint
from kb.sizing.plans.offered import usable
from kb.sizing.rules import cluster, memory
from kb.sizing.show import amount, shown
from kb.types.answer import Verdict
from kb.types.derivation import Node
from kb.types.specs import Bilingual

MOST_GPUS = 200_000
ROUNDS = 40  # numbers of GPUs tried
HARMLESS = {
    "context_parallel",
    "micro_batch",
    "recompute",
    "zero_stage",
    "fused_loss",
    "activation_offload",
}  # changes that cost time at most
OPEN = (
    "tensor_parallel",
    "pipeline_parallel",
    "expert_parallel",
    "zero_stage",
    "shard_degree",
    "sequence_parallel",
)  # of a layout
WIDTHS, STAGES = (1, 2, 4, 8), (1, 2, 4, 8, 16, 32, 64)
FOUR_BITS = ("int4", "awq-int4", "gptq-int4", "nf4", "nf4-dq", "fp4", "q4_k_m", "q4_k_s", "q4_0", "iq4_xs", "q3_k_m", "q2_k")


@dataclass(frozen=True, slots=True)
class Fit:
    """A laid-out case, what it needs and what a GPU offers; `available` None when no memory size is known. `alone`: what the same job
    fills of one GPU, where that was tried on the way."""

    case: Case
    found: Footprint
    available: Node | None
    alone: float | None = None

    @property
    def ratio(self) -> float:
        return self.found.per_gpu.value / self.available.value if self.available else 0.0


def fit(case: Case, gpu_count: int) -> Fit:
    """The case on `gpu_count` GPUs. Raises InvalidInput when the layout that was asked for does not divide."""
    if case.adapted and replicable(case):
        whole = _trained(_placed(case.but(zero_stage=0), gpu_count))
        if whole.ratio <= 1 and _feeds(whole.case):
            return whole
    placed = _placed(case, gpu_count)
    if not placed.training:
        return Fit(placed, serving.footprint(placed), usable(placed))
    tried = _trained(placed)
    return _sparing(tried) if _waits(placed) else tried


def _trained(placed: Case) -> Fit:
    return Fit(placed, training.footprint(placed), usable(placed))


def _waits(case: Case) -> bool:
    """Whether full sharding, which nobody asked for, waits for what GPUs exchange."""
    r, open_still = case.request, case.asked.zero_stage is None and case.asked.shard_degree is None
    return open_still and r.zero_stage == 3 and pace.waits(case)


def _sparing(tried: Fit) -> Fit:
    """A faster layout that GPUs hold with room: the fastest of all states sharded inside each server and optimizer states alone sharded;
    else the first with layers or experts split inside servers and stages across, or states sharded inside the smallest groups of
    servers; else the one that was tried."""
    case, room, pace_there = tried.case, tried.case.constant("fits.below").value, pace.speed(tried.case)
    server = case.linked_gpus // case.degree("tensor_parallel")
    groups = [n for n in range(server, case.holders, server) if case.holders % n == 0]
    timed = case.request.workload == "pretrain" or (case.request.tokens and not case.adapted)
    inside = [case.but(shard_degree=n) for n in groups if n == server]
    across = [case.but(shard_degree=n) for n in groups[1:]]
    staged = _staged(case) if case.gpu_count > case.linked_gpus else ()

    def faster(placed: Case) -> Fit | None:
        found = _trained(placed)
        return found if found.ratio < room and pace.speed(placed) > pace_there else None

    near = [found for placed in (*inside, *([case.but(zero_stage=1)] if timed else ())) if (found := faster(placed))]
    if near:
        return max(near, key=lambda found: pace.speed(found.case))
    return next((found for placed in (*staged, *across) if (found := faster(placed))), tried)


def _staged(case: Case) -> Iterator[Case]:
    """Tensor parallelism inside servers, then as many pipeline stages as servers, or fewer: the fewer, the more traffic of gradients. Of
    a mixture experts are spread inside servers, over the fewest stages that hold it."""
    r = case.asked
    stated = r.tensor_parallel or r.pipeline_parallel or r.context_parallel or r.expert_parallel
    if case.adapted or stated or case.shape is None:
        return
    width, layers = 1 if case.shape.is_moe else _widest(case, case.gpu_count), case.shape["layers"].value
    group = width * case.degree("context_parallel")
    possible = [p for p in STAGES if case.gpu_count % (group * p) == 0 and p <= layers]
    for stages in possible if case.shape.is_moe else reversed(possible):
        yield laid_out(
            case.but(
                tensor_parallel=width, pipeline_parallel=stages, expert_parallel=None, zero_stage=1, sequence_parallel=None
            ),
            case.gpu_count,
        )


def _placed(case: Case, gpu_count: int) -> Case:
    """The case laid out. For pretraining, where that is open: the narrowest tensor and then context parallelism with which what no
    further GPU divides fits on one, and replicas are no more than the batch has micro-batches; with it pipeline stages, since gathering
    whole shards across servers then no longer hides. More GPUs never make it narrower, so they never need more memory each."""
    r = case.request
    stated = r.tensor_parallel or r.pipeline_parallel or r.context_parallel
    if stated or gpu_count == 1 or case.shape is None or case.available_memory is None:
        return laid_out(case, gpu_count)
    if r.workload != "pretrain":
        return _fed(case, gpu_count)
    # whoever says how states are sharded means no other split, unless the estimate is too high beyond its own uncertainty
    tolerated = 1 if r.zero_stage is None else 1 / case.constant("interval.training_memory.low").value
    widest, layout, placed = _widest(case, gpu_count), dict[str, int](), case
    for layout in _layouts(case, gpu_count):
        placed = laid_out(case.but(**layout), gpu_count)
        room = usable(placed)
        fits = room is None or sum(part.value for part in training.working(placed).values()) <= room.value * tolerated
        if fits and (
            r.zero_stage is not None
            or layout.get("tensor_parallel") == widest
            or placed.data_parallel <= _most_replicas(placed)
        ):
            break
    if r.zero_stage is None and "tensor_parallel" in layout and gpu_count > per_node(case):
        stages = _stages(case, gpu_count, layout)
        return laid_out(case.but(**layout, zero_stage=1, pipeline_parallel=stages), gpu_count)
    return placed


def _fed(case: Case, gpu_count: int) -> Case:
    """Fine-tuning laid out: replicas, and where a batch that was stated has too few micro-batches to feed all of them, the narrowest
    tensor and then context parallelism with which each has one."""
    placed = laid_out(case, gpu_count)
    if case.request.global_batch_tokens is None or case.request.zero_stage is not None:
        return placed
    most = _most_replicas(placed)
    found = (laid_out(case.but(**layout), gpu_count) for layout in _layouts(case, gpu_count))
    return next((one for one in found if one.data_parallel <= most), placed)


def _feeds(placed: Case) -> bool:
    """Whether a batch, where one was stated, has a micro-batch for every replica."""
    return placed.request.global_batch_tokens is None or placed.data_parallel <= _most_replicas(placed)


def _most_replicas(case: Case) -> float:
    """The micro-batches of a global batch."""
    return pace.batch(case.but(tensor_parallel=case.gpu_count)).value / (
        (case.request.micro_batch or 1) * (case.request.seq_len or 1)
    )


def _layouts(case: Case, gpu_count: int) -> Iterator[dict[str, int]]:
    """Tensor parallelism inside a server, then context parallelism across."""
    yield {}
    widest = _widest(case, gpu_count)
    yield from ({"tensor_parallel": t} for t in WIDTHS if 1 < t <= widest)
    for c in WIDTHS[1:]:
        if gpu_count % (widest * c) == 0 and (case.request.seq_len or 0) % c == 0:
            yield {"tensor_parallel": widest, "context_parallel": c}


def _widest(case: Case, gpu_count: int) -> int:
    """The widest usual tensor parallelism that a server, the GPUs and the heads allow."""
    shape = case.shape
    heads = int(shape["heads"].value) if shape and shape.known("heads") else per_node(case)
    return max(t for t in WIDTHS if t <= per_node(case) and gpu_count % t == 0 and heads % t == 0)


def _stages(case: Case, gpu_count: int, layout: dict[str, int]) -> int:
    """Pipeline stages whose weights and gradients leave a GPU most of its memory, and whose replicas a stated batch can feed; one that
    was not stated grows with the replicas."""
    assert case.shape is not None and case.available_memory is not None
    width = layout["tensor_parallel"] * layout.get("context_parallel", 1)
    held = 2 * case.shape["parameters"].value * case.constant("training_element.bf16").value / layout["tensor_parallel"]
    room = case.available_memory.value * case.constant("stage_share").value
    layers, fixed = case.shape["layers"].value, case.request.global_batch_tokens is not None
    most = _most_replicas(case.but(gpu_count=gpu_count, **layout)) if fixed else gpu_count
    possible = [p for p in STAGES if gpu_count % (width * p) == 0 and p <= layers]
    return next((p for p in possible if held / p <= room and gpu_count / (width * p) <= most), possible[-1])


def verdict(case: Case, ratio: float) -> Verdict:
    if ratio < case.constant("fits.below").value:
        return "fits"
    return "fits_with_conditions" if ratio <= case.constant("fits.up_to").value else "does_not_fit"


def smallest(case: Case) -> Fit | None:
    """The fewest GPUs, in practical numbers, whose usable memory holds the case; None when no number would. Raises InvalidInput when
    not even the first can be laid out; a later one that cannot has more replicas than the global batch has sequences."""
    count, alone = practical(case, 1), None
    for tries in range(ROUNDS):
        try:
            tried = fit(case, count)
        except InvalidInput:
            if not tries:
                raise
            return None
        alone = tried.ratio if count == 1 else alone
        if tried.available is None or tried.ratio <= 1:
            return replace(tried, alone=alone)
        least = least_gpus(tried)
        hopeless = least.value <= 0 and (not case.training or count >= per_node(case))  # a wider layout may still help
        if least.value > MOST_GPUS or hopeless:
            spare = case.training and case.request.recompute is None
            return smallest(case.but(recompute="full")) if spare else None
        count = practical(case, max(int(least.value), count + 1))
    return None


def least_gpus(tried: Fit) -> Node:
    """The bare minimum: GPUs that hold what can be divided beside what each needs for itself."""
    assert tried.available is not None
    case, whole, parts = tried.case, tried.found.whole, tried.found.parts
    count = case.field("gpu_count")
    share = (
        whole["divisible_per_gpu"]
        if case.training
        else memory.serving_share(weights=parts["weights"], kv_cache=parts["kv_cache"])
    )
    slack = case.constant("no_slack")
    divided = memory.divided(share=share, slack=slack, gpu_count=count)
    fixed = memory.fixed(needed=tried.found.per_gpu, divided=divided, gpu_count=count)
    if fixed.value >= tried.available.value:
        return slack
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
        if r.workload != "pretrain" and training.keeps_logits(case):
            yield {"fused_loss": True}, Bilingual("a fused loss (such as Liger Kernel)", "开启融合损失（如 Liger Kernel）")
        if r.recompute != "full":
            yield (
                {"recompute": "full"},
                Bilingual("full activation recomputation (gradient checkpointing)", "开启完全重计算（梯度检查点）"),
            )
        if case.data_parallel > 1 and (r.zero_stage or 0) < 3:
            yield {"zero_stage": 3}, Bilingual("ZeRO-3 (full sharding)", "ZeRO-3（完全分片）")
        if (ranks := _context_ranks(case)) > 1:
            yield (
                {"context_parallel": ranks},
                Bilingual(
                    f"the sequence split over {ranks} GPUs (context parallelism)", f"把序列分到 {ranks} 张卡上（上下文并行）"
                ),
            )
        if r.workload != "pretrain" and not training.inputs_on_host(case):
            both = {"recompute": "full", "activation_offload": True}
            yield both, Bilingual("layer inputs moved to host memory (activation offloading)", "把各层输入移到内存（激活卸载）")
        if not case.adapted and r.optimizer == "adamw":
            eight = {"optimizer": "adamw_8bit"}
            if bare_eight_bits(case.but(optimizer="adamw_8bit")) and case.asked.precision is None:
                yield (
                    {**eight, "precision": "pure_bf16"},
                    Bilingual("8-bit AdamW without 32-bit master weights", "换成 8 位 AdamW、不留 32 位主权重"),
                )
            else:
                yield eight, Bilingual("8-bit AdamW", "8 位 AdamW")
        if r.workload == "full_finetune" or (r.workload == "pretrain" and not r.tokens):
            yield {"workload": "lora", "quantization": None}, Bilingual("LoRA instead of full fine-tuning", "改用 LoRA")
        if r.workload in ("full_finetune", "lora") or (r.workload == "pretrain" and not r.tokens):
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
        yield {"quantization": "q4_k_m"}, Bilingual("4-bit weights in GGUF (Q4_K_M)", "权重用 4 位 GGUF（Q4_K_M）")
        if r.kv_precision in ("fp16", "bf16", "fp32"):
            both = {"quantization": "awq-int4", "kv_precision": "fp8"}
            yield both, Bilingual("4-bit weights and an fp8 KV cache", "权重量化为 4 位且 KV 缓存改用 fp8")


def _context_ranks(case: Case) -> int:
    """GPUs of a server over which a sequence can be split, where replicas can be given up for it."""
    length, replicas = case.request.seq_len or 1, min(case.data_parallel, per_node(case))
    open_still = (case.request.context_parallel or 1) == 1
    return max(
        (c for c in WIDTHS if open_still and c <= replicas and case.data_parallel % c == 0 and length % c == 0), default=1
    )


Change = tuple[dict[str, Any], Bilingual]


def cheapest(tried: Fit, limit: float) -> tuple[dict[str, Any], Bilingual, Fit] | None:
    """The first change after which the case fills no more than `limit` of the usable memory of the GPUs there are; what changes the
    model's quality is tried alone, then together with as few as will do of those that do not."""

    def after(taken: Sequence[Change]) -> Fit | None:
        found = changed(tried, {name: value for fields, _ in taken for name, value in fields.items()})
        return found if found and found.ratio <= limit else None

    harmless = list[Change]()
    for change in changes(tried.case):
        for with_others in ([], harmless) if harmless else ([],):
            taken = [*with_others, change]
            if after(taken):
                for one in reversed(with_others):  # the most intrusive first
                    rest = [other for other in taken if other is not one]
                    taken = rest if after(rest) else taken
                found = after(taken)
                assert found is not None
                return {n: v for fields, _ in taken for n, v in fields.items()}, _together([words for _, words in taken]), found
        if change[0].keys() <= HARMLESS:
            harmless.append(change)
    return None


def _together(words: Sequence[Bilingual]) -> Bilingual:
    """Changes that are made at once."""
    *others, last = words
    if not others:
        return last
    return Bilingual(f"{', '.join(w.en for w in others)} and {last.en}", f"{'、'.join(w.zh for w in others)}，并{last.zh}")


def changed(tried: Fit, change: Mapping[str, Any]) -> Fit | None:
    """The case on the same GPUs with a change, layout and what depends on it filled in anew; None where it cannot be laid out."""
    case = tried.case
    layout = {n: getattr(case.asked, n) for n in OPEN}
    if not case.training and case.data_parallel > 1:  # replicas stay replicas
        layout = {}
    try:
        return fit(filled(case.but(**{**layout, **change})), case.gpu_count)
    except InvalidInput:
        return None


def option(words: Bilingual, after: Fit) -> Bilingual:
    """The change as a sentence with what it then needs."""
    need = amount(*shown(after.found.per_gpu.value, "B"))
    return Bilingual(f"With {words.en} it needs {need} per GPU and fits.", f"{words.zh}后，单卡需要 {need}，可以放下。")


def more(case: Case, after: Fit) -> Bilingual:
    """More GPUs of the same kind as a sentence; of what is trained in shards with what shards it, since copies do not help."""
    n, stage = after.case.gpu_count, after.case.request.zero_stage
    if not case.training or not stage:
        return Bilingual(f"More GPUs of the same kind would hold it: {n}.", f"换用更多同型号显卡即可：{n} 张可以放下。")
    by_en, by_zh = ("ZeRO-3 or FSDP", "ZeRO-3 或 FSDP") if stage == 3 else (f"ZeRO-{stage}", f"ZeRO-{stage}")
    return Bilingual(
        f"{n} GPUs of the same kind would hold it, sharded with {by_en}; plain DDP would not, on however many: each holds the whole model.",
        f"{n} 张同型号显卡用 {by_zh} 分片可以放下；普通 DDP 每卡各放一份完整模型，加卡也放不下。",
    )
