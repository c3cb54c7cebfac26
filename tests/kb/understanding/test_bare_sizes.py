"""Sizes and names of models that are not in the table under the words that are said."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("671b 推理要多少显存", "deepseek-v3"),
        ("671B q4 on 8 H100?", "deepseek-v3"),
        ("671B的检查点带优化器多大", "deepseek-v3"),
        ("235b-a22b 推理显存", "qwen3-235b-a22b"),
        ("30b-a3b int4 needs how much memory", "qwen3-30b-a3b"),
        ("serve a 106b-a12b model on H200", "glm-4.5-air"),
        ("480b int4 on how many H200", "qwen3-coder-480b-a35b"),
        ("train a 1T model on 450B tokens with 3072 A100", None),
        ("405b fp8 on 8 H100", None),
        ("70b 显存", None),
        ("130b 推理要几张 H100", None),
        ("30b 推理显存", None),
    ],
)
def test_a_size_that_one_mixture_alone_has_is_that_mixture(reader: Reader, text: str, model: str | None) -> None:
    understood = reader.read(text)
    assert understood.slots.get("model") == model
    assert ("model" in understood.assumed) == (model is not None)


@pytest.mark.parametrize(
    ("text", "parameters"),
    [("deepseek-coder-33b fp16 on two L40", 33e9), ("deepseek coder 6.7b 显存", 6.7e9), ("deepseek math 7b 要多少显存", 7e9)],
)
def test_a_size_in_a_name_wins_over_the_usual_model_of_its_first_word(reader: Reader, text: str, parameters: float) -> None:
    slots = reader.read(text).slots
    assert "model" not in slots and slots["parameters"] == parameters


@pytest.mark.parametrize(
    ("text", "model"),
    [("deepseek-coder-v2-lite 要多少显存", "deepseek-v2-lite"), ("deepseek-coder-v2 236b vram", "deepseek-v2")],
)
def test_a_product_built_on_another_model_is_sized_as_that(reader: Reader, text: str, model: str) -> None:
    assert reader.read(text).slots["model"] == model


@pytest.mark.parametrize("text", ["gemma 3n e4b on a 8GB card", "Gemma 3n E2B 显存", "deepseek-ocr 要多少显存"])
def test_another_product_of_a_family_is_no_member_of_it(reader: Reader, text: str) -> None:
    assert "model" not in reader.read(text).slots


@pytest.mark.parametrize(
    ("text", "gpu"),
    [
        ("RTX 7900 XTX memory bandwidth", "rx-7900-xtx"),
        ("RTX 7900 XTX 显存带宽多少", "rx-7900-xtx"),
        ("寒武纪 MLU590 的 memory bandwidth 是多少", "mlu590"),
        ("GTX 4090 显存", "rtx-4090"),
        ("MLU370-X8 的显存带宽", "mlu370-x8"),
        ("RTX 6090 显存", None),
        ("RX 9999 XTX memory", None),
    ],
)
def test_a_maker_or_series_before_a_known_name_does_not_hide_it(reader: Reader, text: str, gpu: str | None) -> None:
    understood = reader.read(text)
    assert understood.slots.get("gpu") == gpu and not understood.assumed
    assert bool(understood.unknown_entities) == (gpu is None)


@pytest.mark.parametrize(
    "text", ["R1 Q4 on a 4090 with dual channel DDR5-6000, tokens per second", "R1 Q4，4090 加双通道 DDR5-6000，速度多少"]
)
def test_two_channels_are_said_in_a_word(reader: Reader, text: str) -> None:
    slots = reader.read(text).slots
    assert slots["memory_channels"] == 2 and slots["memory_mt_s"] == 6000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("把4090当成80G来算，70B bf16推理要几张？", "80 GB"),
        ("3090 按 48G 算，70B int4 要几张", "48 GB"),
        ("if a 4090 had 80GB, how many for 70B bf16 inference", "80 GB"),
        ("treat the 4090 as an 80GB card: how many for a 70B in bf16?", "80 GB"),
        ("4090 按 24G 算，7B bf16 推理够吗", None),
    ],
)
def test_a_memory_that_a_card_is_taken_to_have_is_put_right(reader: Reader, text: str, said: str | None) -> None:
    assert [p.claimed for p in reader.read(text).premises if p.kind == "memory"] == ([said] if said else [])
