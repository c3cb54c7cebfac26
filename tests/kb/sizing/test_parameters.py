"""Parameters counted from the shape of every model of the table, against the totals that its row and its publisher state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from kb.ingest.specs import read_specs
from kb.sizing.shape import counted
from kb.types.specs import Row

SHAPED = ("layers", "hidden", "heads", "vocab", "params_total")
COUNTED = ("params_total", "params_active")
SCALE = {"M": 1e6, "B": 1e9, "T": 1e12}
# What keeps a count from agreeing with its row within 1 %.
INCOMPLETE = {
    "gpt3-xl": "the paper prints 24 heads of 128 for a hidden size of 2048, which do not make the 1.3B that it states",
    "gemma4-31b": "global layers have fewer and wider key-value heads",
    "nemotron-3-nano-30b-a3b": "layers without experts are Mamba ones, counted as dense",
    "nemotron-3-super-120b-a12b": "layers without experts are Mamba ones, counted as dense",
    "nemotron-3-ultra-550b-a55b": "layers without experts are Mamba ones, counted as dense",
}
OTHER_ACTIVE = {
    "gemma4-26b-a4b": "global layers have fewer and wider key-value heads",
    "mimo-v2-flash": "values are narrower than keys, window layers have more of them",
    "minimax-text-01": "published without embeddings",
    "deepseek-v3.2": "its sparse indexer has no columns",
    "deepseek-v4-flash": "its compressors and indexers have no columns",
    "deepseek-v4-pro": "its compressors and indexers have no columns",
    "glm-5": "its sparse indexer has no columns",
    "glm-5.1": "its sparse indexer has no columns",
}
# What keeps the row's total from the figure that its publisher prints.
OTHER_PUBLISHED = {
    "qwen3-vl-30b-a3b": "30B is a name, the layers hold 30.5B",
    "ling-flash-2.0": "100B is a name, rounded to hundreds",
    "nemotron-3-nano-30b-a3b": "30B is a name, the layers hold 31.6B",
    "step-3.7-flash": "199B counts the vision tower, which the row leaves out",
    "ernie-4.5-21b-a3b": "21B is a name, the checkpoint holds 21.8B",
    "gpt-neox-20b": "20B is a name, the paper says 20,554,567,680",
    "gpt2-xl": "1.5B is a name, first given as 1542M without learned positions",
    "gpt3-medium": "350M is rounded to tens of millions",
    "llama4-scout": "109B counts the vision tower, which the row leaves out",
    "phi-2": "2.7B is a name, the file holds 2.78B",
}

MODELS = tuple(
    row
    for row in read_specs(Path(__file__).parents[3] / "corpus" / "specs").rows("models")
    if all(row.number(c) for c in SHAPED)
)


def count(row: Row, assumptions) -> Mapping[str, int]:
    """Total and active parameters from the other columns."""
    return counted({c: cell.value for c, cell in row.cells.items() if c not in COUNTED}, assumptions)


def printed(row: Row) -> list[tuple[float, float]]:
    """The sizes that the publisher prints, each with half a unit of its last digit."""
    found = re.findall(r"([\d.]+)\s*([MBT])\b", row.text("params_published") or "")
    return [(float(n) * SCALE[u], 0.5 * 10 ** -len(n.partition(".")[2]) * SCALE[u]) for n, u in found]


def test_nearly_every_model_of_the_table_gives_its_shape() -> None:
    assert len(MODELS) >= 155


@pytest.mark.parametrize("row", MODELS, ids=lambda row: row.id)
def test_parameters_counted_from_the_shape_are_the_published_total_within_one_percent(row: Row, assumptions) -> None:
    agrees = count(row, assumptions)["params_total"] == pytest.approx(row.number("params_total"), rel=0.01)
    assert agrees == (row.id not in INCOMPLETE), INCOMPLETE.get(row.id)


@pytest.mark.parametrize("row", [r for r in MODELS if r.number("moe_experts")], ids=lambda row: row.id)
def test_active_parameters_counted_from_the_shape_are_the_published_ones_to_their_rounding(row: Row, assumptions) -> None:
    stated = row.number("params_active")
    sizes = printed(row)
    rounding = sizes[1][1] if len(sizes) > 1 and stated == sizes[1][0] else 0.0
    agrees = count(row, assumptions)["params_active"] == pytest.approx(stated, rel=0.01, abs=rounding)
    excused = INCOMPLETE | OTHER_ACTIVE
    assert agrees == (row.id not in excused), excused.get(row.id)


@pytest.mark.parametrize("row", [r for r in MODELS if printed(r)], ids=lambda row: row.id)
def test_the_total_of_a_row_is_what_its_publisher_prints(row: Row) -> None:
    size, rounding = printed(row)[0]
    agrees = row.number("params_total") == pytest.approx(size, rel=0.01, abs=rounding)
    assert agrees == (row.id not in OTHER_PUBLISHED), OTHER_PUBLISHED.get(row.id)


def test_a_shared_expert_counts_with_its_own_width(assumptions) -> None:
    shape = {
        "layers": 24, "hidden": 2048, "heads": 16, "kv_heads": 16, "head_dim": 128, "vocab": 151936, "moe_experts": 60,
        "moe_top_k": 4, "moe_shared_experts": 1, "moe_expert_ffn": 1408,
    }  # fmt: skip
    plain, wide = counted(shape, assumptions), counted(shape | {"moe_shared_expert_ffn": 5632}, assumptions)
    assert wide["params_active"] - plain["params_active"] == 24 * 3 * 2048 * (5632 - 1408)


def test_experts_in_every_second_layer_leave_the_others_dense(assumptions) -> None:
    shape = {
        "layers": 48, "hidden": 5120, "ffn": 16384, "heads": 40, "kv_heads": 8, "head_dim": 128, "vocab": 202048,
        "moe_experts": 128, "moe_top_k": 1, "moe_shared_experts": 1, "moe_expert_ffn": 8192,
    }  # fmt: skip
    every, second = counted(shape, assumptions), counted(shape | {"moe_layer_step": 2}, assumptions)
    experts, dense = 129 * 3 * 5120 * 8192 + 5120 * 128, 3 * 5120 * 16384
    assert every["params_total"] - second["params_total"] == 24 * (experts - dense)
