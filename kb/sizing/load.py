"""How many GPUs carry a load: so many requests a second, each with a prompt and an output, or so many tokens a second."""

from __future__ import annotations

import math
from collections.abc import Iterator

from kb.sizing import fit as fitting
from kb.sizing.batch import worked_off
from kb.sizing.case import Case
from kb.sizing.defaults import batched, carries_load, per_node
from kb.sizing.fit import Fit
from kb.sizing.plans import serving as plan
from kb.sizing.rules import serving
from kb.types.derivation import Given, Node

ROUNDS = 8  # a shorter queue is served faster, which shortens it again


def carried(found: Fit, steps: dict[str, Node]) -> Fit:
    """The case with as many sequences in flight as the load keeps there, on as many replicas as carry it where the number of GPUs was
    left open; the GPUs that the load takes are recorded as `gpus_for_load`. A case without a load, or of unknown speed, as it is."""
    open_count = found.case.asked.gpu_count is None
    if batched(found.case.request) and not found.case.training and found.available is not None:
        return worked_off([*_replicas(found, open_count)], found, steps) if found.ratio <= 1 else found
    if not carries_load(found.case) or found.available is None:
        return found
    needed = replica = None
    for tried in _replicas(found, open_count):
        priced = gpus(tried)
        if priced is None or (needed and priced.value >= needed.value):
            break  # larger replicas pay as long as each takes fewer GPUs in all than the one before
        needed, replica = priced, tried
    if needed is None or replica is None:
        return found
    steps["gpus_for_load"] = needed
    unit = replica.case.gpu_count
    count = int(needed.value) if open_count else found.case.gpu_count
    if count > fitting.MOST_GPUS:
        return found
    r = replica.case.request
    in_flight = r.concurrency or 1
    if replica.case.asked.concurrency is None:
        busy = min(count, int(needed.value))
        in_flight = _in_flight(replica) if busy <= unit else in_flight * busy // unit
    if open_count:
        steps["gpu_count"] = needed
    layout = {"tensor_parallel": r.tensor_parallel, "pipeline_parallel": r.pipeline_parallel}
    return fitting.fit(replica.case.but(concurrency=in_flight, **layout), count)


def _replicas(found: Fit, open_count: bool) -> Iterator[Fit]:
    """The case as it is, and on larger replicas inside a server, which hold more sequences, or where the GPUs are said on the smaller
    ones into which they divide; filled up where the asker left that open."""
    sizes = [found.case.gpu_count]
    while open_count and sizes[-1] * 2 <= per_node(found.case):
        sizes.append(sizes[-1] * 2)
    asked, whole = found.case.asked, found.case.gpu_count
    free = {"tensor_parallel": asked.tensor_parallel, "pipeline_parallel": asked.pipeline_parallel}
    if not open_count and not any(free.values()):
        sizes = [n for n in range(1, whole) if whole % n == 0 and n & (n - 1) == 0] + sizes
    for size in sizes:
        replica = found if size == whole else fitting.fit(found.case.but(**free), size)
        if size < whole and replica.ratio > found.case.constant("fits.below").value:
            continue
        yield _filled_up(replica) if asked.concurrency is None else replica


def gpus(replica: Fit) -> Node | None:
    """Whole replicas whose pace, prompts included, covers the load; None when the speed is not known."""
    case, speed = replica.case, plan.speed(replica.case, replica.found)
    each = speed.get("decode_tokens_per_second_per_request")
    if each is None:
        return None
    pace: Node = speed["decode_tokens_per_second"]
    if "prefill_time" in speed and case.request.output_tokens:
        pace = serving.sustained(
            sequences=case.field("concurrency"), replicas=case.replicas, output=case.field("output_tokens", "token"), each=each,
            first=speed["prefill_time"],
        )  # fmt: skip
    if case.request.demanded_tokens_per_second:
        demand: Node = case.field("demanded_tokens_per_second")
    else:
        demand = serving.demanded(
            requests=case.field("requests_per_second"),
            second=case.constant("one_second"),
            output=case.field("output_tokens", "token"),
        )
    return serving.gpus_for_load(demanded=demand, speed=pace, gpu_count=case.field("gpu_count"))


def _filled_up(found: Fit) -> Fit:
    """The case with as many sequences as fit with a margin and an engine schedules."""
    assert found.available is not None
    case = found.case
    safe = Given("available", found.available.value * case.constant("fits.below").value, "B")
    room = plan.capacity(case, found.found, safe)["max_concurrency"].value
    return _with(found, max(1, int(min(room, case.constant("load.sequences").value * case.data_parallel))))


def _in_flight(replica: Fit) -> int:
    """Sequences that one replica has in flight under the load: requests per second times the time each takes (Little's law)."""
    r = replica.case.request
    output = r.output_tokens or 1
    requests = (r.demanded_tokens_per_second or 0) / output or r.requests_per_second or 0
    most = count = r.concurrency or 1
    for _ in range(ROUNDS):
        speed = plan.speed(replica.case, replica.found)
        first = speed["prefill_time"].value if "prefill_time" in speed and r.output_tokens else 0.0
        each = speed["decode_tokens_per_second_per_request"].value
        turns = -(-count // replica.case.data_parallel)  # prompts of the same replica, one after another
        count, before = min(most, max(1, math.ceil(requests * (turns * first + output / each)))), count
        if count == before:
            break
        replica = _with(replica, count)
    return count


def _with(found: Fit, concurrency: int) -> Fit:
    case: Case = found.case.but(concurrency=concurrency)
    return fitting.fit(case, case.gpu_count)
