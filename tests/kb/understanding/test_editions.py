"""What a model's name says beyond the row it is computed with is told."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("llama 3.2 11b vision on a 4090, does it fit?", "image"),
        ("qwen2.5-vl-7b bf16 一张4090 够吗", "图像"),
        ("Qwen3-VL-8B LoRA 微调 4090 够吗", "图像"),
        ("qwen3-32b 一张A100 处理 10 张图片 够吗", "图像"),
        ("qwen2-audio-7b 4090 够吗", "音频"),
        ("internvl3-78b 4张A100 够吗", "internvl3-78b"),
        ("llava-1.6-34b int4 on a 4090?", "llava-1.6-34b"),
        ("Qwen3-Embedding-8B on a 4090, how much memory?", "no KV cache"),
        ("qwen3-reranker-8b 4090 够吗", "KV 缓存"),
        ("kimi k2 thinking 256k context memory", "kimi k2 thinking"),
        ("kimi k2 0905 int4 8 张 A100 80GB 够吗", "kimi k2 0905"),
    ],
)
def test_what_the_computation_leaves_out_is_told(reader: Reader, text: str, told: str) -> None:
    assert told in reader.read(text).assumed["edition"]


@pytest.mark.parametrize(
    "text",
    [
        "qwen3-8b on a 4090, does it fit?",
        "dense-70b 8 张 H100 够吗",
        "lora-7b on a 4090",
        "qwen3-14b and a reranker on one 4090, fits?",
        "qlora-70b 一张A100",
    ],
)
def test_a_plain_name_has_nothing_to_add(reader: Reader, text: str) -> None:
    assert "edition" not in reader.read(text).assumed


def test_an_image_of_4k_is_no_context(reader: Reader) -> None:
    slots = reader.read("qwen2.5-vl-7b bf16 一张4090 够吗 输入一张4K图").parts[0].slots
    assert "context_len" not in slots
    assert slots["gpu_count"] == 1


def test_an_embedding_model_is_run(reader: Reader) -> None:
    part = reader.read("Qwen3-Embedding-8B in BF16, batches of 64 x 512 tokens, memory?").parts[0]
    assert part.slots["workload"] == "inference"
    assert "other_model" not in part.slots


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Qwen2.5-VL 7B bf16 on a 3090", "qwen2.5-7b"),
        ("对 Qwen2.5-VL-7B 做 LoRA 微调，一张 24GB 的显卡是否够用？", "qwen2.5-7b"),
        ("用 qwen2-vl-72b int4 两张 A100 够吗", "qwen2-72b"),
        ("llama 3.2 11b vision on a 4090", None),
        ("llama 9 70b on 8 H100", None),
    ],
)
def test_a_model_that_sees_is_computed_with_its_language_model(reader: Reader, text: str, row: str | None) -> None:
    reading = reader.read(text)
    assert reading.parts[0].slots.get("model") == row
    assert bool(reading.unknown_entities) == (row is None)
