"""What a plan is asked for: a sizing request, and the limits it must keep to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from kb.sizing.case import Case
from kb.sizing.contradictions import refuse
from kb.sizing.request import from_mapping
from kb.types.planning import Limits, Objective
from kb.types.sizing import SizingRequest

RANGES: dict[str, tuple[float, float]] = {
    "max_gpus": (1, 1_000_000), "max_days": (1e-4, 36_500), "max_budget": (1e-3, 1e13), "prices": (1e-6, 1e5),
}  # fmt: skip
FIELDS = ("gpus", "max_gpus", "max_days", "max_budget", "objective", "prices")
MOST_KINDS = 64


def plan_from_mapping(fields: Mapping[str, Any]) -> tuple[SizingRequest, Limits]:
    """Request and limits; None means not said. `days` and `budget` of the request are limits too.

    Raises InvalidInput naming the field, the value and what would be allowed.
    """
    said = {k: v for k, v in fields.items() if v is not None}
    request = from_mapping({k: v for k, v in said.items() if k not in FIELDS})
    objective = said.get("objective", "cost")
    if objective not in get_args(Objective):
        allowed = ", ".join(get_args(Objective))
        refuse("objective", objective, f"one of {allowed}", f"可选：{allowed}")
    limits = Limits(
        gpus=_gpus(said["gpus"]) if "gpus" in said else (),
        max_gpus=int(_number("max_gpus", said["max_gpus"], whole=True)) if "max_gpus" in said else None,
        max_days=_number("max_days", said["max_days"]) if "max_days" in said else None,
        max_budget=_number("max_budget", said["max_budget"]) if "max_budget" in said else None,
        objective=objective,
        prices=_prices(said.get("prices", {})),
    )
    return request, _agreeing(request, limits)


def check(case: Case, limits: Limits) -> None:
    """The limits against the workload; raises InvalidInput."""
    r = case.asked
    if limits.max_days is not None and not case.training:
        refuse(
            "max_days", limits.max_days, "a deadline is for training; for a service give days, the time it is rented",
            "期限只用于训练；推理服务请用 days 给出租用天数",
        )  # fmt: skip
    if limits.max_days is not None and r.tokens is None:
        refuse("tokens", None, "max_days needs the tokens to train on", "使用 max_days 时需给出训练的 token 数")
    if limits.max_budget is not None:
        if case.training and r.tokens is None:
            refuse("tokens", None, "max_budget needs the tokens to train on", "使用 max_budget 时需给出训练的 token 数")
        if not case.training and r.days is None:
            refuse("days", None, "max_budget needs the days that the service is rented", "使用 max_budget 时需给出租用天数")
    if r.requests_per_second is not None and r.output_tokens is None and not case.training:
        refuse(
            "output_tokens",
            None,
            "requests_per_second needs the tokens of an answer",
            "使用 requests_per_second 时需给出每次输出的 token 数",
        )


def check_count(limits: Limits, most: int, unit: int, gpu_count: int | None) -> None:
    """The GPUs allowed against those that the layout needs; raises InvalidInput."""
    if gpu_count is not None and limits.max_gpus is not None and gpu_count > most:
        refuse(
            "max_gpus",
            most,
            f"gpu_count asks for {gpu_count}, so at least {gpu_count}",
            f"而 gpu_count 为 {gpu_count}，至少应为 {gpu_count}",
        )
    if unit > most:
        refuse(
            "max_gpus", most, f"tensor × pipeline × context parallelism as said take {unit}, so at least {unit}",
            f"所给张量×流水线×上下文并行度需要 {unit} 张，至少应为 {unit}",
        )  # fmt: skip


def _agreeing(request: SizingRequest, limits: Limits) -> Limits:
    """Limits said twice must be the same; said once, in either place, they hold."""
    days = _same("max_days", limits.max_days, "days", request.days if request.tokens else None)
    budget = _same("max_budget", limits.max_budget, "budget", request.budget)
    if isinstance(request.gpu, str) and limits.gpus and request.gpu not in limits.gpus:
        allowed = ", ".join(limits.gpus)
        refuse("gpu", request.gpu, f"gpus allows {allowed}", f"而 gpus 只允许 {allowed}")
    if request.gpu is not None and not isinstance(request.gpu, str) and limits.gpus:
        said = ", ".join(limits.gpus)
        refuse("gpus", said, "gpu is given by its figures; give one of them", "已用 gpu 给出参数，请只给其一")
    return replace(
        limits, max_days=days, max_budget=budget, gpus=(request.gpu,) if isinstance(request.gpu, str) else limits.gpus
    )


def _same(name: str, limit: float | None, slot: str, said: float | None) -> float | None:
    if limit is not None and said is not None and limit != said:
        refuse(
            name, limit, f"{slot} is {said:g}: give one of them, or the same", f"而 {slot} 为 {said:g}，请只给其一或给相同的值"
        )
    return said if limit is None else limit


def _gpus(value: Any) -> tuple[str, ...]:
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list | tuple) or not all(isinstance(v, str) for v in several):
        several = []
    found = tuple(dict.fromkeys(part.strip() for v in several for part in v.split(",") if part.strip()))
    if not 1 <= len(found) <= MOST_KINDS:
        refuse("gpus", value, f"1 to {MOST_KINDS} ids of the accelerator table", f"应为 1 到 {MOST_KINDS} 个加速卡标识")
    return found


def _prices(value: Any) -> dict[str, float]:
    if not isinstance(value, Mapping):
        refuse("prices", value, "a price per GPU-hour for each id", "应为各型号的每卡时单价")
    return {str(k): _number("prices", v) for k, v in value.items()}


def _number(field: str, value: Any, whole: bool = False) -> float:
    low, high = RANGES[field]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not low <= value <= high:
        refuse(field, value, f"a number between {low:g} and {high:,.0f}", f"应在 {low:g} 到 {high:,.0f} 之间")
    if whole and value != int(value):
        refuse(field, value, "a whole number", "应为整数")
    return float(value)
