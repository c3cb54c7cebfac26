"""Rows as texts: every figure in it, in both languages, nothing that is not known."""

from __future__ import annotations

from kb.ingest.spec_text import spec_documents
from kb.types.source import Source
from kb.types.specs import Bilingual, Cell, Column, Row, SpecBook, Table

SHEET = Source("sheet", "spec", "Sheet", "https://example.org/sheet", published="2024-03", retrieved="2026-11-30")
COLUMNS = (
    Column("memory_gb", "number", "GB", Bilingual("memory capacity", "显存容量")),
    Column("bf16_dense_tflops", "number", "TFLOP/s", Bilingual("BF16 dense compute", "BF16 稠密算力")),
    Column("fp8_dense_tflops", "number", "TFLOP/s", Bilingual("FP8 dense compute", "FP8 稠密算力")),
    Column("link_gb_s", "number", "GB/s", Bilingual("link bandwidth", "互联带宽")),
    Column("tied", "flag", None, Bilingual("tied embeddings", "共享词嵌入")),
    Column("tdp_w", "number", "W", Bilingual("power", "功耗")),
    Column("chip_id", "text", None, Bilingual("chip", "芯片")),
)


def known(value: float | str | bool, quote: str, unit: str | None = None) -> Cell:
    return Cell(value, unit, "known", SHEET, quote)


def without(status: str, unit: str) -> Cell:
    return Cell(None, unit, status, SHEET, status)  # type: ignore[arg-type]


CELLS = {
    "memory_gb": known(80, "80 GB", "GB"),
    "bf16_dense_tflops": known(312, "312 TFLOP/s", "TFLOP/s"),
    "fp8_dense_tflops": known(624, "624 TFLOP/s", "TFLOP/s"),
    "link_gb_s": without("unsupported", "GB/s"),
    "tied": known(True, "yes"),
    "tdp_w": without("unknown", "W"),
    "chip_id": known("alpha", "alpha"),
}
ROW = Row("chips", "alpha", "Alpha 80GB", CELLS, "Sparse rates are twice these.", "稀疏算力为两倍。")
BOOK = SpecBook({"chips": Table("chips", Bilingual("chip", "加速卡"), COLUMNS, {"alpha": ROW})})
ZH, EN = spec_documents(BOOK)


def test_a_row_becomes_one_document_in_each_language() -> None:
    assert [(d.id, d.language) for d in (ZH, EN)] == [("specs/chips/alpha.zh", "zh"), ("specs/chips/alpha.en", "en")]
    for document in (ZH, EN):
        assert (document.kind, document.title, document.url, document.entity) == (
            "spec",
            ROW.name,
            SHEET.url,
            ("chips", "alpha"),
        )
        assert (document.topic, document.published, document.retrieved) == ("specs/chips/alpha", "2024-03", "2026-11-30")


def test_the_english_text_states_every_known_cell() -> None:
    assert EN.text == (
        "Alpha 80GB: chip. memory capacity 80 GB; dense compute: BF16 312, FP8 624 TFLOP/s; "
        "tied embeddings yes; chip Alpha 80GB. Not supported: link bandwidth. Sparse rates are twice these."
    )


def test_the_chinese_text_states_the_same_in_chinese() -> None:
    assert ZH.text == (
        "Alpha 80GB：加速卡。显存容量 80 GB；稠密算力：BF16 312、FP8 624 TFLOP/s；"
        "共享词嵌入 是；芯片 Alpha 80GB。不支持：互联带宽。稀疏算力为两倍。"
    )


def test_what_is_unknown_is_left_out() -> None:
    assert "power" not in EN.text and "功耗" not in ZH.text
