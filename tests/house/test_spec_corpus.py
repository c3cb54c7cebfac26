"""The spec tables of the corpus: they read, they are complete, and they hold the figures amateurs get wrong."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from kb.ingest.spec_text import spec_documents
from kb.ingest.specs import dump_specs, load_specs, read_specs
from kb.types.specs import SpecBook

SPECS = Path(__file__).parents[2] / "corpus" / "specs"
TABLES = ("accelerators", "systems", "interconnects", "storage_and_memory", "cpus", "models", "prices")


@cache
def book() -> SpecBook:
    return read_specs(SPECS)


# accelerator, column, value, and who says so; None: the hardware does not support it
TRAPS = [
    ("h100-sxm5-80gb", "bf16_dense_tflops", 989.4, "NVIDIA H100 page: 1979 is sparse"),
    ("h100-sxm5-80gb", "fp8_dense_tflops", 1978.9, "NVIDIA H100 page: 3958 is sparse"),
    ("h100-sxm5-80gb", "fp4_dense_tflops", None, "Blackwell brief: FP4 starts with Blackwell"),
    ("h100-pcie-80gb", "bf16_dense_tflops", 756, "Hopper whitepaper"),
    ("h100-pcie-80gb", "memory_bandwidth_gb_s", 2000, "H100 PCIe product brief"),
    ("h100-pcie-80gb", "tdp_w", 350, "H100 PCIe product brief"),
    ("h100-nvl-94gb", "memory_gb", 94, "NVIDIA H100 page: 188 is a pair"),
    ("h100-nvl-94gb", "bf16_dense_tflops", 835.5, "NVIDIA H100 page"),
    ("h200-sxm-141gb", "bf16_dense_tflops", 989.4, "NVIDIA H200 datasheet: compute as the H100"),
    ("h200-sxm-141gb", "memory_bandwidth_gb_s", 4800, "NVIDIA H200 datasheet"),
    ("h200-nvl-141gb", "interconnect_gb_s", 900, "NVIDIA H200 datasheet"),
    ("a100-sxm4-80gb", "bf16_dense_tflops", 312, "NVIDIA A100 datasheet: 624 is sparse"),
    ("a100-sxm4-80gb", "int8_dense_tops", 624, "NVIDIA A100 datasheet"),
    ("a100-sxm4-80gb", "fp8_dense_tflops", None, "Ampere whitepaper: no FP8"),
    ("a100-sxm4-80gb", "memory_bandwidth_gb_s", 2039, "NVIDIA A100 datasheet"),
    ("a100-sxm4-40gb", "memory_bandwidth_gb_s", 1555, "Ampere whitepaper"),
    ("a100-pcie-80gb", "memory_bandwidth_gb_s", 1935, "NVIDIA A100 datasheet"),
    ("a100-pcie-40gb", "tdp_w", 250, "A100 PCIe product brief"),
    ("a800-sxm4-80gb", "interconnect_gb_s", 400, "press reading of the NVIDIA A800 page"),
    ("h800-sxm5-80gb", "interconnect_gb_s", 400, "DeepSeek-V3 hardware paper"),
    ("h20-96gb", "memory_bandwidth_gb_s", 4000, "export-variant table"),
    ("h20-96gb", "interconnect_gb_s", 900, "export-variant table: NVLink is not cut"),
    ("h20-96gb", "bf16_dense_tflops", 148, "export-variant table"),
    ("rtx-4090", "bf16_dense_tflops", 165.2, "Ada whitepaper: 330 is FP16 accumulation"),
    ("rtx-4090", "fp16_fp16acc_dense_tflops", 330.3, "Ada whitepaper"),
    ("rtx-4090", "interconnect_gb_s", None, "Ada whitepaper: no NVLink"),
    ("rtx-3090", "bf16_dense_tflops", 71, "GA102 whitepaper"),
    ("rtx-3090", "interconnect_gb_s", 112.5, "GA102 whitepaper"),
    ("rtx-3080-10gb", "interconnect_gb_s", None, "GA102 whitepaper: only the 3090 and 3090 Ti have NVLink"),
    ("rtx-5090", "bf16_dense_tflops", 209.5, "RTX Blackwell whitepaper"),
    ("rtx-a6000", "bf16_dense_tflops", 154.8, "GA102 whitepaper"),
    ("rtx-6000-ada", "interconnect_gb_s", None, "RTX PRO whitepaper"),
    ("rtx-pro-6000-server", "memory_bandwidth_gb_s", 1597, "RTX PRO 6000 Server page"),
    ("l4", "bf16_dense_tflops", 121, "L4 datasheet: 242 is sparse"),
    ("l40s", "fp8_dense_tflops", 733, "L40S datasheet: 1466 is sparse"),
    ("l40s", "interconnect_gb_s", None, "L40S datasheet"),
    ("l40", "bf16_dense_tflops", 181, "L40 page: half of the L40S"),
    ("a10g", "bf16_dense_tflops", 70, "NVIDIA A10G datasheet: 125 is the A10"),
    ("a10g", "tdp_w", 300, "nvidia-smi power caps"),
    ("t4", "bf16_dense_tflops", None, "T4 datasheet: no BF16"),
    ("v100-sxm2-32gb", "bf16_dense_tflops", None, "V100 datasheet: no BF16"),
    ("v100-pcie-32gb", "interconnect_gb_s", None, "V100 datasheet: PCIe only"),
    ("b200-sxm-180gb", "bf16_dense_tflops", 2250, "Blackwell datasheet"),
    ("b200-sxm-180gb", "fp4_dense_tflops", 9000, "Blackwell datasheet: 18000 is sparse"),
    ("gb200", "bf16_dense_tflops", 2500, "GB200 NVL72 page"),
    ("b300-sxm-270gb", "fp4_dense_tflops", 14000, "Blackwell Ultra datasheet: not half of 18000"),
    ("b300-sxm-270gb", "int8_dense_tops", 150, "Blackwell brief"),
    ("mi300x", "memory_bandwidth_gb_s", 5300, "AMD MI300X page"),
    ("mi300x", "tf32_dense_tflops", 653.7, "AMD MI300X page"),
    ("mi355x", "tf32_dense_tflops", None, "AMD MI355X page: dropped"),
    ("mi325x", "memory_gb", 256, "AMD MI325X page: 288 was announced"),
    ("mi100", "bf16_dense_tflops", 92.3, "ROCm documentation: half of FP16"),
    ("gaudi3-oam", "bf16_dense_tflops", 1678, "Gaudi 3 white paper, July 2025"),
    ("gaudi3-oam", "fp16_dense_tflops", 459, "Gaudi 3 white paper, July 2025"),
    ("tpu-v7", "bf16_dense_tflops", 2307, "TPU7x documentation: 4614 is FP8"),
    ("tpu-v4", "int8_dense_tops", 275, "TPU v4 documentation: not doubled"),
    ("ascend-910c", "fp8_dense_tflops", None, "CloudMatrix384 paper"),
]
OTHER_TRAPS = [
    ("systems", "dgx-h100", "rack_units", 8, "DGX H100 guide: not 4U"),
    ("systems", "dgx-h100", "fp8_dense_pflops_total", 16, "DGX H100 guide: 32 is sparse"),
    ("systems", "dgx-b200", "power_max_kw", 14.3, "DGX B200 page"),
    ("systems", "azure-nd96asr-v4", "accelerator_memory_total_gb", 320, "Azure VM sizes"),
    ("systems", "aws-inf2.48xlarge", "accelerator_count", 12, "EC2 type list"),
    ("interconnects", "nvlink4", "gb_s_per_direction", 450, "NVLink page: 900 is both directions"),
    ("interconnects", "pcie5-x16", "gb_s_per_direction", 63, "PCI-SIG"),
    ("interconnects", "ib-ndr", "gb_s_per_direction", 50, "IBTA: 400 Gb/s"),
    ("cpus", "xeon-8592plus", "tdp_w", 350, "Intel ARK"),
    ("cpus", "epyc-9654", "memory_gb_s", 460.8, "AMD EPYC specification list"),
    ("models", "llama2-7b", "kv_heads", 32, "config: MHA"),
    ("models", "qwen1.5-72b", "kv_heads", 64, "config: MHA"),
    ("models", "qwen3-32b", "head_dim", 128, "config: not hidden / heads"),
    ("models", "mixtral-8x7b", "params_total", 46702792704, "config: not 56B"),
    ("models", "bloom-176b", "layers", 70, "config"),
    ("models", "deepseek-v3", "kv_lora_rank", 512, "config: MLA"),
    ("models", "deepseek-v3", "qk_rope_head_dim", 64, "config: MLA"),
    ("models", "gemma3-27b", "full_attention_layers", 10, "config: one layer in six"),
]


@pytest.mark.parametrize(
    ("table", "row", "column", "value"),
    [("accelerators", *trap[:3]) for trap in TRAPS] + [trap[:4] for trap in OTHER_TRAPS],
)
def test_a_figure_that_is_often_got_wrong_is_right(table: str, row: str, column: str, value: float | None) -> None:
    found = book().row(table, row)
    assert found is not None
    cell = found.cells[column]
    assert (cell.value, cell.status) == (value, "unsupported" if value is None else "known")


def test_every_table_is_there_and_all_but_prices_have_rows() -> None:
    assert tuple(book().tables) == TABLES
    counts = {name: len(table.rows) for name, table in book().tables.items() if name != "prices"}
    assert all(counts[name] >= least for name, least in zip(TABLES[:-1], (110, 57, 41, 21, 15, 156), strict=True))


def test_every_row_has_every_column_and_every_cell_a_dated_source() -> None:
    for table in book().tables.values():
        for row in table.rows.values():
            assert tuple(row.cells) == tuple(column.name for column in table.columns)
            assert all(cell.source.title and cell.source.retrieved and cell.confidence for cell in row.cells.values()), row.id


def test_notes_are_in_both_languages_with_the_same_figures() -> None:
    figures = re.compile(r"\d{3,}(?:\.\d+)?")
    for row in book().rows():
        assert bool(row.notes) == bool(row.notes_zh), row.id
        assert set(figures.findall(row.notes)) == set(figures.findall(row.notes_zh)), row.id


def test_totals_of_a_system_follow_from_its_accelerators() -> None:
    for system in book().rows("systems"):
        accelerator = book().row("accelerators", system.text("accelerator_id") or "")
        count, total = system.number("accelerator_count"), system.number("accelerator_memory_total_gb")
        each = accelerator.number("memory_gb") if accelerator else None
        assert each and count and total == pytest.approx(each * count, rel=0.02), system.id
        rate, claimed = accelerator.number("fp8_dense_tflops") if accelerator else None, system.number("fp8_dense_pflops_total")
        if rate and claimed:
            assert claimed * 1000 == pytest.approx(rate * count, rel=0.02), system.id


def test_parameters_follow_from_the_shape_of_plain_dense_models() -> None:
    """Projections of attention and MLP plus embeddings; norms, biases and learned positions stay under 1.5 %."""
    for model in book().rows("models"):
        n = {column: model.number(column) or 0 for column in model.cells}
        plain = not n["moe_experts"] and "hybrid" not in (model.text("attention") or "") and model.id != "gpt3-xl"
        if not plain or not n["params_total"] or not n["ffn"]:
            continue
        mlp = (3 if model.cells["gated_mlp"].value else 2) * n["hidden"] * n["ffn"]
        attention = 2 * n["hidden"] * n["head_dim"] * (n["heads"] + n["kv_heads"])
        embeddings = n["vocab"] * n["hidden"] * (1 if model.cells["tied_embeddings"].value else 2)
        assert n["layers"] * (mlp + attention) + embeddings == pytest.approx(n["params_total"], rel=0.015), model.id


def test_the_compiled_copy_is_the_same_book() -> None:
    assert load_specs(dump_specs(book())) == book()


def test_every_row_is_rendered_in_both_languages_with_all_its_figures() -> None:
    documents = {document.id: document for document in spec_documents(book())}
    for row in book().rows():
        for language in ("zh", "en"):
            text = documents[f"specs/{row.table}/{row.id}.{language}"].text  # type: ignore[index]
            assert text.startswith(row.name)
            figures = (cell.quote.split(" ")[0] for cell in row.cells.values() if isinstance(cell.value, int | float))
            assert all(figure in text for figure in figures if figure not in ("yes", "no")), row.id
