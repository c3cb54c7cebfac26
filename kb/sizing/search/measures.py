"""What the recipes say of many layouts at once: how full a GPU is, how long it takes, what it costs."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from kb.sizing.case import Case
from kb.sizing.plans import costs, pace, serving, training
from kb.sizing.plans.offered import usable
from kb.sizing.rules import cluster
from kb.sizing.search.layouts import Array, Columns, demanded
from kb.types.derivation import Given, Node

HOUR = 3600.0


def measured(case: Case, columns: Columns) -> dict[str, Array]:
    """For every layout of `columns`, all of which share the rest of the case, an entry in each of

    `filled` (share of the usable memory), `time` (s for the run; for one token of one request when serving, or when no tokens are
    said), `cost` (money, or GPU-seconds where no price is known; for the run, the time a service is rented, or one token), and
    `speed` (tokens/s of the whole job). Not a number where a figure of the hardware is missing.
    """
    said: dict[str, Any] = dict(columns)  # every layout is sized as one that was asked for
    many = dataclasses.replace(case.but(**said), asked=dataclasses.replace(case.asked, **said))
    available = usable(many)
    found = (training if case.training else serving).footprint(many)
    out = _training(many) if case.training else _serving(many, serving.speed(many, found), demanded(case))
    out["filled"] = found.per_gpu.value / available.value if available else np.nan
    entries = len(columns["gpu_count"])
    return {name: np.broadcast_to(np.asarray(value, dtype=float), entries) for name, value in out.items()}


def _training(case: Case) -> dict[str, Array | float]:
    steps = pace.pace(case)
    if "tokens_per_second" not in steps:
        return _unknown()
    speed = steps["tokens_per_second"].value
    time = steps.get("training_time") or Given("time", 1 / speed, "s")
    return {"time": time.value, "speed": speed, "cost": _cost(case, time)}


def _serving(case: Case, steps: dict[str, Node], demand: bool) -> dict[str, Array | float]:
    if "decode_tokens_per_second" not in steps:
        return _unknown()
    speed, each = steps["decode_tokens_per_second"].value, steps["decode_tokens_per_second_per_request"].value
    if not demand:
        held: Node = Given("time", 1 / speed, "s")
    elif case.request.days is not None:
        held = case.field("days")
    else:
        held = Given("time", HOUR, "s")
    return {"time": 1 / each, "speed": speed, "cost": _cost(case, held)}


def _cost(case: Case, time: Node) -> Array | float:
    """Rent of the GPUs for the time, or its electricity, or without a price the GPU time."""
    spent = cluster.gpu_time(gpu_count=case.field("gpu_count"), time=time)
    paid = costs.money(case, {"training_time": time, "gpu_hours": spent, **costs.power(case)})
    priced = case.request.price_per_gpu_hour is not None or case.request.electricity_price is not None
    return paid["cost"].value if "cost" in paid else np.nan if priced else spent.value


def _unknown() -> dict[str, Array | float]:
    return dict.fromkeys(("time", "speed", "cost"), np.nan)
