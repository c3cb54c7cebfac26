"""Changes of a job that save memory: which there are, the cheapest with which it fits, and how an answer says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kb.errors import InvalidInput
from kb.sizing.case import Case
from kb.sizing.defaults import bare_eight_bits, filled, per_node
from kb.sizing.fit import OPEN, WIDTHS, Fit, fit
from kb.sizing.plans import training
from kb.sizing.show import amount, shown
from kb.types.specs import Bilingual

HARMLESS = {
    "context_parallel",
    "micro_batch",
    "recompute",
    "zero_stage",
    "fused_loss",
    "activation_offload",
}  # changes that cost time at most
FOUR_BITS = (
    "int4",
    "awq-int4",
    "gptq-int4",
    "nf4",
    "nf4-dq",
    "mlx-4bit",
    "fp4",
    "q4_k_m",
    "q4_k_s",
    "q4_0",
    "iq4_xs",
    "q3_k_m",
    "q2_k",
)


def changes(case: Case) -> Iterator[tuple[dict[str, Any], Bilingual]]:
    """Changes that save memory, the least intrusive first."""
    r = case.request
    if case.training:
        if (r.micro_batch or 1) > 1:
            yield {"micro_batch": 1}, Bilingual("a micro-batch of 1", "微批次改为 1")
        if r.workload != "pretrain" and training.keeps_logits(case) and not case.apart:
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
        if r.workload != "pretrain" and not training.inputs_on_host(case) and not case.apart:
            both = {"recompute": "full", "activation_offload": True}
            yield both, Bilingual("layer inputs moved to host memory (activation offloading)", "把各层输入移到内存（激活卸载）")
        if not case.adapted and r.optimizer == "adamw" and not case.apart:
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
    if r.quantization in ("fp32", "fp16", "bf16") and not (case.apart or (case.chip and "fp8" in case.chip.unsupported)):
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
    if after.case.in_one_piece:
        return Bilingual(f"With {words.en} it needs {need} and fits.", f"{words.zh}后需要 {need}，可以放下。")
    return Bilingual(f"With {words.en} it needs {need} per GPU and fits.", f"{words.zh}后，单卡需要 {need}，可以放下。")


def more(case: Case, after: Fit) -> Bilingual:
    """More GPUs of the same kind as a sentence; of what is trained in shards with what shards it, since copies do not help."""
    n, stage, ranks = after.case.gpu_count, after.case.request.zero_stage, after.case.degree("context_parallel")
    if ranks > case.degree("context_parallel"):
        return Bilingual(
            f"{n} GPUs of the same kind would hold it with each sequence split over {ranks} of them (context parallelism).",
            f"{n} 张同型号显卡、每条序列分到其中 {ranks} 张上（上下文并行）可以放下。",
        )
    if not case.training or not stage:
        return Bilingual(f"More GPUs of the same kind would hold it: {n}.", f"换用更多同型号显卡即可：{n} 张可以放下。")
    by_en, by_zh = ("ZeRO-3 or FSDP", "ZeRO-3 或 FSDP") if stage == 3 else (f"ZeRO-{stage}", f"ZeRO-{stage}")
    return Bilingual(
        f"{n} GPUs of the same kind would hold it, sharded with {by_en}; plain DDP would not, on however many: each holds the whole model.",
        f"{n} 张同型号显卡用 {by_zh} 分片可以放下，普通 DDP 每卡各放一份完整模型，加卡也放不下。",
    )
