"""A config.json becomes a model row."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kb.errors import InvalidInput
from kb.ingest.assumptions import read_assumptions
from kb.ingest.spec_model import beside_projections, columns_of_config, named, row_text
from kb.ingest.specs import read_specs
from kb.sizing.shape import counted

CORPUS = Path(__file__).parents[3] / "corpus"
ARCHITECTURES = CORPUS / "specs" / "architectures.toml"
DENSE = {
    "_name_or_path": "acme/Thinker-7B", "model_type": "qwen2", "num_hidden_layers": 28, "hidden_size": 3584, "vocab_size": 152064,
    "intermediate_size": 18944, "num_attention_heads": 28, "num_key_value_heads": 4, "max_position_embeddings": 131072,
}  # fmt: skip
EXPERTS = {
    "model_type": "mixtral", "num_hidden_layers": 32, "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
    "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2,
}  # fmt: skip
LATENT = {
    "model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168, "intermediate_size": 18432,
    "moe_intermediate_size": 2048, "num_attention_heads": 128, "num_key_value_heads": 128, "vocab_size": 129280,
    "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": 1, "first_k_dense_replace": 3, "kv_lora_rank": 512,
    "q_lora_rank": 1536, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128,
}  # fmt: skip

HYBRID = {  # of a model that also sees pictures
    "model_type": "qwen3_5_moe", "text_config": {
        "model_type": "qwen3_5_moe_text", "num_hidden_layers": 40, "hidden_size": 2048, "vocab_size": 248320, "head_dim": 256,
        "num_attention_heads": 16, "num_key_value_heads": 2, "num_experts": 256, "num_experts_per_tok": 8,
        "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512, "attn_output_gate": True,
        "layer_types": ["linear_attention", "linear_attention", "linear_attention", "full_attention"] * 10,
        "linear_num_key_heads": 16, "linear_key_head_dim": 128, "linear_num_value_heads": 32, "linear_value_head_dim": 128,
    },
}  # fmt: skip
WINDOWED = {
    "model_type": "gpt_oss", "num_hidden_layers": 24, "hidden_size": 2880, "intermediate_size": 2880, "num_attention_heads": 64,
    "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 201088, "num_local_experts": 32, "experts_per_token": 4,
    "sliding_window": 128, "layer_types": ["sliding_attention", "full_attention"] * 12,
}  # fmt: skip
ERNIE = {
    "model_type": "ernie4_5_moe", "num_hidden_layers": 28, "hidden_size": 2560, "intermediate_size": 12288, "vocab_size": 103424,
    "num_attention_heads": 20, "num_key_value_heads": 4, "head_dim": 128, "moe_num_experts": 64, "moe_k": 6,
    "moe_num_shared_experts": 2, "moe_intermediate_size": 1536, "moe_layer_start_index": 1,
}  # fmt: skip


def columns(config: dict[str, Any]) -> dict[str, Any]:
    return columns_of_config(json.dumps(config), ARCHITECTURES)


@pytest.mark.parametrize(
    ("config", "row"),
    [
        (DENSE, "qwen2.5-7b"),
        (EXPERTS, "mixtral-8x7b"),
        (LATENT, "deepseek-v3"),
        (LATENT | {"model_type": "kimi_k2", "num_attention_heads": 64, "num_key_value_heads": 64, "vocab_size": 163840,
                   "n_routed_experts": 384, "first_k_dense_replace": 1}, "kimi-k2"),
        (HYBRID, "qwen3.6-35b-a3b"),
        (WINDOWED, "gpt-oss-20b"),
        (ERNIE, "ernie-4.5-21b-a3b"),
    ],
    ids=["dense", "moe", "mla", "kimi", "hybrid", "windowed", "ernie"],
)  # fmt: skip
def test_parameters_counted_from_a_configuration_are_those_of_the_model(config: dict[str, Any], row: str) -> None:
    found = read_specs(CORPUS / "specs").row("models", row)
    count = counted(columns(config), read_assumptions(CORPUS / "assumptions"))
    assert found is not None
    assert count["params_total"] == pytest.approx(found.number("params_total"), rel=2e-3)
    assert count["params_active"] == pytest.approx(found.number("params_active"), rel=2e-3)


def test_a_hybrid_is_counted_to_the_last_weight() -> None:
    found = read_specs(CORPUS / "specs").row("models", "qwen3.6-35b-a3b")
    count, beside = (
        counted(columns(HYBRID), read_assumptions(CORPUS / "assumptions")),
        beside_projections(json.dumps(HYBRID), columns(HYBRID)),
    )
    assert found is not None
    assert {name: n + beside for name, n in count.items()} == {name: found.number(name) for name in count}
    assert beside_projections(json.dumps(WINDOWED), columns(WINDOWED)) == 0


def test_layers_without_full_attention_are_told() -> None:
    hybrid, windowed = columns(HYBRID), columns(WINDOWED)
    assert (hybrid["full_attention_layers"], hybrid["linear_key_width"], hybrid["linear_value_width"]) == (10, 2048, 4096)
    assert hybrid["attention"] == "hybrid: 30 linear + 10 full-attention layers" and hybrid["attention_gate"]
    assert (windowed["full_attention_layers"], windowed["sliding_window"]) == (12, 128)
    assert windowed["attention"] == "GQA; sliding window in 12 of 24 layers"
    assert columns(DENSE | {"sliding_window_pattern": 4, "sliding_window": 512})["full_attention_layers"] == 7
    assert "full_attention_layers" not in columns(DENSE | {"layer_types": ["full_attention"] * 28, "sliding_window": 512})


def test_a_head_of_compressed_attention_has_both_its_parts() -> None:
    assert columns(LATENT | {"head_dim": 64})["head_dim"] == 192


def test_the_row_reads_as_one_of_the_table(tmp_path: Path) -> None:
    shutil.copy(CORPUS / "specs" / "schema.toml", tmp_path)
    (tmp_path / "models").mkdir()
    id, name, url = named(json.dumps(DENSE), None)
    (tmp_path / "models" / f"{id}.toml").write_text(row_text(id, name, url, columns(DENSE), date(2026, 1, 2)), encoding="utf-8")
    row = read_specs(tmp_path).row("models", "thinker-7b")
    assert row and row.name == "Thinker-7B" and row.number("context") == 131072 and row.text("attention") == "GQA"
    assert row.cells["layers"].source.url.endswith("/acme/Thinker-7B") and row.cells["layers"].source.retrieved == "2026-01-02"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[", "not JSON"),
        ("[]", "object"),
        ('{"model_type": "perceptron"}', "perceptron"),
        (json.dumps(DENSE | {"num_hidden_layers": None}), "num_hidden_layers"),
        (json.dumps(DENSE | {"hidden_size": "wide"}), "hidden_size"),
    ],
)
def test_what_cannot_become_a_row_is_refused_and_named(text: str, says: str) -> None:
    with pytest.raises(InvalidInput) as error:
        columns_of_config(text, ARCHITECTURES)
    assert says in error.value.en and error.value.zh


def test_a_model_without_a_name_needs_one() -> None:
    with pytest.raises(InvalidInput, match="--name"):
        named(json.dumps(EXPERTS), None)
    assert named(json.dumps(EXPERTS), "My Model 8x7B")[0] == "my-model-8x7b"


@pytest.mark.parametrize(
    ("more", "published"),
    [
        ({"torch_dtype": "bfloat16"}, "bf16"),
        ({"dtype": "float16"}, "fp16"),
        ({"torch_dtype": "bfloat16", "quantization_config": {"quant_method": "fp8", "fmt": "e4m3"}}, "fp8"),
        ({"quantization_config": {"quant_method": "mxfp4"}}, "mxfp4"),
        ({"quantization_config": {"quant_method": "compressed-tensors", "format": "mxfp4-pack-quantized"}}, "mxfp4"),
        ({"quantization_config": {"config_groups": {"g": {"weights": {"num_bits": 4, "type": "int"}}}}}, "int4"),
        ({"torch_dtype": "bfloat16", "quantization_config": {"quant_method": "awq"}}, None),
        ({}, None),
    ],
)
def test_the_precision_of_the_weights_is_what_the_configuration_names(more: dict[str, Any], published: str | None) -> None:
    assert columns(DENSE | more).get("published_precision") == published
