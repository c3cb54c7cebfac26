"""A model that does not start is held against its cards, and what it is started with is what to check."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("asked", "lead", "checked"),
    [
        ("32B int8 on two 32GB V100, vLLM won't start", "On paper it fits", ("--tensor-parallel-size` 2", "--max-model-len")),
        ("两张 32GB V100 跑 Qwen2.5 14B fp16 起不来", "按大小放得下", ("--tensor-parallel-size` 2", "--max-model-len")),
        ("vLLM fails to load Llama 3 8B on my 4090", "On paper it fits", ("--max-model-len", "other process")),
        ("Qwen2.5-32B AWQ 在 4090 上 vllm 启动不了", "勉强", ("--max-model-len", "其他进程")),
        ("Llama 3 8B 在我的 4090 上加载失败", "按大小放得下", ("--max-model-len", "其他进程")),
        ("Qwen2.5 7B refuses to start on a 3090", "On paper it fits", ("--max-model-len", "other process")),
    ],
)
def test_what_should_fit_is_checked_where_it_is_started(
    knowledge: KnowledgeBase, asked: str, lead: str, checked: tuple[str, ...]
) -> None:
    answer = knowledge.ask(asked)
    assert answer.kind == "sizing" and answer.text.startswith(lead)
    assert all(what in answer.text for what in checked)


@pytest.mark.parametrize("asked", ["70B fp16 on a 4090 refuses to start", "4090 上 70B fp16 起不来"])
def test_what_does_not_fit_has_nothing_to_check(knowledge: KnowledgeBase, asked: str) -> None:
    answer = knowledge.ask(asked)
    assert answer.verdict == "does_not_fit" and "--max-model-len" not in answer.text


@pytest.mark.parametrize("asked", ["Can a 4090 run Llama 3 8B?", "4090 能跑 Llama 3 8B 吗"])
def test_what_nobody_started_is_not_checked(knowledge: KnowledgeBase, asked: str) -> None:
    assert "--max-model-len" not in knowledge.ask(asked).text
