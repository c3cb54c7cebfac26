"""Published outcomes, and what the engine says of the same requests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kb.sizing.request import from_mapping
from kb.sizing.size import size
from kb.types.assumptions import Assumptions
from kb.types.derivation import Node
from kb.types.specs import SpecBook

FOLDER = Path(__file__).parent / "published"
SPEED = "tokens_per_second_per_gpu"
RARELY_SAID = ("engine", "fused_loss", "activation_offload", "virtual_stages")  # of training, by those who ask


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row of eval/published: `value` of the result `name`, in the contract's unit. `asked` are fields of the request as somebody says
    them who plans such a job and does not know yet what was measured of it."""

    id: str
    kind: str
    tier: str
    group: str
    name: str
    value: float
    request: Mapping[str, Any]
    asked: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the engine says of an outcome: its value, its 80 % interval where it states one, and the node that computed it."""

    outcome: Outcome
    value: float
    low: float | None
    high: float | None
    node: Node

    @property
    def error(self) -> float:
        """Predicted over published, less one; of the time per token for a speed of training, as one asks how long it takes."""
        return error(self.outcome, self.value)


def error(outcome: Outcome, value: float) -> float:
    """The relative error of a predicted value: positive where it takes longer, or more memory, or decodes faster, than was published."""
    return outcome.value / value - 1 if outcome.name == SPEED else value / outcome.value - 1


def usually_asked(outcome: Outcome) -> Outcome:
    """The row as people ask: without what its source tells of the software and hardly anybody else does."""
    if outcome.request["workload"] == "inference":
        return outcome
    said = {k: v for k, v in outcome.request.items() if k not in RARELY_SAID}
    return replace(outcome, request=said | dict(outcome.asked))


def outcomes(folder: Path = FOLDER) -> tuple[Outcome, ...]:
    """Every row, in order of files and lines."""
    rows = (json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_text("utf-8").split("\n") if line)
    return tuple(
        Outcome(r["id"], r["kind"], r["tier"], r["group"], r["name"], r["value"], r["request"], r.get("asked", {}))
        for r in rows
    )


def predictions(rows: Iterable[Outcome], book: SpecBook, assumptions: Assumptions) -> tuple[Prediction, ...]:
    """The engine's answer to every row; raises InvalidInput or KeyError for a row that it cannot answer."""
    found = []
    for row in rows:
        result = size(from_mapping(row.request), book, assumptions)
        value = next(v for v in result.values if v.name == row.name)
        found.append(Prediction(row, value.value, value.low, value.high, result.steps[row.name]))
    return tuple(found)


def kinds(rows: Sequence[Outcome]) -> tuple[str, ...]:
    """The kinds of rows, in the order in which they first appear."""
    return tuple(dict.fromkeys(r.kind for r in rows))
