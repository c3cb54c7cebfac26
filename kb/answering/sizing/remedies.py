"""What takes the memory of a job that runs out of it, and what saves most: each change computed anew on the asker's own figures."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount
from kb.answering.sizing.grounds import apart, standing
from kb.answering.sizing.switches import LONG
from kb.answering.wording import Wording
from kb.answering.wording.neutral import SHARDING, USUAL_TRAINER
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.sizing import SizingRequest, SizingResult

PARTS = 4  # of the memory that are named
MOST = 6  # changes that are listed
WORTH = 0.02  # of the memory of a GPU: what a change must save to be listed
WIDE = ("fp32", "fp16", "bf16", "fp8", "int8")  # formats that four bits halve at least
ELSEWHERE = frozenset(
    {"fused_loss", "activation_offload", "optimizer", "offload"}
)  # that take a library for the chips most have
GIB = "GiB"


def as_trained(said: Mapping[str, Any], tools: Tools) -> Mapping[str, Any]:
    """What was said of a run that ran out of memory, with the loss that the usual trainer has, where nothing says which loss it is and
    the logits weigh: in full fine-tuning of short sequences they are gone when the gradients, which weigh more, are there."""
    tokens = (said.get("seq_len") or 0) * (said.get("micro_batch") or 1)
    adapted = said.get("workload") in ("lora", "qlora")
    if "fused_loss" in said or not (adapted or (said.get("workload") == "full_finetune" and tokens >= LONG)):
        return said
    engine = said.get("engine")
    if not engine and apart(said.get("gpu"), tools):
        return said  # which has a trainer of its own
    return said if engine and not (said.get("zero_stage") and engine in SHARDING) else {**said, "engine": USUAL_TRAINER}


def tell(fields: Mapping[str, Any], result: SizingResult, draft: Draft, tools: Tools, kept: Container[str] = ()) -> None:
    """The largest parts of the memory, then a table of the changes, largest saving first, without those of what is to stay (`kept`);
    nothing where no memory was computed."""
    before = next((v for v in result.values if v.name == "memory_per_gpu"), None)
    if before is None or not isinstance(before.value, int | float):
        return
    w, composer, need = draft.wording, draft.composer, float(before.value)
    stands = standing(result, "memory_per_gpu", tools=tools)
    parts = sorted((c for c in result.breakdown if c.value > 0 and c.unit == GIB), key=lambda c: -c.value)[:PARTS]
    if len(parts) > 1:
        values = [Value(p.component, p.value, p.unit, amount(p.value, p.unit, w), scope="per_gpu") for p in parts]
        composer.values += values
        if result.request.engine == USUAL_TRAINER and result.request.fused_loss is None:
            composer.say(w("plain_loss"), *stands)
        composer.say(w("takes", list=w.join([w("fact", label=_part(v.name, w), value=v.text) for v in values])), *stands)
    unsaved(fields, need, result, draft, tools)
    rows, placed = [], {**fields, "zero_stage": result.request.zero_stage} if (result.request.gpu_count or 1) > 1 else fields
    for change in changes(result.request, apart(result.request.gpu, tools)):
        name, value = next(iter(change.items()))
        if name in kept:
            continue
        try:
            after = tools.size({**placed, **change}, ("memory_per_gpu",), w.language)
        except InvalidInput:
            continue
        left = next((v for v in after.values if v.name == "memory_per_gpu"), None)
        if left is None or not isinstance(left.value, int | float) or need - left.value < WORTH * need:
            continue
        scope = f"{name}={value}"
        saved, still = amount(need - left.value, GIB, w), amount(float(left.value), GIB, w)
        composer.values += [replace(left, text=still, low=None, high=None, scope=scope)]
        composer.values += [Value("memory_saved_per_gpu", need - left.value, GIB, saved, scope=scope)]
        shown = w(f"remedy:{name}", value=w.name(str(value)))
        rows.append((need - left.value, [shown, saved, still], standing(after, "memory_per_gpu", tools=tools)))
    rows.sort(key=lambda row: -row[0])
    if rows:
        composer.known += [str(v) for row in rows for v in row[1][:1]]
        composer.tabulate(
            (w("remedy"), w("saves"), w("leaves")), [(cells, found) for _, cells, found in rows[:MOST]], w("source")
        )


def unsaved(fields: Mapping[str, Any], need: float, result: SizingResult, draft: Draft, tools: Tools) -> None:
    """What it takes without gradient checkpointing, where nobody said that it is on and that is why it runs out."""
    have = next((v.value for v in result.values if v.name == "memory_available_per_gpu"), None)
    if not any(a.slot == "recompute" for a in result.assumptions) or not isinstance(have, int | float) or need > have:
        return
    without = tools.size({**fields, "recompute": "none"}, ("memory_per_gpu",), draft.wording.language)
    kept = next((v.value for v in without.values if v.name == "memory_per_gpu"), None)
    if isinstance(kept, int | float) and kept > have:
        text = amount(kept, GIB, draft.wording)
        draft.composer.values.append(Value("per_gpu_without", kept, GIB, text, scope="per_gpu"))
        draft.composer.say(draft.wording("without_recompute", need=text), *standing(without, "memory_per_gpu", tools=tools))


def _part(name: str, w: Wording) -> str:
    return w(f"part:{name}") if w.has(f"part:{name}") else w.name(name)


def changes(r: SizingRequest, alone: bool = False) -> Iterator[dict[str, Any]]:
    """What may be changed of a job, one at a time; on a chip `alone` nothing that only libraries for other chips can do."""
    yield from (change for change in _changes(r) if not (alone and change.keys() & ELSEWHERE))


def _changes(r: SizingRequest) -> Iterator[dict[str, Any]]:
    if r.workload == "inference":
        if r.quantization in WIDE:
            yield {"quantization": "awq-int4"}
        if r.kv_precision in WIDE[:3]:
            yield {"kv_precision": "fp8"}
        if r.context_len and r.context_len > 1024:
            yield {"context_len": r.context_len // 2}
        if r.concurrency and r.concurrency > 1:
            yield {"concurrency": max(1, r.concurrency // 2)}
        return
    if not r.fused_loss:
        yield {"fused_loss": True}
    if r.recompute != "full":
        yield {"recompute": "full"}
    if r.micro_batch and r.micro_batch > 1:
        yield {"micro_batch": 1}
    if r.seq_len and r.seq_len > 512:
        yield {"seq_len": r.seq_len // 2}
    if (r.gpu_count or 1) > 1 and (r.zero_stage or 0) < 3:
        yield {"zero_stage": 3}
    if (r.seq_len or 0) * (r.micro_batch or 1) >= LONG:
        yield {"context_parallel": min(r.gpu_count or 1, r.gpus_per_node or 1)}
        yield {"activation_offload": True}
    if r.workload in ("full_finetune", "pretrain"):
        if r.optimizer == "adamw":
            yield {"optimizer": "adamw_8bit"}
        if r.offload in (None, "none"):
            yield {"offload": "cpu"}
    if r.workload == "full_finetune":
        yield {"workload": "lora"}
    if r.workload in ("full_finetune", "lora"):
        yield {"workload": "qlora"}
