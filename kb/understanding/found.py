"""What the readers of quantities hand on: a mention with its span in the folded text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Found:
    """A quantity at low[start:end]; `quantity`, `value`, `unit`, `extra` as in a Mention. `quiet`: fills a slot but is no mention."""

    start: int
    end: int
    quantity: str
    value: Any
    unit: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    quiet: bool = False
