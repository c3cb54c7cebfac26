"""Kinds of drives that files are read from or written to, where a question names them: hard disk, SATA, NVMe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.types.question import Part

KINDS = {
    "HDD": re.compile(r"(?<![a-z])hdds?(?![a-z])|(?<![a-z])hard (?:disk|drive)s?(?![a-z])|机械(?:硬?盘)?"),
    "SATA": re.compile(r"(?<![a-z])sata(?![a-z])"),
    "NVMe": re.compile(r"(?<![a-z])nvme(?![a-z])"),
}
TIMED = frozenset({"load_time", "write_time"})
WHOLE = frozenset({"size_gb", "model", "parameters"})


def on_drives(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, of which one that asks how long a file takes knows the kinds of drives it names (slot `drive_kinds`, in their order); what
    is said to lie on them is the size of the file."""
    return tuple(_named(p) for p in parts)


def _named(part: Part) -> Part:
    if part.intent != "size" or not TIMED & set(part.wanted):
        return part
    low = part.text.lower()
    found = sorted((m.start(), kind) for kind, pattern in KINDS.items() if (m := pattern.search(low)))
    slots = {**part.slots, "drive_kinds": tuple(kind for _, kind in found)} if found else dict(part.slots)
    if "storage_gb" in slots and not WHOLE & slots.keys():
        slots["size_gb"] = slots.pop("storage_gb")
    return replace(part, slots=slots)
