"""What is asked of the cards of the table: several columns at once, thresholds by their unit, short lists."""

from __future__ import annotations

from typing import Any

import pytest

from kb.understanding import Reader

MEMORY, BANDWIDTH, BF16, TDP = "memory_gb", "memory_bandwidth_gb_s", "bf16_dense_tflops", "tdp_w"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("gaudi3 hbm size bw n tdp", {MEMORY, BANDWIDTH, TDP}),
        ("h200 hbm size and bandwidth", {MEMORY, BANDWIDTH}),
        ("Rated power of the MI355X?", {TDP}),
        ("L40S vram, bw", {MEMORY, BANDWIDTH}),
        ("mi300x mem size, bw", {MEMORY, BANDWIDTH}),
        ("L40S 显存 带宽 功耗", {MEMORY, BANDWIDTH, TDP}),
        ("rtx 4090 vram and speed", {MEMORY, BANDWIDTH, BF16}),
        ("L4 的显存和速度", {MEMORY, BANDWIDTH, BF16}),
        ("how fast is the rtx 4090", {BANDWIDTH, BF16}),
        ("H200 的 HBM 带宽", {BANDWIDTH}),
        ("H100 的显存带宽是多少", {BANDWIDTH}),
        ("mem bw of the A30", {BANDWIDTH}),
    ],
)
def test_every_column_that_is_named_is_asked_for(reader: Reader, text: str, columns: set[str]) -> None:
    (part,) = reader.read(text).parts
    assert part.intent == "lookup" and set(part.columns) == columns


def test_how_fast_a_card_is_without_a_model_is_a_matter_of_its_columns(reader: Reader) -> None:
    memory, speed = reader.read("how much memory does the intel arc pro b60 have and how fast is it").parts
    assert (memory.columns, speed.intent, speed.columns) == ((MEMORY,), "lookup", (BANDWIDTH, BF16))
    assert reader.read("how fast is llama3 8b on the rtx 4090").parts[0].intent == "size"


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("哪些加速卡的单卡 FP8 稠密算力超过 2000 TFLOPS？", ("fp8_dense_tflops", ">", 2000)),
        ("cards with FP8 over 1500 TFLOPS", ("fp8_dense_tflops", ">", 1500)),
        ("BF16 算力 500T 以上的卡", (BF16, ">=", 500)),
        ("200T 以上的国产卡", (BF16, ">=", 200)),
        ("gpus above 300T bf16", (BF16, ">", 300)),
        ("int8 算力 1 PFLOPS 以上的 GPU", ("int8_dense_tops", ">=", 1000)),
        ("which cards have over 900 TOPS int8", ("int8_dense_tops", ">", 900)),
        ("带宽1T以上的卡有哪些", (BANDWIDTH, ">=", 1000)),
        ("cards w >3TB/s bw", (BANDWIDTH, ">", 3000)),
        ("gpus over 2 TB/s", (BANDWIDTH, ">", 2000)),
        ("cards w >100gb", (MEMORY, ">", 100)),
        ("显存 48G 以上的卡有哪些", (MEMORY, ">=", 48)),
    ],
)
def test_a_threshold_applies_to_the_column_of_its_unit(reader: Reader, text: str, condition: tuple[str, str, Any]) -> None:
    (part,) = reader.read(text).parts
    assert part.intent == "filter" and condition in part.conditions
    assert [c for c in part.conditions if c[0] in (MEMORY, BANDWIDTH, BF16, condition[0])] == [condition]


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("有木有单槽or半高的卡 >=16G low profile 塞小机箱用", ("single-slot", "low profile")),
        ("single slot gpus with at least 20GB", ("single-slot",)),
        ("low profile gpus", ("low profile",)),
        ("有没有双槽的卡", ("dual-slot",)),
        ("which cards are low profile", ("low profile",)),
    ],
)
def test_the_shape_of_a_board_is_a_condition(reader: Reader, text: str, shapes: tuple[str, ...]) -> None:
    (part,) = reader.read(text).parts
    assert part.intent == "filter" and ("form_factor", "in", shapes) in part.conditions


@pytest.mark.parametrize(
    ("text", "card", "column"),
    [
        ("P40 fp16 几个t", "p40", "fp16_dense_tflops"),
        ("A30 的 bf16 多少T", "a30", BF16),
        ("llama3 8b on orin tok/s", "jetson-agx-orin-64gb", None),
    ],
)
def test_short_words_name_a_rate_or_a_card(reader: Reader, text: str, card: str, column: str | None) -> None:
    part = reader.read(text).parts[0]
    assert ("accelerators", card) in part.entities or part.slots["gpu"] == card
    assert column is None or column in part.columns


def test_a_bare_number_in_a_list_of_cards_is_one(reader: Reader) -> None:
    part = reader.read("which of 2060, 3070, 4070, A10, L4 support fp8").parts[0]
    assert "rtx-2060" in {id for _, id in part.entities}


@pytest.mark.parametrize(
    "text",
    [
        "which of 3070, 4070, A10, L4 support fp8",
        "which one of V100, A100 and 3090 supports bf16?",
        "A30、L4、V100，哪些支持fp8",
    ],
)
def test_which_of_several_cards_support_a_format_asks_for_a_list(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert part.intent == "filter" and any(op == "has" for _, op, _ in part.conditions) and len(part.entities) > 2


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("RTX 5090 vs 4090 for running 32B models", "inference"),
        ("A100 or L40S for serving 70B?", "inference"),
        ("H100 还是 H20 跑 70B", "inference"),
        ("3090 or 4090 for fine-tuning 7B with qlora", "training"),
        ("4090 还是 A100 微调 13B", "training"),
        ("H200 or H100 to fit a 70B in bf16?", None),
        ("a6000 vs 6000 ada for inference, how much bandwidth do I gain", None),
    ],
)
def test_one_card_or_the_other_for_a_job_is_a_choice(reader: Reader, text: str, use: str | None) -> None:
    conditions = reader.read(text).parts[0].conditions
    assert (conditions[0][0] if conditions else None) == use


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("支持fp4的卡有哪些 消费级的也算", ("data centre GPU", "consumer GPU")),
        ("which cards support FP4, consumer ones too?", ("data centre GPU", "consumer GPU")),
        ("支持fp4的消费级卡有哪些", ("consumer GPU",)),
    ],
)
def test_a_kind_that_counts_as_well_narrows_nothing(reader: Reader, text: str, kinds: tuple[str, ...]) -> None:
    said = next(v for c, _, v in reader.read(text).parts[0].conditions if c == "kind")
    assert set(kinds) <= set(said) and (len(kinds) > 1 or set(said) == set(kinds))


@pytest.mark.parametrize("text", ["3090跟3090ti还有4090 带宽分别多少 差价值不值", "4090 和 5090 带宽分别多少，值不值得换"])
def test_how_much_each_has_is_told_whatever_it_is_worth(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[0]
    assert part.intent == "compare" and part.columns == ("memory_bandwidth_gb_s",)
