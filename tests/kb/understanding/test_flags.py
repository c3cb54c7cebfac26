"""Commands, configuration files and out-of-memory messages fill slots."""

from __future__ import annotations

from typing import Any

import pytest

from kb.understanding import Reader

AXOLOTL = """base_model: mistralai/Mistral-7B-v0.1
adapter: qlora
load_in_4bit: true
sequence_len: 8192
lora_r: 16
micro_batch_size: 2
optimizer: adamw_bnb_8bit
would that fit on a 24GB card?"""
DEEPSPEED = (
    '{"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}}, "train_micro_batch_size_per_gpu": 4} 13B 全参'
)
MEGATRON = (
    "--tensor-model-parallel-size 4 --pipeline-model-parallel-size 8 --num-layers 96 --hidden-size 12288 --num-attention-heads 96 "
    "--seq-length 2048 --recompute-granularity selective --use-distributed-optimizer --sequence-parallel"
)
OOM = "CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 39.39 GiB of which 100.00 MiB is free. lora 13B"


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        (AXOLOTL, {"workload": "qlora", "quantization": "nf4", "seq_len": 8192, "lora_rank": 16,
                   "optimizer": "adamw_8bit", "memory_gb": 24.0}),
        (DEEPSPEED, {"zero_stage": 3, "offload": "cpu", "micro_batch": 4, "workload": "full_finetune", "parameters": 13e9}),
        (MEGATRON, {"tensor_parallel": 4, "pipeline_parallel": 8, "layers": 96, "hidden": 12288, "heads": 96, "zero_stage": 1,
                    "recompute": "selective", "sequence_parallel": True}),
        ("llama-server -m qwen2.5-14b-instruct-q4_k_m.gguf -ngl 99 -c 32768 -np 8 -ctk q8_0",
         {"model": "qwen2.5-14b", "context_len": 4096, "concurrency": 8, "slots_share": 8, "kv_precision": "int8", "gpu_layers": 99,
          "workload": "inference"}),
        ("vllm serve Qwen/Qwen2.5-32B-Instruct-AWQ -tp 2 --quantization awq_marlin --max-num-seqs 32 --kv-cache-dtype fp8_e4m3",
         {"model": "qwen2.5-32b", "tensor_parallel": 2, "quantization": "awq-int4", "concurrency": 32, "kv_precision": "fp8"}),
        ("python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp-size 16 --context-length 65536",
         {"model": "deepseek-v3", "tensor_parallel": 16, "context_len": 65536, "workload": "inference"}),
        ("torchrun --nproc_per_node=8 --nnodes=4 train.py --model_name_or_path meta-llama/Llama-2-7b-hf",
         {"gpus_per_node": 8, "nodes": 4, "gpu_count": 32, "model": "llama2-7b"}),
        ("CUDA_VISIBLE_DEVICES=0,1,2,3 llamafactory-cli train --stage sft --finetuning_type lora --quantization_bit 4 --cutoff_len 4096",
         {"gpu_count": 4, "workload": "qlora", "quantization": "nf4", "seq_len": 4096}),
        ("llamafactory-cli train --finetuning_type lora --cutoff_len 8192 --enable_liger_kernel true --activation_offloading",
         {"engine": "llama-factory", "seq_len": 8192, "fused_loss": True, "activation_offload": True}),
        ("fsdp_sharding_strategy: SHARD_GRAD_OP\nfsdp_offload_params: true\nnum_processes: 2",
         {"zero_stage": 2, "offload": "cpu", "gpu_count": 2}),
        ("ollama run deepseek-r1:14b", {"model": "r1-distill-qwen-14b", "workload": "inference"}),
        ("OLLAMA_NUM_PARALLEL=4 ollama run llama3.1:8b", {"concurrency": 4, "model": "llama3.1-8b"}),
        (OOM, {"memory_gb": 40.0, "workload": "lora", "parameters": 13e9}),
    ],
)  # fmt: skip
def test_a_pasted_command_fills_slots(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    found = reader.read(text).slots
    assert {k: found.get(k) for k in slots} == slots


def test_figures_of_an_allocator_are_no_sizes(reader: Reader) -> None:
    assert "size_gb" not in reader.read(OOM).slots


def test_a_format_switched_off_is_not_used(reader: Reader) -> None:
    assert reader.read("finetuning_type: full\nbf16: false\nfp16: true\nmodel: Qwen2.5-7B").slots["precision"] == "fp16"


def test_words_that_are_also_flags_are_words(reader: Reader) -> None:
    slots = reader.read("which stage of 3 stages, c 8, np hard, parallel 4 lanes for a 7B").slots
    assert not {"zero_stage", "context_len", "concurrency"} & slots.keys()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("--tensor-parallel-size 4 --max-model-len 32768 显卡是 L20 48G，跑 Qwen2.5-32B 会爆吗", None),
        ("vllm serve Qwen/Qwen2.5-32B-Instruct --max-model-len 16384 GPU is A100 80GB, will it OOM", None),
        ("max_num_seqs=64 A100 80G 跑 Qwen2.5-32B 会爆吗", None),
        ("--max-model-len 32768 on 4 L20, Qwen2.5-32B, will it OOM", 4),
        ("--max-model-len 8192，2 张 A100 跑 Qwen2.5-72B 够吗", 2),
    ],
)
def test_the_number_of_an_option_counts_no_cards(reader: Reader, text: str, count: int | None) -> None:
    found = reader.read(text).slots
    assert (found.get("gpu_count") or 1) == (count or 1) and "nodes" not in found
