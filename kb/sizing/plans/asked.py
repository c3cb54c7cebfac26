"""Values worked out only when they are asked for, and mostly without a layout: transfers, supplies, replicas, files kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from kb.sizing.case import Case
from kb.sizing.defaults import offloads
from kb.sizing.plans import batches, circuits, collectives, costs, host, hybrid, machine, sums
from kb.sizing.plans.largest import largest
from kb.sizing.plans.stated import format_of, stated
from kb.sizing.plans.training import adapter_parameters
from kb.sizing.plans.weights import published_file, weights_of
from kb.sizing.rules import cluster, communication, compute, scaling, storage
from kb.types.derivation import Given, Node

Steps = Mapping[str, Node]
LAYOUT = ("tensor_parallel", "pipeline_parallel", "context_parallel")
Recipe = Callable[[Case, Steps], dict[str, Node]]


def asked(case: Case, steps: Steps, wanted: Sequence[str]) -> dict[str, Node]:
    """The recipes of the values in `wanted`, each where the request says what it needs; what it replaces has the same name."""
    out: dict[str, Node] = {}
    for name in wanted:
        if name in RECIPES:
            out |= RECIPES[name](case, {**steps, **out})
    return out


def _sent(case: Case, name: str, size: Node | None, speed: Node | None) -> dict[str, Node]:
    return {name: storage.transfer_time(size=size, bandwidth=speed)} if size and speed else {}


def _load(case: Case, steps: Steps) -> dict[str, Node]:
    return _sent(case, "load_time", published_file(case), stated(case, "disk_gb_s", "bandwidth_gb_s", "network_gbps"))


def _download(case: Case, steps: Steps) -> dict[str, Node]:
    return _sent(case, "download_time", published_file(case), stated(case, "network_gbps", "bandwidth_gb_s", "disk_gb_s"))


def _cache_sent(case: Case, steps: Steps) -> dict[str, Node]:
    return _sent(case, "kv_transfer_time", steps.get("kv_cache"), stated(case, "network_gbps", "bandwidth_gb_s"))


def _write(case: Case, steps: Steps) -> dict[str, Node]:
    size = stated(case, "size_gb") or _one_checkpoint(case, steps)
    return _sent(case, "write_time", size, stated(case, "disk_gb_s", "bandwidth_gb_s", "network_gbps"))


def _one_checkpoint(case: Case, steps: Steps) -> Node | None:
    return steps.get("weights" if case.request.weights_only else "checkpoint_size")


def _checkpoints(case: Case, steps: Steps) -> dict[str, Node]:
    """One checkpoint, and together those that are kept: so many, or one at every interval of the time."""
    size, r = _one_checkpoint(case, steps), case.request
    if case.shape is None and r.size_gb is not None and r.copies is not None:
        return {"storage": storage.files(size=case.field("size_gb"), count=case.field("copies"))}
    if size is None:
        return {}
    out = {"checkpoint_size": size}
    if r.copies is not None:
        out["storage"] = storage.copies(size=size, kept=case.field("copies"))
    elif saves := _saves(case):
        out |= {"saves": saves, "storage": storage.copies(size=size, kept=saves)}
        out["storage_of_kept"] = storage.copies(size=size, kept=case.constant("checkpoints_kept"))
    return out


def _saves(case: Case) -> Node | None:
    """How many checkpoints a run writes: one at every so many steps, or hours."""
    r = case.request
    if r.steps is not None and r.every_steps is not None:
        return storage.saves_of_steps(steps=case.field("steps"), every=case.field("every_steps"))
    if r.every_hours is not None and r.days is not None:
        return storage.saves(time=case.field("days"), every=case.field("every_hours"))
    return None


def _stored(case: Case, steps: Steps) -> dict[str, Node]:
    """What a job needs on disk: the checkpoints that are spoken of, or the model and some to resume from."""
    if case.request.file_formats and case.shape is not None and case.shape.known("parameters"):
        known = (f for f in case.request.file_formats.split("+") if f"weight_element.{f}" in case.assumptions.constants)
        files: list[Node] = [weights_of(case, f) for f in known]
        return {"storage": reduce(lambda size, more: storage.side_by_side(size=size, further=more), files)} if files else {}
    kept = _checkpoints(case, steps)
    if "storage" in kept:
        return kept
    if not case.training or "storage" in steps or not kept or "weights" not in steps:
        return {}
    count = case.constant("checkpoints_kept")
    return {**kept, "storage": storage.job(weights=steps["weights"], checkpoint=kept["checkpoint_size"], kept=count)}


def _bandwidth(case: Case, steps: Steps) -> dict[str, Node]:
    """What writes the file, or the checkpoint, in the time."""
    size = stated(case, "size_gb") or _one_checkpoint(case, steps)
    if size is None or case.request.seconds is None:
        return {}
    return {"write_bandwidth": storage.bandwidth(size=size, time=case.field("seconds"))}


def _carried(case: Case, steps: Steps) -> dict[str, Node]:
    """What carries the file in the time, and the same as links are named."""
    if case.request.size_gb is None or case.request.seconds is None:
        return {}
    need = storage.bandwidth(size=case.field("size_gb"), time=case.field("seconds"))
    return {"transfer_bandwidth": need, "transfer_link": need}


def _data(case: Case, steps: Steps) -> dict[str, Node]:
    """Files of one size, or tokens on disk; of no particular vocabulary, or as large as is said."""
    if files := sums.RECIPES["dataset_size"](case, steps):
        return files
    if case.request.tokens is None or ("dataset_size" in steps and case.request.token_bytes is None):
        return {}
    said = case.request.token_bytes is not None
    element = case.field("token_bytes") if said else case.constant("token_bytes.large")
    return {"dataset_size": storage.dataset(tokens=Given("tokens", case.request.tokens, "1"), element=element)}


def _interval(case: Case, steps: Steps) -> dict[str, Node]:
    """How often to save, by the time of a write, said or computed, and the failures that are said: of a GPU, or of all there are."""
    write = stated(case, "seconds") or _write(case, steps).get("write_time")
    if write is None or (case.asked.gpu_count is None and case.request.mtbf_hours is None):
        return {}
    if case.asked.gpu_count is None:
        together = case.field("mtbf_hours")
        return {"checkpoint_interval": storage.checkpoint_interval(write_time=write, between_failures=together)}
    per_gpu = case.field("mtbf_hours") if case.request.mtbf_hours is not None else case.constant("failures_per_gpu")
    between = storage.between_failures(per_gpu=per_gpu, gpu_count=case.field("gpu_count"))
    interval = storage.checkpoint_interval(write_time=write, between_failures=between)
    return {"checkpoint_interval": interval, "between_failures": between}


def _bubble(case: Case, steps: Steps) -> dict[str, Node]:
    """Idle time of a pipeline, over the useful time and over all."""
    r = case.asked
    if r.pipeline_parallel is None or r.micro_batches is None:
        return {}
    virtual: Node = case.field("virtual_stages") if r.virtual_stages is not None else case.constant("one_chunk")
    given = {"stages": case.field("pipeline_parallel"), "micro_batches": case.field("micro_batches"), "virtual": virtual}
    return {"pipeline_bubble": communication.bubble(**given), "pipeline_idle": communication.bubble_share(**given)}


def optimal_tokens(case: Case) -> Node:
    """Tokens on which the model's compute is spent best."""
    assert case.shape is not None
    return scaling.optimal_tokens(parameters=case.shape["parameters"], ratio=case.constant("tokens_per_parameter"))


def _best_tokens(case: Case, steps: Steps) -> dict[str, Node]:
    known = case.shape is not None and case.shape.known("parameters")
    return {"optimal_tokens": optimal_tokens(case)} if known and "optimal_tokens" not in steps else {}


def _best_model(case: Case, steps: Steps) -> dict[str, Node]:
    """The model on which the GPU time that is paid for, or said, is spent best, and its tokens."""
    time = steps.get("affordable_gpu_hours") or steps.get("gpu_hours")
    peak = case.chip.peak(case.asked.precision or "bf16") if case.chip else None
    if time is None or peak is None or case.shape is not None:
        return {}
    reached = case.field("mfu") if case.asked.mfu is not None else case.constant("usual_mfu")
    work, ratio = scaling.compute(gpu_time=time, peak=peak, mfu=reached), case.constant("tokens_per_parameter")
    model = scaling.optimal_parameters(compute=work, work=case.constant("work.training"), ratio=ratio)
    return {"optimal_parameters": model, "optimal_tokens": scaling.optimal_tokens(parameters=model, ratio=ratio)}


def _replicas(case: Case, steps: Steps) -> dict[str, Node]:
    if case.asked.gpu_count is None or case.gpu_count % case.model_parallel:
        return {}
    return {
        "dp_size": cluster.data_parallel(
            gpu_count=case.field("gpu_count"),
            **{n: case.field(n) if getattr(case.request, n) else Given(n, 1.0, "1") for n in LAYOUT},
        )
    }


def _supply(case: Case, steps: Steps) -> dict[str, Node]:
    """The supply for boards and host; with one stated, the power limit that it would carry."""
    tdp = case.board_power
    if tdp is None:
        return {}
    rest = {
        "processor": case.processor_power,
        "rest": case.constant("rest_power"),
        "headroom": case.constant("supply_headroom"),
    }
    count = case.field("gpu_count")
    out: dict[str, Node] = {"psu": cluster.power_supply(gpu_count=count, tdp=tdp, **rest)}
    if case.request.psu_w is not None and out["psu"].value > case.field("psu_w").value:
        limit = cluster.power_limit(supply=case.field("psu_w"), gpu_count=count, **rest)
        out |= {"power_limit": limit} if limit.value > 0 else {}
    return out


def _rated(case: Case, steps: Steps) -> dict[str, Node]:
    """With the power of what else is there said, the plain sum; otherwise the power already found. Of a building with its share."""
    tdp, out = case.board_power, dict[str, Node]()
    if tdp is not None and case.request.power_w is not None:
        out["power"] = cluster.rated_power(gpu_count=case.field("gpu_count"), tdp=tdp, beside=case.field("power_w"))
    power = out.get("power") or steps.get("power")
    if power and case.request.pue is not None:
        out["facility_power"] = cluster.facility_power(power=power, pue=case.field("pue"))
    return out


def _heat(case: Case, steps: Steps) -> dict[str, Node]:
    """The power that becomes heat: of the machines, else of the rack that is spoken of."""
    power = case.field("rack_w") if case.request.rack_w is not None else steps.get("power")
    if power is None:
        return {}
    heat = cluster.heat(power=power, factor=case.constant("btu_per_watt"))
    return {"heat": heat, "cooling_tons": cluster.cooling_tons(heat=heat, ton=case.constant("ton_of_refrigeration"))}


def _bill(case: Case, steps: Steps) -> dict[str, Node]:
    """What the power takes, and costs, where no time is said: by the year."""
    power = steps.get("power")
    return costs.bill(case, power) if power and "energy" not in steps and not case.training else {}


def _paid(case: Case, steps: Steps) -> dict[str, Node]:
    """The bill, where a tariff is said and no rent."""
    rented = case.request.price_per_gpu_hour is not None
    return {} if rented or case.request.electricity_price is None else _bill(case, steps)


def _useful(case: Case, steps: Steps) -> dict[str, Node]:
    """What an hour of use costs of GPUs that are paid for all the time."""
    price = costs.price_of(case)
    if price is None or case.request.utilization is None:
        return {}
    return {"cost_per_useful_hour": cluster.useful_price(price=price, utilization=case.field("utilization"))}


def _of_tokens(case: Case, steps: Steps) -> dict[str, Node]:
    """What a million tokens cost, at the speed that was measured, else at the computed one of all requests."""
    return costs.of_a_million_tokens(case, _speed(case, steps))


def _speed(case: Case, steps: Steps) -> Node | None:
    """Tokens in a time: measured, those of a day that are served, or computed."""
    return stated(case, "tokens_per_second", "tokens_per_day") or steps.get("decode_tokens_per_second")


def _against_api(case: Case, steps: Steps) -> dict[str, Node]:
    return costs.against_api(case, stated(case, "tokens_per_second") or steps.get("decode_tokens_per_second"))


def _on_power(case: Case, steps: Steps) -> dict[str, Node]:
    """GPUs that a supply of so much power feeds."""
    supply = circuits.feed(case) or stated(case, "rack_w", "power_w", "power_kw")
    if supply is None or case.board_power is None:
        return {}
    host = case.constant("host_power")
    return {"gpus_on_power": cluster.gpus_on_power(supply=supply, tdp=case.board_power, host=host)}


def _rate(case: Case, steps: Steps) -> dict[str, Node]:
    r = case.asked
    if r.samples_per_second is None or r.seq_len is None:
        return {}
    rate = compute.tokens_of_samples(
        samples=case.field("samples_per_second"), length=case.field("seq_len", "token"), time=case.constant("one_second")
    )
    return {"tokens_per_second": rate}


def _host(case: Case, steps: Steps) -> dict[str, Node]:
    """Host memory: for what is offloaded, for weights that a processor works on, or beside cards of which no model is said."""
    memory_of_one = case.chip.get("memory") if case.chip else None
    if case.shape is not None and case.training and offloads(case):
        return {} if "offloaded_states" in steps else host.offloaded(case, steps["model_states"])
    if (size := stated(case, "size_gb")) and not case.training and host.is_of_weights(case):
        return {"host_ram": storage.resident_file(size=size)}
    by_processor = hybrid.by_engine(case)
    if case.shape is not None and not case.training and (memory_of_one is None or by_processor):
        format = format_of(case) or ("q4_k_m" if by_processor else case.request.quantization or "bf16")
        element: Node = case.constant(f"weight_element.{format}")
        if by_processor and format_of(case) is None:
            element = replace(case.constant(f"weight_element.{format}"), slot="processor_format")
        return {"host_ram": storage.resident(parameters=case.shape["parameters"], element=element)}
    if "host_ram" in steps or memory_of_one is None:
        return {}
    return {"host_ram": storage.host_ram(gpus=case.field("gpu_count"), gpu_memory=memory_of_one)}


def _cores(case: Case, steps: Steps) -> dict[str, Node]:
    return {} if "cpu_cores" in steps or case.chip is None else {"cpu_cores": host.cores(case, case.field("gpu_count"))}


def _largest(case: Case, steps: Steps) -> dict[str, Node]:
    found = largest(case)
    return {"max_parameters": found} if found else {}


def _trained(case: Case, steps: Steps) -> dict[str, Node]:
    """Parameters that adapters add and that alone are trained."""
    return {"trainable_parameters": adapter_parameters(case)} if case.adapted and case.shape else {}


def _in_time(case: Case, steps: Steps) -> dict[str, Node]:
    """GPUs of the same pace that would keep to a time which those that there are exceed."""
    if case.request.days is None or case.asked.gpu_count is None or not {"training_time", "gpu_hours"} <= steps.keys():
        return {}
    allowed = case.field("days")
    if steps["training_time"].value <= allowed.value:
        return {}
    return {"gpu_count": cluster.gpus_for_deadline(gpu_time=steps["gpu_hours"], time=allowed)}


def _servers(case: Case, steps: Steps) -> dict[str, Node]:
    """Servers that a stated number of cards fills."""
    if case.asked.gpu_count is None or "nodes" in steps:
        return {}
    return {"nodes": cluster.nodes(gpu_count=case.field("gpu_count"), gpus_per_node=case.field("gpus_per_node"))}


def _in_rack(case: Case, steps: Steps) -> dict[str, Node]:
    """Servers that the power of a rack feeds: of the power that was said, or of one server full of boards."""
    rack = case.field("rack_w") if case.request.rack_w is not None else circuits.feed(case)
    if rack is None:
        return {}
    one = stated(case, "power_w", "power_kw") or case.server_power
    if one is None and case.request.gpu_power_w is None and case.asked.gpu_count in (None, case.request.gpus_per_node):
        one = case.rated_server
    if one is None and case.board_power is not None:
        per = "gpu_count" if case.asked.gpu_count is not None else "gpus_per_node"
        one = cluster.power(gpu_count=case.field(per), tdp=case.board_power, host=case.constant("host_power"))
    return {"server_count": cluster.in_rack(rack=rack, server=one)} if one else {}


RECIPES: dict[str, Recipe] = {
    **sums.RECIPES,
    "load_time": _load,
    "download_time": _download,
    "kv_transfer_time": _cache_sent,
    "write_time": _write,
    "checkpoint_size": _checkpoints,
    "storage": _stored,
    "write_bandwidth": _bandwidth,
    "transfer_bandwidth": _carried,
    "dataset_size": _data,
    "checkpoint_interval": _interval,
    **collectives.RECIPES,
    "dp_size": _replicas,
    "gradient_accumulation": lambda case, steps: batches.accumulation(case),
    "pipeline_bubble": _bubble,
    "psu": _supply,
    "ups": machine.ups,
    "pcie_lanes": machine.lanes,
    "wall_power": lambda case, steps: circuits.load(case),
    "optimal_tokens": _best_tokens,
    "optimal_parameters": _best_model,
    "power": _rated,
    "heat": _heat,
    "energy": _bill,
    "cost": _paid,
    "cost_per_million_tokens": _of_tokens,
    "cost_per_useful_hour": _useful,
    "cost_per_owned_hour": costs.owned_hour,
    "cost_of_owning": costs.owning,
    "rent_per_gpu_hour": costs.hour_of_rent,
    "storage_cost": costs.storage,
    "api_break_even": _against_api,
    "saving": costs.saving,
    "gpus_on_power": _on_power,
    "tokens_per_second": _rate,
    "host_ram": _host,
    "nvme_states": lambda case, steps: (
        host.offloaded(case, steps["model_states"]) if case.shape and case.training and offloads(case) else {}
    ),
    "cpu_cores": _cores,
    "max_parameters": _largest,
    "trainable_parameters": _trained,
    "training_time": lambda case, steps: sums.steps_time(case) or _in_time(case, steps),
    "nodes": _servers,
    "server_count": _in_rack,
}
