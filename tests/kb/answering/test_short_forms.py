"""Requests in short forms, slots that share a context, eight-bit schemes and averaged copies: what is said is what is computed."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


def _values(knowledge: KnowledgeBase, question: str) -> dict[str, float]:
    return {v.name: v.value for v in reversed(knowledge.ask(question).values) if isinstance(v.value, float)}


@pytest.mark.parametrize(
    ("question", "kv_gib"),
    [
        ("qwen2.5-72b fp8 on 8xL40S 32k 24seqs", 240),
        ("qwen2.5 72b fp8 on 4x L40S, 32k context, 24 sequences, fits?", 240),
        ("llama 3.3 70b fp8 on 2x h100 8k ctx 40 reqs", 100),
        ("Llama 3.3 70B FP8 两张 H100，8k 上下文，40 个并发请求，放得下吗", 100),
        ("llama 3.1 8b on a 4090 at batch 16, 4k context, does it fit", 8),
        ("Llama 3.1 8B BF16 on one A10G at batch size 8, 4k context: tokens per second", 4),
    ],
)
def test_requests_are_counted_by_their_short_forms(knowledge: KnowledgeBase, question: str, kv_gib: float) -> None:
    assert _values(knowledge, question)["kv_cache"] == pytest.approx(kv_gib, rel=0.01)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("-c 16384 -np 8 llama 8b q8 on 3090, fits?", "fits"),
        ("llama-server -m Qwen3-8B-Q4_K_M.gguf -c 32768 --parallel 4，3060 12GB 放得下吗", "fits_with_conditions"),
    ],
)
def test_the_slots_of_llama_cpp_share_their_context(knowledge: KnowledgeBase, question: str, verdict: str) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == verdict, answer.text
    assert "slots" in answer.text or "槽位" in answer.text


@pytest.mark.parametrize(
    ("question", "gb"),
    [
        ("qwen2.5-72b gptq-int8 on 4x L40S, fits?", 67.7),
        ("Qwen2.5 72B GPTQ 8bit 四张 L40S 能放下吗", 67.7),
        ("qwen2.5-72b 8-bit gptq on 4x L40S, fits?", 67.7),
        ("qwen2.5-72b gptq on 4x L40S with an int8 kv cache, fits?", 39.4),
        ("qwen2.5-72b gptq-int4 on 4x L40S, fits?", 39.4),
    ],
)
def test_a_scheme_has_the_bits_that_stand_beside_it(knowledge: KnowledgeBase, question: str, gb: float) -> None:
    assert _values(knowledge, question)["weights"] == pytest.approx(gb, rel=0.01)


@pytest.mark.parametrize(
    ("question", "per_parameter"),
    [
        ("7b pretrain bf16 adam + fp32 ema copy, model states?", 20),
        ("7B 预训练 bf16 adam，加一份 fp32 的 EMA，模型状态多少", 20),
        ("7B 预训练 bf16 adam，EMA 用 fp32 存，模型状态多少", 20),
        ("7b pretrain bf16 adam, no ema, model states?", 16),
        ("7B 预训练 bf16 adam 模型状态多少", 16),
    ],
)
def test_an_averaged_copy_is_four_bytes_more_and_no_format_of_training(
    knowledge: KnowledgeBase, question: str, per_parameter: float
) -> None:
    assert _values(knowledge, question)["bytes_per_parameter"] == pytest.approx(per_parameter)


def test_a_bound_of_requests_that_the_cache_holds_is_said(knowledge: KnowledgeBase) -> None:
    text = knowledge.ask("vllm serve llama 70b fp8 --max-num-seqs 8 --max-model-len 8192 on 2x H100, fits?").text
    assert "all 8" in text
