"""A purchase against a rent: prices without a currency, hours of use by the month, what comes on top a month."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase
from kb.types.answer import Answer


def _hours(answer: Answer) -> float:
    names = ("break_even_use", "break_even")
    value = next(v for n in names for v in answer.values if v.name == n)
    return float(value.value or 0) * {"h": 1, "day": 24, "s": 1 / 3600}[value.unit or "h"]


@pytest.mark.parametrize(
    ("question", "hours", "open_"),
    [
        ("4090 costs 2000, cloud 0.5 an hour, when does buying pay off", 4000, True),
        (
            "A supplier asks $40,000. In the cloud it costs $4 per GPU-hour. After how many hours does buying an H200 pay off?",
            10000,
            False,
        ),
        ("GPU 2000 USD vs 0.5/hour rent, break-even?", 4000, False),
        ("buy a gpu for 1800 or rent at 0.4 per hour, break even?", 4500, True),
        ("rent 1.2 an hour or buy for 15000?", 12500, True),
        ("H100 server 8 gpus 280k, cloud 2.2 per gpu hour, break even?", 15909, True),
        ("we pay 4000 a month for cloud gpus, a box would be 60k, how long until it pays off", 10950, True),
        ("买卡16000，租2.5一小时，多久回本", 6400, True),
        ("显卡1.6万 vs 每小时1.8，多久回本", 8889, True),
        ("显卡1.6万元，租一小时1.8元，多久回本", 8889, False),
        ("一台 300 萬台幣的伺服器，還是租每小時 650 台幣的？多久打平？", 4615, False),
    ],
)
def test_prices_without_a_currency_are_in_that_of_the_language(
    knowledge: KnowledgeBase, question: str, hours: float, open_: bool
) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "sizing"
    assert "does not use" not in answer.text and "没有用" not in answer.text
    assert _hours(answer) == pytest.approx(hours, rel=0.01)
    assert ("No currency is named" in answer.text or "没有说明币种" in answer.text) is open_


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("gpu is $1600, renting is $0.35/h, i use it 30 hours a month. when does it pay off", 4571),
        ("is it cheaper to rent at $1.5/h or buy a card for $12k if I use it 60 hours a week?", 933),
        ("租卡1.8元一小时，买卡16000元，每月用30小时，划算吗", 8889),
        ("租一张4090一个月900，买一张1.5万，哪个划算", 507),
        ("leasing an 8x h200 server: 6,200 a month for 36 months. buying it is 265k. which one is cheaper", 1300),
        ("bought a 3090 for 700, runpod is 0.22/h, worth it if i use it 50 hours a month?", 1909),
        ("显卡1.6万 vs 每小时1.8，一个月只用20小时，多久回本", 13333),
    ],
)
def test_hours_of_a_month_are_the_use(knowledge: KnowledgeBase, question: str, days: float) -> None:
    value = next(v for v in knowledge.ask(question).values if v.name == "break_even_time")
    assert value.value == pytest.approx(days, rel=0.01)


@pytest.mark.parametrize(
    ("first", "then", "days"),
    [
        ("月租6000元 买8万的服务器，多久回本", "电费托管每月再加500呢", 443),
        ("a server costs 30000, renting it is 2500 a month, break-even?", "and 200 a month for power and colo", 397),
    ],
)
def test_what_comes_on_top_a_month_is_taken_off_the_rent(knowledge: KnowledgeBase, first: str, then: str, days: float) -> None:
    answer = knowledge.ask(then, history=[("user", first)])
    value = next(v for v in answer.values if v.name == "break_even_time")
    assert value.value == pytest.approx(days, rel=0.01)


def test_a_name_is_no_price_and_a_bill_no_purchase(knowledge: KnowledgeBase) -> None:
    assert not any(v.name == "break_even" for v in knowledge.ask("4090租一小时1.8元，跑100小时多少钱").values)
    assert not any(v.name == "break_even" for v in knowledge.ask("should I rent a 4090 or buy a 5090?").values)
