"""A mixture's experts in the memory of the host, the rest on a GPU."""

from __future__ import annotations

from typing import Any

import pytest

from kb.ingest.assumptions import read_assumptions
from kb.ingest.specs import read_specs
from kb.sizing.request import from_mapping
from kb.sizing.size import size
from kb.types.sizing import SizingResult
from tests.kb.sizing.conftest import CORPUS

BOOK, ASSUMPTIONS = read_specs(CORPUS / "specs"), read_assumptions(CORPUS / "assumptions")
CARD = {"model": "deepseek-r1", "quantization": "q4_k_m", "gpu": "rtx-4090", "gpu_count": 1}


def sized(**request: Any) -> SizingResult:
    return size(from_mapping({**CARD, **request}), BOOK, ASSUMPTIONS, ("decode_tokens_per_second",))


def pace(result: SizingResult) -> float:
    return next(float(v.value or 0) for v in result.values if v.name == "decode_tokens_per_second")


@pytest.mark.parametrize(
    ("host", "published"),
    [
        ({"memory_channels": 8}, 8.73),
        ({"memory_channels": 8, "sockets": 2}, 12.2),
        ({"memory_channels": 16, "sockets": 2}, 12.2),
    ],
)
def test_the_pace_is_that_of_the_memory_of_the_host(host: dict[str, int], published: float) -> None:
    """KTransformers publishes these of Xeons with DDR5-4800 and an RTX 4090D."""
    assert pace(sized(memory_mt_s=4800, **host)) == pytest.approx(published, rel=0.05)


def test_more_channels_are_faster_and_a_named_processor_has_its_own() -> None:
    two, twelve = (pace(sized(memory_channels=n, memory_mt_s=4800)) for n in (2, 12))
    assert 5 < twelve / two < 6 and pace(sized(engine="ktransformers", processor="epyc-9654")) == pytest.approx(twelve)


def test_a_card_holds_what_is_no_expert_and_the_host_the_experts() -> None:
    result = sized(engine="ktransformers")
    values = {v.name: float(v.value or 0) for v in result.values}
    assert result.verdict == "fits_with_conditions" and values["memory_per_gpu"] < 14
    assert 360 < values["host_ram"] < 382
    assert "host_bandwidth" in {a.slot for a in result.assumptions}


@pytest.mark.parametrize("request_", [{}, {"gpu": "h200-sxm-141gb", "gpu_count": 8, "engine": "ktransformers"}])
def test_experts_stay_on_gpus_that_hold_them_or_where_no_host_is_spoken_of(request_: dict[str, Any]) -> None:
    result = sized(**request_)
    assert "experts_on_host" not in result.extra and result.verdict == ("fits" if request_ else "does_not_fit")
