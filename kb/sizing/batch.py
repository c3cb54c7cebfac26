"""How long GPUs take for a batch of documents, and how many of them finish it in the time that is said."""

from __future__ import annotations

from kb.sizing import fit as fitting
from kb.sizing.case import Case
from kb.sizing.fit import Fit
from kb.sizing.plans import serving as plan
from kb.sizing.rules import batch, serving
from kb.types.derivation import Given, Node


def worked_off(replicas: list[Fit], found: Fit, steps: dict[str, Node]) -> Fit:
    """The case on the GPUs that were said, or on as many as finish in time, in the replicas that take fewest and get most from each;
    tokens, paces, time and GPU-hours of the batch are recorded. `replicas`: sizes of one to choose from. A case of unknown speed stays
    as it is."""
    paces = [(tried, pace) for tried in replicas if (pace := _pace(tried.case, tried))]
    if not paces:
        return found
    case = found.case
    read, written = case.field("prompt_tokens", "token"), case.field("output_tokens", "token")
    tokens = steps["job_tokens"] = batch.tokens(documents=_documents(case), prompt=read, output=written)
    rate = batch.rate(tokens=tokens, time=case.field("days")) if case.request.days is not None else None

    def taken(one: tuple[Fit, Node]) -> tuple[float, float]:
        """GPUs that are in time, where their number is open; then the slowness of each."""
        unit, pace = one[0].case.gpu_count, one[1].value
        if rate is None or case.asked.gpu_count:
            return 0, -pace / unit
        return serving.gpus_for_load.function(demanded=rate.value, speed=pace, gpu_count=unit), -pace / unit

    replica, pace = min(paces, key=taken)
    case, unit = replica.case, replica.case.gpu_count
    count = case.asked.gpu_count or unit
    if rate is not None:
        steps["job_rate"] = rate
        each = Given("group", 1.0 * unit, "1")
        steps["gpus_for_load"] = needed = serving.gpus_for_load(demanded=rate, speed=pace, gpu_count=each)
        if case.asked.gpu_count is None and needed.value <= fitting.MOST_GPUS:
            steps["gpu_count"], count = needed, int(needed.value)
    whole = Given("gpu_count", 1.0 * count, "1")
    steps["job_pace"] = all_paces = batch.on_gpus(pace=pace, gpu_count=whole, replica=Given("group", 1.0 * unit, "1"))
    steps["job_time"] = time = batch.time(tokens=tokens, pace=all_paces)
    steps["gpu_hours"] = batch.gpu_time(time=time, gpu_count=whole)
    at_once = (case.request.concurrency or 1) * max(1, count // unit)
    layout = {"tensor_parallel": case.request.tensor_parallel, "pipeline_parallel": case.request.pipeline_parallel}
    return fitting.fit(case.but(concurrency=at_once, **layout), count)


def _documents(case: Case) -> Node:
    """As many as are said, or as the tokens come to that are said of all of them."""
    if case.request.documents is not None:
        return case.field("documents")
    total, each = ("input_tokens", "prompt_tokens") if case.request.input_tokens else ("generated_tokens", "output_tokens")
    return Given("documents", case.field(total).value / case.field(each).value, "1")


def _pace(case: Case, found: Fit) -> Node | None:
    """Of one replica; short prompts are read together, as many as one pass takes."""
    chunk = int(case.constant("prefill_chunk").value)
    together = case.but(prompt_tokens=max(case.request.prompt_tokens or 1, chunk))
    speed = plan.speed(together, found.found)
    prefill, decode = speed.get("prefill_tokens_per_second"), speed.get("decode_tokens_per_second")
    if prefill is None or decode is None:
        return None
    read, written = case.field("prompt_tokens", "token"), case.field("output_tokens", "token")
    return batch.pace(prompt=read, output=written, prefill=prefill, decode=decode)
