"""Machines, hours, power and money."""

from __future__ import annotations

from kb.sizing.elementwise import ceiling, greatest, whole
from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import (
    AirFlow,
    BtuPerHour,
    BtuPerHourPerWatt,
    GpuSecond,
    HeatOfAir,
    Joule,
    Kelvin,
    Money,
    MoneyPerJoule,
    MoneyPerSecond,
    Ratio,
    Second,
    Token,
    TokenPerSecond,
    Watt,
)


@rule("cluster.nodes", cites=("datacenter-2018#ch. 3",), label=Bilingual("servers", "服务器数"))
def nodes(*, gpu_count: Ratio, gpus_per_node: Ratio) -> Ratio:
    """Whole servers."""
    return ceiling(gpu_count / gpus_per_node)


@rule(
    "cluster.gpus_for_deadline",
    cites=("narayanan-2021#eq. 4",),
    label=Bilingual("GPUs to meet the deadline", "按期完成所需显卡数"),
)
def gpus_for_deadline(*, gpu_time: GpuSecond, time: Second) -> Ratio:
    """The GPU time of the run over the time allowed."""
    return ceiling(gpu_time / time)


@rule(
    "cluster.model_shards",
    cites=("narayanan-2021#sec. 3",),
    label=Bilingual("GPUs that share one copy", "分摊一份模型的显卡数"),
)
def model_shards(*, tensor_parallel: Ratio, pipeline_parallel: Ratio) -> Ratio:
    """Tensor times pipeline parallel."""
    return tensor_parallel * pipeline_parallel


@rule("cluster.gpu_time", cites=("narayanan-2021#eq. 4",), label=Bilingual("GPU-hours", "卡时"))
def gpu_time(*, gpu_count: Ratio, time: Second) -> GpuSecond:
    """GPUs times the time that they are held."""
    return gpu_count * time


@rule("cluster.used_gpu_time", cites=("datacenter-2018#ch. 6",), label=Bilingual("GPU-hours in use", "实际使用卡时"))
def used_gpu_time(*, gpu_count: Ratio, time: Second, utilization: Ratio) -> GpuSecond:
    """Only the fraction of the time that is used is paid for."""
    return gpu_count * time * utilization


@rule("cluster.time_of_gpu_time", cites=("narayanan-2021#eq. 4",), label=Bilingual("time for the GPU-hours", "卡时折合时间"))
def time_of_gpu_time(*, gpu_time: GpuSecond, gpu_count: Ratio) -> Second:
    """GPU-hours spread over the GPUs."""
    return gpu_time / gpu_count


@rule("cluster.power", cites=("datacenter-2018#ch. 5",), label=Bilingual("power", "功率"))
def power(*, gpu_count: Ratio, tdp: Watt, host: Ratio) -> Watt:
    """Boards at their rated power, and `host` for processors, memory, fans and losses of the supply."""
    return gpu_count * tdp * host


@rule("cluster.servers_power", cites=("datacenter-2018#ch. 5",), label=Bilingual("power of the servers", "服务器功率"))
def servers_power(*, servers: Ratio, each: Watt) -> Watt:
    """So many servers of one power."""
    return servers * each


@rule("cluster.facility_power", cites=("datacenter-2018#ch. 5",), label=Bilingual("power with the building", "含机房的总功率"))
def facility_power(*, power: Watt, pue: Ratio) -> Watt:
    """The machines' power, with cooling and losses of the building (PUE)."""
    return power * pue


@rule("cluster.heat", cites=("datacenter-2018#ch. 5", "si-factors-2008#B.8"), label=Bilingual("heat", "散热量"))
def heat(*, power: Watt, factor: BtuPerHourPerWatt) -> BtuPerHour:
    """All power that the machines draw leaves them as heat."""
    return power * factor


@rule("cluster.cooling_tons", cites=("si-factors-2008#B.8",), label=Bilingual("cooling in tons", "制冷量（冷吨）"))
def cooling_tons(*, heat: BtuPerHour, ton: BtuPerHour) -> Ratio:
    """Tons of refrigeration that carry the heat away."""
    return heat / ton


@rule("cluster.board_power", cites=("datacenter-2018#ch. 5",), label=Bilingual("rated power of the GPUs", "显卡额定功率合计"))
def board_power(*, gpu_count: Ratio, tdp: Watt) -> Watt:
    """The boards alone."""
    return gpu_count * tdp


@rule("cluster.rated_power", cites=("datacenter-2018#ch. 5",), label=Bilingual("sum of rated powers", "额定功率合计"))
def rated_power(*, gpu_count: Ratio, tdp: Watt, beside: Watt) -> Watt:
    """The boards, and what else is named, each at its rated power."""
    return gpu_count * tdp + beside


@rule("cluster.power_supply", cites=("multi-gpu-power-2026",), label=Bilingual("power supply", "电源"))
def power_supply(*, gpu_count: Ratio, tdp: Watt, processor: Watt, rest: Watt, headroom: Ratio) -> Watt:
    """Boards, processor and what else is in the case, with `headroom` for efficiency and for peaks."""
    return (gpu_count * tdp + processor + rest) * headroom


@rule("cluster.power_limit", cites=("multi-gpu-power-2026",), label=Bilingual("power limit per GPU", "单卡功率上限"))
def power_limit(*, supply: Watt, gpu_count: Ratio, processor: Watt, rest: Watt, headroom: Ratio) -> Watt:
    """The power limit of a GPU at which the supply carries all of them and the host."""
    return (supply / headroom - processor - rest) / gpu_count


@rule("cluster.data_parallel", cites=("narayanan-2021#sec. 3.1",), label=Bilingual("data-parallel size", "数据并行度"))
def data_parallel(*, gpu_count: Ratio, tensor_parallel: Ratio, pipeline_parallel: Ratio, context_parallel: Ratio) -> Ratio:
    """The GPUs that are left for replicas."""
    return gpu_count / (tensor_parallel * pipeline_parallel * context_parallel)


@rule("cluster.energy", cites=("datacenter-2018#ch. 5",), label=Bilingual("energy", "用电量"))
def energy(*, power: Watt, time: Second, pue: Ratio) -> Joule:
    """Power over time, with the building's share (PUE)."""
    return power * time * pue


@rule("cluster.rent", cites=("datacenter-2018#ch. 6",), label=Bilingual("rent", "租用费用"))
def rent(*, gpu_time: GpuSecond, price: MoneyPerSecond) -> Money:
    """GPU-hours at their price."""
    return gpu_time * price


@rule("cluster.useful_price", cites=("datacenter-2018#ch. 6",), label=Bilingual("price of an hour of use", "有效卡时单价"))
def useful_price(*, price: MoneyPerSecond, utilization: Ratio) -> MoneyPerSecond:
    """GPUs that are paid for around the clock and used a part of it."""
    return price / utilization


@rule("cluster.hour_of_a_month", cites=("datacenter-2018#ch. 6",), label=Bilingual("price per GPU-hour", "每卡时价格"))
def hour_of_a_month(*, rent: Money, month: Second, gpu_count: Ratio) -> MoneyPerSecond:
    """The rent of a month, spread over its hours and shared by the GPUs."""
    return rent / month / gpu_count


@rule("cluster.affordable", cites=("datacenter-2018#ch. 6",), label=Bilingual("GPU-hours that the budget buys", "预算可购卡时"))
def affordable(*, budget: Money, price: MoneyPerSecond) -> GpuSecond:
    """The budget over the price of a GPU-hour."""
    return budget / price


@rule("cluster.in_rack", cites=("datacenter-2018#ch. 5",), label=Bilingual("servers in the rack", "单机柜服务器数"))
def in_rack(*, rack: Watt, server: Watt) -> Ratio:
    """Whole servers that the power of the rack feeds."""
    return whole(rack / server)


@rule("cluster.gpus_on_power", cites=("datacenter-2018#ch. 5",), label=Bilingual("GPUs that the power feeds", "可供电的显卡数"))
def gpus_on_power(*, supply: Watt, tdp: Watt, host: Ratio) -> Ratio:
    """Whole GPUs at their rated power, each with its share of the host."""
    return whole(supply / (tdp * host))


@rule("cluster.electricity", cites=("datacenter-2018#ch. 6",), label=Bilingual("electricity", "电费"))
def electricity(*, energy: Joule, price: MoneyPerJoule) -> Money:
    """Energy at its price."""
    return energy * price


@rule("cluster.break_even", cites=("datacenter-2018#ch. 6",), label=Bilingual("break-even", "回本时间"))
def break_even(*, purchase: Money, rent: MoneyPerSecond, running: MoneyPerSecond, utilization: Ratio) -> Second:
    """When the rent saved, less running costs, has paid the purchase; idle time saves nothing."""
    return purchase / ((rent - running) * utilization)


@rule("cluster.owning", cites=("datacenter-2018#ch. 6",), label=Bilingual("cost of owning", "自购总费用"))
def owning(*, purchase: Money, running: MoneyPerSecond, time: Second, utilization: Ratio) -> Money:
    """The purchase, and running costs of the time in use."""
    return purchase + running * time * utilization


@rule("cluster.renting", cites=("datacenter-2018#ch. 6",), label=Bilingual("cost of renting", "租用总费用"))
def renting(*, rent: MoneyPerSecond, time: Second, utilization: Ratio) -> Money:
    """The rent of the time in use."""
    return rent * time * utilization


@rule("cluster.rent_rate", cites=("datacenter-2018#ch. 6",), label=Bilingual("rent of all GPUs", "全部显卡的租金"))
def rent_rate(*, gpu_count: Ratio, price: MoneyPerSecond) -> MoneyPerSecond:
    """What renting the same GPUs costs."""
    return gpu_count * price


@rule(
    "cluster.cost_of_tokens",
    cites=("datacenter-2018#ch. 6",),
    label=Bilingual("cost of so many tokens", "生成这些 token 的费用"),
)
def cost_of_tokens(*, tokens: Token, speed: TokenPerSecond, rate: MoneyPerSecond) -> Money:
    """The time that they take at full load, at the rate of the GPUs."""
    return tokens / speed * rate


@rule("cluster.running_rate", cites=("datacenter-2018#ch. 6",), label=Bilingual("electricity while running", "运行电费"))
def running_rate(*, power: Watt, price: MoneyPerJoule) -> MoneyPerSecond:
    """Power at the price of energy."""
    return power * price


@rule(
    "cluster.of_layout",
    cites=("narayanan-2021#sec. 3.2",),
    label=Bilingual("number of GPUs of the layout", "按并行度至少的卡数"),
)
def of_layout(*, least: Ratio, split: Ratio) -> Ratio:
    """No fewer than a model and its sequences are said to be split over."""
    return greatest(least, split)


@rule("cluster.practical", cites=("narayanan-2021#sec. 3.2",), label=Bilingual("practical number of GPUs", "实用卡数"))
def practical(*, least: Ratio, group: Ratio) -> Ratio:
    """GPUs come in groups: a power of two inside a server, then whole servers."""
    return ceiling(least / group) * group


@rule("cluster.lanes_of", cites=("pci-sig",), label=Bilingual("PCIe lanes of one kind", "一类设备的 PCIe 通道数"))
def lanes_of(*, count: Ratio, each: Ratio) -> Ratio:
    """Of devices of one kind, each by its width."""
    return count * each


@rule("cluster.pcie_lanes", cites=("pci-sig",), label=Bilingual("PCIe lanes", "PCIe 通道数"))
def pcie_lanes(*, lanes: Ratio, further: Ratio) -> Ratio:
    """Of all kinds together."""
    return lanes + further


@rule("cluster.airflow", cites=("airflow-2011",), label=Bilingual("air through the machines", "风量"))
def airflow(*, power: Watt, heat: HeatOfAir, rise: Kelvin) -> AirFlow:
    """Air carries the heat away that warms it by the difference of intake and exhaust."""
    return power / (heat * rise)
