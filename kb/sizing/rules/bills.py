"""What use, risk and tokens add to a bill."""

from __future__ import annotations

from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import GpuSecond, MoneyPerSecond, MoneyPerToken, Ratio, Second, TokenPerSecond

WAREHOUSE = "datacenter-2018#ch. 6"


@rule("bills.time_in_use", cites=(WAREHOUSE,), label=Bilingual("time in use", "实际使用时间"))
def time_in_use(*, time: Second, share: Ratio) -> Second:
    """Of a time on the calendar the hours that the machine runs."""
    return time * share


@rule("bills.with_surcharge", cites=(WAREHOUSE,), label=Bilingual("GPU-hours with the surcharge", "加上余量的卡时"))
def with_surcharge(*, gpu_time: GpuSecond, surcharge: Ratio) -> GpuSecond:
    """Some on top, for runs that fail or are repeated."""
    return gpu_time * (1 + surcharge)


@rule("bills.tokens_bought", cites=(WAREHOUSE,), label=Bilingual("price of the tokens of an API", "调用 API 的费用"))
def tokens_bought(*, tokens: TokenPerSecond, price: MoneyPerToken) -> MoneyPerSecond:
    """So many tokens in a time, at the price of one."""
    return tokens * price
