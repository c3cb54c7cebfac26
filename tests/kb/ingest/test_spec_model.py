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
from kb.ingest.spec_model import columns_of_config, named, row_text
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


def columns(config: dict[str, Any]) -> dict[str, Any]:
    return columns_of_config(json.dumps(config), ARCHITECTURES)


@pytest.mark.parametrize(
    ("config", "row"), [(DENSE, "qwen2.5-7b"), (EXPERTS, "mixtral-8x7b"), (LATENT, "deepseek-v3")], ids=["dense", "moe", "mla"]
)
def test_parameters_counted_from_a_configuration_are_those_of_the_model(config: dict[str, Any], row: str) -> None:
    found = read_specs(CORPUS / "specs").row("models", row)
    count = counted(columns(config), read_assumptions(CORPUS / "assumptions"))
    assert found is not None
    assert count["params_total"] == pytest.approx(found.number("params_total"), rel=1e-3)
    assert count["params_active"] == pytest.approx(found.number("params_active"), rel=1e-3)


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
        ({"torch_dtype": "bfloat16", "quantization_config": {"quant_method": "awq"}}, None),
        ({}, None),
    ],
)
def test_the_precision_of_the_weights_is_what_the_configuration_names(more: dict[str, Any], published: str | None) -> None:
    assert columns(DENSE | more).get("published_precision") == published
