"""Model states alone, as estimators of sharding count them: of one card, where there are several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.types.question import Part

_PARTS = r"(?:weights?|params?|parameters?|grad(?:ient)?s?|optim(?:izer)?(?: states?)?|权重|参数|梯度|优化器(?:状态)?)"
STATES = re.compile(
    r"model[ _]states?|模型状态|estimate_zero\d|(?<![a-z])zero[- ]?[123]?[^,.;?]{0,12}estimat"
    r"|(?<![a-z])estimat\w*[^,.;?]{0,16}zero[- ]?[123]"
    rf"|(?:只|仅|(?<![a-z])(?:only|just)(?: the| for)?) ?(?:算|看|计)?{_PARTS}(?: ?(?:[+/&、,，和]|and) ?{_PARTS})+"
    r"|(?:bytes?|(?<![a-z])b)(?:/param\w*)? (?:each )?(?:is |are )?(?:replicated|sharded)|字节(?:的)?(?:复制|切分|分片|不切|不分)"
)
ALONE = frozenset({"memory_total", "memory_per_gpu", "model_states", "model_states_per_gpu", "weights", "optimizer_states"})


_FIGURE = r"(\d{1,2}(?:\.\d{1,2})?)"
_BYTES = rf"{_FIGURE}(?:\s?(?:-|–|~|to|到|至|或|or)\s?{_FIGURE})?\s?(?:b(?:ytes?)?(?![a-z])|个?字节)"
_EACH = r"(?:\s?(?:/|per|每)\s?(?:param(?:eter)?s?|参数))?\s?(?:each |of it |are |is |的)?"
KEPT = {
    name: re.compile(
        rf"(?<![\d.]){_BYTES}{_EACH}\s?(?:{words})|(?:{words})(?:的)?(?:部分)?\s?(?:[:：是为约]|of|with)?\s?(?:每参数\s?)?{_BYTES}"
    )
    for name, words in (
        ("replicated", r"replicated|not sharded|unsharded|on every (?:gpu|card)|复制|不切分?|不分片"),
        ("sharded", r"(?<!un)(?<!not )sharded|partitioned|split|(?<!不)切分|(?<!不)分片|(?<!不)均分"),
    )
}


def of_states(parts: Sequence[Part], low: str) -> tuple[Part, ...]:
    """The parts, of which one about a sharded run that asks for nothing but its states, told of one card first; with the bytes per
    parameter that the question `low` itself counts with (slot `state_bytes`: least and most, of what each card has whole and of what is
    sharded)."""
    found = {name: m for name, pattern in KEPT.items() if (m := pattern.search(low))}
    counted = {name: _ends(m) for name, m in found.items()} if len(found) == len(KEPT) else {}
    told = tuple(_of_one_card(p) if _asks(p) else p for p in parts)
    if not counted:
        return told
    return tuple(replace(p, slots={**p.slots, "state_bytes": counted}) if _asks(p) else p for p in told)


def _ends(found: re.Match[str]) -> tuple[float, float]:
    figures = [float(g) for g in found.groups() if g]
    return figures[0], figures[-1]


def _asks(part: Part) -> bool:
    s = part.slots
    sharded = s.get("zero_stage") is not None and (s.get("gpu_count") or 1) > 1 and "each" not in s
    known = (
        bool(s.get("model") or s.get("parameters"))
        and s.get("workload") != "inference"
        and not (s.get("gpu") or s.get("memory_gb"))
    )
    return bool(part.intent == "size" and sharded and known and set(part.wanted) <= ALONE and STATES.search(part.text.lower()))


def _of_one_card(part: Part) -> Part:
    slots = {k: v for k, v in part.slots.items() if k not in ("weights_only", "parameters_list")}
    return replace(part, wanted=("model_states_per_gpu", "model_states"), slots=slots, asks_verdict=False)
