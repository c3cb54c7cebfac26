"""plan(request, limits, book, assumptions) → PlanResult: hardware and layouts that do the job, ranked, and why others do not."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence

from kb.errors import InvalidInput
from kb.sizing.case import Case
from kb.sizing.contradictions import check_model, check_run
from kb.sizing.defaults import assumed, filled, laid_out
from kb.sizing.prices import Offer, told
from kb.sizing.rules import cluster
from kb.sizing.search import limits as limiting
from kb.sizing.search import rank
from kb.sizing.search.kinds import kinds
from kb.sizing.search.layouts import Array, demanded, fixed
from kb.sizing.search.measures import HOUR
from kb.sizing.search.rejected import Left, rejections, sifted
from kb.sizing.search.table import Tried, tried
from kb.sizing.show import amount
from kb.sizing.size import case_of, size
from kb.types.answer import Assumed, Value
from kb.types.assumptions import Assumptions
from kb.types.derivation import Given
from kb.types.planning import Configuration, Limits, PlanOption, PlanResult
from kb.types.sizing import SizingRequest
from kb.types.specs import Bilingual, SpecBook

FARTHER = 16  # times more GPUs are tried when no number does the job
BEYOND = 8  # times the fewest GPUs that do it are of interest
VARIED = ("concurrency", "zero_stage", "recompute", "micro_batch", "tensor_parallel", "pipeline_parallel", "gpu_count")
ANY_SERVER = Bilingual(
    "Every accelerator that a server of the tables comes with is tried; gpus names others.",
    "尝试数据表中各类服务器所配的加速卡；可用 gpus 指定。",
)
COARSE = Bilingual(
    "The layouts are too many to try each: counts and degrees are tried in coarser steps; fewer kinds of GPU or a bound make them finer.",
    "布局过多，无法逐一尝试，卡数与并行度以较大步长尝试；缩小显卡范围或卡数上限可更细。",
)
NO_PRICE = Bilingual(
    "No price is given: cost is compared in GPU time, which says nothing between different GPUs.",
    "未给出价格：以卡时比较成本，不同型号之间不可比。",
)


def plan(
    request: SizingRequest, limits: Limits, book: SpecBook, assumptions: Assumptions, *, language: str = "en"
) -> PlanResult:
    """The best hardware and layouts within the limits; `size` answers the request of each option with the same figures.

    Raises UnknownEntity for a model or GPU that the tables lack, InvalidInput for limits or a layout that cannot be.
    """
    base = job(request, limits, book, assumptions)
    allowed, on_file = kinds(base, limits, book)
    most = limits.max_gpus or max(int(base.constant("search.max_gpus").value), request.gpu_count or fixed(base))
    limiting.check_count(limits, most, fixed(base), request.gpu_count)
    found, rows, left = _searched(base, allowed, limits, most)
    if limits.max_gpus is None and request.gpu_count is None:
        most = BEYOND * int(found.columns["gpu_count"][rows].min()) if len(rows) else FARTHER * most
        found, rows, left = _searched(base, allowed, limits, most)

    def shown(one: SizingRequest) -> Configuration:
        try:
            result = size(one, book, assumptions, language=language)
        except InvalidInput:
            return Configuration(one, None, ())
        values = (*result.values, *_rates(result.request, result.values))
        return Configuration(result.request, result.verdict, values, result.extra.get("options", ()))

    options = tuple(_options(found, rows, limits, shown)) if len(rows) else ()
    warnings = (*_warnings(allowed, limits, found), *_late(limits, options))
    return PlanResult(
        objective=limits.objective,
        options=options,
        rejected=tuple(rejections(found, left, limits, shown, language)),
        considered=len(found) + sum(f.count for f in found.faults),
        feasible=len(rows),
        assumptions=(*_assumptions(base, limits, most, allowed, language), *_prices(on_file, book, language)),
        warnings=tuple(w.of(language) for w in warnings),
    )


def job(request: SizingRequest, limits: Limits, book: SpecBook, assumptions: Assumptions) -> Case:
    """The job without its hardware, checked as `size` checks it."""
    case = case_of(dataclasses.replace(request, gpu=None), book, assumptions)
    if case.shape is None:
        raise InvalidInput(
            "model", None, "model is not given; a plan needs it, or its parameters.", "model 未给出，规划需要模型或其参数量。"
        )
    check_model(case)
    case = filled(case)
    check_run(case)
    limiting.check(case, limits)
    laid_out(case, request.gpu_count or fixed(case))
    at_once = case.request.concurrency if request.people else request.concurrency  # of so many people
    asked = dataclasses.replace(request, workload=case.request.workload, concurrency=at_once)
    return dataclasses.replace(case, asked=asked)


def _searched(base: Case, allowed: Sequence[Case], limits: Limits, most: int) -> tuple[Tried, Array, list[Left]]:
    """Everything of up to `most` GPUs, the rows of it that are allowed, and what the others fail by."""
    found = tried(allowed, most)
    demand = None if base.training else _demand(base.asked)
    return found, *sifted(found, limits, base.constant("fits.up_to").value, demand)


def _warnings(allowed: Sequence[Case], limits: Limits, found: Tried) -> Iterator[Bilingual]:
    priced = allowed[0].asked.price_per_gpu_hour is not None or allowed[0].asked.electricity_price is not None
    if limits.objective == "cost" and not priced and len(allowed) > 1:
        yield NO_PRICE
    if found.grain:
        yield COARSE


def _prices(on_file: Mapping[str, Offer], book: SpecBook, language: str) -> Iterator[Assumed]:
    """The dated offers that stand in for prices that were not said."""
    if not on_file:
        return
    names = {id: row.name for id in on_file if (row := book.row("accelerators", id))}
    why = Bilingual(
        f"The middle one of the offers on file for each GPU, per hour: {told(on_file, names)}. Prices move: prices takes your own.",
        f"取每种显卡在案报价的中位价（每卡时）：{told(on_file, names)}。价格常变，可用 prices 给出实际价格。",
    )
    yield Assumed("prices", {id: offer.price for id, offer in on_file.items()}, why.of(language))


def _late(limits: Limits, options: Sequence[PlanOption]) -> Iterator[Bilingual]:
    """The first option may miss the deadline within its interval: which one would not."""
    ends = [next((v.high for v in o.values if v.name == "training_time"), None) for o in options]
    if limits.max_days is None or not ends or ends[0] is None or ends[0] <= limits.max_days:
        return
    sure = next((o.rank for o, end in zip(options, ends, strict=True) if end is not None and end <= limits.max_days), None)
    end, most = f"{ends[0]:.3g}", f"{limits.max_days:g}"
    yield Bilingual(
        f"The first option may take {end} days, the upper end of its 80 % interval, and {most} are allowed; "
        + (
            f"option {sure} keeps to them even at its upper end." if sure else "no option shown keeps to them at its upper end."
        ),
        f"首选方案按 80% 区间上限可能需要 {end} 天，而期限为 {most} 天；"
        + (f"方案 {sure} 按上限也能按期完成。" if sure else "所列方案按上限都不能保证按期完成。"),
    )


def _demand(request: SizingRequest) -> float | None:
    """Tokens per second that a service has to decode, when requests and their answers are said."""
    if request.requests_per_second is None or request.output_tokens is None:
        return None
    return request.requests_per_second * request.output_tokens


def _options(
    found: Tried, rows: Array, limits: Limits, shown: Callable[[SizingRequest], Configuration]
) -> Iterator[PlanOption]:
    allowed = {name: column[rows] for name, column in found.columns.items()}
    open_load = not found.kinds[0].training and not demanded(found.kinds[0])
    place = ("gpu", "gpu_count", *(("concurrency",) if open_load else ()))
    if found.kinds[0].asked.gpu_count is not None and len(found.kinds) == 1:
        place = (*place, "tensor_parallel", "pipeline_parallel")  # the hardware is settled: layouts are what there is to choose
    ranked = rank.best_of_each_place(allowed, limits.objective, place)
    pareto = rank.front(allowed, ranked)
    for number, position in enumerate(rank.shown(allowed, ranked, pareto), 1):
        one = shown(found.request(int(rows[ranked[position]])))
        yield PlanOption(number, bool(pareto[position]), one.request, one.verdict, one.values, one.hints)


def _rates(request: SizingRequest, values: Sequence[Value]) -> tuple[Value, ...]:
    """What a service costs while it runs, and per million tokens at full load."""
    if request.workload != "inference" or request.price_per_gpu_hour is None or request.gpu_count is None:
        return ()
    currency = request.currency or "money"
    rate = cluster.rent_rate(
        gpu_count=Given("gpu_count", float(request.gpu_count), "1"),
        price=Given("price", request.price_per_gpu_hour / HOUR, "money/s"),
    )
    hourly = Value("cost_per_hour", rate.value * HOUR, f"{currency}/h", amount(rate.value * HOUR, f"{currency}/h"))
    speed = next((v.value for v in values if v.name == "decode_tokens_per_second"), None)
    if not isinstance(speed, float | int) or not speed:
        return (hourly,)
    of_million = cluster.cost_of_tokens(tokens=Given("tokens", 1e6, "token"), speed=Given("speed", speed, "token/s"), rate=rate)
    return (hourly, Value("cost_per_million_tokens", of_million.value, currency, amount(of_million.value, currency)))


def _assumptions(base: Case, limits: Limits, most: int, allowed: Sequence[Case], language: str) -> Iterator[Assumed]:
    told = {"concurrency"} if base.asked.people else frozenset[str]()  # who asks at once, of so many
    yield from (a for a in assumed(base, language) if a.slot not in VARIED or a.slot in told)
    if limits.max_gpus is None and base.asked.gpu_count is None:
        yield Assumed("max_gpus", most, base.constant("search.max_gpus").reason.of(language))
    if not limits.gpus and base.asked.gpu is None:
        yield Assumed("gpus", [c.asked.gpu for c in allowed], ANY_SERVER.of(language))
