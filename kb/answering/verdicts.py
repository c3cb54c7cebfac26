"""Whether it fits, as an answer says it, and on what condition."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.grounds import standing
from kb.answering.render import number
from kb.types.answer import Value, Verdict
from kb.types.sizing import SizingResult


def verdict_of(result: SizingResult, slots: Mapping[str, Any]) -> Verdict:
    """The verdict as an answer gives it: a model of which no precision was said runs on condition of being quantized, where that alone
    makes it fit; asked for in a precision it does not."""
    assert result.verdict is not None
    free = result.request.workload == "inference" and not slots.keys() & {"precision", "quantization"}
    eased = free and result.verdict == "does_not_fit" and result.extra.get("change", {}).keys() == {"quantization"}
    return "fits_with_conditions" if eased else result.verdict


def condition(filled: float, result: SizingResult, draft: Draft, tools: Tools) -> None:
    """On what a tight fit depends: on room that nothing else takes, or on a larger share of the memory than is usual."""
    w, usual = draft.wording, result.request.gpu_memory_utilization
    if filled <= 1:
        key, share = "condition_room", number(round(100 * filled))
    elif usual and filled * usual < 1:
        key, share = "condition_share", number(math.ceil(100 * filled * usual))
    else:
        return
    draft.composer.values.append(Value("filled", round(filled, 4), "1", f"{share} %"))
    draft.composer.say(w(key, share=share), *standing(result, "memory_per_gpu", "memory_available_per_gpu", tools=tools))
