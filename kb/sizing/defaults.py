"""What a request leaves unsaid is filled in here, each choice with its reason in `corpus/assumptions/defaults.toml`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kb.sizing.case import Case
from kb.sizing.contradictions import check_layout
from kb.types.answer import Assumed
from kb.types.sizing import ModelShape, SizingRequest

TRAINING = ("seq_len", "micro_batch")
EXCHANGE = ("prompt_tokens", "output_tokens")
LAYOUT = ("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel")
SERVING = ("context_len", "concurrency", "gpu_memory_utilization")


def filled(case: Case) -> Case:
    """The case with workload, precision, lengths and batch filled in; layout follows when the number of GPUs is settled."""
    r = case.request
    if case.shape is None:
        return case
    new: dict[str, Any] = {}
    workload = r.workload or ("lora" if r.lora_rank or r.lora_targets else "pretrain" if _trains(r) else "inference")
    new["workload"] = workload
    words = {"inference": ("quantization", "kv_precision")}.get(workload, ("precision", "optimizer", "offload"))
    new |= {w: case.assumptions.choices[_choice(case, w)].value for w in words if getattr(r, w) is None}
    if workload == "inference" and (r.requests_per_second or r.demanded_tokens_per_second) and not r.output_tokens:
        new |= {n: _usual(case, n) for n in EXCHANGE if getattr(r, n) is None}
    if workload == "inference" and batched(r):
        new |= {n: _usual(case, n) for n in EXCHANGE if getattr(r, n) is None}
        if r.output_tokens is None and r.labelled:
            new["output_tokens"] = _plain(case.constant("label_tokens").value)
    prompt, output = (new.get(n, getattr(r, n)) for n in EXCHANGE)
    if workload == "inference" and r.context_len is None and (prompt or r.seq_len):
        new["context_len"] = prompt + (output or 0) if prompt else r.seq_len
    if workload != "inference" and r.seq_len is None and r.context_len:
        new["seq_len"] = r.context_len  # one length by either of its names
    if workload == "inference" and r.concurrency is None and (many := r.people or r.active_users):
        new["concurrency"] = _at_once(case, many)
    numbers = SERVING if workload == "inference" else TRAINING
    new |= {n: _usual(case, n) for n in numbers if getattr(r, n) is None and n not in new}
    if workload == "inference":
        if offloads(case) and r.engine is None:
            new["engine"] = case.assumptions.choices["default.offloading_engine"].value
    else:
        new["flash_attention"] = True if r.flash_attention is None else r.flash_attention
        if r.engine is None and case.own_trainer:
            new["engine"] = case.own_trainer
        if workload in ("lora", "qlora"):
            targets = "default.lora_targets_moe" if case.shape.is_moe else "default.lora_targets"
            new["lora_targets"] = r.lora_targets or case.assumptions.choices[targets].value
            new["lora_rank"] = r.lora_rank or _plain(case.constant("default.lora_rank").value)
        if workload == "qlora" and r.quantization is None:
            usual, own = "default.qlora_quantization", f"default.qlora_quantization_of_{case.but(**new).engine}"
            new["quantization"] = case.assumptions.choices[own if own in case.assumptions.choices else usual].value
    return case.but(**new)


def _at_once(case: Case, people: int) -> int:
    """Of so many people those who send a request at the same time."""
    share = case.constant(case.default("concurrency")).value
    return math.ceil(max(share * people, min(people, case.constant("people.few").value)))


def _trains(r: SizingRequest) -> bool:
    return bool(r.tokens or r.seq_len or r.optimizer or r.zero_stage is not None)


def _choice(case: Case, field: str) -> str:
    """The default of a field that is a word: that of the engine, the model or the hardware when it has its own."""
    if field == "quantization" and (own := f"default.quantization_of_{case.engine}") in case.assumptions.choices:
        return own
    if field == "quantization" and f"published.{case.published}" in case.assumptions.choices:
        return f"published.{case.published}"
    lacks = case.chip is not None and "bf16" in case.chip.unsupported
    if field == "precision" and bare_eight_bits(case) and not lacks:
        return "default.precision_of_8bit"
    return "default.precision_without_bf16" if field in ("precision", "quantization") and lacks else f"default.{field}"


def bare_eight_bits(case: Case) -> bool:
    """Whether an 8-bit optimizer works on weights without a 32-bit copy: as fine-tuning libraries use it, where nothing shards."""
    r = case.request
    alone = r.optimizer == "adamw_8bit" and case.asked.zero_stage is None and not _stated(case)
    return alone and (r.workload == "full_finetune" or (r.workload is None and not r.tokens))


def laid_out(case: Case, gpu_count: int) -> Case:
    """The case on `gpu_count` GPUs with a layout: what the asker said of it, the rest by the usual order. Raises InvalidInput when
    what was said does not divide the GPUs, heads or layers."""
    r, per = case.request, per_node(case)
    tensor, pipeline = r.tensor_parallel, r.pipeline_parallel
    context = r.context_parallel or 1
    if not case.training and case.shape is not None:
        tensor = tensor or _serving_tensor(case, gpu_count // ((pipeline or 1) * context))
        pipeline = pipeline or _serving_stages(case, gpu_count // (tensor * context))
    tensor, pipeline = tensor or 1, pipeline or 1
    replicas = gpu_count // (tensor * pipeline * context)
    stage = r.zero_stage
    if case.training and stage is None:
        stage = (
            0 if replicas * context <= 1 else 1 if _stated(case) and (pipeline > 1 or (tensor > 1 and not case.adapted)) else 3
        )
    spread = case.training and (r.workload == "pretrain" or stage != 0)  # a fine-tune that nothing shards is whole on each
    expert = r.expert_parallel or (_experts(case, gpu_count // pipeline) if spread else 1)
    recompute = r.recompute
    if case.training and recompute is None:
        recompute = case.assumptions.choices[_recompute(case)].value
    sequence = r.sequence_parallel if r.sequence_parallel is not None else tensor > 1
    out = case.but(
        gpu_count=gpu_count, gpus_per_node=per, tensor_parallel=tensor, pipeline_parallel=pipeline, context_parallel=context,
        expert_parallel=expert, zero_stage=stage, recompute=recompute, sequence_parallel=sequence if case.training else None,
    )  # fmt: skip
    check_layout(out)
    return out


def _recompute(case: Case) -> str:
    """The default of recomputation: fine-tuning libraries offer whole layers; what splits models or computes in low precision is more
    selective, but of scores that are said to be kept none."""
    library = case.request.workload != "pretrain" and not _stated(case) and case.request.precision not in ("fp8", "fp4")
    usual = "default.recompute_with_scores" if case.request.flash_attention is False else "default.recompute_usually"
    return "default.recompute" if library else usual


def _stated(case: Case) -> bool:
    """Whether the asker said how the model is split."""
    return case.asked.tensor_parallel is not None or case.asked.pipeline_parallel is not None


def replicable(case: Case) -> bool:
    """Whether a fine-tune may be run with the whole model on every GPU: nothing was said that splits or shards it."""
    r = case.request
    split = _stated(case) or r.expert_parallel or (r.context_parallel or 1) > 1
    shards = f"shards.{case.engine}" in case.assumptions.constants or r.offload in ("cpu", "nvme")
    tuned = case.adapted or r.workload == "full_finetune"
    return tuned and r.zero_stage is None and r.shard_degree is None and not (split or shards)


def per_node(case: Case) -> int:
    """GPUs per server: as said, as the table has it, or the usual eight."""
    said = case.request.gpus_per_node
    typical = case.chip.get("gpus_per_node") if case.chip else None
    return said or int((typical or case.constant("default.gpus_per_node")).value)


def _experts(case: Case, gpus: int) -> int:
    """The GPUs of a server over which experts are spread: the most that divide experts and GPUs."""
    experts = case.shape["experts"].value if case.shape and case.shape.is_moe and case.shape.known("experts") else 1
    return max(n for n in range(1, min(gpus, per_node(case)) + 1) if experts % n == 0 and gpus % n == 0)


def _serving_tensor(case: Case, gpus: int) -> int:
    """The widest tensor parallelism inside a server that divides the heads and the GPUs."""
    if case.splits_layers:
        return 1
    heads = case.shape["heads"].value if case.shape and case.shape.known("heads") else 0
    width = min(gpus, per_node(case))
    return max((t for t in range(1, width + 1) if gpus % t == 0 and (heads % t == 0 if heads else t & (t - 1) == 0)), default=1)


def assumed(case: Case, language: str) -> list[Assumed]:
    """Every default that was filled in, for the asker to change."""
    out = []
    for slot in (
        *TRAINING,
        *SERVING,
        *EXCHANGE,
        "lora_rank",
        "zero_stage",
        "shard_degree",
        "gpu_count",
        "gpus_per_node",
        "tensor_parallel",
        "pipeline_parallel",
        "context_parallel",
        "expert_parallel",
    ):
        value = getattr(case.request, slot)
        trivial = (value == 1 and slot in LAYOUT) or (slot == "zero_stage" and case.gpu_count == 1)
        if (
            getattr(case.asked, slot) is None
            and value is not None
            and not _said_otherwise(case, slot)
            and not trivial
            and not (slot == "gpus_per_node" and case.gpu_count == 1)
        ):
            out.append(Assumed(slot, value, case.constant(_reason(case, slot)).reason.of(language)))
    if case.training and case.asked.flash_attention is None:
        used = bool(case.request.flash_attention)
        reason = case.constant("default.flash_attention" if used else "plain_attention").reason
        out.append(Assumed("flash_attention", used, reason.of(language)))
    for choice in case.assumptions.choices.values():
        chosen = getattr(case.asked, choice.slot) is None and getattr(case.request, choice.slot) == choice.value
        if chosen and choice.slot != "offload" and choice.slot not in {a.slot for a in out}:
            out.append(Assumed(choice.slot, choice.value, choice.reason.of(language)))
    return out


def usable_fraction(case: Case) -> str:
    """The assumption that says which part of the memory is the job's: less of memory that is the processor's too."""
    capacity = case.chip.get("memory") if case.chip else None
    if capacity is None or case.chip is None or not case.chip.unified:
        return "default.gpu_memory_utilization"
    return "unified.small" if capacity.value <= case.constant("unified.limit").value else "unified.large"


def _said_otherwise(case: Case, slot: str) -> bool:
    """A length that was given by another name: as prompt and output, or as that of training for serving and the other way round."""
    other = {"context_len": case.request.prompt_tokens or case.asked.seq_len, "seq_len": case.asked.context_len}
    return bool(other.get(slot))


def _reason(case: Case, slot: str) -> str:
    """The assumption behind a default."""
    if slot == "gpu_memory_utilization":
        return usable_fraction(case)
    if slot == "zero_stage" and case.request.zero_stage == 0:
        return "replicated.adapters"
    if slot == "output_tokens" and case.request.labelled:
        return "label_tokens"
    loaded = carries_load(case) or batched(case.request)
    return "load.sequences" if slot == "concurrency" and loaded else case.default(slot)


def offloads(case: Case) -> bool:
    """Whether layers may stay in host memory."""
    return case.request.offload in ("cpu", "nvme")


def batched(r: SizingRequest) -> bool:
    """Whether a batch of documents is to be worked off."""
    return bool(r.documents or r.input_tokens or r.generated_tokens)


def carries_load(case: Case) -> bool:
    """Whether requests, or tokens, per second are to be served."""
    r = case.request
    return not case.training and bool(r.demanded_tokens_per_second or (r.requests_per_second and r.output_tokens))


def _serving_stages(case: Case, groups: int) -> int:
    """The other GPUs split the layers; where there are more of them than layers, they are replicas."""
    layers = int(case.shape["layers"].value) if case.shape and case.shape.known("layers") else groups
    return max((n for n in range(1, min(groups, layers) + 1) if groups % n == 0), default=1)


def textbook(request: SizingRequest, wanted: Sequence[str]) -> SizingRequest:
    """Whoever asks for the activations of bare figures with a number of heads, which matters to attention scores alone, means the block
    of the published formula, whose selective recomputation removes just these scores. Any figure of a modern block, and any other
    question, leaves the request as it is."""
    model = request.model
    bare = isinstance(model, ModelShape) and model.heads and not (model.ffn or model.kv_heads or model.gated_mlp is not None)
    if "activations" not in wanted or not bare or request.flash_attention:
        return request
    assert isinstance(model, ModelShape)
    block = replace(model, gated_mlp=False, ffn=4 * model.hidden if model.hidden else None)
    return replace(request, model=block, flash_attention=False)


def published(request: SizingRequest) -> bool:
    """Whether the model is the block of the published formula for activations, as `textbook` and the paper have it."""
    model = request.model
    if not isinstance(model, ModelShape) or request.flash_attention is not False or model.gated_mlp is not False:
        return False
    return bool(model.hidden and model.ffn == 4 * model.hidden and model.kv_heads is None)


def _usual(case: Case, name: str) -> float | int:
    """The usual number for a field; a length no longer than the model's context."""
    value = case.constant(usable_fraction(case) if name == "gpu_memory_utilization" else f"default.{name}").value
    if name in ("seq_len", "context_len") and case.shape and case.shape.known("context"):
        value = min(value, case.shape["context"].value)
    return _plain(value)


def _plain(value: float) -> float | int:
    return int(value) if value.is_integer() else value
