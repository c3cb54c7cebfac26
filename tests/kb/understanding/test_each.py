"""Tokens of one request are a length, however they are told; tokens of a corpus are not."""

from __future__ import annotations

from typing import Any

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("Llama 3 8B fp16, 16 requests of 12k tokens each, on 2 x L40S, fits?", {"context_len": 12000, "concurrency": 16}),
        ("8 chats with 20k tokens of history each on llama 3 8b fp16, 4090?", {"context_len": 20000, "concurrency": 8}),
        ("32 users, 10,000 tokens per user, mixtral 8x7b int4 on 2 A6000?", {"context_len": 10000, "concurrency": 32}),
        ("llama 3 70b fp8, 20 concurrent users with 6000 tokens each, how many H100", {"context_len": 6000, "concurrency": 20}),
        ("16个请求，每个1.2万token，qwen2.5 14b int8 一张 L40S 够吗", {"context_len": 12000, "concurrency": 16}),
        ("每个会话 2 万 token，10 个会话，70B fp8 要几张 H100", {"context_len": 20000, "concurrency": 10}),
        ("8路并发 每路 6000 token qwen3 32b fp8 两张4090", {"context_len": 6000, "concurrency": 8}),
        ("Llama-3.1-8B 在 BF16 下，每 1 万个 token 的 KV cache 占多少显存？", {"context_len": 10000}),
        ("3万 token 的 kv 缓存多大，llama 3 8b", {"context_len": 30000}),
        ("7B、4096、批1 的激活多大", {"seq_len": 4096, "micro_batch": 1}),
        ("7b activations at 8192 tokens, batch 2, no checkpointing", {"seq_len": 8192, "micro_batch": 2}),
    ],
)
def test_tokens_of_one_request(reader: Reader, text: str, slots: dict[str, Any]) -> None:
    found = reader.read(text).slots
    assert {k: found.get(k) for k in slots} == slots and "tokens" not in found


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("10k samples of 1k tokens each, lora 7b on a 4090, 3 epochs, how long?", 3e7),
        ("微调 7B，5 万条，每条 512 token，3 轮，单张 4090 要多久", 5e4 * 512 * 3),
        ("100万 token 语料微调 7B，上下文 4k，单张 4090 要多久", 1e6),
        ("pretrain 7B on 300B tokens with 64 H100, how long", 3e11),
    ],
)
def test_tokens_of_a_corpus(reader: Reader, text: str, tokens: float) -> None:
    assert reader.read(text).slots["tokens"] == pytest.approx(tokens)
