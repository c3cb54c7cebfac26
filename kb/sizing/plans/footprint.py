"""What a plan for memory hands back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kb.types.derivation import Node


@dataclass(frozen=True, slots=True)
class Footprint:
    """`whole` are nodes of the whole job by value name, `parts` what the fullest GPU holds by component, `per_gpu` their sum."""

    whole: Mapping[str, Node]
    parts: Mapping[str, Node]
    per_gpu: Node
