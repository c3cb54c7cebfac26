"""The slots of a part as they are meant, and the request fields that come of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kb.answering.draft import Tools
from kb.answering.sizing.groups import CACHE, COLLECTIVES, SHAPE, SPEEDS, STATES
from kb.sizing.largest import FOUR_BITS
from kb.sizing.request import FIELDS
from kb.types.question import Part
from kb.understanding.slots.known import tells_card, tells_model
from kb.understanding.slots.resources import FILES
from kb.understanding.slots.running import OF_ONE_GPU

METHODS = ("full_finetune", "lora", "qlora")
TRAINED = {"activations", "gradients", "optimizer_states", *STATES, "bytes_per_parameter"}  # what only training has
SERVED = {"decode_tokens_per_second", "time_to_first_token", "max_concurrency", "max_context_len"}  # what only running has
BOUGHT = {"gpu_hours": "affordable_gpu_hours", "training_time": "affordable_time"}  # what money and a price make of it
RENTS = {"price_per_hour": 1, "price_per_day": 24}  # of all cards together, by its hours
OF_BITS = {"4bit": "int4", "8bit": "int8"}
BY_THE_HOUR = frozenset({"cost", "energy", "cost_per_useful_hour", "break_even"})  # what may be asked of an hour
PACING = frozenset(
    {"tokens", "days", "hours", "measured", "tokens_per_second", "requests_per_second", "demanded_tokens_per_second"}
)
ADAPTER = ("checkpoint_size", "trainable_parameters")  # an adapter's file, and what it holds
KEPT = ("copies", "every_hours", "every_steps")  # what is said of several checkpoints
SAVED = frozenset({"checkpoint_size", "storage", "write_time", "write_bandwidth"})
TIMED = frozenset({"write_bandwidth", "transfer_bandwidth", "checkpoint_interval"})  # for which a short time is that of a write
PAID = frozenset({"cost", "energy", "break_even", "cost_per_owned_hour"})  # what the power of a machine is said for
# Slots that say what there is of something else than GPU memory.
STATED_ELSEWHERE = ("network_gbps", "disk_gb_s", "psu_w", "storage_gb", "budget")


def workloads_of(slots: Mapping[str, Any], part: Part) -> tuple[str | None, ...]:
    """The workloads to compute: the one that was said, or each that may be meant."""
    if len(slots.get("workloads", ())) > 1:
        return tuple(slots["workloads"])
    if slots.get("workload"):
        return (str(slots["workload"]),)
    if slots.get("task") == "finetune":
        return METHODS
    if slots.get("task") == "train" and str(slots.get("quantization")) in FOUR_BITS:
        return ("qlora",)  # weights of four bits are trained through adapters alone
    if slots.get("task") == "train":
        return tuple(reversed(METHODS)) if _on_one_card(slots, part) else ("pretrain",)
    if TRAINED & set(part.wanted):
        return ("pretrain",)
    if SERVED & set(part.wanted):
        return ("inference",)
    if (
        slots.get("task")
        or slots.get("optimizer")
        or (part.wanted and not {"memory_total", "memory_per_gpu"} & set(part.wanted))
    ):
        return (None,)
    return ("inference", *reversed(METHODS)) if subject(slots) else (None,)


def _on_one_card(slots: Mapping[str, Any], part: Part) -> bool:
    """Whether a model is to be trained on a single card, of which nothing says how: nobody pretrains there."""
    run = any(slots.get(s) for s in ("tokens", "days", "optimizer", "zero_stage", "recompute", "micro_batch"))
    return tells_card(slots) and subject(slots) and slots.get("gpu_count") == 1 and not run and not part.wanted


def costs_a_run(part: Part) -> bool:
    """Whether the cost of training or tuning a model is asked for, which no text knows without the job."""
    return "cost" in part.wanted and subject(part.slots) and _trains(part.slots)


def _trains(slots: Mapping[str, Any]) -> bool:
    return bool(slots.get("task")) or slots.get("workload") not in (None, "inference")


def subject(slots: Mapping[str, Any]) -> bool:
    """Whether a model is named, by name, size or shape."""
    return tells_model(slots) or bool(slots.get("layers"))


def fields_of(slots: Mapping[str, Any], workload: str | None, part: Part) -> dict[str, Any]:
    fields = {k: v for k, v in slots.items() if k in FIELDS and v is not None}
    if slots.get("layers") and not slots.get("model"):
        fields["model"] = {n: slots[n] for n in (*SHAPE, "parameters", "active_parameters") if slots.get(n) is not None}
    if slots.get("bandwidth_gb_s") and not slots.get("gpu") and set(part.wanted) & SPEEDS:
        fields["gpu"] = {"memory_bandwidth_gb_s": slots["bandwidth_gb_s"]}  # a processor, known by its memory
    if slots.get("samples_per_second") and slots.get("tokens") and "seq_len" not in fields:
        fields["seq_len"] = int(fields.pop("tokens"))  # tokens beside samples are those of one sample
    if together(part):
        fields["file_formats"] = "+".join(OF_BITS.get(f, f) for f in slots["formats"])
    _of_machine(fields, slots, part)
    if workload:
        fields["workload"] = workload
    said = str(fields.get("precision") or "")
    if (
        set(part.wanted) and set(part.wanted) <= CACHE and said and said in part.text.lower()
    ):  # of the cache, not of weights before
        fields.setdefault("kv_precision", fields.pop("precision"))
        fields.pop("quantization", None)
    if workload == "inference" and fields.get("micro_batch"):
        fields.setdefault("concurrency", fields.pop("micro_batch"))  # the batch of a model that runs is its requests
    runs = workload == "inference" or (workload is None and not slots.get("optimizer"))
    if runs and fields.get("precision") and "quantization" not in fields:
        fields["quantization"] = fields.pop("precision")  # "in fp8" of a model that runs is said of its weights
    return fields


def together(part: Part) -> bool:
    """Whether files of one model in several formats are asked for together."""
    return part.wanted == ("storage",) and len(part.slots.get("formats", ())) > 1


def as_meant(part: Part, tools: Tools) -> tuple[dict[str, Any], Part]:
    """The slots and the part as they are meant: a sum beside a rent is a purchase, electricity without a price is an amount of it."""
    slots, wanted = {**part.slots}, part.wanted
    if "break_even" in wanted and slots.get("budget") and not slots.get("purchase_price"):
        slots["purchase_price"] = slots.pop("budget")
    priced = any(slots.get(p) for p in ("electricity_price", "price_per_gpu_hour", "price_per_hour"))
    if slots.get("of_electricity") and not priced:
        wanted = tuple(dict.fromkeys("energy" if name == "cost" else name for name in wanted))
    if slots.get("budget") and (slots.get("price_per_gpu_hour") or slots.get("price_per_hour")):
        wanted = tuple(BOUGHT.get(name, name) for name in wanted)
    if slots.get("checkpoint_why"):
        for slot in ("memory_gb", "storage_gb"):
            slots.pop(slot, None)  # of no card
        if slots.get("task") == "finetune":
            slots["workload"] = "full_finetune"  # adapters are small files
    wanted = _owned(slots, wanted)
    placed = slots.get("gpu") and slots.get("gpu_count") and part.asks_verdict
    if wanted == ("gpu_count",) and placed and not slots.keys() & PACING:
        wanted, slots["count_asked"] = (), True  # whether so many do, and with that how many would
    elif wanted == ("gpu_count",) and subject(slots) and not slots.keys() & PACING:
        slots.pop("gpu_count", None)  # the number that was told is of those that do not do, or are to be counted
    if "adapter" in wanted:
        wanted = ("adapter", *ADAPTER, *(n for n in wanted if n not in ("adapter", *ADAPTER)))
    if slots.get("compute_optimal") and not subject(slots):
        wanted = tuple("optimal_parameters" if name == "max_parameters" else name for name in wanted)
    several = slots.get("copies") or (slots.get("every_steps") and slots.get("steps"))
    if several and not part.asks_verdict and set(wanted) <= {"memory_total"}:
        wanted = ("storage",)
    saved = any(slots.get(s) for s in (*KEPT, "with_optimizer", "optimizer", "zero_stage")) and not slots.get("weights_only")
    if SAVED & set(wanted) and saved and not (slots.get("workload") or slots.get("task")):
        slots["task"] = "train"  # what is saved again and again is being trained
    if "training_time" in wanted and slots.get("hours") and not slots.get("days"):
        slots["days"] = slots.pop("hours") / 24
    if "write_bandwidth" in wanted and slots.get("copies") and not {"storage", "checkpoint_size"} & set(wanted):
        wanted = ("storage", *wanted)  # of so many, what they take is told, too
    if slots.get("circuit_a") and not {"server_count", "gpus_on_power", "nodes"} & set(wanted):
        wanted = tuple(dict.fromkeys(("wall_power", *(n for n in wanted if n not in ("psu", "power")))))
    wanted = _by_processor(slots, wanted, part.asks_verdict)
    if slots.get("offload") == "nvme" and {"host_ram", "storage"} & set(wanted) and slots.get("workload") != "inference":
        wanted = ("nvme_states", *(n for n in wanted if n != "host_ram"))  # the drives hold what RAM would
    known = tells_model(slots) and slots.get("network_gbps") and slots.get("task") == "train"
    if known and part.asks_verdict and not wanted:
        wanted = ("all_reduce_time",)  # what a network has to carry at every step
    _stored(slots, replace(part, wanted=wanted), tools)
    chosen = "optimal_parameters" in wanted  # which is no question of what fits
    return slots, replace(part, slots=slots, wanted=wanted, asks_verdict=part.asks_verdict and not chosen)


def _owned(slots: dict[str, Any], wanted: tuple[str, ...]) -> tuple[str, ...]:
    """An hour's cost of what is bought and used for so many years, or all that it costs in them; a sum beside the years is its price.
    Of a rent by the month: what an hour comes to."""
    bought = slots.get("purchase_price") or slots.get("budget")
    rented = slots.get("price_per_gpu_hour") or slots.get("price_per_hour")
    hour = BY_THE_HOUR & set(wanted) and slots.get("per_gpu_hour")
    if hour and slots.get("price_per_month") and not bought:
        return tuple(dict.fromkeys("rent_per_gpu_hour" if n in BY_THE_HOUR else n for n in wanted))
    if not ("cost" in wanted or hour) or not (bought and slots.get("days")) or rented:
        return wanted
    if not hour:
        kept = (slots.get("running_per_day") or slots.get("electricity_price")) and not subject(slots)
        if not kept or "break_even" in wanted:
            return wanted
        slots["purchase_price"] = bought
        slots.pop("budget", None)
        return tuple(dict.fromkeys("cost_of_owning" if n in ("cost", "energy") else n for n in wanted))
    slots["purchase_price"] = bought
    slots.pop("budget", None)
    return tuple(dict.fromkeys("cost_per_owned_hour" if n in BY_THE_HOUR else n for n in wanted))


def _by_processor(slots: dict[str, Any], wanted: tuple[str, ...], verdict: bool) -> tuple[str, ...]:
    """What is asked for of a model in the memory of a processor; what of training is offloaded there is filled in, in place."""
    model = tells_model(slots)
    if (
        "host_ram" in wanted
        and slots.get("offload") in ("cpu", "nvme")
        and not (slots.get("workload") or slots.get("task") or slots.get("engine"))
    ):
        slots["task"] = "train"  # what is offloaded there are optimizer states
    if slots.get("workload") in (None, "inference") and model and slots.get("gpu") and slots.get("host_ram_gb") and verdict:
        wanted = tuple(name for name in wanted if name != "host_ram")  # it is counted to what there is
    trains = slots.get("task") in ("train", "finetune") or slots.get("workload") not in (None, "inference")
    of_ram = slots.get("of_ram") and "host_ram" in wanted
    if trains and model and tells_card(slots) and slots.get("host_ram_gb") and not slots.get("offload") and not of_ram:
        slots.setdefault("gpu_count", 1)  # of one machine, whose memory is counted to what there is
        wanted = tuple(name for name in wanted if name != "host_ram")
    if slots.get("workload") != "inference" or not model or tells_card(slots):
        return wanted
    if slots.get("memory_channels") or slots.get("processor"):
        slots.setdefault("engine", "cpu")
        wanted = tuple(dict.fromkeys("decode_tokens_per_second" if name == "tokens_per_second" else name for name in wanted))
    held = slots.get("host_ram_gb") and verdict and "host_ram" not in wanted
    return ("host_ram", *wanted) if held else wanted


def advisable(part: Part, tools: Tools) -> bool:
    """Whether how much host memory cards want is left to the articles: but for cores beside cards of which no server is on file."""
    alike = (row for row in tools.book.rows("systems") if row.text("accelerator_id") == part.slots.get("gpu"))
    return any(row.text("kind") == "server" for row in alike) or "cpu_cores" not in part.wanted


def _stored(slots: dict[str, Any], part: Part, tools: Tools) -> None:
    """Fill in, in place, what a drive that is named reads, and of a model known by its files alone the parameters they hold."""
    drive = next((r for t, i in part.entities if t == "storage_and_memory" and (r := tools.book.row(t, i))), None)
    column = next((c for n, c in (("load_time", "seq_read_gb_s"), ("write_time", "seq_write_gb_s")) if n in part.wanted), "")
    said = any(slots.get(s) for s in ("disk_gb_s", "bandwidth_gb_s", "network_gbps"))
    if drive and column and not said and (speed := drive.number(column)):
        slots["disk_gb_s"] = speed
    known = subject(slots) or not slots.get("size_gb")
    filed = FILES.search(part.text.lower()) is not None
    if not (known or filed) and "host_ram" in part.wanted:
        slots.pop("size_gb", None)  # of what, is not said
    of_memory = part.wanted and set(part.wanted) <= {"memory_total", "memory_per_gpu", "weights"}
    if of_memory and not known and filed:
        slots |= {"parameters": slots.pop("size_gb") * 1e9 / 2, "quantization": "bf16", "workload": "inference"}


def _of_machine(fields: dict[str, Any], slots: Mapping[str, Any], part: Part) -> None:
    """Fill in, in place, the request fields of power and rent."""
    wanted = set(part.wanted)
    trains = slots.get("task") or slots.get("workload") not in (None, "inference")
    if {"gpu_count", "nodes"} & wanted or (trains and not (tells_card(slots) and subject(slots) and slots.get("workload"))):
        fields.pop("host_ram_gb", None)  # GPUs are asked for, or what is trained on no card in particular
    if slots.get("cap") and part.asks_verdict:
        fields.pop("concurrency", None)  # one request of full length is what has to fit
    if slots.get("power_per_gpu"):
        fields["gpu_power_w"] = fields.pop("power_w", None)  # a cap of the cards, not what stands beside them
    elif slots.get("rack_w") is None and slots.get("power_w") and {"server_count", "gpus_on_power"} & wanted:
        fields["rack_w"] = fields.pop("power_w")  # 12 kW for servers is what there is for them
    elif slots.get("power_w") and (not slots.get("gpu") or PAID & wanted):
        fields.setdefault("power_kw", slots["power_w"] / 1000)
    if slots.get("cpu_w"):
        fields.setdefault("power_w", slots["cpu_w"])
    if slots.get("tokens_per_second") and (slots.get("gpu_count") or 1) > 1 and OF_ONE_GPU.search(part.text.lower()):
        fields["tokens_per_second"] = slots["tokens_per_second"] * slots["gpu_count"]
    if COLLECTIVES & wanted and slots.get("nvlink") and fields.get("bandwidth_gb_s"):
        fields["link_gb_s"] = fields.pop("bandwidth_gb_s")  # as data sheets state it, both directions together
    if slots.get("mtbf_of_all") and "checkpoint_interval" in wanted:
        fields.pop("gpu_count", None)  # which would divide what is said of all of them
    if not TIMED & wanted:
        fields.pop("seconds", None)
    elif slots.get("hours") and not slots.get("seconds"):
        fields["seconds"] = fields.pop("hours") * 3600
    if (
        "cost" in wanted
        and not slots.get("purchase_price")
        and (fields.get("price_per_gpu_hour") or slots.get("price_per_hour"))
    ):
        fields.pop("utilization", None)  # what is rented for a time is paid for busy or idle
    if slots.get("of_electricity") and "break_even" not in wanted and slots.get("electricity_price"):
        fields.pop("price_per_gpu_hour", None)  # of what was asked before
    elif slots.get("price_per_day") and fields.pop("hours_per_day", None):
        fields["price_per_gpu_hour"] = slots["price_per_day"] / 24 / (slots.get("gpu_count") or 1)  # however long it is used
    elif rent := next((slots[s] / hours for s, hours in RENTS.items() if slots.get(s)), None):
        several = (slots.get("nodes") or 1) > 1 and slots.get("gpus_per_node") and not slots.get("price_of_all")
        fields.setdefault("price_per_gpu_hour", rent / (slots["gpus_per_node"] if several else slots.get("gpu_count") or 1))


def linked(part: Part) -> float | None:
    """The Gb/s of the network of which it is asked whether it is enough to train a model on; None of any other question."""
    s = part.slots
    return s.get("network_gbps") if part.asks_verdict and _trains(s) and subject(s) and not part.wanted else None


def stated_elsewhere(slots: Mapping[str, Any]) -> bool:
    """Whether the question states a link, drive, supply or RAM: what is asked of then is that, not GPU memory."""
    beside = ("storage_gb",) if slots.get("host_ram_gb") else ()  # drives beside RAM describe a machine
    return any(slots.get(s) for s in STATED_ELSEWHERE if s not in beside)
