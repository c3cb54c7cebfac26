"""Worked examples of the rules: cases that are sized once, so that every figure of an example belongs to the same case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kb.sizing import rules as _rules  # noqa: F401  registers them
from kb.sizing.request import from_mapping
from kb.sizing.shape import from_row
from kb.sizing.size import size
from kb.types.assumptions import Assumptions
from kb.types.derivation import Node, Step, walk
from kb.types.source import RuleId, Source
from kb.types.specs import Bilingual, Cell, Row, SpecBook, Table

DENSE = {
    "layers": 32, "hidden": 4096, "ffn": 14336, "heads": 32, "kv_heads": 8, "head_dim": 128, "vocab": 128256, "gated_mlp": True,
}  # fmt: skip
MIXED = {
    "layers": 61, "hidden": 7168, "ffn": 18432, "heads": 128, "vocab": 129280, "moe_experts": 256, "moe_top_k": 8,
    "moe_shared_experts": 1, "moe_expert_ffn": 2048, "dense_first_layers": 3, "kv_lora_rank": 512, "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128, "v_head_dim": 128,
}  # fmt: skip
# Models as rows of the table have them, by a name of their own.
MODELS: dict[str, Mapping[str, int | bool]] = {
    "dense": DENSE,
    "windowed": DENSE | {"sliding_window": 4096, "full_attention_layers": 8},
    "hybrid": DENSE
    | {"full_attention_layers": 8, "linear_key_width": 2048, "linear_value_width": 4096, "attention_gate": True},
    "positioned": DENSE | {"learned_positions": 2048, "tied_embeddings": True},
    "latent": MIXED | {"q_lora_rank": 1536},
    "uncompressed": MIXED,
    "grouped": DENSE | {"head_dim": 512, "q_lora_rank": 1024, "o_lora_rank": 1024, "o_groups": 8},
    "sparse": DENSE
    | {"params_total": 31_577_937_344, "params_active": 3_580_073_408, "layers": 52, "hidden": 2688, "gated_mlp": False}
    | {"moe_experts": 128, "moe_top_k": 6, "moe_shared_experts": 1, "moe_expert_ffn": 1856},
    "alternating": DENSE
    | {"moe_experts": 16, "moe_top_k": 2, "moe_shared_experts": 1, "moe_expert_ffn": 4096, "moe_layer_step": 2},
}
COUNTED = ("parameters", "active_parameters", "multiplied", "expert_fraction", "live_width")
GPU = {
    "memory_gb": 80, "memory_bandwidth_gb_s": 3350, "bf16_dense_tflops": 989, "fp8_dense_tflops": 1979, "interconnect_gb_s": 900,
    "tdp_w": 700,
}  # fmt: skip
TUNED = {"workload": "full_finetune", "model": "dense", "gpu": GPU, "gpu_count": 8, "seq_len": 4096}
RUN = {"workload": "pretrain", "model": "dense", "gpu": GPU, "tokens": 1e12}
SERVED = {"workload": "inference", "gpu": GPU, "context_len": 8192, "concurrency": 16}
SENT = {"parameters": 8e9, "network_gbps": 400}
# Requests, each with the values that it asks for by name.
CASES: tuple[tuple[Mapping[str, Any], Sequence[str]], ...] = (
    (RUN | {"gpu_count": 64}, ("dp_size",)),
    (RUN | {"days": 30}, ()),
    (RUN | {"gpu_count": 64, "mfu": 0.4}, ()),
    (RUN | {"gpu_count": 64, "zero_stage": 3, "seq_len": 4096}, ()),
    (RUN | {"gpu_count": 64, "network_gbps": 25}, ()),
    (RUN | {"gpu_count": 64, "model": None, "parameters": 70e9, "interconnect": "25 Gb/s Ethernet"}, ()),
    (TUNED | {"workload": "lora", "gpu_count": 64, "zero_stage": 3}, ()),
    (RUN | {"days": 30, "gpu_count": 64}, ("mfu",)),
    (RUN | {"gpu_count": 64, "precision": "fp8"}, ()),
    (RUN | {"gpu_count": 64, "model": "alternating", "expert_parallel": 8}, ()),
    (TUNED | {"zero_stage": 1, "tensor_parallel": 2}, ()),
    (
        TUNED | {"model": {"layers": 32, "hidden": 4096, "heads": 32, "vocab": 50257}, "recompute": "none"},
        ("activations",),
    ),
    (TUNED | {"ema": True}, ()),
    (TUNED | {"flash_attention": False, "recompute": "none"}, ()),
    (TUNED | {"tensor_parallel": 8, "sequence_parallel": False, "recompute": "selective"}, ()),
    (TUNED | {"gpu_count": 1, "offload": "cpu"}, ()),
    (TUNED | {"workload": "lora", "gpu_count": 1, "offload": "cpu", "zero_stage": 3}, ()),
    (TUNED | {"gpu_count": 1, "offload": "nvme", "zero_stage": 3}, ()),
    *((TUNED | {"workload": "lora", "lora_targets": targets}, ()) for targets in ("q,v", "attention", "mlp", "all")),
    (TUNED | {"workload": "qlora", "gpu_count": 1}, ()),
    *((TUNED | {"gpu_count": None, "post_training": method}, ()) for method in ("dpo", "ppo", "grpo")),
    (SERVED | {"model": "dense", "prompt_tokens": 2048, "output_tokens": 512, "requests_per_second": 10}, ()),
    (SERVED | {"model": "dense", "documents": 1e6, "prompt_tokens": 1024, "output_tokens": 128, "days": 1}, ()),
    (SERVED | {"model": "dense", "lora_rank": 16}, ("max_adapters",)),
    (SERVED | {"model": "dense", "host_ram_gb": 512}, ("host_cache_tokens",)),
    (SERVED | {"model": "dense", "network_gbps": 100}, ("kv_transfer_time",)),
    (SERVED | {"model": "windowed"}, ()),
    (SERVED | {"parameters": 70e9, "gpu_count": 1, "offload": "cpu", "quantization": "q4_k_m"}, ()),
    (SERVED | {"parameters": 70e9, "gpu_count": 1, "host_ram_gb": 128}, ()),
    (SERVED | {"model": "latent", "gpu_count": 1, "quantization": "fp8", "host_ram_gb": 600}, ()),
    ({"gpu": GPU, "gpu_count": 8, "workload": "full_finetune"}, ("max_parameters",)),
    ({"gpu": GPU, "quantization": "fp16"}, ("max_parameters",)),
    ({"gpu": GPU, "price_per_gpu_hour": 2.5, "utilization": 0.5}, ("cost_per_useful_hour",)),
    ({"gpu": GPU, "rack_w": 40_000}, ("server_count", "gpus_on_power")),
    ({"gpu": GPU, "gpu_count": 8, "server_kw": 10.2, "pue": 1.3}, ("power", "heat")),
    (SERVED | {"model": "latent", "quantization": "fp8"}, ()),
    (SERVED | {"parameters": 7e9}, ()),
    ({"gpu": GPU, "gpu_count": 8, "days": 30, "price_per_gpu_hour": 2.5, "budget": 20_000}, ()),
    ({"gpu": GPU, "gpu_count": 8, "days": 30, "utilization": 0.5, "electricity_price": 0.12}, ()),
    ({"gpu": GPU, "gpu_count": 8, "price_per_gpu_hour": 2.5, "purchase_price": 300_000, "electricity_price": 0.12}, ()),
    ({"gpu_count": 8, "days": 1000, "price_per_gpu_hour": 2.5, "purchase_price": 300_000}, ("break_even",)),
    (SERVED | {"parameters": 70e9, "gpu": None, "memory_channels": 12, "memory_mt_s": 4800}, ("host_ram",)),
    (
        {
            "price_per_million_tokens": 2,
            "tokens_per_day": 5e7,
            "purchase_price": 10_000,
            "running_per_day": 5,
            "utilization": 0.5,
        },
        (),
    ),
    ({"gpu": GPU, "gpu_count": 8, "price_per_gpu_hour": 2.5, "tokens_per_second": 9000}, ("cost_per_million_tokens",)),
    ({"gpu_hours": 20_000, "price_per_gpu_hour": 2.5, "surcharge": 0.15}, ()),
    ({"gpu_hours": 3000, "price_per_gpu_hour": 0.8, "full_price_per_gpu_hour": 1.8, "lost_share": 0.1}, ("saving",)),
    ({"gpu_hours": 3000, "price_per_gpu_hour": 2, "discount": 0.8}, ("saving",)),
    (
        {
            "gpu_count": 8,
            "purchase_price": 300_000,
            "days": 1460,
            "utilization": 0.7,
            "power_kw": 10,
            "electricity_price": 0.12,
        },
        ("cost_per_owned_hour",),
    ),
    *(
        ({"data_parallel": 64, "micro_batch": 2, "seq_len": 4096} | batch, ("gradient_accumulation",))
        for batch in ({"global_batch_tokens": 4_000_000}, {"global_batch": 1024})
    ),
    ({"pipeline_parallel": 8, "micro_batches": 32}, ("pipeline_bubble",)),
    ({"size_gb": 14, "gpu_count": 8, "link_gb_s": 900}, ("all_reduce_time",)),
    ({"size_gb": 980, "seconds": 60}, ("write_bandwidth",)),
    ({"size_gb": 140, "copies": 60}, ("storage",)),
    ({"model": "dense", "workload": "inference", "file_formats": "bf16+fp8"}, ("storage",)),
    (TUNED | {"every_hours": 2, "days": 30}, ("checkpoint_size",)),
    (TUNED | {"every_steps": 500, "steps": 10_000}, ("checkpoint_size",)),
    (TUNED, ("storage",)),
    ({"gpu": GPU, "gpu_hours": 20_000}, ("optimal_parameters",)),
    ({"gpu_hours": 180_000, "gpu_count": 2048}, ()),
    ({"gpu": GPU, "gpu_count": 8, "psu_w": 7000}, ("psu",)),
    ({"gpu": GPU, "gpu_count": 8, "power_w": 2000}, ("power",)),
    ({"gpu": GPU, "gpu_count": 2, "circuit_a": 16, "circuit_v": 230}, ("wall_power",)),
    ({"gpu": GPU, "gpu_count": 8, "circuit_a": 32, "circuit_v": 400, "circuit_phases": 3}, ("wall_power",)),
    ({"gpu_count": 8, "price_per_month": 12_000}, ("rent_per_gpu_hour",)),
    ({"storage_gb": 20_000, "days": 365, "price_per_gb_month": 0.023}, ("storage_cost",)),
    ({"gpu": GPU, "price_per_gpu_hour": 2, "price_per_million_tokens": 0.6, "tokens_per_second": 2500}, ("api_break_even",)),
    (
        {"purchase_price": 300_000, "days": 1095, "running_per_day": 70, "power_kw": 10, "electricity_price": 0.12},
        ("cost_of_owning",),
    ),
    ({"gpu": GPU, "gpu_count": 4, "hours": 0.25, "drives": 4, "adapters": 2}, ("ups", "pcie_lanes")),
    (SENT, ("download_time", "all_reduce_time")),
    (SENT | {"gpu_count": 8}, ("all_reduce_time", "all_gather_time", "reduce_scatter_time", "all_to_all_time")),
    ({"size_gb": 112, "copies": 3, "disk_gb_s": 10}, ("write_time",)),
    (TUNED | {"copies": 3}, ("checkpoint_size",)),
    ({"samples": 52_000, "epochs": 3, "global_batch": 128, "step_seconds": 2.4}, ("training_time",)),
    ({"items": 9e8, "items_per_second": 2000, "size_gb": 2e-4, "gpu_count": 64}, ("dataset_size", "read_bandwidth")),
    ({"rack_w": 10_000, "temperature_rise": 15}, ("airflow",)),
    (TUNED, ("moments", "master_weights", "embedding_table", "logits_once")),
    ({"samples_per_second": 20, "seq_len": 4096}, ("tokens_per_second",)),
)
OWN = Source("example", "model", "worked example", "urn:example")


def worked(assumptions: Assumptions) -> dict[RuleId, Step]:
    """An application of each rule that the cases reach, the first whose result is not nothing."""
    found: dict[RuleId, Step] = {}
    for node in walk(*_roots(assumptions)):
        if isinstance(node, Step) and (node.rule not in found or not found[node.rule].value):
            found[node.rule] = node
    return found


def _roots(assumptions: Assumptions) -> Iterator[Node]:
    rows = {name: Row("models", name, name, {c: Cell(v, None, "known", OWN, str(v)) for c, v in columns.items()})
            for name, columns in MODELS.items()}  # fmt: skip
    book = SpecBook({"models": Table("models", Bilingual("", ""), (), rows)})
    for request, wanted in CASES:
        yield from size(from_mapping(request), book, assumptions, wanted).steps.values()
    for row in rows.values():
        shape = from_row(row, assumptions)
        yield from (shape[name] for name in COUNTED if name != "expert_fraction" or shape.is_moe)
