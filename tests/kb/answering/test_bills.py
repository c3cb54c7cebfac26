"""What is rented, bought, or bought by the token: prices in all their words, and what an own measurement makes of them."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


def _says(knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]) -> str:
    answer = knowledge.ask(turns[-1], history=[("user", t) for t in turns[:-1]])
    values = {v.name: v.value for v in answer.values}
    for name, value in expected.items():
        assert values.get(name) == pytest.approx(value, rel=0.01), answer.text
    return answer.text


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (["一台8卡4090服务器买下来38万，autodl同配置一小时15块，多久回本，电费不算"], {"break_even": 25_333}),
        (["一台 300 萬台幣的 H100 伺服器，還是租每小時 650 台幣的？一天用 10 小時多久打平？"], {"break_even_time": 461.5}),
        (["一块5090两万二，租的话一天40块，一天用6小时，几个月回本"], {"break_even_time": 550}),
        (
            ["cloud 4090 is $0.34/h and id use it 4h a day. or buy one for $1900. when does buying pay off, ignore power"],
            {"break_even_use": 5588, "break_even_time": 1397},
        ),
        (
            ["buy a used A100 for 9000 euros or rent at 1.1 eur/h, 8 hours a day, when does it break even"],
            {"break_even_use": 8182, "break_even_time": 1023},
        ),
        (["API每百万token 2块，我们一天用3000万token；买两张4090一共3.6万，电费一天10块，多久回本"], {"break_even_time": 720}),
        (
            [
                "an api costs $0.6 per million tokens, we use 50M tokens a day. a 2x4090 box costs $5000 and $3 a day in power. payback?"
            ],
            {"break_even_time": 185.2},
        ),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_what_is_bought_is_paid_back_by_the_rent_or_the_tokens_it_saves(
    knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]
) -> None:
    _says(knowledge, turns, expected)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (["120000 H800 gpu hours at 2 dollars, plus 15% for failed runs = ?"], {"cost": 276_000}),
        (["两台8卡H100租一年，每卡时12块，再加20%的重跑余量，总共多少钱"], {"cost": 2_018_304}),
        (["8×H100 lease 整机 $18/hour，reserve 一年总共多少 USD"], {"cost": 157_680}),
        (["8xh200 node at 3.8 per gpu hour, two weeks", "reserved for a full year at 2.4?"], {"cost": 168_192}),
        (["8张A100每卡每小时9块，租两个月多少钱", "降到7.5呢"], {"cost": 86_400}),
        (["4x3090 box pulling 1.4kW, 10h a day, 0.31 eur/kwh, what does that cost me a month"], {"cost": 130.2}),
        (["家里4卡3090一天跑8小时，电价六毛，一个月电费多少"], {"energy": 436.8, "cost": 262.1}),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_a_bill_takes_every_figure_that_was_said(
    knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]
) -> None:
    _says(knowledge, turns, expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("3 epochs over 50M tokens, lora 13b, i measured 2500 tok/s on one a100 at $1.19/h. bill?", {"cost": 19.83}),
        ("微调13B，8卡A100实测每秒2.4万token，数据 3 亿 token 跑 3 轮，要几个小时，按每卡时 7 元一共多少钱", {"cost": 583.3}),
        ("想再加100B token，32卡H100现在每秒35万token，还得跑几天", {"training_time": 3.307}),
        ("500k samples, avg 1,200 tokens, 2 epochs, i see 9,500 tok/s total. eta?", {"training_time": 1.462}),
        ("7B on 100B tokens, we measured 12k tokens/s per gpu on 64 H100, how many days", {"training_time": 1.507}),
        ("A100 80G 每小时 8 元，实测 2200 token/s，每百万 token 成本多少", {"cost_per_million_tokens": 1.01}),
        ("cost per million tokens: H100 at $2.50/h, 3000 tok/s", {"cost_per_million_tokens": 0.2315}),
    ],
)
def test_a_measured_speed_stands_in_for_the_computed_one(
    knowledge: KnowledgeBase, question: str, expected: dict[str, float]
) -> None:
    _says(knowledge, [question], expected)


def test_two_offers_are_told_apart_by_what_a_million_tokens_cost(knowledge: KnowledgeBase) -> None:
    asked = "h100 at $2.50/h doing 3000 tok/s or 4090 at $0.40/h doing 600 tok/s, which is cheaper per million tokens"
    assert "RTX 4090 takes 0.0463 USD less" in _says(knowledge, [asked], {})
    asked = "租H100每小时12块能跑2000 tok/s，租4090每小时2.5块能跑500 tok/s，每百万token哪个便宜"
    assert "RTX 4090 比 H100 SXM5 80GB 少 0.278" in _says(knowledge, [asked], {})


def test_a_variant_that_changes_nothing_is_not_spoken_of(knowledge: KnowledgeBase) -> None:
    assert "variant" not in _says(knowledge, ["64 H100 for 3 weeks at $2.1 per gpu hour, total?"], {"cost": 67_738})
    assert "variant" in _says(knowledge, ["How much power do 64 H100 draw?"], {})


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how much does one p5.48xlarge for a week cost at 55.04 USD per hour", {"cost": 9_246.7}),
        ("p4d.24xlarge at 32.77 an hour for 30 days", {"cost": 23_594}),
        ("8 gpu server at 28 dollars per hour for 5 days", {"cost": 3_360}),
        ("pod with 2x 4090 at 1.38/hr total for 100 hours", {"cost": 138}),
        ("4x a100 instance costs 12 an hour, 2 weeks", {"cost": 4_032}),
        ("4 nodes of 8x H100 at 24 USD per hour per node for 10 days, cost", {"cost": 23_040}),
        ("8xH100 at $2/hr each for 10 days", {"cost": 3_840}),
        ("一台 8 卡 H100 每小时 180 元 租一周", {"cost": 30_240}),
        ("8张H100每张每小时15元，用3天多少钱", {"cost": 8_640}),
    ],
)
def test_the_price_of_a_machine_is_not_that_of_each_of_its_cards(
    knowledge: KnowledgeBase, question: str, expected: dict[str, float]
) -> None:
    _says(knowledge, [question], expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("服务器200万，三年，托管费每月1.5万，电费每度0.8元，功耗10kW，总成本多少", {"cost_of_owning": 2_757_740}),
        (
            "buy 8x H100 server for 250k, maintenance 2000 USD per month, 3 years, what does it cost in total",
            {"cost_of_owning": 323_000},
        ),
        ("月租6万的8卡A100，每卡每小时合多少", {"rent_per_gpu_hour": 10.27}),
        ("12000 USD per month for 8 H100, what is that per gpu hour", {"rent_per_gpu_hour": 2.055}),
        ("月租3万，每天处理2亿token，每百万token多少钱", {"cost_per_million_tokens": 4.93}),
        ("对象存储存 20TB，每 GB 每月 0.12 元，一年多少钱", {"storage_cost": 28_800}),
        ("s3, 30 checkpoints of 500gb for a year @ 0.023 per GB month", {"storage_cost": 4_140}),
        (
            "api 0.60 USD per million tokens vs own h100 at 1.99/hr at 2500 tok/s, which is cheaper",
            {"api_break_even": 921.3, "cost_per_million_tokens": 0.221},
        ),
        ("API每百万token 2元，自己租H100每小时14元，实测2000 token/s，哪个划算", {"api_break_even": 1944}),
    ],
)
def test_what_is_paid_by_the_month_is_no_price_of_an_hour(
    knowledge: KnowledgeBase, question: str, expected: dict[str, float]
) -> None:
    _says(knowledge, [question], expected)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how much does it cost to train a 7B from scratch on 1T tokens", "No GPU was named"),
        ("从头训练一个 7B，1T token，要花多少钱", "没有指定显卡"),
    ],
)
def test_a_run_of_which_no_card_is_named_costs_what_the_most_offered_one_takes(
    knowledge: KnowledgeBase, question: str, told: str
) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing" and told in answer.text and any(v.name == "cost" for v in answer.values)
    assert any(a.slot == "gpu" for a in answer.assumptions)


@pytest.mark.parametrize("question", ["训练一个 7B 模型要花多少钱", "how much does it cost to pretrain a 7B"])
def test_what_is_lacking_is_asked_for_once(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "clarification" and answer.text.count("GPU") + answer.text.count("显卡") == 1
