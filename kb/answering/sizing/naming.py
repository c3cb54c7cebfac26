"""What a computed value is called in an answer, given what it is of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.types.answer import Value


def name_of(name: str, values: Mapping[str, Value], slots: Mapping[str, Any]) -> str:
    """What a value is called, given what it is of: a checkpoint that is nothing but weights, the speed of one request."""
    if name == "decode_tokens_per_second" and (slots.get("concurrency") or 1) == 1:
        return "decode_speed"
    if name == "training_time" and slots.get("tokens_per_second") and slots.get("workload", "inference") == "inference":
        return "time_of_tokens" if slots.get("task") is None else name
    bare = name == "checkpoint_size" and "weights" in values and values[name].value == values["weights"].value
    return "weights_file" if bare else name
