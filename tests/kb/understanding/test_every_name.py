"""Every name of the tables means its own row, and every other name of a term one of the term's rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.ingest.specs import read_specs
from kb.ingest.terms import read_terms
from kb.understanding import Reader

CORPUS = Path(__file__).parents[3] / "corpus"
BOOK = read_specs(CORPUS / "specs")
LEXICON = read_terms(CORPUS / "terms", BOOK)
ASKS = {
    "accelerators": ("{} 显存多大", "What is the memory bandwidth of the {}?"),
    "models": ("{} 有多少层", "How many layers does {} have?"),
    "systems": ("{} 功耗多少", "How much power does the {} draw?"),
}
TWINS = {"dgx-spark": "dgx-spark-gb10", "gh200-node": "gh200-96gb"}  # a machine of one chip, whose name is the chip's too


@pytest.mark.parametrize("table", ASKS)
def test_the_name_of_a_row_means_that_row(reader: Reader, table: str) -> None:
    wrong = [
        (question, got)
        for row in BOOK.rows(table)
        for ask in ASKS[table]
        for question in (ask.format(row.name),)
        if (got := [id for part in reader.read(question).parts for _, id in part.entities])[:1]
        not in ([row.id], [TWINS.get(row.id)])
    ]
    assert not wrong


def test_another_name_of_a_card_means_one_of_its_rows(reader: Reader) -> None:
    terms = [t for t in LEXICON.terms if t.category == "accelerator" and t.rows]
    owned: dict[str, set[str]] = {}
    for term in terms:
        for alias in term.aliases:
            owned.setdefault(alias.text.lower(), set()).update(term.rows)
    wrong = [
        (alias.text, got)
        for term in terms
        for alias in term.aliases
        if alias.relation != "related"
        and (got := reader.read(f"{alias.text} 显存带宽多少").slots.get("gpu")) not in owned[alias.text.lower()]
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("RTX PRO 6000 Max-Q power", ["rtx-pro-6000-maxq"]),
        ("rtx pro 6000 服务器版 功耗", ["rtx-pro-6000-server"]),
        ("8卡 RTX PRO 6000 服务器 功耗", ["rtx-pro-6000-ws"]),
        ("rtx pro 6000 96g那张 有maxq版吧 功耗差多少", ["rtx-pro-6000-ws", "rtx-pro-6000-maxq"]),
        ("vram on the rtx pro 6000 blackwell (workstation, not the maxq)", ["rtx-pro-6000-ws"]),
        ("H20 有 96 和 141 两版吧 带宽差多少", ["h20-96gb", "h20-141gb"]),
        ("h20 96和141 显存带宽", ["h20-96gb", "h20-141gb"]),
        ("H20 有幾個版本", ["h20-96gb", "h20-141gb"]),
        ("What variants of the H20 exist?", ["h20-96gb", "h20-141gb"]),
        ("A100 40GB SXM and PCIe: what is the difference", ["a100-sxm4-40gb", "a100-pcie-40gb"]),
        ("4060ti 8g 和 16g 区别", ["rtx-4060-ti-8gb", "rtx-4060-ti-16gb"]),
        ("A100 40G 两张和 80 个并发", ["a100-sxm4-40gb"]),
        ("DGX A100 320G 功耗", ["dgx-a100-320gb"]),
    ],
)
def test_variants_named_together(reader: Reader, text: str, rows: list[str]) -> None:
    assert [id for _, id in reader.read(text).parts[0].entities] == rows


@pytest.mark.parametrize("text", ["DeepSeek V4 FP8 8 张 H200 够吗", "does DeepSeek V4 fit on 8 H200 in FP8?"])
def test_a_name_of_several_models_says_which_was_taken_and_which_not(reader: Reader, text: str) -> None:
    assumed = reader.read(text).assumed["model"]
    assert "DeepSeek-V4-Flash" in assumed
    assert "DeepSeek-V4-Pro" in assumed
