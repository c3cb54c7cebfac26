"""What GPUs exchange over: the link inside a server or domain, the network between servers; each for one GPU, in one direction."""

from __future__ import annotations

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
    """The network that was named, as its row has it or its text says; None for any other text."""
    if case.link is not None:
        return case.link
    said = links.network_per_gpu(case.request.interconnect or "", case.request.gpus_per_node or 1)
    return Given("interconnect", said, "B/s") if said is not None else None


def network(case: Case) -> Node:
    """Between servers."""
    said = network_said(case)
    if said is not None:
        return said
    generation = case.chip.get("pcie_gen") if case.chip else None
    new = generation is None or generation.value >= case.constant("new_generation").value
    return case.constant("network.gen5" if new else "network.gen4")


def of_tensor(case: Case) -> Node:
    """What the ranks of tensor parallelism exchange over: their link, beyond the GPUs that it joins the network of all of these."""
    inside = case.degree("tensor_parallel") <= case.linked_gpus
    if not is_array(inside) and inside:
        return link(case)
    across = communication.across_domains(link=link(case), network=network(case), linked=linked(case))
    return either(inside, link(case), across)


def linked(case: Case) -> Node:
    """The GPUs that the link joins."""
    return Given("linked_gpus", 1.0 * case.linked_gpus, "1")
