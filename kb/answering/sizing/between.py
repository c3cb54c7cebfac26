"""Two ways of splitting a run between which a question chooses: the lead sentence takes one of them, with the figures of both."""

from __future__ import annotations

from collections.abc import Sequence

from kb.answering.sizing import planned
from kb.answering.wording import Wording
from kb.types.planning import PlanOption
from kb.types.sizing import SizingRequest

ALIKE = 0.03  # of the utilisation: two layouts nearer than that are about as fast


def sides(request: SizingRequest) -> frozenset[str]:
    """The ways of splitting that a layout takes."""
    tensor, pipeline = (request.tensor_parallel or 1) > 1, (request.pipeline_parallel or 1) > 1
    sharded = request.zero_stage == 3
    held = {
        "tp": tensor,
        "pp": pipeline,
        "zero3": sharded,
        "solid": (tensor or pipeline) and not sharded,
        "dp": not (tensor or pipeline or sharded),
    }
    return frozenset(name for name, holds in held.items() if holds)


def chosen(named: Sequence[str], options: Sequence[PlanOption], w: Wording) -> str:
    """The choice between two ways `named`, of layouts best first, in a sentence."""
    taken = [sides(o.request) & set(named) for o in options]
    first = next((i for i, own in enumerate(taken) if own), None)
    if first is None:
        return ""
    lead = w("side:neither") if first else ""
    mine, other = sorted(named, key=lambda n: n not in taken[first])
    blanks = {"one": w(f"side_of:{mine}"), "other": w(f"side_of:{other}")}
    if len(taken[first]) > 1:
        return lead + w("side:both", **blanks)
    having = [(o, own) for o, own in zip(options, taken, strict=True) if other in own]
    rest = next((o for o, own in having if own == {other}), having[0][0] if having else None)
    if rest is None:
        return lead + w("side:only", **blanks)
    most, less = (_used(o) for o in (options[first], rest))
    if not most or not less:
        return lead + w("side:first", **blanks, layout=planned.layout(rest.request))
    key = "side:alike" if most - less <= ALIKE * most else "side:better"
    return lead + w(key, **blanks, best=_share(most), layout=planned.layout(rest.request), rest=_share(less))


def _share(part: float) -> str:
    return f"{100 * part:.0f} %"


def _used(option: PlanOption) -> float:
    return next((float(v.value) for v in option.values if v.name == "mfu" and isinstance(v.value, int | float)), 0.0)
