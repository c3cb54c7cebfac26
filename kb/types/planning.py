"""A plan and what it may choose from, field for field as the outside sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kb.types.answer import Assumed, Value, Verdict
from kb.types.sizing import SizingRequest, SizingResult

Objective = Literal["cost", "time", "gpus"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a plan may choose from and must keep to; None: not said. `gpus` are rows of the accelerator table, `prices` are per
    GPU-hour by row."""

    gpus: tuple[str, ...] = ()
    max_gpus: int | None = None
    max_days: float | None = None
    max_budget: float | None = None
    objective: Objective = "cost"
    prices: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Configuration:
    """Hardware and layout as a request that `size` answers with the same figures; no figures when the layout cannot be. `hints` say
    what would make it fit, or fit with room."""

    request: SizingRequest
    verdict: Verdict | None
    values: tuple[Value, ...]
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanOption:
    """`rank` by the objective, from 1. `pareto`: no other is better in cost, time and number of GPUs at once."""

    rank: int
    pareto: bool
    request: SizingRequest
    verdict: Verdict | None
    values: tuple[Value, ...]
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejection:
    """`reason` is a key (`memory`, `deadline`), `text` says it to a reader; `nearest` is what came closest to being allowed."""

    reason: str
    text: str
    count: int
    nearest: Configuration | None


@dataclass(frozen=True, slots=True)
class PlanResult:
    """`considered` layouts are those rejected and the `feasible` ones, of which `options` are the best."""

    objective: Objective
    options: tuple[PlanOption, ...]
    rejected: tuple[Rejection, ...]
    considered: int
    feasible: int
    assumptions: tuple[Assumed, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Purchase:
    """So many of a card of the table, what they cost at their launch price in US dollars, and the job sized on them."""

    gpu: str
    count: int
    price: float
    result: SizingResult
