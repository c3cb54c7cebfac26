"""Numbers and what they stand on."""

import pytest

from kb.answering.verify import figures, unsupported


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A100 的 NVLink 是 600 GB/s [1]", [600]),
        ("ZeRO-3 needs 16-18 bytes", [16, 18]),
        ("1,979 TFLOPS", [1979]),
        ("共8张", [8]),
        ("1. first\n2. second", []),
    ],
)
def test_figures_are_numbers_and_not_parts_of_names(text: str, found: list[float]) -> None:
    assert figures(text) == found


def test_a_number_that_no_evidence_holds_is_unsupported() -> None:
    assert unsupported("H20 has 96 GB and 4 TB/s", ["96 GB"]) == [4]
