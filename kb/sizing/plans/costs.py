"""GPU-hours, power, energy and money, with or without a model."""

from __future__ import annotations

from collections.abc import Mapping

from kb.sizing.case import PER_SERVER, Case, either
from kb.sizing.elementwise import is_array
from kb.sizing.plans import sums
from kb.sizing.rules import bills, cluster, compute
from kb.sizing.rules import storage as storage_rules
from kb.types.derivation import Assumption, Given, Node
from kb.types.specs import Bilingual

HOUR, DAY, KWH, MILLION = 3600.0, 86400.0, 3.6e6, 1e6


def held(case: Case, found: Mapping[str, Node]) -> dict[str, Node]:
    """How long the GPUs are held: computed, said in days or in GPU-hours, or what tokens take at the speed that was measured."""
    r, out = case.request, dict[str, Node]()
    if timed := sums.steps_time(case):
        count = case.field("gpu_count") if case.asked.gpu_count is not None else Given("gpu_count", 1.0, "1")
        return timed | {"gpu_hours": cluster.gpu_time(gpu_count=count, time=timed["training_time"])}
    if r.tokens_per_second is not None and r.tokens is not None and "training_time" not in found:
        speed = case.field("tokens_per_second")
        out = {"tokens_per_second": speed, "training_time": compute.run_time(tokens=case.field("tokens"), speed=speed)}
        count = case.field("gpu_count") if case.asked.gpu_count is not None else Given("gpu_count", 1.0, "1")
        return out | {"gpu_hours": cluster.gpu_time(gpu_count=count, time=out["training_time"])}
    if r.gpu_hours is not None:
        out["gpu_hours"] = case.field("gpu_hours")
        if case.asked.gpu_count is not None:
            out["training_time"] = cluster.time_of_gpu_time(gpu_time=out["gpu_hours"], gpu_count=case.field("gpu_count"))
    elif "gpu_hours" not in found and r.days is not None:
        count = case.field("gpu_count")
        out["gpu_hours"] = (
            cluster.used_gpu_time(gpu_count=count, time=case.field("days"), utilization=case.field("utilization"))
            if r.utilization is not None
            else cluster.gpu_time(gpu_count=count, time=case.field("days"))
        )
    return out


def power(case: Case) -> dict[str, Node]:
    """Power at the wall: as said, or from the boards."""
    if case.request.power_kw is not None:
        return {"power": case.field("power_kw")}
    if (each := case.server_power) is not None and not is_array(case.gpu_count):
        return {"power": cluster.servers_power(servers=_servers(case), each=each)}
    tdp = case.board_power
    if tdp is None:
        return {}
    return {"power": cluster.power(gpu_count=case.field("gpu_count"), tdp=tdp, host=case.constant("host_power"))}


def _servers(case: Case) -> Node:
    """How many servers there are: as said, as many as the GPUs fill, or one."""
    if case.request.servers is not None:
        return case.field("servers")
    if case.asked.gpu_count is None:
        return Given("servers", 1.0, "1")
    if case.asked.server_kw is not None and case.asked.gpus_per_node is None and case.gpu_count <= PER_SERVER:
        return Given("servers", 1.0, "1")  # the one of which the power is said
    per = case.server.number("accelerator_count") if case.server and case.request.system else None
    each = Given("gpus_per_node", per, "1") if per else case.field("gpus_per_node")
    return cluster.nodes(gpu_count=case.field("gpu_count"), gpus_per_node=each)


def money(case: Case, found: Mapping[str, Node]) -> dict[str, Node]:
    """Energy, what a budget buys, cost and break-even, as far as times and prices are said."""
    price = price_of(case)
    out = _energy(case, found) | _affordable(case, price)
    out |= _cost(case, {**found, **out}, price)
    return out | _against_buying(case, found, price)


def _energy(case: Case, found: Mapping[str, Node]) -> dict[str, Node]:
    """Of a run, or of so many days in use."""
    if "power" not in found:
        return {}
    if "training_time" in found:
        time = found["training_time"]
    elif case.request.days is not None:
        time = _in_use(case, case.field("days"))
    else:
        return {}
    return {"energy": cluster.energy(power=found["power"], time=time, pue=_pue(case))}


def _affordable(case: Case, price: Node | None) -> dict[str, Node]:
    """The GPU-hours that the budget buys, and how long they last."""
    budget = case.request.budget
    if budget is None or price is None or not price.value:
        return {}
    hours = cluster.affordable(budget=Given("budget", budget, "money"), price=price)
    if case.asked.gpu_count is None:
        return {"affordable_gpu_hours": hours}
    time = cluster.time_of_gpu_time(gpu_time=hours, gpu_count=case.field("gpu_count"))
    return {"affordable_gpu_hours": hours, "affordable_time": time}


def _cost(case: Case, found: Mapping[str, Node], price: Node | None) -> dict[str, Node]:
    """Rent of the GPUs where they have a price, else electricity."""
    if price and "gpu_hours" in found:
        held_for = found["gpu_hours"]
        if case.request.surcharge is not None:
            held_for = bills.with_surcharge(gpu_time=held_for, surcharge=case.field("surcharge"))
        if case.request.lost_share is not None:
            held_for = bills.with_losses(gpu_time=held_for, lost=case.field("lost_share"))
        return {"cost": cluster.rent(gpu_time=held_for, price=price)}
    tariff = _tariff(case)
    return {"cost": cluster.electricity(energy=found["energy"], price=tariff)} if tariff and "energy" in found else {}


def saving(case: Case, found: Mapping[str, Node]) -> dict[str, Node]:
    """What the price that is paid saves against the full one, of the hours that are said or of one GPU-hour."""
    full, hours = _full_price(case), found.get("gpu_hours") or Given("gpu_hours", HOUR, "GPU*s")
    cost = found.get("cost") or _cost(case, {"gpu_hours": hours}, price_of(case)).get("cost")
    if full is None or cost is None:
        return {}
    instead = cluster.rent(gpu_time=hours, price=full)
    compared = {"instead": instead, "cost": cost}
    return {
        "saving": bills.saved(**compared),
        "saved_share": bills.saved_share(**compared),
        "cost_instead": instead,
        "cost": cost,
    }


def _full_price(case: Case) -> Node | None:
    """What an hour would cost otherwise: as said, or without the discount."""
    r = case.request
    full = r.full_price_per_gpu_hour or (r.price_per_gpu_hour if r.discount is not None else None)
    return None if full is None else Given("full_price_per_gpu_hour", full / HOUR, "money/s")


def owned_hour(case: Case, found: Mapping[str, Node]) -> dict[str, Node]:
    """What an hour of a GPU costs of a machine that is bought and used so many years."""
    r = case.request
    if r.purchase_price is None or r.days is None:
        return {}
    per = case.server.number("accelerator_count") if case.server and r.system and case.asked.gpu_count is None else None
    purchase = Given("purchase_price", r.purchase_price, "money")
    used = case.field("utilization") if r.utilization is not None else case.constant("always_used")
    hour = bills.owned_hour(
        purchase=purchase, life=case.field("days"), utilization=used, running=_running(case, found),
        gpu_count=Given("gpu_count", per, "1") if per else case.field("gpu_count"),
    )  # fmt: skip
    return {"cost_per_owned_hour": hour}


def owning(case: Case, found: Mapping[str, Node]) -> dict[str, Node]:
    """What a machine that is bought costs over the days that are said, with what running it takes."""
    r = case.request
    if r.purchase_price is None or r.days is None:
        return {}
    used = case.field("utilization") if r.utilization is not None else case.constant("always_used")
    purchase = Given("purchase_price", r.purchase_price, "money")
    cost = cluster.owning(purchase=purchase, running=_running(case, found), time=case.field("days"), utilization=used)
    return {"cost_of_owning": cost}


def hour_of_rent(case: Case, found: Mapping[str, Node]) -> dict[str, Node]:
    """What an hour of a GPU costs of a rent by the month."""
    return {"rent_per_gpu_hour": price} if case.request.price_per_month is not None and (price := price_of(case)) else {}


def _against_buying(case: Case, found: Mapping[str, Node], price: Node | None) -> dict[str, Node]:
    """When a purchase has paid off against what is spent instead, and both over the days that are said."""
    r, rent = case.request, _spent(case, price)
    if rent is None or r.purchase_price is None:
        return {}
    running = _running(case, found)
    if rent.value <= running.value:
        return {}
    used = case.field("utilization") if r.utilization is not None else case.constant("always_used")
    purchase = Given("purchase_price", r.purchase_price, "money")
    even = cluster.break_even(purchase=purchase, rent=rent, running=running, utilization=used)
    out: dict[str, Node] = {"break_even": even, "break_even_time": even}
    if r.utilization is not None:
        out["break_even_use"] = bills.time_in_use(time=even, share=used)
    if r.days is not None:
        time = case.field("days")
        out["cost_of_owning"] = cluster.owning(purchase=purchase, running=running, time=time, utilization=used)
        out["cost_of_renting"] = cluster.renting(rent=rent, time=time, utilization=used)
    return out


def _running(case: Case, found: Mapping[str, Node]) -> Node:
    """What machines of one's own cost while they run: fees as said, and electricity where its price is."""
    said, tariff = case.request.running_per_day, _tariff(case)
    fees = None if said is None else Given("running_cost", said / DAY, "money/s")
    if tariff is None or "power" not in found:
        return fees or case.constant("no_running_cost")
    electricity = cluster.running_rate(power=_metered(case, found["power"]), price=tariff)
    return bills.running(fees=fees, electricity=electricity) if fees else electricity


def _tariff(case: Case) -> Node | None:
    price = case.request.electricity_price
    return None if price is None else Given("electricity_price", price / KWH, "money/J")


def _spent(case: Case, price: Node | None) -> Node | None:
    """What is spent as long as nothing is bought: on an API by the token, else on renting the GPUs."""
    r = case.request
    if r.price_per_million_tokens is not None and r.tokens_per_day is not None:
        each = Given("price_per_token", r.price_per_million_tokens / MILLION, "money/token")
        return bills.tokens_bought(tokens=case.field("tokens_per_day"), price=each)
    return cluster.rent_rate(gpu_count=case.field("gpu_count"), price=price) if price else None


def storage(case: Case, found: Mapping[str, Node]) -> dict[str, Node]:
    """What storage costs that is paid by size and month: as large as said, so many files of one size, or what a job keeps."""
    r = case.request
    if r.price_per_gb_month is None or r.days is None:
        return {}
    size = Given("storage_gb", r.storage_gb * 1e9, "B") if r.storage_gb is not None else found.get("storage")
    if size is None and r.size_gb is not None:
        size = case.field("size_gb")
        size = storage_rules.files(size=size, count=case.field("copies")) if r.copies is not None else size
    if size is None:
        return {}
    price = Given("price_per_gb_month", r.price_per_gb_month / 1e9 / case.constant("month").value, "money/B/s")
    return {"storage_cost": bills.stored(size=size, price=price, time=case.field("days"))}


def against_api(case: Case, speed: Node | None) -> dict[str, Node]:
    """The load from which rented GPUs cost less than an API, beside what their own tokens cost at the speed that is said or computed."""
    r, price = case.request, price_of(case)
    if r.price_per_million_tokens is None or price is None:
        return {}
    each = Given("price_per_token", r.price_per_million_tokens / MILLION, "money/token")
    needed = bills.api_break_even(rate=cluster.rent_rate(gpu_count=case.field("gpu_count"), price=price), price=each)
    out: dict[str, Node] = {"api_break_even": needed}
    if speed is not None:
        out |= of_a_million_tokens(case, speed) | {"api_break_even_use": bills.share_busy(needed=needed, speed=speed)}
    return out


def of_a_million_tokens(case: Case, speed: Node | None) -> dict[str, Node]:
    """What a million tokens cost of GPUs that are rented and busy, at a speed that is measured or computed."""
    price = price_of(case)
    if price is None or speed is None:
        return {}
    rate = cluster.rent_rate(gpu_count=case.field("gpu_count"), price=price)
    million = Given("tokens", MILLION, "token")
    return {"cost_per_million_tokens": cluster.cost_of_tokens(tokens=million, speed=speed, rate=rate)}


def _in_use(case: Case, time: Node) -> Node:
    """Of a time on the calendar the part in which the machine runs, where that is said."""
    if case.request.utilization is None:
        return time
    return bills.time_in_use(time=time, share=case.field("utilization"))


def _metered(case: Case, power: Node) -> Node:
    """The power that is paid for: with the building's share, where one is said."""
    return cluster.facility_power(power=power, pue=case.field("pue")) if case.request.pue is not None else power


def _pue(case: Case) -> Node:
    """The building's share of the power: as said, of a data centre for several servers, or none."""
    if case.request.pue is not None:
        return case.field("pue")
    room = case.constant("pue.room")
    return room if case.request.power_kw is not None else either(case.several_servers, case.constant("pue.datacenter"), room)


def bill(case: Case, power: Node) -> dict[str, Node]:
    """Energy of a period of which no length is said, and its price where the tariff is said."""
    energy = cluster.energy(power=power, time=_in_use(case, case.constant("usual_period")), pue=_pue(case))
    tariff, out = _tariff(case), dict[str, Node](energy=energy)
    return out | {"cost": cluster.electricity(energy=energy, price=tariff)} if tariff else out


def price_of(case: Case) -> Node | None:
    """What an hour of a GPU costs: as said, else as the price table has it, with provider and date."""
    name, said, offer = "price_per_gpu_hour", case.request.price_per_gpu_hour, case.offer
    monthly = case.request.price_per_month
    if said is not None or monthly is not None:
        price: Node = (
            Given(name, said / HOUR, "money/s")
            if said is not None
            else cluster.hour_of_a_month(
                rent=Given("price_per_month", monthly or 0.0, "money"),
                month=case.constant("month"),
                gpu_count=case.field("gpu_count"),
            )
        )
        return price if case.request.discount is None else bills.discounted(price=price, paid=case.field("discount"))
    if offer is None:
        return None
    reason = Bilingual(
        f"The middle one of the dated offers on file: {offer.provider}, {offer.observed}; prices move.",
        f"取价格表中居中的报价：{offer.provider}，{offer.observed}；价格会变动。",
    )
    return Assumption(name, offer.price / HOUR, "money/s", name, reason, offer.evidence)
