"""Figures and links that a question supposes are held against the tables; plain questions and true figures are left alone."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


def kinds(reader: Reader, text: str) -> set[str]:
    return {p.kind for p in reader.read(text).premises}


@pytest.mark.parametrize(
    ("text", "kind", "claimed"),
    [
        ("H100 PCIe 也有 3.35TB/s 对吧", "bandwidth", "3.35 TB/s"),
        ("The L40S also has 3.35 TB/s, right?", "bandwidth", "3.35 TB/s"),
        ("H100 has 4 PFLOPS of FP8 dense, so is it 4x an A100?", "sparse", "4 PFLOPS"),
        ("H200 有 1979 TFLOPS 的 BF16 算力吧", "sparse", "1979 TFLOPS"),
        ("H100 有 3000 TFLOPS 的 BF16 算力吧", "rate", "3000 TFLOPS"),
        ("既然 4090 支持 NVLink，两张桥接快多少", "given_link", "NVLink"),
        ("Since the RTX 5090 has NVLink, which bridge do I buy?", "given_link", "NVLink"),
    ],
)
def test_what_is_supposed_and_wrong_is_found(reader: Reader, text: str, kind: str, claimed: str) -> None:
    found = {p.kind: p.claimed for p in reader.read(text).premises}
    assert found.get(kind) == claimed


@pytest.mark.parametrize(
    "text",
    [
        "H100 SXM 有 3.35TB/s 对吧",
        "H100 has 989 TFLOPS of BF16 dense",
        "H100 FP8 sparse has 4 PFLOPS, right?",
        "H100 的 BF16 算力是多少 TFLOPS",
        "MI300X bf16 TFLOPS?",
        "MI300X 的 fp8 TFLOPS",
        "Since the A100 has NVLink, how much faster are two?",
        "does the 4090 have NVLink?",
        "4090 支持 NVLink 吗",
        "would 4x H100 PCIe or 4x L40S be enough for 70B?",
    ],
)
def test_what_is_true_or_asked_is_no_claim(reader: Reader, text: str) -> None:
    assert not kinds(reader, text) & {"bandwidth", "sparse", "rate", "given_link", "interconnect", "scaling"}


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("Since the RTX 4090 has NVLink, how much do I gain by bridging two of them for training?", True),
        ("因为 L40S 有 NVLink，所以两张桥接训练会快多少？", True),
        ("Since the RTX 4090 has NVLink, can two of them run Llama 3.1 70B int4?", False),
        ("既然 4090 支持 NVLink，两张能跑 70B 的 int4 吗", False),
    ],
)
def test_a_supposed_link_settles_what_is_asked_of_the_cards_alone(reader: Reader, text: str, settled: bool) -> None:
    assert reader.read(text).parts[-1].settled is settled
