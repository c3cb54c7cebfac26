"""What a machine takes of its board and of the supply that bridges a failure of the mains."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from kb.sizing.case import Case
from kb.sizing.plans import circuits, costs
from kb.sizing.rules import circuits as rules
from kb.sizing.rules import cluster
from kb.types.derivation import Given, Node

Steps = Mapping[str, Node]


def ups(case: Case, steps: Steps) -> dict[str, Node]:
    """The supply for the machines that are spoken of, and what its battery gives in the time that is said."""
    power = _drawn(case)
    if power is None:
        return {}
    rating = rules.ups(power=power, filled=case.constant("ups_filled"))
    out: dict[str, Node] = {"ups": rating, "ups_va": rules.apparent(power=rating, factor=case.constant("ups_power_factor"))}
    if case.request.days is not None:
        out["ups_energy"] = rules.bridged(power=power, time=case.field("days"))
    return out


def _drawn(case: Case) -> Node | None:
    """Of so many servers as said, as their table has it, else of boards and host at the wall."""
    if case.request.power_kw is not None or case.server_power is not None:
        return costs.power(case)["power"]
    servers = case.gpu_count / (case.request.gpus_per_node or 1)
    if case.chip and not case.chip.personal and servers.is_integer() and (each := case.rated_server):
        return cluster.servers_power(servers=Given("servers", servers, "1"), each=each)
    return circuits.load(case).get("wall_power")


def lanes(case: Case, steps: Steps) -> dict[str, Node]:
    """PCIe lanes of the GPUs, drives and network adapters that are named."""
    asked = {"gpu_count": "gpu_lanes", "drives": "drive_lanes", "adapters": "adapter_lanes"}
    parts = [
        cluster.lanes_of(count=case.field(kind), each=_width(case, each))
        for kind, each in asked.items()
        if getattr(case.asked, kind) is not None
    ]
    if not parts:
        return {}
    return {"pcie_lanes": reduce(lambda lanes, more: cluster.pcie_lanes(lanes=lanes, further=more), parts)}


def _width(case: Case, name: str) -> Node:
    return case.field(name) if name == "gpu_lanes" and case.request.gpu_lanes is not None else case.constant(name)
