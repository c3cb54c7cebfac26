"""A model that does not start: whether it should, by its size, on the cards that are told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.types.question import Part
from kb.understanding.symptoms import OUT_OF_MEMORY

NEVER_STARTS = re.compile(
    r"起不来|起不了|(?:启动|加载|载入)不了|(?:启动|拉|跑)不(?:起来|上来)|(?:无法|不能|没法)(?:正常)?(?:启动|加载|载入)|(?:启动|加载|载入)(?:就|直接|总是?|一直)?(?:失败|报错)"
    r"|(?<![a-z])(?:won'?t|will not|does(?:n'?t| not)|can(?:'?t|not)|refuses to|fail(?:s|ed|ing)? to|unable to|never)"
    r" (?:even )?(?:start|load|launch|boot|come up|spin up)(?:s|ed)?(?: up)?(?![a-z])"
)


def starting(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, of which one about a running model and its cards that does not start asks whether it fits (slot `never_starts`); a
    run that says what it died of is one of trouble."""
    return tuple(_asking(p) if _never_starts(p) else p for p in parts)


def _never_starts(part: Part) -> bool:
    s, low = part.slots, part.text.lower()
    placed = (s.get("gpu") or s.get("memory_gb")) and (s.get("model") or s.get("parameters"))
    runs = s.get("workload") in (None, "inference") and not s.get("task")
    return bool(placed and runs and NEVER_STARTS.search(low) and not OUT_OF_MEMORY.search(low))


def _asking(part: Part) -> Part:
    slots = {**part.slots, "workload": "inference", "never_starts": True}
    return replace(part, intent="size", slots=slots, wanted=(), asks_verdict=True)
