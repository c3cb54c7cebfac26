"""Why layouts are left out: each under its first reason, with what came nearest to being allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from kb.sizing.search.layouts import Array
from kb.sizing.search.table import Fault, Tried
from kb.types.planning import Configuration, Limits, Rejection
from kb.types.sizing import SizingRequest
from kb.types.specs import Bilingual

DAY = 86400.0
TEXTS = {
    "unpublished": Bilingual("memory, compute or bandwidth of the GPU is not published", "显卡的显存、算力或带宽未公布"),
    "memory": Bilingual("does not fit into GPU memory", "显存放不下"),
    "load": Bilingual("decodes fewer tokens than the requests demand", "解码速度达不到请求量"),
    "deadline": Bilingual("takes longer than {max_days:g} days", "超出 {max_days:g} 天的期限"),
    "budget": Bilingual("costs more than {max_budget:,.6g}", "超出预算 {max_budget:,.6g}"),
}
NEAREST = {
    "memory": Bilingual(
        "the nearest needs {memory_per_gpu} of {memory_available_per_gpu} per GPU",
        "最接近的单卡需 {memory_per_gpu}，可用 {memory_available_per_gpu}",
    ),
    "load": Bilingual("the nearest decodes {decode_tokens_per_second}", "最接近的为 {decode_tokens_per_second}"),
    "deadline": Bilingual("the nearest takes {training_time} days", "最接近的需 {training_time} 天"),
    "budget": Bilingual("the nearest costs {cost}", "最接近的需 {cost}"),
}  # fmt: skip
NEEDED = {
    "memory": {"memory_per_gpu", "memory_available_per_gpu"}, "load": {"decode_tokens_per_second"}, "deadline": {"training_time"},
    "budget": {"cost"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Left:
    """Rows that fail by one reason, and the one of them that is nearest to being allowed."""

    reason: str
    count: int
    nearest: int


def sifted(found: Tried, limits: Limits, most_filled: float, demand: float | None) -> tuple[Array, list[Left]]:
    """The rows that are allowed, and the others by reason. `demand`: tokens/s that a service has to decode."""
    if not len(found):
        return np.array([], dtype=int), []
    columns = found.columns
    timed = limits.objective != "gpus" or limits.max_days is not None or limits.max_budget is not None or demand is not None
    missing = np.isnan(columns["filled"]) | (timed & (np.isnan(columns["time"]) | np.isnan(columns["cost"])))
    tests: list[tuple[str, Array, Array]] = [
        ("unpublished", missing, columns["gpu_count"]),
        ("memory", columns["filled"] > most_filled, columns["filled"]),
    ]
    if demand is not None:
        tests.append(("load", columns["speed"] < demand, -columns["speed"]))
    if limits.max_days is not None:
        tests.append(("deadline", columns["time"] > limits.max_days * DAY, columns["time"]))
    if limits.max_budget is not None:
        tests.append(("budget", columns["cost"] > limits.max_budget, columns["cost"]))
    allowed = np.ones(len(found), dtype=bool)
    out = []
    for reason, failing, distance in tests:
        rows = np.flatnonzero(allowed & failing)
        if len(rows):
            out.append(Left(reason, len(rows), int(rows[np.argmin(distance[rows])])))
        allowed &= ~failing
    return np.flatnonzero(allowed), out


def rejections(
    found: Tried, left: list[Left], limits: Limits, shown: Callable[[SizingRequest], Configuration], language: str
) -> Iterator[Rejection]:
    """The reasons as a reader sees them, those that leave out most first; faults of one reason on several kinds are one."""
    by_reason: dict[tuple[str, str], list[Fault]] = {}
    for fault in found.faults:
        by_reason.setdefault((fault.reason, fault.text.of(language)), []).append(fault)
    out = [
        Rejection(reason, text, sum(f.count for f in same), shown(same[0].example))
        for (reason, text), same in by_reason.items()
    ]
    for one in left:
        nearest = shown(found.request(one.nearest))
        out.append(Rejection(one.reason, _text(one.reason, limits, nearest, language), one.count, nearest))
    yield from sorted(out, key=lambda r: -r.count)


def _text(reason: str, limits: Limits, nearest: Configuration, language: str) -> str:
    said = TEXTS[reason].of(language).format(max_days=limits.max_days, max_budget=limits.max_budget)
    values = {v.name: v for v in nearest.values}
    written = {n: f"{v.value:.4g}" if n == "training_time" else v.text for n, v in values.items()}
    if reason not in NEAREST or not NEEDED[reason] <= written.keys():
        return said
    return said + ("; " if language == "en" else "；") + NEAREST[reason].of(language).format_map(written)
