"""A batch of documents: tokens, pace, time and GPUs follow from what is said of them, in both languages."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase
from kb.types.answer import Answer


def _values(answer: Answer) -> dict[str, float]:
    return {v.name: float(v.value) for v in reversed(answer.values) if isinstance(v.value, int | float)}


@pytest.mark.parametrize(
    ("question", "tokens", "rate"),
    [
        ("classify 5 million texts of 400 tokens with an 8b within 24 hours, how many h100", 2.005e9, 23_206),
        ("用 8B 模型给 500 万条评论分类，每条 400 token，输出 10 token，24 小时内跑完，要几张 4090", 2.05e9, 23_727),
        ("translate 1 million docs of 1500 tokens, 1500 tokens out, with qwen3 32b fp8 in 2 days, how many h200", 3e9, 17_361),
        (
            "we have 3 million emails avg 800 tokens, extract fields with a 8b (100 tokens out), deadline 48h, only have A10s, how many",
            2.7e9,
            15_625,
        ),
        ("100k requests a day, 2k in 200 out, llama 70b fp8, how many H100", 220e6, 2_546),
        ("每天 500 万次请求，每次 800 进 200 出，Qwen3-32B FP8，要几张 H20", 5e9, 57_870),
        ("we must score 40M ads a day with an 8B, 120 tokens each, 1 token out. number of L40S?", 4.84e9, 56_019),
        ("每天 30 万次请求，输入 1500 token 输出 300 token，Qwen2.5-72B FP8，要几张 H20", 540e6, 6_250),
    ],
)
def test_a_batch_and_its_time_give_the_pace_and_the_gpus(
    knowledge: KnowledgeBase, question: str, tokens: float, rate: float
) -> None:
    answer = knowledge.ask(question)
    values = _values(answer)
    assert values["job_tokens"] == pytest.approx(tokens, rel=0.001), answer.text
    assert values["job_rate"] == pytest.approx(rate, rel=0.001)
    assert values["job_pace"] >= values["job_rate"] and values["gpu_count"] >= 1
    assert values["job_time"] == pytest.approx(tokens / values["job_pace"] / 86_400, rel=0.001)
    assert "Pretraining" not in answer.text and "预训练" not in answer.text


@pytest.mark.parametrize(
    ("question", "tokens"),
    [
        (
            "summarize 100k documents of 6k tokens each with llama 3.3 70b fp8, 300 tokens out, on 4x H100, how many hours?",
            630e6,
        ),
        ("把 20 万篇文档（每篇 5000 token）用 Qwen3 32B 做摘要，输出 300 token，8 张 H20 要跑多久", 1.06e9),
        ("batch inference: 1e6 requests, input 2000, output 500, llama 3.1 70b fp8, 4xH200, hours?", 2.5e9),
        ("离线跑 50 万条 prompt，每条输入 800 输出 600，Qwen2.5-32B-AWQ，一张 A100 80G，大概几个小时", 700e6),
        ("2 billion input tokens through llama 8b on one H100, how long", 2.01e9),
        ("translate 2 million paragraphs of 300 words, 400 tokens out, with qwen2.5 14b on 4x L40S, how long?", 1.6e9),
    ],
)
def test_without_a_deadline_the_time_on_the_gpus_is_told(knowledge: KnowledgeBase, question: str, tokens: float) -> None:
    answer = knowledge.ask(question)
    values = _values(answer)
    assert values["job_tokens"] == pytest.approx(tokens, rel=0.01), answer.text
    assert "job_rate" not in values and values["job_time"] > 0


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("label 10M tweets (60 tokens each, 5 out) with qwen3 8b overnight on 2x 4090, doable?", "does_not_fit"),
        ("label 1M tweets (60 tokens each, 5 out) with qwen3 8b overnight on 2x 4090, doable?", "fits"),
        ("一晚上用 2 张 4090 跑完 100 万条短信分类，每条 80 token，7B，来得及吗", "fits"),
        ("一晚上用 2 张 4090 跑完 1000 万条短信分类，每条 80 token，7B，来得及吗", "does_not_fit"),
    ],
)
def test_whether_it_is_in_time_is_the_verdict_and_the_hours_of_a_night_are_told(
    knowledge: KnowledgeBase, question: str, verdict: str
) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == verdict, answer.text
    assert "12 hours" in answer.text or "12 小时" in answer.text


def test_cards_are_proposed_where_none_is_named_and_a_named_one_takes_their_place(knowledge: KnowledgeBase) -> None:
    turns = ["need to run 5M reviews through an 8b by tomorrow, 400 tokens in 30 out, what gpus", "only have 3090s"]
    first = knowledge.ask(turns[0])
    assert first.table and len(first.table.rows) > 3 and _values(first)["job_tokens"] == pytest.approx(2.15e9), first.text
    second = knowledge.ask(turns[1], history=[("user", turns[0])])
    assert _values(second)["job_tokens"] == pytest.approx(2.15e9) and _values(second)["gpu_count"] > 5, second.text


@pytest.mark.parametrize(
    "question",
    [
        "fine-tune 8b on 100k samples of 2k tokens on 8x H100, how long",
        "7B 用 10 万条样本做 SFT，每条 2k token，8 张 H100 要多久",
        "serve llama 70b fp8 with 32k prompts to 20 users, how many h100",
    ],
)
def test_training_data_and_lengths_are_no_batch(knowledge: KnowledgeBase, question: str) -> None:
    assert "job_tokens" not in _values(knowledge.ask(question))


@pytest.mark.parametrize(
    ("question", "cards", "tokens"),
    [
        ("7B 服务一天 2 万个请求，要几张 4090", 1, 9.98e6),
        ("日均请求 200 万次的 7B 服务要几张 4090", 4, 998e6),
        ("日请求量 50 万次，14B，用几张 L20", 2, 249.5e6),
        ("7B service with 20k requests a day, how many 4090", 1, 9.98e6),
        ("we expect 300k chats per day on Qwen2.5 72B, how many H100?", 4, 149.7e6),
    ],
)
def test_requests_of_a_day_are_a_load_and_take_the_fewest_cards(
    knowledge: KnowledgeBase, question: str, cards: int, tokens: float
) -> None:
    values = _values(knowledge.ask(question))
    assert values["gpu_count"] == cards and values["job_tokens"] == pytest.approx(tokens)
