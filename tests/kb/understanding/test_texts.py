"""Lengths told in characters or words become tokens, and what they were counted as is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.ingest.assumptions import read_assumptions
from kb.understanding import Reader
from kb.understanding.slots.texts import TOKENS_OF

CORPUS = Path(__file__).parents[3] / "corpus"


@pytest.mark.parametrize(
    ("text", "slot", "tokens"),
    [
        ("qwen3-32b 两张a100 输入2万字 首字多久", "prompt_tokens", 20000),
        ("qwen3-32b 輸入兩萬字 H100 首字延遲", "prompt_tokens", 20000),
        ("qwen3-32b 一张A100 处理5000字的文章 够吗", "context_len", 5000),
        ("qwen3-32b on one A100 to process a 6000 word article, fits?", "context_len", 8000),
        ("qwen3-14b 3万字上下文 4090 够吗", "context_len", 30000),
        ("RAG 每次输入8000字输出500字 qwen3-14b 20并发 几张L40S", "context_len", 8500),
        ("llama 3.1 8b, 20,000 words of context on a 4090, does it fit", "context_len", 26667),
        ("qwen3-8b on a 4090, a prompt of 3000 words, time to first token?", "prompt_tokens", 4000),
        ("7b lora 一张4090 每条2000字 显存够吗", "seq_len", 2000),
    ],
)
def test_characters_and_words_are_tokens(reader: Reader, text: str, slot: str, tokens: int) -> None:
    reading = reader.read(text)
    assert reading.parts[0].slots[slot] == tokens
    assert "token" in reading.assumed["tokens"]


@pytest.mark.parametrize(
    "text", ["qwen3-8b 4090 每秒20字够读吗", "qwen3-8b at 400 words per minute on a 4090?", "8000字节对齐是什么"]
)
def test_a_rate_or_bytes_are_no_length(reader: Reader, text: str) -> None:
    assert "tokens_of_text" not in reader.read(text).slots


def test_the_rates_are_those_of_the_corpus() -> None:
    constants = read_assumptions(CORPUS / "assumptions").constants
    for kind, rate in TOKENS_OF.items():
        assert constants[f"text.{kind}"].value == pytest.approx(rate, rel=1e-3)
