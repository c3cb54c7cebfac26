"""Misspelt names are put right and said to be; unknown products are not taken for their neighbours."""

from __future__ import annotations

import pytest

from kb.understanding import Reader
from kb.understanding.text.fold import fold


@pytest.mark.parametrize(
    ("text", "slot", "row"),
    [
        ("Lama 3 70B inference memory", "model", "llama3-70b"),
        ("mistrl 7b vram", "model", "mistral-7b-v0.3"),
        ("Qwen2.5-72b-instrct 微调要多少显存", "model", "qwen2.5-72b"),
        ("Baichaun2-13B 推理显存", "model", "baichuan2-13b"),
        ("deepsek-v3 显存", "model", "deepseek-v3"),
        ("H10O 显存多大", "gpu", "h100-sxm5-80gb"),
    ],
)
def test_a_misspelt_name_is_read_as_the_name(reader: Reader, text: str, slot: str, row: str) -> None:
    assert reader.read(text).slots[slot] == row


def test_a_respelling_is_an_assumption_in_the_language_of_the_question(reader: Reader) -> None:
    assert "say so if" in reader.read("Lama 3 70B inference memory").assumed["model"]
    assert "H10O 理解为 H100" in reader.read("H10O 显存多大").assumed["gpu"].replace("将 ", "")
    assert reader.read("nvlinnk bandwidth of H100?").parts[0].columns == ("interconnect_gb_s",)


def test_a_respelt_name_keeps_its_span(reader: Reader) -> None:
    text = "推理 Baichaun2-13B 显存"
    model = next(m for m in reader.read(text).mentions if m.quantity == "model")
    assert text[model.start : model.end] == model.text == "Baichaun2-13B"


@pytest.mark.parametrize(
    "text", ["RTX 9090 memory?", "H300 显存", "GPT-7 memory", "DeepSeek-V7 memory", "Yii 34b", "gemini 2 vram"]
)
def test_an_unknown_product_is_no_typo(reader: Reader, text: str) -> None:
    understood = reader.read(text)
    assert not understood.slots.get("gpu") and not understood.slots.get("model")
    assert not understood.assumed


def test_a_choice_of_variant_is_explained_with_the_others(reader: Reader) -> None:
    assert "A100 SXM4 40GB" in reader.read("A100 memory").assumed["gpu"]
    assert "40GB" not in reader.read("A100 80G memory").assumed["gpu"]
    assert "请说明" in reader.read("RTX 6000 显存").assumed["gpu"]
    assert "Ada" in reader.read("A6000 vram?").assumed["gpu"]


def test_a_degree_that_does_not_divide_the_heads_is_a_wrong_premise(reader: Reader) -> None:
    (premise,) = reader.read("TP 5 serving Qwen2.5-72B on 5 A100").premises
    assert (premise.kind, premise.row, premise.column) == ("parallel", "qwen2.5-72b", "heads")
    assert not reader.read("TP 4 serving Qwen2.5-72B on 4 A100").premises


def test_a_link_does_not_pool_memory(reader: Reader) -> None:
    assert [p.kind for p in reader.read("两张3090 用 NVLink 能合并成一张48G吗").premises] == ["pool"]


def test_a_follow_up_that_changes_a_value_is_rewritten(reader: Reader) -> None:
    understood = reader.read("换成13B呢？", ["7B 模型 LoRA 微调要多少显存？"])
    assert understood.question == "13B 模型 LoRA 微调要多少显存？"
    assert reader.read("what about 2 GPUs?", ["Qwen2.5-7B full fine-tune on 4 A100: enough?"]).question


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("pretrainin a 1.5B from scrach, how many GB for the states", "workload", "pretrain"),
        ("llama 70b inferance on 2 x 4090", "workload", "inference"),
        ("finetunning 7b with lora", "workload", "lora"),
        ("7B 从零 pretraning 要多少显存", "workload", "pretrain"),
    ],
)
def test_a_misspelt_word_of_the_field_is_read_and_not_remarked_upon(reader: Reader, text: str, slot: str, value: str) -> None:
    reading = reader.read(text)
    assert reading.slots[slot] == value and "question" not in reading.assumed


@pytest.mark.parametrize("text", ["throughout the run", "an adapted model", "optimize the parallels", "a contest"])
def test_another_word_is_no_slip(reader: Reader, text: str) -> None:
    folded, found = reader._typos.respell(fold(text))
    assert folded.low == text and not found
