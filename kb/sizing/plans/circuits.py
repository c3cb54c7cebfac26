"""Machines on an outlet or on the feed of a rack."""

from __future__ import annotations

from kb.sizing.case import Case
from kb.sizing.rules import circuits
from kb.types.derivation import Node


def feed(case: Case) -> Node | None:
    """What the circuit that is spoken of carries for hours; None where none is."""
    if case.request.circuit_a is None or case.request.circuit_v is None:
        return None
    carried = circuits.three_phase if case.request.circuit_phases == 3 else circuits.continuous
    return carried(current=case.field("circuit_a"), voltage=case.field("circuit_v"), share=case.constant("circuit_share"))


def load(case: Case) -> dict[str, Node]:
    """What a machine takes at the wall (as said, as its table has it, or boards and host), and what there is for it."""
    there, need = feed(case), case.server_power
    if case.request.power_kw is not None:
        need = case.field("power_kw")
    elif need is None and (tdp := case.board_power) is not None:
        need = circuits.at_the_wall(
            gpu_count=case.field("gpu_count"), tdp=tdp, processor=case.processor_power, rest=case.constant("rest_power"),
            efficiency=case.constant("supply_efficiency"),
        )  # fmt: skip
    if there is None:
        return {"wall_power": need} if need else {}
    return {"circuit_power": there} | ({"wall_power": need} if need else {})
