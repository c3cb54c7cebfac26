"""A sizing call on the real assumptions and a small spec book of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kb.ingest.assumptions import read_assumptions
from kb.sizing.request import from_mapping
from kb.sizing.size import size
from kb.types.assumptions import Assumptions
from kb.types.sizing import SizingResult
from kb.types.source import Source
from kb.types.specs import Bilingual, Cell, Row, SpecBook, Table

CORPUS = Path(__file__).parents[3] / "corpus"
SHEET = Source("sheet", "spec", "A data sheet", "https://example.org/sheet")

ACCELERATORS: dict[str, dict[str, Any]] = {
    "big-80gb": {
        "kind": "data centre GPU",
        "memory_gb": 80,
        "memory_type": "HBM3",
        "memory_bandwidth_gb_s": 3350,
        "bf16_dense_tflops": 989.4,
        "fp16_dense_tflops": 989.4,
        "fp8_dense_tflops": 1978.9,
        "interconnect_gb_s": 900,
        "tdp_w": 700,
        "max_gpus_per_node_typical": 8,
    },
    "older-80gb": {
        "memory_gb": 80,
        "memory_type": "HBM2e",
        "memory_bandwidth_gb_s": 2039,
        "bf16_dense_tflops": 312,
        "fp16_dense_tflops": 312,
        "fp8_dense_tflops": "unsupported",
        "interconnect_gb_s": 600,
        "tdp_w": 400,
        "max_gpus_per_node_typical": 8,
    },
    "desk-24gb": {
        "kind": "consumer GPU",
        "memory_gb": 24,
        "memory_type": "GDDR6X",
        "memory_bandwidth_gb_s": 1008,
        "bf16_dense_tflops": 165.2,
        "fp16_dense_tflops": 165.2,
        "fp8_dense_tflops": 330.3,
        "interconnect_gb_s": "unsupported",
        "tdp_w": 450,
        "max_gpus_per_node_typical": 4,
    },
    "shared-32gb": {
        "memory_gb": 32,
        "memory_type": "LPDDR5 (unified)",
        "memory_bandwidth_gb_s": 400,
        "bf16_dense_tflops": 27,
        "fp16_dense_tflops": 27,
        "max_gpus_per_node_typical": 1,
    },
    "shared-64gb": {
        "vendor": "Apple",
        "memory_gb": 64,
        "memory_type": "LPDDR5 (unified)",
        "memory_bandwidth_gb_s": 400,
        "bf16_dense_tflops": 27,
        "fp16_dense_tflops": 27,
        "max_gpus_per_node_typical": 1,
    },
    "turing-16gb": {
        "memory_gb": 16,
        "memory_type": "GDDR6",
        "memory_bandwidth_gb_s": 320,
        "bf16_dense_tflops": "unsupported",
        "fp16_dense_tflops": 65,
        "fp8_dense_tflops": "unsupported",
        "tdp_w": 70,
        "max_gpus_per_node_typical": 4,
    },
    "small-4gb": {
        "memory_gb": 4,
        "memory_type": "GDDR6",
        "memory_bandwidth_gb_s": 128,
        "fp16_dense_tflops": 10,
        "tdp_w": 60,
    },
    "domain-186gb": {
        "memory_gb": 186,
        "memory_type": "HBM3e",
        "memory_bandwidth_gb_s": 8000,
        "bf16_dense_tflops": 2500,
        "fp16_dense_tflops": 2500,
        "fp8_dense_tflops": 5000,
        "fp4_dense_tflops": 10000,
        "interconnect_gb_s": 1800,
        "tdp_w": 1200,
        "max_gpus_per_node_typical": 4,
        "linked_gpus": 64,
    },
    "laptop-8gb": {
        "kind": "laptop GPU",
        "max_gpus_per_node_typical": 1,
        "memory_gb": 8,
        "memory_type": "GDDR6",
        "memory_bandwidth_gb_s": 256,
        "bf16_dense_tflops": 30,
        "fp16_dense_tflops": 30,
        "tdp_w": 115,
    },
}
MODELS: dict[str, dict[str, Any]] = {
    "dense-8b": {
        "params_total": 8030261248,
        "params_active": 8030261248,
        "layers": 32,
        "hidden": 4096,
        "ffn": 14336,
        "gated_mlp": True,
        "heads": 32,
        "kv_heads": 8,
        "head_dim": 128,
        "vocab": 128256,
        "tied_embeddings": False,
        "context": 131072,
        "attention": "GQA",
    },
    "dense-70b": {
        "params_total": 70553706496,
        "params_active": 70553706496,
        "layers": 80,
        "hidden": 8192,
        "ffn": 28672,
        "gated_mlp": True,
        "heads": 64,
        "kv_heads": 8,
        "head_dim": 128,
        "vocab": 128256,
        "tied_embeddings": False,
        "context": 131072,
        "attention": "GQA",
    },
    "mixture-671b": {
        "params_total": 671026419200,
        "params_active": 37552297472,
        "layers": 61,
        "hidden": 7168,
        "ffn": 18432,
        "gated_mlp": True,
        "heads": 128,
        "kv_heads": 128,
        "head_dim": 192,
        "vocab": 129280,
        "tied_embeddings": False,
        "attention": "MLA",
        "kv_lora_rank": 512,
        "q_lora_rank": 1536,
        "qk_rope_head_dim": 64,
        "qk_nope_head_dim": 128,
        "v_head_dim": 128,
        "moe_experts": 256,
        "moe_top_k": 8,
        "moe_shared_experts": 1,
        "moe_expert_ffn": 2048,
        "dense_first_layers": 3,
    },
    "windowed-7b": {
        "params_total": 7241732096,
        "params_active": 7241732096,
        "layers": 32,
        "hidden": 4096,
        "ffn": 14336,
        "gated_mlp": True,
        "heads": 32,
        "kv_heads": 8,
        "head_dim": 128,
        "vocab": 32000,
        "tied_embeddings": False,
        "sliding_window": 4096,
        "full_attention_layers": 0,
    },
    "hybrid-80b": {
        "params_total": 80e9,
        "params_active": 3e9,
        "layers": 48,
        "hidden": 2048,
        "ffn": 5120,
        "gated_mlp": True,
        "heads": 16,
        "kv_heads": 2,
        "head_dim": 256,
        "vocab": 151936,
        "tied_embeddings": False,
        "context": 262144,
        "attention": "hybrid: linear layers, full attention every 4th layer",
        "full_attention_layers": 12,
        "moe_experts": 512,
        "moe_top_k": 10,
        "moe_shared_experts": 1,
        "moe_expert_ffn": 512,
        "dense_first_layers": 0,
    },
    "alternating-27b": {
        "params_total": 27009002240,
        "params_active": 27009002240,
        "layers": 62,
        "hidden": 5376,
        "ffn": 21504,
        "gated_mlp": True,
        "heads": 32,
        "kv_heads": 16,
        "head_dim": 128,
        "vocab": 262144,
        "tied_embeddings": True,
        "context": 131072,
        "sliding_window": 1024,
        "full_attention_layers": 10,
    },
    "many-heads-7b": {
        "params_total": 6738415616,
        "params_active": 6738415616,
        "layers": 32,
        "hidden": 4096,
        "ffn": 11008,
        "gated_mlp": True,
        "heads": 32,
        "kv_heads": 32,
        "head_dim": 128,
        "vocab": 32000,
        "tied_embeddings": False,
        "context": 4096,
    },
    "eight-bit-30b": {
        "params_total": 30e9,
        "params_active": 3e9,
        "layers": 48,
        "hidden": 2048,
        "ffn": 6144,
        "gated_mlp": True,
        "heads": 32,
        "kv_heads": 4,
        "head_dim": 128,
        "vocab": 151936,
        "tied_embeddings": False,
        "context": 262144,
        "moe_experts": 128,
        "moe_top_k": 8,
        "moe_shared_experts": 0,
        "moe_expert_ffn": 768,
        "dense_first_layers": 0,
        "published_precision": "fp8",
    },
    "unpublished": {"layers": 90},
}


def table(name: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    def cell(value: Any) -> Cell:
        known = value != "unsupported"
        return Cell(value if known else None, None, "known" if known else "unsupported", SHEET, str(value))

    made = {id: Row(name, id, id.title(), {c: cell(v) for c, v in cells.items()}) for id, cells in rows.items()}
    return Table(name, Bilingual(name, name), (), made)


LINKS: dict[str, dict[str, Any]] = {
    "slow-10g": {"kind": "network", "gb_s_per_direction": 1.25},
    "fast-400g": {"kind": "network", "gb_s_per_direction": 50},
}


@cache
def book() -> SpecBook:
    named = {"accelerators": ACCELERATORS, "models": MODELS, "interconnects": LINKS}
    return SpecBook({name: table(name, rows) for name, rows in named.items()})


@cache
def corpus_assumptions() -> Assumptions:
    return read_assumptions(CORPUS / "assumptions")


@pytest.fixture(scope="session")
def spec_book() -> SpecBook:
    return book()


@pytest.fixture(scope="session")
def assumptions() -> Assumptions:
    return corpus_assumptions()


def ask(wanted: tuple[str, ...] = (), language: str = "en", **fields: Any) -> SizingResult:
    return size(from_mapping(fields), book(), corpus_assumptions(), wanted, language=language)


@pytest.fixture(scope="session")
def sized() -> Callable[..., SizingResult]:
    return ask


@pytest.fixture(scope="session")
def value() -> Callable[..., float]:
    """One value of a request."""

    def of(name: str, wanted: tuple[str, ...] = (), **fields: Any) -> float:
        found = next(v.value for v in ask(wanted, **fields).values if v.name == name)
        assert isinstance(found, float)
        return found

    return of
