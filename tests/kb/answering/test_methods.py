"""A question that leaves the method open: each method is told, by the value that was asked for."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    "question", ["单卡4090最大能微调多大的模型", "What is the largest model I can fine-tune on a single 4090?"]
)
def test_methods_are_told_apart_by_what_was_asked_for(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    largest = {v.scope: v.value or 0 for v in answer.values if v.name == "max_parameters"}
    assert largest["workload=full_finetune"] < largest["workload=lora"] < largest["workload=qlora"]
    assert answer.table and [row[1][-1] for row in answer.table.rows] == ["B"] * 3 and "kW" not in answer.text


@pytest.mark.parametrize("question", ["微调 7B 要多少显存", "How much VRAM to fine-tune a 7B model?"])
def test_memory_is_told_where_it_is_known(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.table and len(answer.table.rows) == 3 and all("GiB" in row[1] for row in answer.table.rows)


@pytest.mark.parametrize(
    "question",
    [
        "rule of thumb for LoRA memory per billion parameters?",
        "QLoRA rule of thumb GB per B params",
        "what's the rule of thumb for vram when finetuning?",
        "lora memory per 1B params?",
        "lora微调每B参数大概多少G显存",
        "lora经验值，每十亿参数多少显存",
        "全参、LoRA、QLoRA显存经验公式",
    ],
)
def test_a_rule_of_thumb_is_told_by_the_parameter(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "LoRA" in text and ("2 bytes" in text or "2 字节" in text)


def test_a_rule_of_thumb_of_a_model_is_computed(knowledge: KnowledgeBase) -> None:
    assert knowledge.ask("rule of thumb: how much vram for 7B full finetune?").kind == "sizing"
    assert knowledge.ask("经验值：13B qlora 要多少显存").kind == "sizing"
