"""The constants that published runs decide: fitted to them, and tested on sources left out of the fit.

The fit minimizes a robust loss of the logarithm of predicted over published value, rows of large sources counting less each, plus the
squared distance of every constant's logarithm from its centre in units of its width: a source that says nothing of a constant leaves it
where it was expected.

An interval is the core of published over predicted value, of predictions made without the source, stretched about its middle until it
holds HELD of the rows when the core is taken from other sources than the row's own: the leave-one-source-out form of conformal prediction
with normalized scores (Lei et al. 2018, https://arxiv.org/abs/1604.04173; Barber et al. 2021, CV+, https://arxiv.org/abs/1905.02928).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from eval.outcomes import Outcome, Prediction
from eval.replay import Program, compiled, logarithms

# Constant: (what is expected of it before any run is seen, by which factor it may well be off, as a logarithm).
TRAINING = {
    "reached.matrices": (0.77, 0.1),
    "reached.attention": (0.3, 0.2),
    "traffic_passes": (8.0, 0.2),
    "low_precision.reached": (1.0, 0.2),
    "layers_per_chunk": (2.5, 0.3),
    "exposed.tensor": (1.0, 0.3),
    "exposed.data": (1.0, 0.3),
    "exposed.experts": (0.3, 0.7),
    "expert_latency": (5e-4, 0.7),
    "lost_share": (0.2, 0.5),
    "step_pause": (0.2, 0.7),
}
DECODING = {
    "decode_reached.stacked": (0.8, 0.2),
    "decode_reached.plain": (0.85, 0.2),
    "layer_latency.usual": (6e-5, 0.5),
    "decode_reached.llama_cpp_stacked": (0.8, 0.5),
    "layer_latency.llama_cpp": (8e-5, 0.5),
}
EXPECTED: Mapping[str, tuple[float, float]] = TRAINING | DECODING
FITTED = ("training, ", "whole runs", "fine-tuning", "decode, one stream")
UNFITTED = ("fine-tuning memory", "training memory")
LINEAR_FROM = 0.07  # residuals beyond this count linearly
PULL, WEAKER = 0.32, 1.0  # how much the runs weigh against what is expected; with the latter they nearly decide alone
SHARE = 0.25  # a row of a source with n rows counts n ** -SHARE
CORE = (0.1, 0.9)  # quantiles of published over predicted value between which four of five rows of seen sources lie
HELD = 0.8  # the share of rows of unseen sources that an interval is to hold
ENOUGH = 10  # rows of other sources from which an interval is taken
INTERVALS = {
    "training, dense, 16 bits": "training_speed.dense",
    "training, dense, fp8 and fp4": "training_speed.low_precision",
    "training, mixtures of experts": "training_speed.mixture",
    "fine-tuning": "training_speed.fine_tuning",
    "whole runs": "run",
    "training memory": "training_memory",
    "fine-tuning memory, one GPU": "fine_tuning_memory",
    "decode, one stream": "decode",
}


@dataclass(frozen=True)
class Left:
    """An outcome predicted by constants fitted without its source, and the 80 % interval from sources other than its own."""

    outcome: Outcome
    value: float
    low: float
    high: float


def is_fitted(row: Outcome) -> bool:
    """Whether the row takes part in the fit."""
    return row.kind.startswith(FITTED) and not row.kind.startswith(UNFITTED)


def fitted(found: Sequence[Prediction], programs: Sequence[Program], pull: float = PULL) -> dict[str, float]:
    """The constants that suit the outcomes of the predictions best; `pull` is what the runs weigh against what is expected."""
    names = list(EXPECTED)
    centre = np.log([EXPECTED[n][0] for n in names])
    width = np.array([EXPECTED[n][1] for n in names])
    published = np.log([p.outcome.value / p.value * p.node.value for p in found])  # in the base unit of the node
    sources = Counter(p.outcome.group for p in found)
    weight = np.array([sources[p.outcome.group] ** -SHARE for p in found]) / LINEAR_FROM

    def off(point: Any) -> Any:
        ratio = (logarithms(programs, dict(zip(names, np.exp(centre + point), strict=True))) - published) / LINEAR_FROM
        robust = np.sign(ratio) * np.sqrt(2 * (np.sqrt(1 + ratio**2) - 1)) * LINEAR_FROM
        return np.concatenate([weight * robust * pull, point / width])

    def slope(point: Any) -> Any:
        step = 1e-4
        moved = (
            centre[:, None] + point[:, None] + step * np.concatenate([np.zeros((len(names), 1)), np.eye(len(names))], axis=1)
        )
        found = (logarithms(programs, dict(zip(names, np.exp(moved), strict=True))) - published[:, None]) / LINEAR_FROM
        robust = np.sign(found) * np.sqrt(2 * (np.sqrt(1 + found**2) - 1)) * LINEAR_FROM
        return np.concatenate([(robust[:, 1:] - robust[:, :1]) / step * (weight * pull)[:, None], np.diag(1 / width)])

    best = least_squares(off, np.zeros(len(names)), jac=slope, max_nfev=60)
    return dict(zip(names, map(float, np.exp(centre + best.x)), strict=True))


def open_programs(found: Sequence[Prediction]) -> list[Program]:
    """The derivations of the predictions with the calibrated constants open."""
    return [compiled(p.node, list(EXPECTED)) for p in found]


def left_out(found: Sequence[Prediction], pull: float = PULL) -> list[Left]:
    """Every prediction made anew by constants fitted to the other sources; rows that no constant serves as they are."""
    rows, programs = [p.outcome for p in found], open_programs(found)
    values = {r.id: p.value for r, p in zip(rows, found, strict=True)}
    for group in sorted({r.group for r in rows if is_fitted(r)}):
        seen = [i for i, r in enumerate(rows) if is_fitted(r) and r.group != group]
        constants = fitted([found[i] for i in seen], [programs[i] for i in seen], pull)
        for p, program in zip(found, programs, strict=True):
            if p.outcome.group == group and is_fitted(p.outcome):
                values[p.outcome.id] = again(p, program, constants)
    stretched = {kind: stretch([r for r in rows if r.kind == kind], values) for kind in {r.kind for r in rows}}
    out = []
    for r in rows:
        middle, half = core(_others(r, rows), values)
        reach = half * stretched[r.kind]
        out.append(Left(r, values[r.id], values[r.id] * math.exp(middle - reach), values[r.id] * math.exp(middle + reach)))
    return out


def again(found: Prediction, program: Program, constants: Mapping[str, float]) -> float:
    """The predicted value with other constants, in its outside unit."""
    return found.value / found.node.value * float(program.run(constants))


def _others(row: Outcome, rows: Sequence[Outcome]) -> list[Outcome]:
    """The rows of its kind from other sources; all others of the kind where those are too few, itself where there is no other."""
    kind = [r for r in rows if r.kind == row.kind and r.id != row.id]
    others = [r for r in kind if r.group != row.group]
    return others if len(others) >= ENOUGH else kind or [row]


def core(rows: Sequence[Outcome], values: Mapping[str, float]) -> tuple[float, float]:
    """Middle and half width of the core of published over predicted value, as logarithms."""
    low, high = np.quantile([math.log(r.value / values[r.id]) for r in rows], CORE)
    return float(low + high) / 2, float(high - low) / 2


def stretch(rows: Sequence[Outcome], values: Mapping[str, float]) -> float:
    """The factor by which a core taken from other sources is to be stretched to hold its share of these rows."""
    scores = []
    for r in rows:
        middle, half = core(_others(r, rows), values)
        scores.append(abs(math.log(r.value / values[r.id]) - middle) / half if half else 0.0)
    return float(np.quantile(scores, HELD))


def multiples(rows: Sequence[Outcome], values: Mapping[str, float]) -> tuple[float, float]:
    """The ends of an interval as multiples of the prediction."""
    middle, half = core(rows, values)
    reach = half * stretch(rows, values)
    return math.exp(middle - reach), math.exp(middle + reach)


def intervals(left: Sequence[Left]) -> dict[str, tuple[float, float]]:
    """The 80 % interval of every kind that has one, by the id of its constants."""
    values = {x.outcome.id: x.value for x in left}
    rows = [x.outcome for x in left]
    return {
        id: multiples([r for r in rows if interval_id(r) == id], values) for id in dict.fromkeys(map(interval_id, rows)) if id
    }


def interval_id(row: Outcome) -> str | None:
    """Whose interval a row decides: memory of full fine-tuning is mostly states, as in pretraining."""
    if row.kind == "fine-tuning memory, one GPU" and row.request["workload"] == "full_finetune":
        return INTERVALS["training memory"]
    return INTERVALS.get(row.kind)


def write(folder: Path, constants: Mapping[str, float], bounds: Mapping[str, tuple[float, float]]) -> None:
    """The values put into the assumption files, to three digits; raises KeyError for a constant that no file has."""
    new = dict(constants) | {
        f"interval.{id}.{end}": v for id, pair in bounds.items() for end, v in zip(("low", "high"), pair, strict=True)
    }
    for path in sorted(folder.glob("*.toml")):
        text = path.read_text("utf-8")
        for id in [i for i in new if f"[{i}]\n" in text]:
            text = re.sub(rf"(?m)(^\[{re.escape(id)}\]\nvalue = ).*$", rf"\g<1>{new.pop(id):.3g}", text)
        path.write_text(text, encoding="utf-8")
    if new:
        raise KeyError(", ".join(new))
