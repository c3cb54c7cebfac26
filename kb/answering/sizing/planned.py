"""A plan as a table to act on, and as text for a terminal: what does the job, and why the rest does not."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence

from kb.answering.render import number
from kb.answering.wording import Wording
from kb.types.answer import AnswerTable, Value
from kb.types.planning import Configuration, PlanOption, PlanResult
from kb.types.sizing import GpuFigures, SizingRequest
from kb.types.specs import SpecBook

TRAINING = (
    "rank", "gpu", "gpu_count", "layout", "micro_batch", "recompute", "memory", "training_time", "gpu_hours", "cost", "mfu",
    "verdict",
)  # fmt: skip
SERVING = (
    "rank", "gpu", "gpu_count", "layout", "concurrency", "memory", "decode_tokens_per_second", "decode_tokens_per_second_per_request",
    "time_to_first_token", "cost_per_hour", "cost_per_million_tokens", "verdict",
)  # fmt: skip
DEGREES = {"TP": "tensor_parallel", "PP": "pipeline_parallel", "CP": "context_parallel", "EP": "expert_parallel"}
NOTHING = "–"


def table(result: PlanResult, language: str, book: SpecBook) -> AnswerTable:
    """A row for each option; what is known of none of them has no column."""
    w = Wording(language)
    serving = bool(result.options) and result.options[0].request.workload == "inference"
    rows = [{name: _cell(name, option, w, book) for name in (SERVING if serving else TRAINING)} for option in result.options]
    kept = [name for name in (SERVING if serving else TRAINING) if any(row[name] != NOTHING for row in rows)]
    heads = tuple(w(f"plan_head:{name}") if w.has(f"plan_head:{name}") else w.name(name) for name in kept)
    return AnswerTable(heads, tuple(tuple(row[name] for name in kept) for row in rows))


def report(result: PlanResult, language: str, book: SpecBook) -> str:
    """The whole plan for a terminal."""
    w = Wording(language)
    lines = [tried(result, w)]
    if result.options:
        shown = table(result, language, book)
        lines += ["", *_aligned([shown.columns, *shown.rows]), "", w("plan_front")]
    else:
        lines += ["", w("plan_none")]
    if result.rejected:
        lines += ["", w("plan_rejected")]
        lines += [_rejected(f"{r.count:,}", r.text, r.nearest, w, book) for r in result.rejected]
        hints = dict.fromkeys(hint for r in result.rejected if r.nearest for hint in r.nearest.hints)
        lines += ["", *hints] if hints and not result.options else []
    if result.assumptions:
        lines += ["", w("assumptions", list=w.join([_assumed(a.slot, a.value, w) for a in result.assumptions]))]
        lines += [a.reason for a in result.assumptions if a.slot == "prices"]
    return "\n".join([*lines, *result.warnings])


def tried(result: PlanResult, w: Wording) -> str:
    """How many layouts were tried and do the job, and by what they are ranked."""
    by = w("plan_by:gpu_time" if result.objective == "cost" and not _priced(result) else f"plan_by:{result.objective}")
    return w("plan_tried", considered=f"{result.considered:,}", feasible=f"{result.feasible:,}", by=by)


def _priced(result: PlanResult) -> bool:
    """Whether a price stood behind the order of the options."""
    requests = [*(o.request for o in result.options), *(r.nearest.request for r in result.rejected if r.nearest)]
    return any(r.price_per_gpu_hour is not None or r.electricity_price is not None for r in requests)


def _rejected(count: str, text: str, nearest: Configuration | None, w: Wording, book: SpecBook) -> str:
    if nearest is None or nearest.request.gpu_count is None:
        return w("plan_reason", count=count, text=text)
    r = nearest.request
    where = f"{r.gpu_count} × {_gpu(r, book)}, {layout(r)}"
    return w("plan_reason_near", count=count, text=text, nearest=where)


def _assumed(slot: str, value: object, w: Wording) -> str:
    written = str(len(value)) if isinstance(value, Mapping | list | tuple) else str(value)
    return w("assumption", slot=w(f"plan_head:{slot}") if w.has(f"plan_head:{slot}") else w.name(slot), value=written)


def _cell(name: str, option: PlanOption, w: Wording, book: SpecBook) -> str:
    r, values = option.request, {v.name: v for v in option.values}
    made: dict[str, Callable[[], str]] = {
        "rank": lambda: f"{option.rank}{'*' if option.pareto else ''}",
        "gpu": lambda: _gpu(r, book),
        "layout": lambda: layout(r),
        "recompute": lambda: w(f"plan_recompute:{r.recompute}"),
        "memory": lambda: _memory(values),
        "verdict": lambda: w(f"plan_verdict:{option.verdict}") if option.verdict else NOTHING,
    }
    if name in made:
        return made[name]()
    if name in values:
        return _value(values[name], w)
    said = getattr(r, name, None)
    return NOTHING if said is None else f"{said:,}"


def _gpu(r: SizingRequest, book: SpecBook) -> str:
    if isinstance(r.gpu, GpuFigures):
        return f"{number(r.gpu.memory_gb)} GB" if r.gpu.memory_gb else NOTHING
    row = book.row("accelerators", r.gpu or "")
    return row.name if row else NOTHING


def layout(r: SizingRequest) -> str:
    """Degrees above one, with the replicas that they leave: `TP8 PP2 DP4 ZeRO-1`."""
    said = {short: getattr(r, field) or 1 for short, field in DEGREES.items()}
    replicas = (r.gpu_count or 1) // (said["TP"] * said["PP"] * said["CP"])
    shown = [f"{short}{degree}" for short, degree in {**said, "DP": replicas}.items() if degree > 1]
    return " ".join([*shown, *([f"ZeRO-{r.zero_stage}"] if r.zero_stage else [])]) or NOTHING


def _memory(values: Mapping[str, Value]) -> str:
    need, have = (values.get(n) for n in ("memory_per_gpu", "memory_available_per_gpu"))
    if need is None or not isinstance(need.value, int | float):
        return NOTHING
    if have is None or not isinstance(have.value, int | float):
        return f"{need.value:.1f} GiB"
    return f"{need.value:.1f} / {have.value:.1f} GiB"


def _value(value: Value, w: Wording) -> str:
    if not isinstance(value.value, int | float):
        return str(value.value)
    if value.name == "mfu":
        return f"{100 * value.value:.0f} %"
    if value.name == "training_time":
        days = value.value
        scale, unit = (1, "day") if days >= 1 else (24, "h") if days >= 1 / 24 else (86400, "s")
        span = f" ({number(value.low * scale)}–{number(value.high * scale)})" if value.low and value.high else ""
        return f"{number(days * scale)}{span} {w.unit(unit)}"
    if value.name == "gpu_hours":
        return f"{value.value:,.0f}" if value.value >= 10 else number(value.value)
    if value.name in ("cost", "cost_per_hour", "cost_per_million_tokens"):
        return f"{value.value:,.{0 if value.value >= 1000 else 2}f} {value.unit}"
    return f"{value.value:,.0f}" if value.value >= 100 else number(value.value)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of equal width on screen, where a Chinese character takes two places; figures end alike, words begin alike."""
    widths = [max(_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    right = [all(cell[:1].isdigit() or cell == NOTHING for cell in column[1:]) for column in zip(*rows, strict=True)]
    return ["  ".join(map(_padded, row, widths, right)).rstrip() for row in rows]


def _padded(cell: str, width: int, right: bool) -> str:
    room = " " * (width - _width(cell))
    return room + cell if right else cell + room


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
