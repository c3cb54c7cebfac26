"""Questions that one section of the articles answers whatever card or model they name."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("two 4090 machines over 1 GbE, 70B q4: PP or TP?", "ways:slow"),
        ("两台4090千兆网跑70B，用pp还是tp", "ways:slow"),
        ("vllm on 4 3090s without nvlink, tp or pp", "ways:serving"),
        ("四张4090没有nvlink，vllm用张量并行还是流水线并行", "ways:serving"),
        ("which is better for two GPUs in one box, data parallel or tensor parallel?", "ways:any"),
        ("两张卡一台机器，数据并行还是张量并行", "ways:any"),
        ("is TP over 2 nodes with InfiniBand NDR OK for a 405B?", "told:across"),
        ("100G以太网上跨机做TP行吗", "told:across"),
        ("tensor parallel 跨 node 走 100GbE 可以吗", "told:across"),
        ("where can I get a free GPU to fine-tune a 7B", "told:free"),
        ("哪里能免费白嫖显卡微调7B", "told:free"),
        ("which gpu is best", "told:best"),
        ("what is the best GPU for AI?", "told:best"),
        ("哪个显卡最适合做AI", "told:best"),
        ("is an i5 enough for one 3090 or do I need an i9", "told:processor"),
        ("单卡4090配r5 7600够不够", "told:processor"),
        ("merged model is twice as large as the original, 28gb instead of 14 for a 7b", "told:written"),
        ("合并后的模型比原来大一倍，7B变成28G", "told:written"),
        ("32 GPUs on 25GbE, scaling is bad, what network speed do I need?", "told:link"),
    ],
)
def test_the_section_is_known_before_it_is_searched(reader: Reader, question: str, key: str) -> None:
    (part, *_) = reader.read(question).parts
    assert part.intent == "explain" and part.slots["advised"] == key


@pytest.mark.parametrize(
    "question",
    [
        "7B 4bit colab free T4 够微调吗",
        "difference between tensor parallelism and pipeline parallelism",
        "8x H100 training 13B: FSDP or TP?",
        "ddp or fsdp for 7b lora on 4x 3090",
        "what is the best GPU for a 70B in int4",
        "can i run 7b on an i7 cpu only",
        "哪张卡最适合跑70B",
        "checkpoint size of a 7B with optimizer states",
    ],
)
def test_what_can_be_computed_or_named_is_not_advised(reader: Reader, question: str) -> None:
    assert all("advised" not in p.slots for p in reader.read(question).parts)


@pytest.mark.parametrize(
    "question",
    [
        "4 P40s only doubled my tokens/s vs one, why not 4x?",
        "四张3090用llama.cpp跑，速度和一张差不多，正常吗",
        "四张P6000只比一张快一点，不应该是4倍吗",
        "4x RTX 3090 layer split in llama.cpp: any faster than one card?",
        "shouldn't 4 GPUs generate 4x faster than one?",
    ],
)
def test_more_cards_that_are_no_faster_are_a_belief(reader: Reader, question: str) -> None:
    assert "scaling" in {p.kind for p in reader.read(question).premises}


@pytest.mark.parametrize("question", ["is a 4090 any faster than a 3090", "两张4090比一张A100快吗", "2x 3090 or one A6000?"])
def test_two_kinds_of_cards_are_no_such_belief(reader: Reader, question: str) -> None:
    assert "scaling" not in {p.kind for p in reader.read(question).premises}


def test_the_number_in_a_name_is_no_number_of_layers(reader: Reader) -> None:
    assert "layers" not in reader.read("4x RTX 3090 layer split in llama.cpp, is that ok?").slots
    assert reader.read("a model with 80 layers and hidden 8192").slots["layers"] == 80


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("老板问要不要上IB，我们就两台8卡A800做微调", "told:nodes"),
        ("RoCE or plain TCP for 4 nodes with 100G?", "told:nodes"),
        ("ib还是roce", "told:fabric"),
        ("FSDP or DeepSpeed for 4x A100 finetuning llama 3 8b?", "ways:libraries"),
        ("网上都说训练一定要NVLink，没有就别训了，对吗", "told:bridge"),
        ("which nvidia card should i get for ai stuff", "told:best"),
        ("free gpu to try llama 3 8b lora?", "told:free"),
        ("is it better to use pipeline or tensor parallel when my 4 gpus are on pcie 3.0", "ways:serving"),
    ],
)
def test_links_libraries_and_cards_without_a_job_are_advice(reader: Reader, question: str, key: str) -> None:
    assert key in {p.slots.get("advised") for p in reader.read(question).parts}


@pytest.mark.parametrize(
    "question", ["my friend says deepspeed makes 2x 3090 work like a 48gb card", "两张3090自动变成48G，对吗"]
)
def test_two_cards_like_one_are_a_belief(reader: Reader, question: str) -> None:
    assert "pool" in {p.kind for p in reader.read(question).premises}


@pytest.mark.parametrize("question", ["zero 2 or zero 3 for 13b on 8x a100 80gb?", "13B在8卡A100上用zero2还是zero3"])
def test_a_choice_of_stages_is_sized_with_each(reader: Reader, question: str) -> None:
    (part,) = reader.read(question).parts
    assert part.intent == "size" and part.asks_verdict and part.slots["each"] == ("zero_stage", [2, 3])


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("will 25gbe bottleneck lora of a 70b", "told:adapters"),
        ("25G网络训70B LoRA会成为瓶颈吗", "told:adapters"),
        ("is a 3080 still good enough for local llms or upgrade?", "told:upgrade"),
    ],
)
def test_what_adapters_send_and_whether_to_upgrade_is_advice(reader: Reader, question: str, key: str) -> None:
    assert key in {p.slots.get("advised") for p in reader.read(question).parts}


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("can i mix a 3090 and a 4070 for tensor parallel", "told:mixed"),
        ("is tensor parallel needed for a 7b on h100?", "ways:any"),
        ("do i need pipeline parallel for 8 gpus in one node", "ways:any"),
        ("7B在80G卡上还要不要开TP", "ways:any"),
        ("单卡80G好还是双卡40G好", "told:large"),
        ("one 48gb card or two 24gb cards?", "told:large"),
    ],
)
def test_mixing_needing_and_one_or_several_is_advice(reader: Reader, question: str, key: str) -> None:
    assert key in {p.slots.get("advised") for p in reader.read(question).parts}


@pytest.mark.parametrize(
    "question", ["mixtral 8x7b on 3090 and 4090?", "mixed precision on A100 and V100", "one A6000 or two 3090 for 70B q4?"]
)
def test_names_that_only_look_so_are_not(reader: Reader, question: str) -> None:
    assert all("advised" not in p.slots for p in reader.read(question).parts)
