"""How many cards a training job takes whose sequences do not fit on one, and of a job that is told beside another one."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "count", "told"),
    [
        ("how many A100 80G to full fine-tune 13B at 128k context?", 8, "split over 8 of them"),
        ("7B 全参微调 256k 要几张 A100 80G", 4, "每条序列要分到其中 4 张卡上"),
        ("34B 全参微调 128k 要几张 H100", 16, "每条序列要分到其中 8 张卡上"),
        ("how many 4090 for LoRA of 8B at 128k sequence length?", 8, "split over 8 of them"),
    ],
)
def test_a_sequence_that_no_card_holds_is_split(knowledge: KnowledgeBase, question: str, count: int, told: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing" and told in answer.text
    assert next(v.value for v in answer.values if v.name == "gpu_count") == count


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("13B 全参 64k 上下文要几张 A100 80G", "把每条序列分到 4 张卡上"),
        ("How many A100 80GB to full fine-tune 14B at 64k?", "split over 2 cards (context or sequence parallelism) 8 hold it"),
    ],
)
def test_fewer_cards_that_split_a_sequence_are_told_beside_those_that_need_not(
    knowledge: KnowledgeBase, question: str, told: str
) -> None:
    answer = knowledge.ask(question)
    assert told in answer.text and next(v.value for v in answer.values if v.name == "gpu_count" and not v.scope) == 16


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many RTX 3060 for full fine-tuning of 70B at 8M context?", "No number of RTX 3060"),
        ("70B 全参 16M 上下文要几张 4090", "多少张都放不下"),
    ],
)
def test_what_no_number_of_cards_holds_is_said(knowledge: KnowledgeBase, question: str, told: str) -> None:
    answer = knowledge.ask(question)
    assert told in answer.text and answer.verdict == "does_not_fit"


@pytest.mark.parametrize(
    ("question", "parameters", "length"),
    [
        ("7B 全参 32k 用了 8 张 A100 80G，14B 全参 64k 要租几张？", 14e9, 65536),
        ("I did a full fine-tune of an 8B at 16k on 4 H100. How many for 32B at 32k?", 32e9, 32768),
        ("LoRA 8B 用过 1 张 4090，70B LoRA 要几张", 70e9, None),
        ("A 70B LoRA took 4 A100. How many for a 123B LoRA?", 123e9, None),
    ],
)
def test_a_job_of_before_is_not_the_one_asked_about(
    knowledge: KnowledgeBase, question: str, parameters: float, length: int | None
) -> None:
    answer = knowledge.ask(question)
    slots = answer.understanding.parts[-1].slots
    assert answer.kind == "sizing" and slots["parameters"] == parameters and slots.get("seq_len") == length
    assert "gpu_count" not in slots and any(v.name == "gpu_count" for v in answer.values)


@pytest.mark.parametrize(
    ("question", "gpus", "card"),
    [
        ("Two H200 nodes vs docs' one for DeepSeek V3 FP8: is one enough by arithmetic?", 8, "H200"),
        ("we planned two 8x H200 nodes for DeepSeek V3 fp8, is one node enough?", 8, "H200"),
        ("两台8卡H200跑DeepSeek V3 FP8，一台够不够？", 8, "H200"),
        ("官方用两台8卡H100跑 R1，我一台8卡H200够吗", 8, "H200"),
        ("is one 8x H100 server enough for Llama 3.1 405B in bf16, or do I need two?", 8, "H100"),
        ("Are three 8xA100-80G nodes enough for DeepSeek-R1 in bf16? docs use four", 24, "A100"),
    ],
)
def test_the_machines_that_are_asked_to_be_enough_are_computed(
    knowledge: KnowledgeBase, question: str, gpus: int, card: str
) -> None:
    answer = knowledge.ask(question)
    first = answer.text.split("\n\n")[0]
    assert answer.verdict and any(words in first for words in (f"{gpus} × {card}", f"{gpus} 张 {card}")), answer.text


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("yarn 7B @64k needed 8x A100 80. for 13B @128k what should I rent?", 16),
        ("7B 全参 64k 需要 8 张 A100 80G，13B 全参 128k 要几张？", 16),
        ("7B 全参 32k 用了 8 张 A100 80G，14B 全参 64k 要租几张？", None),
    ],
)
def test_what_a_job_of_before_needed_is_a_measure_of_the_next(
    knowledge: KnowledgeBase, question: str, count: int | None
) -> None:
    """A number that was used, and not needed, says nothing of memory."""
    found = [v.value for v in knowledge.ask(question).values if v.name == "gpu_count" and v.scope == "experience"]
    assert found == ([count] if count else [])


@pytest.mark.parametrize(
    ("question", "gpus"),
    [("用H100集群预训练70B可行吗", "32 张 H100"), ("can we pretrain a 70B on a H100 cluster?", "32 × H100")],
)
def test_a_cluster_is_not_one_card(knowledge: KnowledgeBase, question: str, gpus: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "fits_with_conditions" and gpus in answer.text


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("which GPU and how many for serving 8B to 200 concurrent users?", (2, 4, 8)),
        ("What GPUs and how many of them do I need to serve a 70B to 50 users?", (4, 8, 16)),
        ("用什么卡、几张，给 200 人并发跑 8B？", (2, 4, 8)),
        ("what cards and how many for a 70B full fine-tune", (24, 40, 104)),
        ("选什么显卡，要几张，全参微调 7B", (2, 4, 8)),
    ],
)
def test_which_card_and_how_many_are_one_question(
    knowledge: KnowledgeBase, question: str, counts: tuple[int, int, int]
) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing" and tuple(v.value for v in answer.values if v.name == "gpu_count") == counts


@pytest.mark.parametrize(
    "question",
    [
        "We have 4 nodes of 8xH100 with 400G IB. Can we pretrain a 30B on 600B tokens in a month?",
        "4 台 8 卡 H100，400G IB，能一个月训完 30B 600B token 吗",
    ],
)
def test_a_deadline_is_answered_whatever_link_is_told_beside_it(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "does_not_fit" and any(v.name == "training_time" for v in answer.values)


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many H100 for a 7B full finetune with CP 8 at 128k context", 8),
        ("用上下文并行8训7B，长度128k，A100 80G至少几张", 8),
        ("70B pretrain TP8 PP4, how many H100 at least", 32),
        ("TP 8 PP 2 训练 13B 至少要几张A100", 16),
        ("how many H100 to serve llama 70b with tp=8", 8),
    ],
)
def test_no_fewer_are_needed_than_the_layout_has(knowledge: KnowledgeBase, question: str, count: int) -> None:
    text = knowledge.ask(question).text
    assert f"{count} " in text.split("\n")[0]
    assert "at least" not in text.split("\n")[0] and "至少" not in text.split("\n")[0]


@pytest.mark.parametrize(
    ("question", "users"),
    [
        ("500k DAU chat app, how many H100 for llama 70b", 500_000),
        ("2 million MAU, llama 8b chatbot, how many L40S", 2_000_000),
        ("日活10万的聊天应用，用Qwen2.5 7B，要几张4090", 100_000),
        ("月活50万，32B模型，几张A100", 500_000),
    ],
)
def test_users_of_a_day_or_a_month_are_no_staff(knowledge: KnowledgeBase, question: str, users: int) -> None:
    answer = knowledge.ask(question)
    assert next(a.value for a in answer.assumptions if a.slot == "concurrency") == users * 0.002
    assert "0.2 %" in answer.text
