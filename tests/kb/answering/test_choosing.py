"""Hardware and layouts chosen by the planner; deadlines; what one setting saves over another."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize("question", ["64 张 H100 训 70B，TP/PP/DP 怎么切？", "Best TP/PP/DP split for a 70B on 64 H100s?"])
def test_a_layout_fills_the_cards_that_there_are(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing"
    assert answer.table is not None and len(answer.table.rows) > 1
    assert len({row[3] for row in answer.table.rows}) == len(answer.table.rows)
    assert all("64" in row for row in answer.table.rows)


@pytest.mark.parametrize(
    "question", ["70B 给 50 人用，选什么卡好？", "Which GPU should I use to serve a 70B to 50 concurrent users?"]
)
def test_hardware_for_a_service_is_planned(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing" and answer.table is not None
    assert all("50" in row for row in answer.table.rows)
    assert {c.source.kind for c in answer.citations} & {"spec", "rule"}


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("64 张 A100，30 天内 7B 过 1T token 够吗？MFU 45%", "does_not_fit"),
        ("Are 64 A100 enough to pretrain a 7B on 1T tokens in 90 days at 45 % MFU?", "fits"),
    ],
)
def test_a_deadline_is_judged_by_time(knowledge: KnowledgeBase, question: str, verdict: str) -> None:
    answer = knowledge.ask(question)
    time = next(v for v in answer.values if v.name == "training_time")
    # 6 × 7e9 × 1e12 / (64 × 312e12 × 0.45) seconds
    assert float(time.value or 0) == pytest.approx(54.1, rel=0.02)
    assert answer.verdict == verdict
    needed = [v.value for v in answer.values if v.name == "gpu_count"]
    assert needed == ([116] if verdict == "does_not_fit" else [])


@pytest.mark.parametrize(
    "question",
    [
        "8-bit Adam instead of AdamW for a full fine-tune of an 8B: how much do I save?",
        "全参微调 8B，AdamW 和 8bit AdamW 差多少显存？",
    ],
)
def test_what_is_saved_is_said(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    (gap,) = (v for v in answer.values if v.name == "difference")
    assert float(gap.value or 0) == pytest.approx(6 * 8e9 / 2**30, rel=0.01)  # 12 bytes of moments and masters become 6


def test_trainable_parameters_of_an_adapter(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("LoRA rank 64 on all linear layers of Llama 2 7B: how many trainable parameters?")
    (value,) = (v for v in answer.values if v.name == "trainable_parameters")
    assert value.value == 159_907_840  # 64 × 32 × (8 × 4096 + 3 × (4096 + 11008))


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("7B fp16 推理要多少显存，预算 2 万元", "2 万元"),
        ("How much VRAM does a 13B need in fp16 for inference, budget $4000?", "$4000"),
    ],
)
def test_a_figure_that_no_rule_takes_in_is_said(knowledge: KnowledgeBase, question: str, left: str) -> None:
    text = knowledge.ask(question).text
    sentence = next(s for s in text.split("\n") if left in s)
    assert "does not use" in sentence or "没有用在" in sentence


def test_a_figure_that_is_used_is_not(knowledge: KnowledgeBase) -> None:
    text = knowledge.ask("Pretrain a 7B on 1T tokens with 64 A100 at 45 % MFU: how long?").text
    assert "does not use" not in text


@pytest.mark.parametrize(
    ("question", "verdict", "said"),
    [
        ("8G 的卡能跑 7B 吗", "fits_with_conditions", "量化"),
        ("Can I run Qwen2.5-14B on an RTX 3060 12GB?", "fits_with_conditions", "quantized"),
        ("Can I run Qwen2.5-14B in bf16 on an RTX 3060 12GB?", "does_not_fit", "does not fit"),
        ("Does Llama 3 70B Q4_K_M fit on 2x RTX 3090?", "fits_with_conditions", "at least 92 %"),
    ],
)
def test_a_verdict_names_its_condition(knowledge: KnowledgeBase, question: str, verdict: str, said: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == verdict
    assert said in answer.text.split("\n")[0]


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("RTX 4090 or L40S for serving a 14B, which one?", "So NVIDIA L40S"),
        ("4090 和 L40S 跑 14B 推理选哪个", "因此选 NVIDIA L40S"),
        ("one A100 80GB or four L40S for a 70B in fp8?", "So 4 × NVIDIA L40S"),
        ("一张 A100 80G 还是四张 L40S 跑 70B FP8", "因此选 4 × NVIDIA L40S"),
    ],
)
def test_a_choice_between_cards_ends_in_the_one_that_holds_the_model(
    knowledge: KnowledgeBase, question: str, chosen: str
) -> None:
    assert chosen in knowledge.ask(question).text


@pytest.mark.parametrize(
    "question", ["A100 40G 和 80G 除了容量，带宽也不一样？", "Is the bandwidth of A100 40GB and A100 80GB different?"]
)
def test_a_difference_that_is_asked_about_is_confirmed(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.text.startswith(("是的", "Yes"))
    assert any(v.name == "difference" and v.value == 484 for v in answer.values)


@pytest.mark.parametrize("question", ["7B 全参微调最少几张 4090？", "How many RTX 4090 at least for a full fine-tune of a 7B?"])
def test_a_rounded_number_of_cards_says_the_least(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "7" in text.split("\n")[0].replace("7B", "") and "8" in text.split("\n")[0]


def test_the_stages_are_told_before_they_are_computed(knowledge: KnowledgeBase) -> None:
    first = knowledge.ask("13B with ZeRO-1, ZeRO-2 and ZeRO-3 on 64 GPUs: model states per GPU?").text.split("\n")[0]
    assert all(first.count(f"ZeRO-{stage}") == 1 for stage in (1, 2, 3))


def test_a_count_times_a_capacity_is_the_cards_there_are(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("72B LoRA in bf16 on 3x 80GB, fits?")
    slots = answer.understanding.slots
    assert (slots["gpu_count"], slots["memory_gb"]) == (3, 80) and "question is too" not in answer.text


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("is it better to get 2x 3090 or one 5090 for running 70b models at q4", "So 2 × RTX 3090 is the one to take"),
        ("两张3090还是一张5090跑70B q4好", "因此选 2 × RTX 3090"),
    ],
)
def test_what_alone_just_holds_it_is_chosen(knowledge: KnowledgeBase, question: str, chosen: str) -> None:
    assert chosen in knowledge.ask(question).text
