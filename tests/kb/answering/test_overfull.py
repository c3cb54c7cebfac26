"""A card that is spoken of as one is one, and what it does not hold has no speed."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "speed"),
    [
        ("im getting 15 tok/s with a 14B at q8 on a 4060 ti 16gb, is that normal", 16),
        ("8b q4 on my 3090, tok/s?", 118),
        ("手上的3090跑8b q4速度多少token/s", 118),
        ("14B q8 跑在4060 Ti 16G上只有15 tok/s，正常吗", 16),
        ("70b q4 on 4090s, tok/s?", 56),
        ("70b q4 on 4x 4090, tok/s?", 56),
    ],
)
def test_speed_of_the_cards_that_are_meant(knowledge: KnowledgeBase, question: str, speed: float) -> None:
    answer = knowledge.ask(question)
    values = {v.name: v.value for v in answer.values}
    assert values["decode_tokens_per_second"] == pytest.approx(speed, rel=0.05), answer.text


@pytest.mark.parametrize(
    "question",
    [
        "llama 70b q4 on my 4090 tok/s?",
        "32b q4 on a 16gb 4080 how fast",
        "32b q4 on one 3060 12gb tokens per second",
        "70b q4 单张4090 多少tok/s",
        "我手上的4090跑70b q4速度多少",
    ],
)
def test_what_a_card_does_not_hold_has_no_speed(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "does_not_fit", answer.text
    assert "decode_tokens_per_second" not in {v.name for v in answer.values}, answer.text


@pytest.mark.parametrize("question", ["Qwen3 32B on my 5090, how many tokens per second", "我的5090跑Qwen3 32B每秒多少token"])
def test_a_model_of_open_precision_is_told_quantized(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    speeds = [v.value for v in answer.values if v.name == "decode_tokens_per_second"]
    assert answer.verdict == "fits_with_conditions" and speeds == [pytest.approx(61, rel=0.05)], answer.text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("longest context for a 13B in fp16 on a 24GB 4090?", "52899 with fp8, 106695 with 2 × RTX 4090"),
        ("24G的4090跑13B fp16，最长上下文能到多少", "fp8 时为 52899、2 × RTX 4090 时为 106695"),
        ("how much context can I get for a 70B fp16 on an A100 80G", "with int4"),
        ("RTX 3090跑14B bf16 最长上下文", "int4 时为"),
    ],
)
def test_the_context_of_what_does_not_fit_is_told_of_what_would(knowledge: KnowledgeBase, question: str, told: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "does_not_fit" and told in answer.text


@pytest.mark.parametrize(
    ("question", "tokens"),
    [
        ("llama-2-7b int4 on a T4, longest context?", 4096),
        ("4090 跑 Qwen3 8B 最长上下文", 36931),
        ("24g卡 qwen2.5 7b max-model-len最大能设多少", 114221),
        ("what max-model-len can I set for qwen2.5 7b on a 24 GB card?", 114221),
    ],
)
def test_the_context_of_what_fits_is_a_figure(knowledge: KnowledgeBase, question: str, tokens: int) -> None:
    answer = knowledge.ask(question)
    assert next(v.value for v in answer.values if v.name == "max_context_len") == tokens and str(tokens) in answer.text[:40]


@pytest.mark.parametrize(
    ("question", "name", "floor", "ceiling"),
    [
        ("H20 跑 70B，prompt 8K，首字延迟几秒", "time_to_first_token", 4.16, None),
        ("A100 prefill time for a 64K prompt on a 13B", "time_to_first_token", 11.2, None),
        ("theoretical max tokens/s for llama 8b fp16 on a 4090", "decode_tokens_per_second", None, 64.9),
    ],
)
def test_no_interval_is_better_than_the_hardware(
    knowledge: KnowledgeBase, question: str, name: str, floor: float | None, ceiling: float | None
) -> None:
    value = next(v for v in knowledge.ask(question).values if v.name == name)
    assert floor is None or (value.low or 0) >= floor
    assert ceiling is None or (value.high or 0) <= ceiling


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("longest context of llama-2-7b in fp16 for 6 concurrent users on a T4?", "with int4, fp8"),
        ("T4 上 llama-2-7b fp16，6 路并发，最长上下文", "int4、fp8 时为"),
    ],
)
def test_a_change_of_weights_and_cache_together_is_told_by_both(knowledge: KnowledgeBase, question: str, told: str) -> None:
    assert told in knowledge.ask(question).text


@pytest.mark.parametrize(
    "question", ["how many tokens/s for llama 3 70B q4 on 2x3090", "how many tokens per second will an 8B make on a 4090"]
)
def test_a_rate_is_no_question_of_context(knowledge: KnowledgeBase, question: str) -> None:
    assert "ontext: " not in knowledge.ask(question).text.partition("Assumed")[0]


@pytest.mark.parametrize(
    ("question", "speed"),
    [
        ("decode speed of llama 8b in fp16 on a 4090 at gpu memory utilization 0.5?", True),
        ("decode speed of a 32B in fp16 on a 4090 at gpu memory utilization 0.5?", False),
    ],
)
def test_a_stated_share_of_the_memory_is_no_limit_of_what_runs(knowledge: KnowledgeBase, question: str, speed: bool) -> None:
    values = {v.name for v in knowledge.ask(question).values}
    assert ("decode_tokens_per_second" in values) is speed
