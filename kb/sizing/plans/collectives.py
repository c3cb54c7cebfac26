"""Times of collective operations over links of which the speed is stated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from kb.sizing import links
from kb.sizing.case import Case
from kb.sizing.plans.stated import stated
from kb.sizing.plans.weights import file_of
from kb.sizing.rule import Rule
from kb.sizing.rules import communication
from kb.types.derivation import Given, Node

Steps = Mapping[str, Node]


def _ranks(case: Case) -> Node | None:
    name = next((n for n in ("gpu_count", "servers") if (getattr(case.asked, n) or 0) > 1), None)
    return case.field(name) if name else None


def _all_reduce(case: Case, steps: Steps) -> dict[str, Node]:
    """In a ring over each link that is said; without a number of ranks the bound of many."""
    speeds = {name: speed for name, speed in _links(case).items() if speed}
    size, ranks = file_of(case), _ranks(case)
    if not speeds or size is None:
        return {}
    traffic = communication.all_reduce(size=size, ranks=ranks) if ranks else communication.all_reduce_bound(size=size)
    first, *others = (communication.time(traffic=traffic, bandwidth=speed) for speed in speeds.values())
    out: dict[str, Node] = {"all_reduce_traffic": traffic, "all_reduce_time": first}
    return out | ({"all_reduce_time_network": others[0]} if others else {})


def _once(name: str, rule: Rule, case: Case, steps: Steps) -> dict[str, Node]:
    """A collective that sends every byte once, less the share of each rank; over the network where that is said, which is the slower."""
    speeds, size, ranks = _links(case), file_of(case), _ranks(case)
    speed = speeds["network"] or speeds["link"]
    if (
        name == "all_to_all_time"
        and speeds["network"]
        and (own := links.network_per_gpu(case.request.interconnect or "", case.request.gpus_per_node or 1))
    ):
        speed = Given("interconnect", own, "B/s")  # each sends what is its own
    if speed is None or size is None:
        return {}
    traffic = rule(size=size, ranks=ranks) if ranks else size
    return {name: communication.time(traffic=traffic, bandwidth=speed)}


def _links(case: Case) -> dict[str, Node | None]:
    """The speeds that are said, each in one direction: of a link between GPUs, of the network."""
    said = case.request.link_gb_s is not None
    link = communication.one_way(link=case.field("link_gb_s")) if said else stated(case, "bandwidth_gb_s")
    network = _rails(case) or stated(case, "network_gbps")
    alike = link is not None and network is not None and link.value == network.value  # one thing, said as a rate and as ports
    return {"link": None if alike else link, "network": network}


def _rails(case: Case) -> Node | None:
    """Of a server, where its network is stated by the card or by the GPU and there are several servers."""
    per = case.request.gpus_per_node or 1
    each = links.network_per_gpu(case.request.interconnect or "", per)
    if each is None or 1 < case.gpu_count <= per:
        return None
    if per == 1:
        return Given("interconnect", each, "B/s")
    return communication.rails(network=Given("interconnect", each, "B/s"), gpus=case.field("gpus_per_node"))


RECIPES: dict[str, Callable[[Case, Steps], dict[str, Node]]] = {
    "all_reduce_time": _all_reduce,
    "all_gather_time": partial(_once, "all_gather_time", communication.all_gather),
    "reduce_scatter_time": partial(_once, "reduce_scatter_time", communication.reduce_scatter),
    "all_to_all_time": partial(_once, "all_to_all_time", communication.all_to_all),
}
