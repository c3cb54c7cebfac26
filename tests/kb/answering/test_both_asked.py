"""Two quantities asked for in one sentence are both told; settings of a follow-up are told by their difference."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("8B fp16 32 users 8k: KV cache and total?", {"kv_cache", "memory_total"}),
        (
            "We want to serve Llama 3.1 8B to 32 people at the same time with 8k context each, fp16. How much GPU memory is the KV cache "
            "and how much the total?",
            {"kv_cache", "memory_total"},
        ),
        ("8B 32并发 8k上下文，KV缓存多少，总显存多少", {"kv_cache", "memory_total"}),
        (
            "How big are the files if I save a merged 14B model in bf16, and how long would pushing it to the hub take at 40 Mbit/s?",
            {"weights", "download_time"},
        ),
        ("size of merged 14B bf16 and upload time at 40 Mbit/s", {"weights", "download_time"}),
        ("合并后的14B bf16有多大，40Mbps上传要多久", {"weights", "download_time"}),
    ],
)
def test_both_quantities_are_told(knowledge: KnowledgeBase, question: str, names: set[str]) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing" and names <= {v.name for v in answer.values}


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("qlora 32b vram??", "r=64 instead of 16 does that matter much", "LoRA rank 64 takes 5.4 GiB"),
        ("8b full ft, ckpt w optimizer size", "dont save the optimizer?", "14.9 GiB (16 GB)"),
        ("7B全参微调checkpoint带优化器多大", "不存优化器呢", "13 GiB（14 GB）"),
    ],
)
def test_a_setting_that_changes_is_computed(knowledge: KnowledgeBase, before: str, after: str, told: str) -> None:
    assert told in knowledge.ask(after, history=[("user", before)]).text
