"""What GPUs exchange over: the link inside a server or domain, the network between servers; each for one GPU, in one direction."""

from __future__ import annotations

from dataclasses import replace

from kb.sizing import links
from kb.sizing.case import Case, either
from kb.sizing.elementwise import is_array
from kb.sizing.rules import communication
from kb.types.derivation import Given, Node


def link(case: Case) -> Node:
    """Between GPUs of one server."""
    own = case.chip.get("link") if case.chip else None
    if own is not None:
        return case.once("link", lambda: communication.one_way(link=own))
    return case.constant("link.named" if links.has_own_link(case.request.interconnect or "") else "link.none")


def network_said(case: Case) -> Node | None:
    """Of one GPU, the network that was stated: as its text divides it among GPUs or servers, else by ports as its row, its text or its
    rate has them; None where nothing is said."""
    text = case.request.interconnect or ""
    said = links.network_per_gpu(text, case.request.gpus_per_node or 1)
    if said is not None:
        return Given("interconnect", said, "B/s")
    port, rate = case.link, links.port(text)
    if port is None and rate is not None:
        port = Given("interconnect", rate, "B/s")
    if port is None and case.request.network_gbps is not None:
        port = case.field("network_gbps")
    return case.once("network of a GPU", lambda: _of_port(case, port)) if port is not None else None


def _of_port(case: Case, port: Node) -> Node:
    """Fast ports come one per GPU, slower ones are shared by the GPUs of a server."""
    if port.value >= case.constant("port_sharers.from").value:
        return communication.port_share(port=port, sharers=case.constant("port_sharers.fast"))
    sharers = replace(case.constant("port_sharers.slow"), value=float(case.request.gpus_per_node or 1))
    return communication.port_share(port=port, sharers=sharers)


def network(case: Case) -> Node:
    """Between servers."""
    said = network_said(case)
    if said is not None:
        return said
    generation = case.chip.get("pcie_gen") if case.chip else None
    new = generation is None or generation.value >= case.constant("new_generation").value
    return case.constant("network.gen5" if new else "network.gen4")


def to_host(case: Case) -> Node:
    """Between a GPU and the memory of its server."""
    generation = case.chip.get("pcie_gen") if case.chip else None
    new = generation is not None and generation.value >= case.constant("new_generation").value
    return case.constant("host_link.gen5" if new else "host_link.gen4")


def of_tensor(case: Case) -> Node:
    """What the ranks of tensor parallelism exchange over: their link, beyond the GPUs that it joins the network of all of these."""
    inside = case.degree("tensor_parallel") <= case.linked_gpus
    if not is_array(inside) and inside:
        return link(case)
    across = communication.across_domains(link=link(case), network=network(case), linked=linked(case))
    return either(inside, link(case), across)


def of_data(case: Case, parts: int, span: int) -> Node:
    """What data parallelism exchanges over: the link where it joins all `span` GPUs, else the network of those that it joins; every one
    of `parts` neighbours holds something else."""
    across = communication.across_servers(
        link=link(case), network=network(case), linked=linked(case), parts=Given("parts", 1.0 * parts, "1")
    )
    return either(span <= case.linked_gpus, link(case), across)


def linked(case: Case) -> Node:
    """The GPUs that the link joins."""
    return Given("linked_gpus", 1.0 * case.linked_gpus, "1")
