"""Sizes that a program shows, against what somebody had expected; a model that does not even load."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("olama llama3.3 70b wants 43gb??? i thought 4bit = 35", "The 43gb of the question is about right"),
        ("ollama shows 20gb for qwen2.5 32b, shouldn't 4 bit be 16?", "The 20gb of the question is about right"),
        ("i thought 4bit 70b = 35gb, ollama wants 43", "No, the 35gb of the question is too low"),
        ("ollama 里 qwen2.5 32b 显示20G，4bit不是应该16G吗", "题中的 20G 大致是对的"),
        ("我以为70B 4bit是35G，ollama下载却是43G", "题中的 43G 大致是对的"),
    ],
)
def test_what_is_shown_is_judged_and_not_what_was_expected(knowledge: KnowledgeBase, question: str, lead: str) -> None:
    assert knowledge.ask(question).text.startswith(lead)


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        (
            "I try to load Llama 3.1 8B on my 16 GB 4060 Ti with transformers and it says CUDA out of memory, but the model should be "
            "16 GB and the card has 16 GB?",
            "Only quantized",
        ),
        ("cuda oom when loading mistral 7b fp16 on a 3060 12gb", "No, it does not fit"),
        ("loading qwen2.5 14b in bf16 on a 24 GB 3090 gives out of memory, why?", "No, it does not fit"),
        ("加载 Llama 3.1 8B 到16G的4060Ti报CUDA out of memory，模型不是16G吗", "有条件，量化后才放得下"),
    ],
)
def test_a_model_that_runs_out_of_memory_while_loading_is_not_trained(
    knowledge: KnowledgeBase, question: str, lead: str
) -> None:
    answer = knowledge.ask(question)
    assert answer.text.startswith(lead)
    assert "micro-batch" not in answer.text and "微批" not in answer.text
