"""RAM that is stated counts beside the card, in both languages, for dense models and mixtures."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("asked", "lead"),
    [
        ("I have 128 GB of system RAM and an RTX 4090, can I run Llama 3.1 70B Q4?", "Only with part of it in host memory"),
        ("128G内存加一张4090，能跑 Llama 70B 的 Q4_K_M 吗？", "有条件，须把一部分放进内存"),
        ("64GB RAM plus a 3090: does Qwen2.5 72B int4 run?", "Only with part of it in host memory"),
        ("192GB DDR5 内存，单卡 5090，跑 Qwen3-235B-A22B int4 行不行", "可以，专家权重放在内存里"),
        ("Can I run DeepSeek V3 at Q4 with 512 GB of RAM and one L40?", "Yes, with the experts in host memory"),
        ("内存640G、一张L40 48G，能不能跑非量化的671b", "很勉强"),
        ("640GB RAM and one L40, can I run DeepSeek V3 unquantized?", "Hardly"),
        ("16GB内存 + 4090 跑 70B bf16 可以吗", "不够，加上内存也放不下"),
        ("64GB RAM + RTX 3090, Qwen3-235B-A22B Q4 possible?", "No, it does not fit, not even with host memory"),
    ],
)
def test_card_and_host_are_counted_together(knowledge: KnowledgeBase, asked: str, lead: str) -> None:
    answer = knowledge.ask(asked)
    assert answer.text.startswith(lead)
    speed = any(v.name == "decode_tokens_per_second" and v.text in answer.text for v in answer.values)
    assert speed == (answer.verdict == "fits_with_conditions")
    assert not any(said in answer.text for said in ("More GPUs", "更多同型号", "would hold it as it is", "则原样可以放下"))


def test_memory_beside_cards_is_nothing_to_count_of_a_number_of_them(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("How many H100 do I need for DeepSeek V3 in fp8? The servers have 2 TB RAM each.")
    assert next(v.value for v in answer.values if v.name == "gpu_count") >= 9


@pytest.mark.parametrize(
    ("asked", "verdict", "lead"),
    [
        ("单张3090加512G内存，7B全参能训吗", "fits_with_conditions", "可以，但要卸载：把梯度和优化器状态放到内存"),
        (
            "2x4090 plus 256GB RAM, can I full fine-tune 13B?",
            "fits_with_conditions",
            "Yes, with offloading: weights, gradients",
        ),
        ("16G 4080, 64GB RAM, full finetune 3B", "fits_with_conditions", "Yes, with offloading"),
        ("单卡4090 192G内存 LoRA 70B bf16 可以吗", "fits_with_conditions", "可以，但要卸载：把冻结的权重和适配器放到内存"),
        (
            "7B full fine-tune on one 3090 with 64 GB RAM and a 2 TB NVMe",
            "fits_with_conditions",
            "Yes, with offloading to NVMe",
        ),
        ("A6000 and 128 GB RAM: 13B full finetune", "does_not_fit", "No: without offloading"),
        ("3090一张，32G内存，全参微调7B，够不够", "does_not_fit", "不够：不卸载时"),
        ("两张4090涡轮+128G内存，72b的lora(bf16)能炼吗", "does_not_fit", "不够：不卸载时"),
        ("4090 + 64G RAM, 7B QLoRA OK?", "fits", "Yes, it fits"),
    ],
)
def test_states_of_training_are_counted_to_the_memory_that_is_stated(
    knowledge: KnowledgeBase, asked: str, verdict: str, lead: str
) -> None:
    answer = knowledge.ask(asked)
    assert answer.verdict == verdict and answer.text.startswith(lead), answer.text
    stated = next(v for v in answer.values if v.name == "host_ram_available")
    assert stated.text in answer.text


@pytest.mark.parametrize(
    ("asked", "held"),
    [("One RTX 3090 and 512 GB of RAM: full fine-tuning of 7B?", 16 * 7e9), ("双 4090，256G 内存，13B 全参行吗", 18 * 13e9)],
)
def test_what_is_offloaded_is_told_with_the_bytes_of_a_parameter(knowledge: KnowledgeBase, asked: str, held: float) -> None:
    """16 bytes where weights stay on the GPU, 18 where a GPU does not hold them, either: DeepSpeed's estimate."""
    answer = knowledge.ask(asked)
    assert next(v.value for v in answer.values if v.name == "offloaded_states") * 2**30 == pytest.approx(held)


@pytest.mark.parametrize(
    ("asked", "lead", "verdict"),
    [
        ("is 32GB of RAM enough next to two 3090s for inference?", "Below the rule of thumb", "fits_with_conditions"),
        ("8 张 4090 只跑推理，128G 内存够不够", "低于经验法则", "fits_with_conditions"),
        ("is 64GB of RAM fine next to two 3090s for inference?", "Enough:", "fits"),
        ("训练服务器8张H100，配256GB内存够吗", "不够", "does_not_fit"),
    ],
)
def test_less_ram_than_gpu_memory_is_below_a_rule_of_thumb_and_not_too_little_to_infer(
    knowledge: KnowledgeBase, asked: str, lead: str, verdict: str
) -> None:
    answer = knowledge.ask(asked)
    assert answer.text.startswith(lead) and answer.verdict == verdict


@pytest.mark.parametrize(
    "asked", ["24G 的显卡 4 位量化能跑多大的模型？", "what's the biggest model 24gb can run", "24GB 最大能跑什么模型"]
)
def test_the_models_named_as_the_largest_are_held(knowledge: KnowledgeBase, asked: str) -> None:
    """Command R v01 has fewer parameters than the bound, and a cache too large for what is left."""
    text = knowledge.ask(asked).text
    assert "Yi 34B" in text and "Command R v01" not in text
