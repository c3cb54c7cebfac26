"""Command lines and configuration lines of common tools: `--flag value`, `key: value`, `key=value`, `"key": value`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

LINE = re.compile(
    r"(?:(?<=\s)|(?<=^)"
    r"|(?<=[\"',{]))-{0,2}\"?(?P<key>[a-z][a-z0-9]{0,20}(?:[-_.][a-z0-9]{1,20}){0,7})\"?(?P<sep>\s?[:=]\s?"
    r"|[ ])\"?(?P<value>[a-z0-9_./+-]{1,80})"
)


def _count(text: str) -> int | None:
    m = re.fullmatch(r"(\d{1,9})(k?)", text)
    return int(m[1]) * (1024 if m[2] else 1) if m else None


def _fraction(text: str) -> float | None:
    return float(text) if re.fullmatch(r"0?\.\d{1,4}|1(?:\.0+)?", text) else None


def _stage(text: str) -> int | None:
    m = re.search(r"(?:z|zero[-_]?|stage[-_]?)([0-3])(?!\d)", text) or re.fullmatch(r"([0-3])", text)
    return int(m[1]) if m else None


def _kind(text: str) -> str | None:
    return {"full": "full_finetune", "lora": "lora", "qlora": "qlora", "freeze": None, "pt": "pretrain"}.get(text)


def _format(text: str) -> str | None:
    return text if re.fullmatch(r"fp(?:8|16|32)(?:_e\dm\d)?|bf16|bfloat16|float16|half|int[48]|awq|gptq|auto", text) else None


FLAGS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "finetuning_type": ("workload", _kind),
    "deepspeed": ("zero_stage", _stage),
    "stage": ("zero_stage", _stage),
    "zero_stage": ("zero_stage", _stage),
    "zero": ("zero_stage", _stage),
    "cutoff_len": ("seq_len", _count),
    "max_seq_length": ("seq_len", _count),
    "max_seq_len": ("seq_len", _count),
    "sequence_len": ("seq_len", _count),
    "seq_length": ("seq_len", _count),
    "model_max_length": ("seq_len", _count),
    "max_length": ("seq_len", _count),
    "max_model_len": ("context_len", _count),
    "ctx_size": ("context_len", _count),
    "n_ctx": ("context_len", _count),
    "num_ctx": ("context_len", _count),
    "per_device_train_batch_size": ("micro_batch", _count),
    "micro_batch_size": ("micro_batch", _count),
    "train_micro_batch_size_per_gpu": ("micro_batch", _count),
    "gradient_accumulation_steps": ("gradient_accumulation", _count),
    "global_batch_size": ("global_batch", _count),
    "tensor_parallel_size": ("tensor_parallel", _count),
    "tensor_model_parallel_size": ("tensor_parallel", _count),
    "tp": ("tensor_parallel", _count),
    "pipeline_parallel_size": ("pipeline_parallel", _count),
    "pipeline_model_parallel_size": ("pipeline_parallel", _count),
    "pp": ("pipeline_parallel", _count),
    "context_parallel_size": ("context_parallel", _count),
    "cp": ("context_parallel", _count),
    "expert_parallel_size": ("expert_parallel", _count),
    "expert_model_parallel_size": ("expert_parallel", _count),
    "ep": ("expert_parallel", _count),
    "dp": ("data_parallel", _count),
    "data_parallel_size": ("data_parallel", _count),
    "gpu_memory_utilization": ("gpu_memory_utilization", _fraction),
    "max_num_seqs": ("concurrency", _count),
    "kv_cache_dtype": ("kv_precision", _format),
    "cache_type_k": ("kv_precision", _format),
    "quantization": ("quantization", _format),
    "lora_rank": ("lora_rank", _count),
    "lora_r": ("lora_rank", _count),
    "nproc_per_node": ("gpus_per_node", _count),
    "nnodes": ("nodes", _count),
    "num_gpus": ("gpu_count", _count),
    "num_layers": ("layers", _count),
    "hidden_size": ("hidden", _count),
    "num_attention_heads": ("heads", _count),
    "num_key_value_heads": ("kv_heads", _count),
}
FALSE = frozenset({"false", "0", "no", "none", "off"})
SWITCHES = {
    "gradient_checkpointing": ("recompute", "full", "none"),
    "load_in_4bit": ("quantization", "nf4", None),
    "load_in_8bit": ("quantization", "int8", None),
    "recompute_activations": ("recompute", "selective", "none"),
    "flash_attn": ("flash_attention", True, False),
}
FORMATS = ("bf16", "fp16", "fp8", "tf32")


def read_flags(low: str) -> tuple[dict[str, Any], frozenset[str]]:
    """(slots set by flags and configuration lines, formats switched off)."""
    slots: dict[str, Any] = {}
    off: set[str] = set()
    for m in LINE.finditer(low):
        key, value = m["key"].replace("-", "_"), m["value"].strip("./")
        written = low[m.start() : m.start() + 2] == "--" or m["sep"].strip() or "_" in m["key"]
        if not written:
            continue
        if key in FLAGS:
            slot, convert = FLAGS[key]
            found = convert(value)
            if found is not None:
                slots[slot] = found
            if key == "deepspeed" and "offload" in value:
                slots["offload"] = "cpu"
        elif key in SWITCHES and (m["sep"].strip() or low[m.start() : m.start() + 2] == "--"):
            slot, on, without = SWITCHES[key]
            chosen = without if value in FALSE else on
            if chosen is not None:
                slots[slot] = chosen
        elif key in FORMATS and value in FALSE:
            off.add(key)
    return slots, frozenset(off)
