"""What is advised where a job does not fit: changes of the job before cards, and no cards that a machine does not take."""

from __future__ import annotations

import re

import pytest

from tests.kb.sizing.conftest import ask

TUNED = {"workload": "full_finetune", "model": "dense-8b"}


def options(**fields) -> str:
    return " ".join(ask(**fields).extra["options"])


def test_a_laptop_is_given_no_cards(sized) -> None:
    for fields in ({"model": "dense-70b"}, TUNED, {**TUNED, "workload": "pretrain", "tokens": 1e10}):
        for count in (None, 1):
            found = sized(**fields, gpu="laptop-8gb", gpu_count=count)
            assert found.verdict == "does_not_fit" and found.request.gpu_count == 1
            assert "same kind" not in " ".join(found.extra["options"]) and "gpu_count" not in found.extra


def test_a_desktop_is_advised_as_many_cards_as_it_takes_and_a_server_more() -> None:
    assert "4 GPUs of the same kind would hold it" in options(
        workload="full_finetune", parameters=3e9, gpu="desk-24gb", gpu_count=1
    )
    assert "same kind" not in options(**{**TUNED, "model": "dense-70b"}, gpu="desk-24gb", gpu_count=2)
    assert "24 GPUs of the same kind would hold it" in options(**{**TUNED, "model": "dense-70b"}, gpu="big-80gb", gpu_count=8)


def test_what_no_change_makes_fit_runs_in_part_on_the_host_or_on_a_larger_card() -> None:
    served = options(model="dense-70b", gpu="desk-24gb", gpu_count=1)
    assert "llama.cpp keeps" in served and "One GPU with 80 GB would hold it with 4-bit weights." in served
    assert "One GPU with 80 GB would hold it with QLoRA." in options(
        **{**TUNED, "model": "dense-70b"}, gpu="desk-24gb", gpu_count=1
    )
    assert "as it is" in options(workload="qlora", model="dense-70b", gpu="laptop-8gb")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"parameters": 38e9, "quantization": "q4_k_m", "gpu": "desk-24gb"}, "3-bit"),
        ({"workload": "qlora", "model": "dense-8b", "seq_len": 16384, "gpu": "laptop-8gb"}, "sequences of \\d+ tokens"),
        ({"workload": "pretrain", "tokens": 1e9, "parameters": 1.5e9, "gpu": "laptop-8gb"}, "host memory"),
    ],
)
def test_fewer_bits_shorter_sequences_and_host_memory_come_before_a_larger_card(fields, words: str) -> None:
    assert re.search(words, options(**fields, gpu_count=1))
