"""Names that no table has are unknown and never their neighbours; families without a size are read with a stated default."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("H400 的显存带宽", "H400"),
        ("how much memory does a B700 have", "B700"),
        ("MI600X 带宽多少", "MI600X"),
        ("RTX 8090 Ti 显存多大", "RTX 8090 Ti"),
        ("RTX 7070000 memory", "RTX 7070000"),
        ("英伟达 X800 支持 FP8 吗", "英伟达 X800"),
        ("昇騰 970C 顯存", "昇騰 970C"),
        ("TPU v9 memory", "TPU v9"),
        ("Gaudi 6 的功耗", "Gaudi 6"),
        ("can a 7090 run a 13B in int8", "7090"),
        ("GPT-9 needs how many GPUs", "GPT-9"),
        ("Llama 8 90B 推理要多少显存", "Llama 8 90B"),
        ("Qwen9-70B 的层数", "Qwen9-70B"),
        ("DeepSeek V8 要几张卡", "DeepSeek V8"),
        ("Qwen2.5-41B 有几层", "Qwen2.5-41B"),
        ("Mixtral 32x9B fp16 memory", "Mixtral 32x9B"),
        ("GB900 NVL72 内存多大", "GB900"),
        ("how much HBM does NVIDIA Rubin Ultra have", "Rubin Ultra"),
        ("Vera Rubin Ultra 的带宽", "Vera Rubin Ultra"),
        ("Feynman GPU 功耗多少", "Feynman"),
    ],
)
def test_a_well_formed_name_without_a_row_is_unknown(reader: Reader, text: str, name: str) -> None:
    understood = reader.read(text)
    assert understood.unknown_entities == (name,)
    assert not {"gpu", "model", "system"} & understood.slots.keys()
    assert all(not part.entities for part in understood.parts)


def test_what_is_said_beside_an_unknown_name_is_kept(reader: Reader) -> None:
    slots = reader.read("A200 80G 够跑 7B 吗").slots
    assert (slots["memory_gb"], slots["parameters"], slots["workload"]) == (80.0, 7e9, "inference")
    assert reader.read("Llama 9 70B 推理要多少显存").slots["parameters"] == 70e9
    assert reader.read("H100 and H900 bandwidth").parts[0].entities == (("accelerators", "h100-sxm5-80gb"),)


def test_an_unknown_name_displaces_the_one_talked_of(reader: Reader) -> None:
    understood = reader.read("H300 呢", ["A100 显存带宽多少"])
    assert understood.unknown_entities == ("H300",)
    assert "gpu" not in understood.slots
    assert not understood.parts[0].entities


@pytest.mark.parametrize(
    "text",
    [
        "P99 延迟怎么看", "H264 视频编码", "Qwen 7B 2 张 3090 够吗", "llama 2 70b on 8 A100", "i9-14900K + 4090 跑 13B",
        "Xeon E5 2680 够吗，7B",
        "训练 7B 用 DeepSpeed 0.14", "llama 70b 4bit", "在 PyTorch 2.4 上训 7B", "V100 32G 显存",
        "3090 24g", "Qwen2.5 7B 显存",
        "phi 3 显存",
        "gpt-oss 120b memory", "A100 300W 版功耗", "预算 $5090 买什么卡",
        "英伟达 fp8 算力最高的卡", "NVIDIA int8 support on the A10",
    ],
)  # fmt: skip
def test_what_is_no_name_or_a_known_one_is_no_stranger(reader: Reader, text: str) -> None:
    assert reader.read(text).unknown_entities == ()


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("how much vram for llama 3?", "llama3-8b"),
        ("qwen2.5 微调要多少显存", "qwen2.5-7b"),
        ("gemma 2 needs what card", "gemma2-9b"),
    ],
)
def test_a_family_without_a_size_is_read_with_a_stated_default(reader: Reader, text: str, row: str) -> None:
    understood = reader.read(text)
    assert understood.slots["model"] == row
    assert "size" in understood.assumed["model"] or "规模" in understood.assumed["model"]


def test_the_size_said_next_or_before_settles_a_family(reader: Reader) -> None:
    assert reader.read("70B", ["how much vram for llama 3?"]).slots["model"] == "llama3-70b"
    settled = reader.read("llama 3 呢", ["70B 推理要多少显存"])
    assert settled.slots["model"] == "llama3-70b" and "model" not in settled.assumed


def test_an_everyday_name_of_an_announced_chip_is_nothing_of_the_field(reader: Reader) -> None:
    assert reader.read("what did Richard Feynman win the Nobel prize for").off_topic


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("can I finetune on V100s", "v100-sxm2-32gb"),
        ("8 T4s memory bandwidth", "t4"),
        ("TDP of H100s", "h100-sxm5-80gb"),
        ("bandwidth of a V100S", "v100s-pcie-32gb"),
        ("a V100s PCIe: bandwidth", "v100s-pcie-32gb"),
        ("V100s 显存", "v100s-pcie-32gb"),
        ("bandwidth of 8 L40s", "l40s"),
    ],
)
def test_several_of_a_card_are_no_rarer_card(reader: Reader, text: str, row: str) -> None:
    assert reader.read(text).parts[0].entities == (("accelerators", row),)


@pytest.mark.parametrize("text", ["H100 SXM6 96GB bandwidth", "A100 SXM5 的带宽"])
def test_a_board_that_a_card_does_not_come_on_is_said_not_to_be_there(reader: Reader, text: str) -> None:
    (premise,) = reader.read(text).premises
    assert premise.kind == "variant" and premise.claimed in text and "SXM" in premise.claimed
    assert not reader.read("V100 SXM3 bandwidth").premises


@pytest.mark.parametrize(
    "text", ["b站大会员年费多少钱啊", "一斤猪肉多少钱", "理发一次多少钱", "特斯拉 model 3 多少钱", "how much does a haircut cost",
             "what's the price of a bicycle"],
)  # fmt: skip
def test_a_price_of_something_else_is_off_topic(reader: Reader, text: str) -> None:
    assert reader.read(text).off_topic


@pytest.mark.parametrize(
    "text", ["租一个月多少钱", "整机多少钱", "DGX 多少钱", "成本怎么算", "price of a server", "how much does it cost per hour",
             "为什么decode是memory bound", "why is decoding memory-bound?", "adapter才几十兆是不是没训上"],
)  # fmt: skip
def test_prices_and_speeds_of_the_field_are_not(reader: Reader, text: str) -> None:
    assert not reader.read(text).off_topic
