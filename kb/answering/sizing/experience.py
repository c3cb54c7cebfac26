"""What a job of before says of the cards that another one takes: by how much it took more of them than the same calculation gives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import number
from kb.answering.sizing.grounds import standing
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.sizing import SizingResult

LENGTHS = ("seq_len", "context_len")


def told(
    fields: Mapping[str, Any], past: Mapping[str, Any], count: float, result: SizingResult, draft: Draft, tools: Tools
) -> None:
    """Say how many cards the job takes by the measure of the one before, where that took more than is computed of it."""
    w, kept = draft.wording, {k: v for k, v in fields.items() if k not in ("model", "parameters", "gpu_count", *LENGTHS)}
    try:
        before = tools.size({**kept, **{k: v for k, v in past.items() if k != "gpu_count"}}, ("gpu_count",), w.language)
    except InvalidInput:
        return
    computed = next((float(v.value or 0) for v in before.values if v.name == "gpu_count"), 0.0)
    took, per = float(past["gpu_count"]), result.request.gpus_per_node or 1
    if not 0 < computed < took:
        return
    least = math.ceil(count * took / computed)
    planned = number(float(math.ceil(least / per) * per if least > per else least))
    texts = {"then": number(took), "computed": number(computed), "count": planned}
    draft.composer.values += [
        Value("gpu_count", computed, "1", texts["computed"], scope="past"),
        Value("gpu_count", float(planned), "1", planned, scope="experience"),
    ]
    draft.composer.say(w("by_experience", **texts), *standing(result, "gpu_count", tools=tools))
