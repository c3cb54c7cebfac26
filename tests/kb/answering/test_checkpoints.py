"""Checkpoints as people speak of them: every so many steps, the last few, without the optimizer, after which failures, and how large."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase
from kb.types.units import from_base, to_base


def gib(gb: float) -> float:
    return from_base(to_base(gb, "GB"), "GiB")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (["7B全参每500步存一次，一共训1万步，硬盘要多大"], {"saves": 20, "storage": gib(1960)}),
        (["13B full finetune, save every 200 steps for 4k steps, disk space?"], {"saves": 20, "storage": gib(3640)}),
        (
            ["save_steps=1000 max_steps=20000 for a 7B full fine-tune, how much disk for all the checkpoints?"],
            {"storage": gib(1960)},
        ),
        (["30B预训练每1000步存一次，总共5万步，只留最近3个，硬盘要多少"], {"storage": gib(1260)}),
        (["keeping the last 5 full checkpoints of a 34b pretrain, how many TB"], {"storage": gib(2380)}),
        (["10 full checkpoints of a 13B, how many TB?"], {"storage": gib(1820)}),
        (["llama3.1-8b全参checkpoint带优化器多大", "save_only_model呢"], {"checkpoint_size": gib(16.06)}),
        (["llama3.1-8b全参checkpoint带优化器多大", "save_only_model呢", "那保留5个呢"], {"storage": gib(80.3)}),
        (["671B的检查点带优化器多大，写到20GB/s的并行文件系统要几分钟"], {"write_time": 469.7}),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_what_checkpoints_take(knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]) -> None:
    answer = knowledge.ask(turns[-1], history=[("user", t) for t in turns[:-1]])
    values = {v.name: v.value for v in answer.values}
    assert {n: values.get(n) for n in expected} == pytest.approx(expected, rel=0.01), answer.text


@pytest.mark.parametrize(
    ("question", "seconds"),
    [
        ("512 gpu job dies about every 20h, saving takes 4 min. how often should i checkpoint", 5879),
        ("每20小时挂一次，存一次检查点5分钟，多久存一次合适", 6573),
        ("our 1024 H100 run fails every 6 hours and a save takes 90 seconds, optimal checkpoint interval?", 1972),
    ],
)
def test_failures_that_are_said_are_those_of_the_whole_job(knowledge: KnowledgeBase, question: str, seconds: float) -> None:
    answer = knowledge.ask(question)
    assert {v.name: v.value for v in answer.values}["checkpoint_interval"] == pytest.approx(seconds, rel=0.01), answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("zero3 checkpoint folder is 98 GB for a 7b model?! why", "98 GB of the question is about right"),
        ("7B 全参训出来的 checkpoint 一个 98G，正常吗", "98G 大致是对的"),
        ("why is my 8b checkpoint 16GB?", "file of the weights alone"),
    ],
)
def test_the_size_of_a_checkpoint_is_explained_by_what_is_in_it(knowledge: KnowledgeBase, question: str, said: str) -> None:
    assert said in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "copies"),
    [
        ("How much disk do I need for checkpoints of a 13B full finetune, keep last 5?", 5),
        ("13B 全参微调，checkpoint 只保留最近 5 个，要多大硬盘", 5),
        ("storage for 13B full fine-tuning checkpoints with save_total_limit=3", 3),
        ("How much disk space do 10 full training checkpoints of a 13B model with optimizer states need?", 10),
    ],
)
def test_the_last_checkpoints_that_are_kept_are_counted(knowledge: KnowledgeBase, question: str, copies: int) -> None:
    storage = next(v for v in knowledge.ask(question).values if v.name == "storage")
    assert storage.value == pytest.approx(copies * 13 * 14 / 1.073741824, rel=1e-3)


@pytest.mark.parametrize(
    ("first", "then", "copies"),
    [
        ("8b全参每500步存一次 总共1万步 全留要多大盘", "save_total_limit=2 呢", 2),
        ("8B full finetune checkpoint every 500 steps for 10k steps, disk?", "keep last 3 only", 3),
        ("8b full finetuning, how much disk for the checkpoints?", "and if I keep the last 2?", 2),
    ],
)
def test_a_further_turn_says_how_many_are_kept(knowledge: KnowledgeBase, first: str, then: str, copies: int) -> None:
    told = knowledge.ask(first)
    answer = knowledge.ask(then, conversation_id=told.conversation_id)
    kept = [v.value for v in answer.values if v.name in ("storage", "storage_of_kept")]
    assert pytest.approx(copies * 8 * 14 / 1.073741824, rel=0.01) in kept, answer.text
