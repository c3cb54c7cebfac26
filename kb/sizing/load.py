"""How many GPUs carry a load: so many requests a second, each with a prompt and an output."""

from __future__ import annotations

import math
from collections.abc import Iterator

from kb.sizing import fit as fitting
from kb.sizing.case import Case
from kb.sizing.defaults import carries_load, per_node
from kb.sizing.fit import Fit
from kb.sizing.plans import serving as plan
from kb.sizing.rules import serving
from kb.types.derivation import Given, Node

ROUNDS = 8  # a shorter queue is served faster, which shortens it again


def carried(found: Fit, steps: dict[str, Node]) -> Fit:
    """The case with as many sequences in flight as the load keeps there, on as many replicas as carry it where the number of GPUs was
    left open; the GPUs that the load takes are recorded as `gpus_for_load`. A case without a load, or of unknown speed, as it is."""
    if not carries_load(found.case) or found.available is None:
        return found
    open_count = found.case.asked.gpu_count is None
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
    count = int(needed.value) if open_count else unit
    if count > fitting.MOST_GPUS:
        return found
    r = replica.case.request
    in_flight = r.concurrency or 1
    if replica.case.asked.concurrency is None:
        in_flight = _in_flight(replica) if count <= unit else in_flight * count // unit
    if open_count:
        steps["gpu_count"] = needed
    layout = {"tensor_parallel": r.tensor_parallel, "pipeline_parallel": r.pipeline_parallel}
    return fitting.fit(replica.case.but(concurrency=in_flight, **layout), count)


def _replicas(found: Fit, open_count: bool) -> Iterator[Fit]:
    """The case as it is, and on larger replicas inside a server, which hold more sequences; filled up where the asker left that open."""
    sizes = [found.case.gpu_count]
    while open_count and sizes[-1] * 2 <= per_node(found.case):
        sizes.append(sizes[-1] * 2)
    asked = found.case.asked
    free = {"tensor_parallel": asked.tensor_parallel, "pipeline_parallel": asked.pipeline_parallel}
    for size in sizes:
        replica = found if size == found.case.gpu_count else fitting.fit(found.case.but(**free), size)
        yield _filled_up(replica) if asked.concurrency is None else replica


def gpus(replica: Fit) -> Node | None:
    """Whole replicas whose pace, prompts included, covers the load; None when the speed is not known."""
    case, speed = replica.case, plan.speed(replica.case, replica.found)
    each = speed.get("decode_tokens_per_second_per_request")
    if each is None:
        return None
    pace: Node = speed["decode_tokens_per_second"]
    if "prefill_time" in speed:
        pace = serving.sustained(
            sequences=case.field("concurrency"), replicas=case.replicas, output=case.field("output_tokens", "token"), each=each,
            first=speed["prefill_time"],
        )  # fmt: skip
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
    most = count = replica.case.request.concurrency or 1
    for _ in range(ROUNDS):
        speed = plan.speed(replica.case, replica.found)
        first = speed["prefill_time"].value if "prefill_time" in speed else 0.0
        each = speed["decode_tokens_per_second_per_request"].value
        turns = -(-count // replica.case.data_parallel)  # prompts of the same replica, one after another
        seconds = turns * first + (replica.case.request.output_tokens or 0) / each
        count, before = min(most, max(1, math.ceil((replica.case.request.requests_per_second or 0) * seconds))), count
        if count == before:
            break
        replica = _with(replica, count)
    return count


def _with(found: Fit, concurrency: int) -> Fit:
    case: Case = found.case.but(concurrency=concurrency)
    return fitting.fit(case, case.gpu_count)
