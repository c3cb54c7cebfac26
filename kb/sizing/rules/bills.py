"""What use, risk and tokens add to a bill."""

from __future__ import annotations

from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import (
    Byte,
    GpuSecond,
    Money,
    MoneyPerByteSecond,
    MoneyPerSecond,
    MoneyPerToken,
    Ratio,
    Second,
    TokenPerSecond,
)

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


@rule("bills.owned_hour", cites=(WAREHOUSE,), label=Bilingual("cost of an owned GPU-hour", "自有机器的卡时成本"))
def owned_hour(
    *, purchase: Money, life: Second, utilization: Ratio, running: MoneyPerSecond, gpu_count: Ratio
) -> MoneyPerSecond:
    """The purchase spread evenly over the hours in use of its years, and what running costs, shared by the GPUs."""
    return (purchase / (life * utilization) + running) / gpu_count


@rule("bills.stored", cites=(WAREHOUSE,), label=Bilingual("cost of storage", "存储费用"))
def stored(*, size: Byte, price: MoneyPerByteSecond, time: Second) -> Money:
    """Bytes that are kept for a time, at the price of one for a unit of time."""
    return size * price * time


@rule("bills.api_break_even", cites=(WAREHOUSE,), label=Bilingual("tokens at which both cost the same", "费用持平的 token 数"))
def api_break_even(*, rate: MoneyPerSecond, price: MoneyPerToken) -> TokenPerSecond:
    """GPUs that are paid by the hour cost what an API takes for so many tokens."""
    return rate / price


@rule("bills.share_busy", cites=(WAREHOUSE,), label=Bilingual("load at which both cost the same", "费用持平的负载率"))
def share_busy(*, needed: TokenPerSecond, speed: TokenPerSecond) -> Ratio:
    """The part of their speed at which the GPUs have to be busy."""
    return needed / speed


@rule("bills.running", cites=(WAREHOUSE,), label=Bilingual("running costs", "运行费用"))
def running(*, fees: MoneyPerSecond, electricity: MoneyPerSecond) -> MoneyPerSecond:
    """What is paid for place and care, and the electricity."""
    return fees + electricity


@rule("bills.discounted", cites=(WAREHOUSE,), label=Bilingual("price after the discount", "折后单价"))
def discounted(*, price: MoneyPerSecond, paid: Ratio) -> MoneyPerSecond:
    """Of a list price the share that is paid."""
    return price * paid


@rule("bills.with_losses", cites=(WAREHOUSE,), label=Bilingual("GPU-hours with lost work", "计入损失的卡时"))
def with_losses(*, gpu_time: GpuSecond, lost: Ratio) -> GpuSecond:
    """Hours to pay for where a share of them is lost when machines are taken away."""
    return gpu_time / (1 - lost)


@rule("bills.saved", cites=(WAREHOUSE,), label=Bilingual("saving", "节省"))
def saved(*, instead: Money, cost: Money) -> Money:
    """What the cheaper way leaves over of the dearer one's cost."""
    return instead - cost


@rule("bills.saved_share", cites=(WAREHOUSE,), label=Bilingual("saving, share", "节省比例"))
def saved_share(*, instead: Money, cost: Money) -> Ratio:
    """The saving over the dearer one's cost."""
    return 1 - cost / instead
