"""Values as plain structures (dict, list, str, number, bool, None), named as the outside sees them.

Field names of the types are the outside names; what differs is said here: `from_` is `from`, fields that are absent rather
than null, and fields that do not leave the program.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

ABSENT_WHEN_NONE = {"breakdown", "table", "declined", "disagreements", "low", "high", "scope", "published", "retrieved", "stance"} | {
    "publisher", "slot", "confidence", "note", "refusal", "phrased", "fallback",
}  # fmt: skip
INTERNAL = {"steps", "extra", "parts", "recent", "symptoms", "unpublished"}


def plain(value: Any) -> Any:
    """`value` and everything in it as plain structures; a dataclass becomes a dict of its fields."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        out: dict[str, Any] = {}
        for field in dataclasses.fields(value):
            item = getattr(value, field.name)
            if field.name == "extra":  # the other keys of a mention stand beside the named ones
                out |= {k: plain(v) for k, v in item.items()}
            elif field.name not in INTERNAL and not (item is None and field.name in ABSENT_WHEN_NONE):
                out[field.name.rstrip("_")] = plain(item)
        return out
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value
