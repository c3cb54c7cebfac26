"""What to buy or rent: the choice first, with what it rests on; a budget is kept to, and another one is another answer."""

from __future__ import annotations

import re

import pytest

from kb.api import KnowledgeBase
from kb.types.answer import Answer


def last(knowledge: KnowledgeBase, *turns: str) -> Answer:
    return knowledge.ask(turns[-1], history=[("user", t) for t in turns[:-1]])


def prices(answer: Answer) -> list[float]:
    assert answer.table
    return [float(m[1]) for row in answer.table.rows for cell in row if (m := re.match(r"(\d+) (?:USD|美元)$", cell))]


@pytest.mark.parametrize(
    ("question", "dollars"),
    [
        ("预算5万 微调7b 买什么卡", 7400),
        ("3万预算，想在家微调7B到14B，买什么", 4500),
        ("导师给了5w 实验室想微调7b 买啥卡", 7400),
        ("10万预算部署70b", 15000),
        ("$3k to run and finetune 8B at home", 3000),
        ("20k usd budget, finetune 7-13B at home", 20000),
        ("budget $2000, run 14b", 2000),
        ("30k eur, finetune a 70b", 36000),
    ],
)
def test_what_a_budget_buys_is_never_beyond_it(question: str, dollars: float, knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing" and (asked := prices(answer)) and max(asked) <= dollars
    assert re.search(r"[1-8] (?:×|张) [A-Z]", answer.text.split("\n")[0])


@pytest.mark.parametrize(
    ("question", "more"),
    [
        ("20k usd budget, finetune 7-13B at home", "and with 2k?"),
        ("3万预算，想在家微调7B到14B，买什么", "预算改成10万呢"),
        ("budget $1500 to run a 32b", "what about $9000"),
        ("5万预算部署32B", "20万呢"),
    ],
)
def test_another_budget_is_another_answer(question: str, more: str, knowledge: KnowledgeBase) -> None:
    before, after = knowledge.ask(question), last(knowledge, question, more)
    assert after.kind == "sizing" and prices(after) != prices(before)


def test_a_currency_without_a_rate_is_not_converted(knowledge: KnowledgeBase) -> None:
    assert "launch price" not in knowledge.ask("budget 5000 gbp, finetune 7b").text


@pytest.mark.parametrize(
    "question",
    [
        "We have 40 developers and want a code assistant with Qwen2.5-Coder 32B, what should we buy?",
        "what hardware do we need for a RAG chatbot for 100 people with llama 70b",
        "给200人用的qwen3-32b代码助手，配什么服务器",
        "100人团队部署Qwen3-32B聊天助手，硬件应如何选型？",
        "train a 1B from scratch on 100B tokens in two weeks, $10k, what should i rent?",
        "用500亿token从头训1B，两周内完成，租什么卡",
    ],
)
def test_a_job_in_plain_words_reaches_the_plan(question: str, knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask(question)
    first = answer.text.split("\n")[0]
    assert answer.kind == "sizing" and answer.table and len(answer.table.rows) <= 5
    assert "GiB" in first and ("comes first" in first or "首选" in first) and ("next best" in first or "次选" in first)


@pytest.mark.parametrize(
    "question", ["can my laptop run deepseek", "我的笔记本能跑deepseek吗", "will a laptop run deepseek r1 671b"]
)
def test_a_laptop_has_a_verdict(question: str, knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "does_not_fit" and "R1-Distill" in answer.text


@pytest.mark.parametrize("question", ["笔记本能跑qwen2.5 7b吗", "can my laptop run an 8b model"])
def test_what_a_laptop_may_run_depends_on_it(question: str, knowledge: KnowledgeBase) -> None:
    assert knowledge.ask(question).verdict == "fits_with_conditions"


@pytest.mark.parametrize("question", ["7B model how much VRAM", "Qwen3-8B 要多少显存", "how much gpu memory for a 32B"])
def test_without_a_precision_running_is_shown_in_three(question: str, knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask(question)
    assert answer.table and [any(f in row[0] for row in answer.table.rows) for f in ("bf16", "int8", "int4")] == [True] * 3
    assert not any("int8" in row[0] for row in (knowledge.ask("7B in int4 how much VRAM").table or answer.table).rows[3:])


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        (("8卡H100 10.2kW 一年多少度电", "电价0.7"), "62546"),
        (("8卡H100 10.2kW 一年多少度电", "电价0.7", "PUE降到1.15省多少钱"), "71928"),
        (("8卡H100 10.2kW PUE 1.5 一年电费 电价0.7", "PUE降到1.15省多少钱"), "21891"),
        (("qwen2.5 72b 推理要多少显存", "换成int4能省多少"), "bf16"),
        (("导师给了5w 实验室想微调7b 买啥卡", "只做lora 数据不多", "电费一个月多少 一天跑12小时 6毛一度"), "0.6 元/kWh"),
        (("8卡5090整机28w 三年折旧 电费0.8 满载5.5kw 合每卡每小时多少钱", "租的话2块8一卡 哪个划算"), "2.8 元/小时"),
        (("full finetune 13b on 100M tokens with 8x A100, how long?", "how much faster with lora"), "LoRA"),
        (("4张4090 qwen2.5 32b fp8 够用吗", "吞吐呢"), "token/s"),
        (("qwen3 32b on 2x 4090 awq fits?", "for a single user"), "tokens/s"),
        (("h100 vs a100 for inference", "what if latency matters most"), "bandwidth"),
        (("A100和H100推理哪个好", "更看重延迟呢"), "带宽"),
        (("8B full finetune on 8 H100, memory per gpu?", "on 16 instead"), "16 × H100"),
        (("what gpu for llama 70b chat?", "and to save money?"), "Llama 3.3 70B"),
        (("3070能跑7b吗", "训练呢"), "LoRA"),
        (("can a 4070 run 7b?", "train it?"), "LoRA"),
    ],
)
def test_what_a_further_turn_changes_is_used(turns: tuple[str, ...], says: str, knowledge: KnowledgeBase) -> None:
    answer = last(knowledge, *turns)
    assert says in answer.text and answer.kind != "declined"
    assert answer.text != last(knowledge, *turns[:-1]).text
    assert "1 元/kWh" not in answer.text


@pytest.mark.parametrize(
    ("question", "turn"),
    [
        ("一张A100 80GB 的显存带宽是多少", "哪些显卡有 80 GB 显存并支持 NVLink？"),
        ("A100 80GB memory bandwidth?", "which GPUs have more than 100 GB of memory?"),
    ],
)
def test_a_list_complete_in_itself_is_no_follow_up(question: str, turn: str, knowledge: KnowledgeBase) -> None:
    assert not knowledge.understand(turn, [("user", question)]).is_follow_up


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("We're a team of 30 engineers, want a self-hosted chat assistant with Qwen3-32B. Which servers should we get?", False),
        ("which gpu should i get for llama 70b chat?", True),
        ("部署qwen2.5-14b问答，买什么机器", True),
        ("给50个客服用的RAG问答，qwen2.5-14b，买什么机器", False),
    ],
)
def test_how_many_use_it_is_taken_as_said(question: str, alone: bool, knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask(question)
    column = next(i for i, c in enumerate(answer.table.columns) if c in ("requests at once", "并发")) if answer.table else 0
    assert answer.table and {row[column] == "1" for row in answer.table.rows} == {alone}
    assert ("one request at a time" in answer.text or "一次一个请求" in answer.text) == alone


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("4090 买 12000，租 2 元/小时，多少小时回本", "回本时间：6000 小时[1]。回本日历时间：250 天"),
        (
            "buy a 1600 USD 4090 or rent at 0.4 USD/hour, break even in hours?",
            "Break-even: 4000 hours [1]. Break-even on the calendar: 166.7 days",
        ),
    ],
)
def test_hours_of_use_stand_beside_days_of_the_calendar(knowledge: KnowledgeBase, question: str, told: str) -> None:
    assert knowledge.ask(question).text.startswith(told)


@pytest.mark.parametrize(
    "question",
    ["预算10万元，家里LoRA微调13B买什么卡", "20000 USD for LoRA fine-tuning of 13B at home, which card should I buy"],
)
def test_a_pair_with_room_is_as_good_as_one_that_is_tight(knowledge: KnowledgeBase, question: str) -> None:
    assert "RTX 5090" in knowledge.ask(question).text.split("\n")[0]


def test_cards_that_spend_the_whole_budget_come_last(knowledge: KnowledgeBase) -> None:
    assert "4 × RTX 4090 comes first" in knowledge.ask("$8k for QLoRA of 70B, what to buy").text
