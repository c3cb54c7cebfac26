"""An accelerator as nodes: what the table or the asker says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kb.types.derivation import Fact, Given, Node
from kb.types.sizing import GpuFigures
from kb.types.specs import Row, SpecBook
from kb.types.units import base_of, to_base

# Column of the accelerator table: name here, unit of the column.
COLUMNS = {
    "memory_gb": ("memory", "GB"),
    "driver_memory_mib": ("driver_memory", "MiB"),
    "memory_bandwidth_gb_s": ("bandwidth", "GB/s"),
    "interconnect_gb_s": ("link", "GB/s"),
    "tdp_w": ("tdp", "W"),
    "bf16_dense_tflops": ("bf16", "TFLOP/s"),
    "fp16_dense_tflops": ("fp16", "TFLOP/s"),
    "fp8_dense_tflops": ("fp8", "TFLOP/s"),
    "fp4_dense_tflops": ("fp4", "TFLOP/s"),
    "tf32_dense_tflops": ("tf32", "TFLOP/s"),
    "fp32_tflops": ("fp32", "TFLOP/s"),
    "max_gpus_per_node_typical": ("gpus_per_node", "1"),
    "linked_gpus": ("linked_gpus", "1"),
    "pcie_gen": ("pcie_gen", "1"),
}
PERSONAL = ("consumer", "workstation", "laptop", "system on chip")  # how the kinds of the table begin that stand on desks
SOLDERED = "laptop"
PEAKS = {
    "bf16": ("bf16", "fp16"),
    "pure_bf16": ("bf16", "fp16"),
    "fp16": ("fp16", "bf16"),
    "fp32": ("tf32", "fp32", "bf16", "fp16"),
    "fp8": ("fp8", "bf16", "fp16"),
    "fp4": ("fp4", "fp8", "bf16", "fp16"),
}


@dataclass(frozen=True)
class Chip:
    """`figures` by short name, in base units; `unsupported` are precisions that the hardware lacks; `stacked`: its
    memory is of the stacked kind (HBM); `unified`: it is the processor's too; `personal`: made for desktops and laptops; `soldered`: a
    laptop's, which takes no other; `vendor`: in small letters."""

    figures: Mapping[str, Node]
    name: str | None = None
    unsupported: frozenset[str] = frozenset()
    stacked: bool = True
    unified: bool = False
    personal: bool = False
    soldered: bool = False
    vendor: str = ""

    def get(self, name: str) -> Node | None:
        return self.figures.get(name)

    def peak(self, precision: str) -> Node | None:
        """Dense compute in this precision, or in the widest that the hardware has instead."""
        return next((self.figures[p] for p in PEAKS.get(precision, ("bf16", "fp16")) if p in self.figures), None)


def from_row(row: Row) -> Chip:
    figures: dict[str, Node] = {}
    for column, (name, unit) in COLUMNS.items():
        value = row.number(column)
        if value:
            figures[name] = Fact(name, to_base(value, unit), base_of(unit), row.evidence(column))
    half, single = figures.get("fp16"), figures.get("fp32")
    if half and single and half.value < single.value:
        figures["fp16"] = single  # programs compute in FP32 where FP16 is slower (Pascal)
    lacking = {n for c, (n, _) in COLUMNS.items() if c in row.cells and row.cells[c].status == "unsupported"}
    kind = row.text("memory_type") or "HBM"
    machine = row.text("kind") or ""
    return Chip(
        figures, row.name, frozenset(lacking), stacked="HBM" in kind, unified="unified" in kind,
        personal=machine.startswith(PERSONAL), soldered=machine.startswith(SOLDERED), vendor=(row.text("vendor") or "").lower(),
    )  # fmt: skip


def sizes(book: SpecBook) -> tuple[float, ...]:
    """Memory, in bytes, of the GPUs of the table that a machine can be given."""
    rows = (row for row in book.rows("accelerators") if (row.text("kind") or "").endswith("GPU"))
    return tuple(
        to_base(m, "GB") for row in rows if not (row.text("kind") or "").startswith(SOLDERED) and (m := row.number("memory_gb"))
    )


def from_figures(figures: GpuFigures) -> Chip:
    found: dict[str, Node] = {}
    for column, (name, unit) in COLUMNS.items():
        value = getattr(figures, column, None)
        if value:
            found[name] = Given(name, to_base(value, unit), base_of(unit))
    return Chip(found)
