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


def of_states(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, of which one about a sharded run that asks for nothing but its states, told of one card first."""
    return tuple(_of_one_card(p) if _asks(p) else p for p in parts)


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
