"""size(request, book, assumptions) → SizingResult: everything the rules can say about a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rapidfuzz import fuzz, process

from kb.errors import InvalidInput, UnknownEntity
from kb.sizing import chip as chips
from kb.sizing import fit as fitting
from kb.sizing import hosted, links
from kb.sizing import load as loads
from kb.sizing import shape as shapes
from kb.sizing.advice import Advice, advise
from kb.sizing.case import PER_SERVER, Case
from kb.sizing.contradictions import check_model, check_run
from kb.sizing.defaults import assumed, filled, offloads, per_node, textbook
from kb.sizing.fit import Fit
from kb.sizing.largest import FOUR_BITS, examples
from kb.sizing.plans import costs, host, hybrid, pace, serving
from kb.sizing.plans.asked import asked, optimal_tokens
from kb.sizing.plans.largest import trained_on
from kb.sizing.plans.offered import reserved
from kb.sizing.prices import offers
from kb.sizing.rules import cluster, memory
from kb.sizing.rules import serving as serving_rules
from kb.sizing.show import amount, shown
from kb.sizing.trace import Trace
from kb.sizing.values import values_of
from kb.types.answer import Assumed, Component
from kb.types.assumptions import Assumptions
from kb.types.derivation import Assumption, Fact, Given, Node, walk
from kb.types.sizing import SizingRequest, SizingResult
from kb.types.specs import Bilingual, Row, SpecBook
from kb.types.units import from_base, to_base

TRIES = 8  # layouts tried to meet a deadline
SPEEDS = frozenset({"mfu", "hfu", "tokens_per_second", "tokens_per_second_per_gpu"})

# What is said when a model is not in the table: it may be of a kind to which the formulas do not apply.
ONLY_DECODERS = (
    " Only decoder language models are sized; for one that is not listed give its parameters. Encoders, embedding models, rerankers and "
    "diffusion models need other formulas.",
    "只估算解码器语言模型，未收录者可直接给出参数量；编码器、嵌入模型、重排模型和扩散模型需用其他公式。",
)


def size(
    request: SizingRequest, book: SpecBook, assumptions: Assumptions, wanted: Sequence[str] = (), *, language: str = "en"
) -> SizingResult:
    """Size a request. `wanted` are value names asked for: a stated time with `mfu` or a speed among them asks what the time implies.

    Raises UnknownEntity for a model or GPU that the tables lack, InvalidInput for a layout or lengths that cannot be.
    """
    case = _housed(case_of(textbook(request, wanted), book, assumptions, asked=request), wanted)
    if case.shape is not None:
        check_model(case)
    case = filled(_priced(case, book) if "cost" in wanted else case)
    backwards = bool(SPEEDS & set(wanted)) and bool(request.tokens and request.days)
    steps: dict[str, Node] = {}
    fitted: Fit | None = None
    if case.shape is not None:
        if request.compute_optimal and request.tokens is None:
            best = optimal_tokens(case)
            steps["optimal_tokens"], case = best, case.but(tokens=best.value)
        check_run(case)
        fitted = _fitted(_beside_host(case), steps)
        case = fitted.case
        _memory(fitted, steps)
    else:
        case = case.but(gpu_count=request.gpu_count or 1, gpus_per_node=per_node(case))
    _speed(case, fitted, steps, backwards)
    _around(case, fitted, steps)
    steps |= asked(case, steps, wanted)
    if "max_parameters" in steps and case.training:
        case = trained_on(case, steps["max_parameters"].value)  # whose defaults are assumed
    named = examples(book, steps, case.constant(FOUR_BITS).value, partial(_holds, case, book))
    advice = advise(case, fitted, steps, case.request.currency or "", partial(chips.sizes, book))
    return _result(case, fitted, steps, language, backwards, named, advice)


def _holds(case: Case, book: SpecBook, row: Row, format: str | None) -> bool:
    """Whether the GPUs of a case hold a model of the table by the estimate, in the format asked for or in another."""
    request = replace(case.asked, model=row.id, gpu_count=case.gpu_count, quantization=format or case.asked.quantization)
    try:
        tried = fitting.fit(filled(case_of(request, book, case.assumptions)), case.gpu_count)
    except InvalidInput:
        return False
    return tried.ratio <= 1


def _housed(case: Case, wanted: Sequence[str]) -> Case:
    """The GPUs of so many servers of which no other number is said: as many each as is usual."""
    servers = case.request.servers
    if not servers or case.shape is None or case.chip is None or case.request.gpu_count or {"gpu_count", "nodes"} & set(wanted):
        return case
    count = servers * per_node(case)
    return replace(case.but(gpu_count=count), asked=replace(case.asked, gpu_count=count))


def case_of(request: SizingRequest, book: SpecBook, assumptions: Assumptions, asked: SizingRequest | None = None) -> Case:
    """The request with the rows that it names; raises UnknownEntity, or InvalidInput for a model whose size is not published."""
    shape = chip = published = None
    if isinstance(request.model, str):
        row = row_of(book, "models", "model", request.model)
        shape, published = shapes.from_row(row, assumptions), row.text("published_precision")
        if not shape.known("parameters") and not shape.known("layers", "hidden"):
            raise InvalidInput(
                "model",
                request.model,
                f"model: the size of {row.name} is not published.",
                f"model：{row.name} 的参数量未公布。",
            )
    elif request.model is not None:
        shape = shapes.from_figures(request.model, assumptions)
    if isinstance(request.gpu, str):
        chip = chips.from_row(row_of(book, "accelerators", "gpu", request.gpu))
    elif request.gpu is not None:
        chip = chips.from_figures(request.gpu)
    if chip and request.gpu_memory_gb is not None:
        memory = Given("gpu_memory_gb", to_base(request.gpu_memory_gb, "GB"), "B")
        chip = replace(chip, figures={**chip.figures, "memory": memory})
    published = (published or "").removeprefix("mx").removeprefix("nv")
    link, server = _link(request, book), _server(request, book)
    named = request.processor not in (None, "desktop", "server")
    cpu = row_of(book, "cpus", "processor", str(request.processor)) if named else None
    case = Case(asked or request, request, assumptions, shape, chip, published, link, server=server, processor=cpu)
    channels = _processor_memory(case)
    own = chip or (chips.Chip({"bandwidth": channels}, stacked=False) if channels else None)
    return replace(case, chip=own, host_bandwidth=channels)


def _processor_memory(case: Case) -> Node | None:
    """Bandwidth of the memory of the processors that were named, or whose channels are said."""
    r, many = case.request, Given("sockets", float(case.request.sockets or 1), "1")
    rate = case.field("memory_mt_s") if r.memory_mt_s else None
    if rate is None and r.memory_channels and r.memory_kind:
        rate = case.constant(f"memory_rate.{r.memory_kind}")
    if r.memory_channels and rate:
        if r.memory_channels > case.constant("most_channels").value:  # of all sockets together
            many = Given("sockets", 1.0, "1")
        width, channels = case.constant("channel_width"), case.field("memory_channels")
        return serving_rules.channels(sockets=many, channels=channels, rate=rate, width=width)
    speed = case.processor.number("memory_gb_s") if case.processor else None
    if case.processor is None or not speed:
        return None
    each = Fact("memory_gb_s", to_base(speed, "GB/s"), "B/s", case.processor.evidence("memory_gb_s"))
    return serving_rules.sockets(sockets=many, each=each)


def _server(request: SizingRequest, book: SpecBook) -> Row | None:
    """The system that was named, else, and of a bare board, the first server with so many of the GPUs whose power is known."""
    named = row_of(book, "systems", "system", request.system) if request.system else None
    if named and (named.text("kind") != "baseboard" or named.number("power_max_kw")):
        return named
    gpu = named.text("accelerator_id") if named else request.gpu
    each = named.number("accelerator_count") if named else request.gpus_per_node or PER_SERVER
    alike = (r for r in book.rows("systems") if r.text("accelerator_id") == gpu and r.number("accelerator_count") == each)
    return next((r for r in alike if r.text("kind") == "server" and r.number("power_max_kw")), named)


def _priced(case: Case, book: SpecBook) -> Case:
    """The case with an offer of the price table, where a cost is asked for and the asker says no price of any kind."""
    r = case.request
    if r.price_per_gpu_hour or r.price_per_month or r.purchase_price or r.electricity_price or not isinstance(r.gpu, str):
        return case
    offer = offers(book, r.currency).get(row_of(book, "accelerators", "gpu", r.gpu).id)
    return replace(case.but(currency=offer.currency), offer=offer) if offer else case


def _link(request: SizingRequest, book: SpecBook) -> Node | None:
    """Bandwidth of the network, one way, when the interconnect is the id or the name of a row."""
    said = (request.interconnect or "").strip().lower()
    row = next((r for r in book.rows("interconnects") if said and said in (r.id.lower(), r.name.lower())), None)
    speed = row.number("gb_s_per_direction") if row and row.text("kind") == "network" else None
    if row is None or not speed:
        return None
    each = links.network_per_gpu(row.name, request.gpus_per_node or PER_SERVER) or to_base(speed, "GB/s")
    return Fact("link", each, "B/s", row.evidence("gb_s_per_direction"))


def row_of(book: SpecBook, table: str, field: str, id: str) -> Row:
    """A row by its id; raises UnknownEntity for the request's field, with the nearest ids."""
    found = book.row(table, id) or book.row(table, id.lower())
    if found:
        return found
    names = {r.id: r.id for r in book.rows(table)}
    near = process.extract(id.lower(), names, scorer=fuzz.WRatio, limit=3, score_cutoff=60)
    raise UnknownEntity(field, id, tuple(key for _, _, key in near), ONLY_DECODERS if table == "models" else ("", ""))


def _fitted(case: Case, steps: dict[str, Node]) -> Fit:
    """The case laid out: on the GPUs said, on the fewest that hold it and finish in time, or on one."""
    asked = case.asked.gpu_count
    if asked is not None:
        return loads.carried(fitting.fit(case, asked), steps)
    bounded = case.chip is not None and case.chip.get("memory") is not None and not case.chip.soldered
    spread = case.training or not (offloads(case) or hybrid.meant(case))
    found = fitting.smallest(case) if bounded and spread else None
    if found is None:
        return fitting.fit(case, case.model_parallel)
    least = fitting.least_gpus(found)
    if least.value > 0:
        steps["gpu_count"] = fitting.counted(found, least)
    if not case.training:
        return loads.carried(found, steps)
    time = _allowed(case)
    return replace(_in_time(case, found, time, steps), alone=found.alone) if time else found


def _beside_host(case: Case) -> Case:
    """The case with layers, or states of training, in the host's memory, where that is described and the GPUs do not hold the model."""
    if case.training:
        return hosted.placed(case)
    if not hybrid.described(case) or hybrid.meant(case) or fitting.fit(case, case.asked.gpu_count or 1).ratio <= 1:
        return case
    return filled(case.but(offload="cpu", engine=case.request.engine if case.splits_layers else None))


def _allowed(case: Case) -> Node | None:
    """The time that a run may take: as said, or what is usual for pretraining."""
    if not case.request.tokens:
        return None
    if case.request.days:
        return case.field("days")
    return case.constant("usual_run") if case.request.workload == "pretrain" else None


def _in_time(case: Case, found: Fit, time: Node, steps: dict[str, Node]) -> Fit:
    """More GPUs, in practical numbers, until the run meets its time; the pace of the last try is recorded with the number it takes."""
    for tries in range(TRIES):
        paced = pace.pace(found.case)
        if "gpu_hours" not in paced:
            break
        least = cluster.gpus_for_deadline(gpu_time=paced["gpu_hours"], time=time)
        if paced["training_time"].value <= time.value:
            steps |= paced | ({"gpu_count": fitting.counted(found, least)} if tries else {})
            break
        count = fitting.practical(case, max(int(least.value), found.case.gpu_count + 1))
        if count > fitting.MOST_GPUS:
            break
        found = fitting.fit(case, count)
    return found


def _memory(fitted: Fit, steps: dict[str, Node]) -> None:
    found, case = fitted.found, fitted.case
    steps |= found.whole
    steps["overhead"] = memory.total(per_gpu=found.parts["overhead"], gpu_count=case.field("gpu_count"))
    steps["memory_per_gpu"] = found.per_gpu
    steps["memory_total"] = memory.total(per_gpu=found.per_gpu, gpu_count=case.field("gpu_count"))
    if "model_states" in found.whole and not case.adapted and not case.request.post_training and case.shape:
        steps["bytes_per_parameter"] = memory.bytes_per_parameter(
            model_states=found.whole["model_states"], parameters=case.shape["parameters"]
        )
    if fitted.available:
        steps["memory_available_per_gpu"] = fitted.available
        if not case.training and (taken := reserved(case)):
            steps["memory_reserved_per_gpu"] = taken
        steps["filled"] = memory.filled(needed=found.per_gpu, available=fitted.available)


def _speed(case: Case, fitted: Fit | None, steps: dict[str, Node], backwards: bool) -> None:
    if fitted is None:
        steps |= pace.implied(case) if case.request.tokens and case.request.days else {}
    elif case.training:
        steps |= {} if "step_time" in steps else pace.pace(case)
        steps |= pace.implied(case) if backwards else {}
    elif case.chip:
        if fitted.available:
            steps |= serving.capacity(case, fitted.found, fitted.available)
        if fitted.available and hybrid.splits_experts(case, fitted.ratio):
            steps |= hybrid.split(case, fitted.found, fitted.available)
            steps["filled"] = memory.filled(needed=steps["memory_per_gpu"], available=fitted.available)
        elif fitted.available and offloads(case) and fitted.ratio > 1:
            steps |= hybrid.layers(case, fitted.found, fitted.available)
        else:
            steps |= serving.speed(case, fitted.found)


def _around(case: Case, fitted: Fit | None, steps: dict[str, Node]) -> None:
    steps |= costs.held(case, steps)
    steps |= costs.power(case)
    steps |= costs.money(case, steps)
    if fitted is None:
        return
    steps |= host.files(case, fitted.found)
    if case.chip:
        steps |= host.host(case, fitted.found) | {
            n: steps[n] for n in ("host_ram",) if {"gpu_layers", "host_ram"} & steps.keys()
        }
        steps |= host.network(case, steps)
        if case.training:
            steps["checkpoint_interval"] = host.interval(case, steps["checkpoint_size"], steps["nodes"])


def _result(
    case: Case,
    fitted: Fit | None,
    steps: dict[str, Node],
    language: str,
    backwards: bool,
    named: Sequence[Bilingual],
    advice: Advice,
) -> SizingResult:
    trace = Trace(case.assumptions, language, case.request.currency or "")
    nodes = tuple(walk(*steps.values()))
    trace.record(nodes)
    extra: dict[str, Any] = {"options": tuple(o.of(language) for o in (*advice.options, *named)), **advice.extra}
    values = values_of(steps, case, exact=_measured(case) or backwards)
    return SizingResult(
        request=case.request,
        verdict=advice.verdict,
        values=values,
        breakdown=tuple(_component(n, p) for n, p in fitted.found.parts.items() if p.value) if fitted else (),
        derivation=tuple(trace.lines),
        assumptions=tuple(_assumptions(case, nodes, language)),
        citations=tuple(trace.citations.values()),
        warnings=tuple(w.of(language) for w in advice.warnings),
        steps=steps,
        missing=() if values else _missing(case),
        extra=extra,
    )


def _measured(case: Case) -> bool:
    """Whether the asker fixed what is uncertain of a time or a speed."""
    r = case.asked
    return r.mfu is not None or r.tokens_per_second is not None or r.step_seconds is not None


def _component(name: str, node: Node) -> Component:
    return Component(name, from_base(node.value, "GiB"), "GiB")


def _assumptions(case: Case, nodes: Sequence[Node], language: str) -> list[Assumed]:
    """Defaults of the request, then constants that stand in the derivation and have a name of their own to change them by."""
    out = assumed(case, language) if case.shape else []
    seen = {a.slot for a in out}
    for node in nodes:
        if isinstance(node, Assumption) and node.slot and node.slot not in seen:
            seen.add(node.slot)
            if getattr(case.request, node.slot, None) is None:
                out.append(Assumed(node.slot, _assumed_value(case, node), node.reason.of(language)))
    return out


def _assumed_value(case: Case, node: Assumption) -> float | str:
    """A constant as a reader may change it; of a typical ratio, which says little, what it comes to."""
    typical = case.shape is not None and node.slot in shapes.DERIVE
    of: Node = case.shape[node.slot] if case.shape and typical else node
    if node.slot == "global_batch_tokens":
        of = pace.batch(case)  # more than the usual where the run is long or the replicas are many
    value, unit = shown(of.value, of.unit, case.request.currency or "")
    if case.offer and node.slot == "price_per_gpu_hour":
        return case.offer.said
    if case.server and node.slot == "server_kw":
        return f"{amount(value, unit)} ({case.server.name})"
    if typical or node.slot == "days":
        return round(value)
    return round(value, 3) if unit == "1" else amount(value, unit)


def _missing(case: Case) -> tuple[str, ...]:
    return tuple(n for n in ("model", "gpu") if getattr(case.asked, n) is None)
