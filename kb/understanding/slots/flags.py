"""Command lines and configuration lines of common tools: `--flag value`, `-f value`, `key: value`, `key=value`, `"key": value`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

LINE = re.compile(
    r"(?:(?<=\s)|(?<=^)|(?<=[\"',{])|(?<=:)(?=--))(?P<dash>-{0,2})\"?(?P<key>[a-z][a-z0-9]{0,20}(?:[-_.][a-z0-9]{1,20}){0,7})\"?(?P<sep>\s?[:=]\s?"
    r"|[ ](?![a-z0-9_.-]{1,40}\s?=))\"?(?!-)(?P<value>[a-z0-9_./+-]{1,80})"
)
ALONE = re.compile(
    r"(?:(?<=\s)|(?<=^))--?(?P<key>[a-z][a-z0-9]{0,20}(?:[-_][a-z0-9]{1,20}){0,5})(?=\s+-|\s*$|\s*\\|\s+[^\sa-z0-9/.\"'])"
)
VISIBLE = re.compile(r"cuda_visible_devices\s?=\s?\"?(\d{1,2}(?:,\s?\d{1,2}){0,63})")
NESTED = re.compile(r"offload_(?:optimizer|param)[\"']?\s?[:=]\s?\{[^}]{0,60}?device[\"']?\s?[:=]\s?[\"']?(cpu|nvme)")
FALSE = frozenset({"false", "0", "no", "none", "off"})


def _count(text: str) -> int | None:
    m = re.fullmatch(r"(\d{1,9})(k?)", text)
    return int(m[1]) * (1024 if m[2] else 1) if m else None


def _fraction(text: str) -> float | None:
    return float(text) if re.fullmatch(r"0?\.\d{1,4}|1(?:\.0+)?", text) else None


def _stage(text: str) -> int | None:
    m = re.search(r"(?:z|zero[-_]?|stage[-_]?)([0-3])(?!\d)", text) or re.fullmatch(r"([0-3])", text)
    return int(m[1]) if m else None


def _shard(text: str) -> int | None:
    return 3 if re.search(r"full_shard|hybrid_shard|^1$", text) else 2 if "grad_op" in text or text == "2" else None


def _kind(text: str) -> str | None:
    return {"full": "full_finetune", "lora": "lora", "qlora": "qlora", "pt": "pretrain"}.get(text)


def _device(text: str) -> str | None:
    return text if text in ("cpu", "nvme") else "none" if text in FALSE else None


def _granularity(text: str) -> str | None:
    return text if text in ("full", "selective") else None


def _optimizer(text: str) -> str | None:
    eight = "8bit" in text or "8-bit" in text
    name = next((n for n in ("adafactor", "muon", "lion", "sgd", "adam") if n in text), None)
    return ("adamw_8bit" if eight else "adamw") if name == "adam" else name


def _of_weights(text: str) -> str | None:
    """The format of weights, as the flags of serving engines call it."""
    for start, name in (
        ("awq", "awq-int4"),
        ("gptq", "gptq-int4"),
        ("bitsandbytes", "nf4"),
        ("bnb", "nf4"),
        ("w4a16", "int4"),
        ("w8a8", "int8"),
    ):
        if text.startswith(start):
            return name
    if "fp4" in text:
        return "fp4"
    return (
        "fp8"
        if "fp8" in text
        else {"4": "nf4", "8": "int8"}.get(text) or (text if text in ("int4", "int8", "nf4", "fp16", "bf16") else None)
    )


def _of_cache(text: str) -> str | None:
    """The format of a KV cache: fp8_e5m2, q8_0, f16."""
    if text.startswith("fp8"):
        return "fp8"
    named = {
        "q8_0": "int8",
        "q4_0": "int4",
        "q4_1": "int4",
        "f16": "fp16",
        "half": "fp16",
        "float16": "fp16",
        "bfloat16": "bf16",
    }
    return named.get(text) or (text if text in ("int8", "int4", "fp16", "bf16", "fp32") else None)


def _of_slot(slot: str, convert: Callable[[str], Any], *keys: str) -> dict[str, tuple[str, Callable[[str], Any]]]:
    return dict.fromkeys(keys, (slot, convert))


FLAGS: dict[str, tuple[str, Callable[[str], Any]]] = {
    **_of_slot("workload", _kind, "finetuning_type", "train_type", "tuner_type", "adapter", "sft_type", "stage_kind"),
    **_of_slot("zero_stage", _stage, "deepspeed", "stage", "zero_stage", "zero", "zero2_stage", "ds_config", "deepspeed_config"),
    **_of_slot("zero_stage", _shard, "fsdp_sharding_strategy", "sharding_strategy", "fsdp"),
    **_of_slot("offload", _device, "offload_optimizer_device", "offload_param_device", "offload"),
    **_of_slot("seq_len", _count, "cutoff_len", "max_seq_length", "max_seq_len", "sequence_len", "seq_length", "seq_len"),
    **_of_slot("seq_len", _count, "model_max_length", "max_length", "block_size", "encoder_seq_length"),
    **_of_slot("context_len", _count, "max_model_len", "ctx_size", "n_ctx", "num_ctx", "c", "context_length", "max_total_tokens"),
    **_of_slot("prompt_tokens", _count, "max_input_length", "max_input_tokens", "input_len", "random_input_len", "isl"),
    **_of_slot("output_tokens", _count, "max_new_tokens", "output_len", "random_output_len", "n_predict", "osl"),
    **_of_slot("micro_batch", _count, "per_device_train_batch_size", "micro_batch_size", "train_micro_batch_size_per_gpu", "mbs"),
    **_of_slot("gradient_accumulation", _count, "gradient_accumulation_steps"),
    **_of_slot("global_batch", _count, "global_batch_size", "train_batch_size", "gbs"),
    **_of_slot("tensor_parallel", _count, "tensor_parallel_size", "tensor_model_parallel_size", "tp", "tp_size", "num_shard"),
    **_of_slot("pipeline_parallel", _count, "pipeline_parallel_size", "pipeline_model_parallel_size", "pp", "pp_size"),
    **_of_slot("context_parallel", _count, "context_parallel_size", "cp", "cp_size", "sequence_parallel_size"),
    **_of_slot("expert_parallel", _count, "expert_parallel_size", "expert_model_parallel_size", "ep", "ep_size"),
    **_of_slot("data_parallel", _count, "dp", "data_parallel_size", "dp_size"),
    **_of_slot("gpu_memory_utilization", _fraction, "gpu_memory_utilization", "mem_fraction_static", "cache_max_entry_count"),
    **_of_slot("concurrency", _count, "max_num_seqs", "max_running_requests", "np", "parallel", "ollama_num_parallel", "max_batch_size"),
    **_of_slot("kv_precision", _of_cache, "kv_cache_dtype", "cache_type_k", "ctk", "ollama_kv_cache_type"),
    **_of_slot("quantization", _of_weights, "quantization", "quantize", "quantization_bit", "quant_method"),
    **_of_slot("lora_rank", _count, "lora_rank", "lora_r"),
    **_of_slot("optimizer", _optimizer, "optim", "optimizer"),
    **_of_slot("recompute", _granularity, "recompute_granularity"),
    **_of_slot("gpu_layers", _count, "ngl", "n_gpu_layers", "gpu_layers", "num_gpu"),
    **_of_slot("gpus_per_node", _count, "nproc_per_node", "gpus_per_node"),
    **_of_slot("nodes", _count, "nnodes", "num_machines", "num_nodes"),
    **_of_slot("gpu_count", _count, "num_gpus", "num_processes", "world_size", "n_gpus"),
    **_of_slot("layers", _count, "num_layers", "num_hidden_layers", "n_layer"),
    **_of_slot("hidden", _count, "hidden_size", "n_embd"),
    **_of_slot("ffn", _count, "ffn_hidden_size", "intermediate_size"),
    **_of_slot("heads", _count, "num_attention_heads", "n_head"),
    **_of_slot("kv_heads", _count, "num_key_value_heads", "num_query_groups"),
    **_of_slot("head_dim", _count, "head_dim", "kv_channels"),
    **_of_slot("vocab", _count, "vocab_size", "padded_vocab_size"),
    **_of_slot("experts", _count, "num_experts", "n_routed_experts", "num_local_experts"),
    **_of_slot("top_k", _count, "moe_router_topk", "num_experts_per_tok"),
}  # fmt: skip
SHARING = frozenset({"np", "parallel"})  # of llama.cpp: its slots share the context that is given
AXIS = re.compile(r"(?<![a-z])(?:tensor|pipeline|data|context|sequence|expert|model) ?$")
CAPS = frozenset({"max_num_seqs", "max_running_requests"})  # of what an engine takes on at once, no demand
DASHED = frozenset(
    {"c", "np", "parallel", "fa", "stage", "offload", "fsdp", "optimizer", "adapter", "quantization"}
)  # words on their own, too
SWITCHES: dict[str, tuple[str, Any, Any]] = {
    "gradient_checkpointing": ("recompute", "full", "none"),
    "activation_checkpointing": ("recompute", "full", "none"),
    "load_in_4bit": ("quantization", "nf4", None),
    "load_in_8bit": ("quantization", "int8", None),
    "recompute_activations": ("recompute", "selective", "none"),
    "flash_attn": ("flash_attention", True, False),
    "flash_attention": ("flash_attention", True, False),
    "use_flash_attn": ("flash_attention", True, False),
    "fsdp_offload_params": ("offload", "cpu", None),
    "use_distributed_optimizer": ("zero_stage", 1, None),
    "sequence_parallel": ("sequence_parallel", True, False),
    "use_lora": ("workload", "lora", None),
    "use_qlora": ("workload", "qlora", None),
    "fa": ("flash_attention", True, False),
    "use_liger_kernel": ("fused_loss", True, False),
    "enable_liger_kernel": ("fused_loss", True, False),
    "activation_offloading": ("activation_offload", True, False),
    "enable_activation_offloading": ("activation_offload", True, False),
}
FORMATS = ("bf16", "fp16", "fp8", "tf32")
SERVING = frozenset({"context_len", "gpu_memory_utilization", "concurrency", "kv_precision", "gpu_layers", "output_tokens"})
TRAINING = frozenset(
    {"micro_batch", "global_batch", "gradient_accumulation", "zero_stage", "lora_rank", "seq_len", "optimizer", "recompute"}
)


def read_flags(low: str) -> tuple[dict[str, Any], frozenset[str]]:
    """(slots set by flags and configuration lines, formats switched off)."""
    slots: dict[str, Any] = {}
    off: set[str] = set()
    if not any(c in low for c in "-_:="):
        return slots, frozenset()
    for m in LINE.finditer(low):
        key, value, colon = m["key"].replace("-", "_"), m["value"].strip("./"), bool(m["sep"].strip())
        written = m["dash"] or colon or ("_" in m["key"] and "_" in key)
        if not written or (key in DASHED and not (m["dash"] or colon)):
            continue
        if key in SHARING and not m["dash"] and AXIS.search(low, 0, m.start("key")):
            continue  # a degree of parallelism
        if key in FLAGS:
            slot, convert = FLAGS[key]
            found = convert(value)
            if found is not None:
                slots[slot] = found
            if key in CAPS and found:
                slots["cap"] = found
            if key in SHARING and found:
                slots["slots_share"] = found
            if slot == "zero_stage" and "offload" in value:
                slots["offload"] = "cpu"
        elif key in SWITCHES:
            _switch(slots, key, value not in FALSE)
        elif key in FORMATS and value in FALSE:
            off.add(key)
    for m in ALONE.finditer(low):
        _switch(slots, m["key"].replace("-", "_"), True)
    if slots.get("slots_share") and slots.get("context_len", 0) >= slots["slots_share"]:
        slots["context_len"] //= slots["slots_share"]
    nested, visible = NESTED.search(low), VISIBLE.search(low)
    if nested:
        slots["offload"] = nested[1]
    if visible:
        slots.setdefault("gpu_count", visible[1].count(",") + 1)
    if "gpus_per_node" in slots:
        slots.setdefault("gpu_count", slots["gpus_per_node"] * slots.get("nodes", 1))
    if slots.get("workload") == "lora" and slots.get("quantization") in ("nf4", "int4"):
        slots["workload"] = "qlora"
    if SERVING & slots.keys() and not TRAINING & slots.keys():
        slots.setdefault("workload", "inference")
    return slots, frozenset(off)


def _switch(slots: dict[str, Any], key: str, on: bool) -> None:
    if key in SWITCHES:
        slot, when_on, when_off = SWITCHES[key]
        chosen = when_on if on else when_off
        if chosen is not None:
            slots[slot] = chosen
