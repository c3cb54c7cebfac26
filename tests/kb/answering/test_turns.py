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
    assert never not in answer.text and "Liger Kernel" in answer.text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("exit code -9 while loading a 30b, gpu has 24gb free, machine has 16gb ram", ("ystem RAM ran out", "16 GB")),
        ("加载 72B 的时候进程被杀，内存 64G", ("系统内存", "64 GB")),
    ],
)
def test_a_process_that_was_killed_lacked_host_memory(knowledge: KnowledgeBase, question: str, says: tuple[str, ...]) -> None:
    text = knowledge.ask(question).text
    assert says[0] in text and says[1] in text.split("\n\n")[0]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("a6000 vs 6000 ada for inference, how much bandwidth do i really gain (%)", "RTX 6000 Ada has 192 GB/s (25 %) more"),
        ("5090D和5090到底差在哪", "显存容量、显存带宽、功耗（TDP）相同"),
        ("4060ti 16g跑14b q4，一秒能出几个字，跟3090比差多远", "2.85 倍"),
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


@pytest.mark.parametrize(
    "question",
    [
        "PCIe lanes to run four GPUs at full x16? desktop cpu ok?",
        "4 GPUs at x16 each, how many lanes, threadripper enough?",
        "四张卡全 x16 要多少 PCIe 通道？桌面 CPU 行吗？",
        "can a 7B run inference on one 3090? minimum otherwise?",
        "13B 在 3060 上能跑吗？不行的话最低多少",
        "3090 能微调 7B 吗？最低要求是什么？",
    ],
)
def test_a_tail_of_what_was_answered_is_not_declined(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert text and "Not answered" not in text and "未回答" not in text and "没有回答" not in text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("A800 跟 V100 显存和带宽差多少，训练速度能打平吗", "训练更快的是 A800"),
        ("H20 和 4090 推理速度比得上吗", "推理更快的是 H20"),
        ("H20 and H100: bandwidth each, is training speed on par?", "H100 SXM5 80GB is the faster one for training"),
        ("V100 vs A30 memory, and which is faster?", "is the faster one for training"),
    ],
)
def test_whether_two_are_level_is_decided(knowledge: KnowledgeBase, question: str, says: str) -> None:
    assert says in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("R1 fp8 用 H800 部署，要几台 8 卡机", "DeepSeek-R1 671B 推理要 2 台服务器"),
        ("how many 8x H100 servers for R1 in fp8?", "Servers for inference of DeepSeek-R1 671B: 2"),
        ("4090 显存带宽具体是多少，有 1T/s 吗", "是的。RTX 4090：显存带宽 1.008 TB/s（1008 GB/s）"),
        ("does the 4090 have 2 TB/s of bandwidth?", "No. RTX 4090: memory bandwidth 1.008 TB/s (1008 GB/s)"),
        ("what's the H200's HBM bandwidth, ballpark TB/s?", "H200 SXM 141GB: memory bandwidth 4.8 TB/s (4800 GB/s)"),
        ("Llama 3.1 70B fp16 on 2x H100-80 with vllm, how many kv tokens are left?", "The KV cache has room for about"),
        ("2 张 H100 跑 70B fp16，vllm 0.9，权重之外 kv 还能放多少 token", "KV 缓存约可容纳"),
        ("A6000 跟 6000 Ada 哪个能插 NVLink 桥", "RTX A6000：卡间互联 NVLink 3"),
        ("which of L40S and A100 has NVLink?", "A100 SXM4 80GB: GPU-to-GPU link NVLink 3"),
    ],
)
def test_what_was_asked_comes_first_and_in_its_terms(knowledge: KnowledgeBase, question: str, says: str) -> None:
    assert knowledge.ask(question).text.startswith(says)


@pytest.mark.parametrize(
    ("turns", "says", "never"),
    [
        (
            ("5x 3090, tensor parallel = 5 ?", "so what do i use instead?"),
            "take TP 4 and leave 1 idle, and if it needs the memory of all 5, take PP 5",
            "InfiniBand",
        ),
        (("can I use TP 7 on seven cards?",), "take PP 7 for all, or TP 4 and 3 to spare", "With 3 cards"),
        (("3 张 3090 能 TP3 吗",), "改用 PP 3 用上全部卡，或用 TP 2，余下 1 张", "nvidia-smi"),
        (("六张卡能用 TP6 吗",), "改用 TP 2 × PP 3 用上全部卡，或用 TP 4，余下 2 张", "3 张卡时"),
    ],
)
def test_the_way_out_is_told_for_the_number_of_cards_named(
    knowledge: KnowledgeBase, turns: tuple[str, ...], says: str, never: str
) -> None:
    text = last(knowledge, *turns)
    assert says in text.split("\n")[0] and never not in text


@pytest.mark.parametrize(
    ("first", "then", "gib"),
    [
        ("每token kv多少 qwen2.5 7b", "100个并发每个2k 总共呢", 10.94),
        ("kv cache per token of llama 3 8b?", "and in total for 64 users at 4k?", 32.0),
    ],
)
def test_the_whole_is_asked_for_after_the_part(knowledge: KnowledgeBase, first: str, then: str, gib: float) -> None:
    told = knowledge.ask(first)
    answer = knowledge.ask(then, conversation_id=told.conversation_id)
    assert next(v.value for v in answer.values if v.name == "kv_cache") == pytest.approx(gib, rel=0.01)
    assert answer.text != told.text
