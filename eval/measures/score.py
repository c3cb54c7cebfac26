"""What a measure says of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

Plain = Mapping[str, Any]  # an answer as the outside sees it


@dataclass(frozen=True, slots=True)
class Score:
    """`value` in 0..1, 1 when all holds; `detail` names what does not. `about` is the expectation or invariant measured."""

    about: str
    value: float
    detail: str = ""

    @property
    def passed(self) -> bool:
        return self.value >= 1


class Library(Protocol):
    """What answers may cite, to check that they cite it rightly."""

    def source(self, id: str) -> Any: ...
    @property
    def specs(self) -> Any: ...


def share(about: str, faults: Iterable[str], of: int) -> Score:
    """A score from what is wrong among `of` things."""
    wrong = list(faults)
    return Score(about, 1.0 if not wrong else max(0.0, 1 - len(wrong) / max(1, of, len(wrong))), "; ".join(wrong[:5]))
