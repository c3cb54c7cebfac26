"""Which of several machines in a question is the one that is asked to be enough: `two nodes are planned, is one enough`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kb.understanding.found import Found
from kb.understanding.numbers.numerals import scan

ENOUGH = re.compile(
    r"(?<![a-z])(?:is|are|will|would|does|do|can|could) (?:just |only |an? )?(?P<en>one|two|three|four|single|[1-4])(?![\d.])"
    r"(?: [\w.-]{1,12}){0,4}? (?:enough|sufficient|suffice|do it)(?![a-z])"
    r"|(?P<zh>[一单两二三四1-4])\s?(?:台|个?节点|个?机器|机(?!器?间))[^,，。?]{0,14}?(?:够|放得下|装得下|行不行|可以吗|能不能)"
)
SINGLE = ("single", "单")


def in_question(slots: dict[str, Any], here: Sequence[Found], low: str, start: int, end: int) -> None:
    """Put the machines that are asked to be enough, in place, where others are spoken of before them."""
    asked = ENOUGH.search(low, start, end)
    if asked is None or not slots.keys() & {"nodes", "gpu_counts"}:
        return
    within = [f for f in here if asked.start() <= f.start < asked.end()]
    whole = next((f for f in within if f.quantity == "gpu_count" and f.extra.get("nodes") is not None), None)
    if whole is not None and whole.value is not None:
        slots["nodes"], slots["gpus_per_node"] = int(whole.extra["nodes"]), int(whole.extra["per_node"])
        slots["gpu_count"] = int(whole.value)
    else:
        said = asked["en"] or asked["zh"]
        slots["nodes"] = 1 if said in SINGLE else int(scan(said)[0].value or 1)
        each = slots.get("gpus_per_node")
        slots["gpu_count"] = slots["nodes"] * each if each else None
    slots.pop("gpu_counts", None)
    card = next((f.extra["row"] for f in within if f.quantity == "gpu" and f.extra.get("row")), None)
    if card is not None and card != slots.get("gpu"):
        slots["gpu"] = card
        slots.pop("gpus", None)
    if slots["gpu_count"] is None:
        slots.pop("gpu_count")
