"""Further turns and parts beside others: nothing is said twice, nothing dropped, the asked figure stands first."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


def last(knowledge: KnowledgeBase, *turns: str) -> str:
    return knowledge.ask(turns[-1], history=[("user", t) for t in turns[:-1]]).text


@pytest.mark.parametrize(
    "turns",
    [
        ("H100 显存带宽多少", "ok SLI then?"),
        ("微调 chatglm3-6b 全参要多少显存", "那 ptuning 呢"),
        ("A800和A100的fp16算力有区别吗", "那nvlink呢"),
        ("llama3.1-8b全参checkpoint带优化器多大", "save_only_model呢"),
        ("显存大于100G的加速卡列一下", "其中AMD的呢"),
        ("RTX 4090 memory bandwidth?", "hmm, and the other thing then?"),
    ],
)
def test_a_further_turn_is_not_answered_with_the_same_again(knowledge: KnowledgeBase, turns: tuple[str, ...]) -> None:
    assert last(knowledge, *turns) != last(knowledge, *turns[:-1])


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        (("H100 跑 llama3-70b fp8 单请求每秒多少 token", "两张 TP2 能翻倍吗"), "不到 2 倍"),
        (("a6000, qwen 32b awq, single stream t/s?", "two of them with tp2, does it double?"), "No, not 2 times"),
    ],
)
def test_whether_it_doubles_is_said_first(knowledge: KnowledgeBase, turns: tuple[str, ...], says: str) -> None:
    assert last(knowledge, *turns).startswith(says)


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("7b lora bs4 4096 on one 3090 keeps OOMing", "Yes, it fits"),
        ("一张 3090 上 7B LoRA，bs2 长度 2048 老是爆显存", "够用，放得下"),
    ],
)
def test_who_ran_out_of_memory_is_not_told_that_it_fits(knowledge: KnowledgeBase, question: str, never: str) -> None:
    answer = knowledge.ask(question)
    assert never not in answer.text and answer.verdict == "fits"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("exit code -9 while loading a 30b, gpu has 24gb free, machine has 16gb ram", ("System RAM ran out", "16 GB")),
        ("加载 72B 的时候进程被杀，内存 64G", ("系统内存", "64 GB")),
    ],
)
def test_a_process_that_was_killed_lacked_host_memory(knowledge: KnowledgeBase, question: str, says: tuple[str, ...]) -> None:
    text = knowledge.ask(question).text
    assert says[0] in text.split("\n\n")[0] and says[1] in text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("a6000 vs 6000 ada for inference, how much bandwidth do i really gain (%)", "RTX 6000 Ada has 192 GB/s (25 %) more"),
        ("5090D和5090到底差在哪", "显存容量、显存带宽、功耗（TDP）相同"),
        ("4060ti 16g跑14b q4，一秒能出几个字，跟3090比差多远", "RTX 3090 是 RTX 4060 Ti 16GB 的"),
    ],
)
def test_how_far_two_lie_apart_is_said(knowledge: KnowledgeBase, question: str, says: str) -> None:
    assert says in knowledge.ask(question).text


def test_a_part_that_no_passage_is_about_is_named(knowledge: KnowledgeBase) -> None:
    assert (
        "Not answered: “what am i giving up going amd”"
        in knowledge.ask("7900xtx vs 3090. which has more bandwidth and what am i giving up going amd").text
    )


@pytest.mark.parametrize(
    "question", ["70b speed?", "我有4张卡，能训多大的模型？", "A100 夠不夠用？", "will it fit", "放得下吗"]
)
def test_what_nothing_follows_from_is_asked_back(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).kind == "clarification"


@pytest.mark.parametrize(
    "question", ["RTX 4090 和 A100 训练 7B 哪个快", "RTX 4090 or A100 for training a 7B, which is faster?"]
)
def test_who_is_faster_is_decided_by_the_cards(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "spec" and "312 TFLOP/s" in answer.text.split("\n")[0]
