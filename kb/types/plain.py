"""Values as plain structures (dict, list, str, number, bool, None), named as the outside sees them.

Field names of the types are the outside names; what differs is said here: `from_` is `from`, fields that are absent rather
than null, and fields that do not leave the program.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any

ABSENT_WHEN_NONE = {"breakdown", "table", "declined", "disagreements", "low", "high", "scope", "published", "retrieved", "stance"} | {
    "publisher", "slot", "confidence", "note", "refusal", "phrased", "fallback",
}  # fmt: skip
LEAVES = {str, int, bool, type(None)}
INTERNAL = {"steps", "parts", "recent", "symptoms", "unpublished"}


def plain(value: Any) -> Any:
    """`value` and everything in it as plain structures; a dataclass becomes a dict of its fields."""
    kind = type(value)
    if kind in LEAVES:
        return value
    if kind is float:
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if (fields := _fields(kind)) is not None:  # type: ignore[arg-type]
        out: dict[str, Any] = {}
        for name, said, absent in fields:
            item = getattr(value, name)
            if said is None:  # the other keys of a mention stand beside the named ones
                out |= {k: plain(v) for k, v in item.items()}
            elif item is not None:
                out[said] = item if type(item) in LEAVES else plain(item)
            elif not absent:
                out[said] = None
        return out
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    return value


@cache
def _fields(kind: type) -> tuple[tuple[str, str | None, bool], ...] | None:
    """Of a dataclass: each field with its outside name (None for `extra`) and whether it is absent when None; None of another type."""
    if not dataclasses.is_dataclass(kind):
        return None
    names = [field.name for field in dataclasses.fields(kind) if field.name not in INTERNAL]
    return tuple((name, None if name == "extra" else name.rstrip("_"), name in ABSENT_WHEN_NONE) for name in names)
