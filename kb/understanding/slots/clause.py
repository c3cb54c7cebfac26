"""From what was found to request fields (slots), clause by clause."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kb.understanding.found import Found
from kb.understanding.numbers.numerals import scan
from kb.understanding.slots.adapters import targets_of
from kb.understanding.slots.details import read_details
from kb.understanding.slots.files import read_files
from kb.understanding.slots.flags import read_flags
from kb.understanding.slots.formats import read_formats, read_schemes
from kb.understanding.slots.judged import in_question
from kb.understanding.slots.methods import read_methods
from kb.understanding.slots.paying import read_paying
from kb.understanding.slots.post_training import held_by
from kb.understanding.slots.resources import read_resources
from kb.understanding.slots.series import TOGETHER, counts_of, offers_of, series_of
from kb.understanding.slots.texts import read_texts, tokens_of
from kb.understanding.slots.workload import workload_of

OF_OPTIMIZER = re.compile(r"(?<![a-z])(?:optimi[sz]er|adamw?|zero[ -]?(?:offload|infinity|[123]))(?![a-z])|优化器")
MEMORY_TIMES_COUNT = re.compile(
    r"(?<![\d.a-z])(\d{2,3})\s?g?b?\s?[*x]\s?(\d{1,2})(?=\s?(?:的)?\s?(?:机器|卡|显存|显卡|工作站|服务器"
    r"|setup|box|rig|gpus?))"
)
SAVED = re.compile(r"checkpoint|ckpt|检查点|存档")
COUNT_TIMES_MEMORY = re.compile(
    r"(?<![\d.a-z])(\d{1,3})\s?[x*×]\s?(\d{2,3})\s?gb?(?![a-z/])(?!\s?(?:内存|ram|ddr|memory|硬盘|ssd|nvme))"
)
GLOBAL_BATCH = re.compile(r"全局|总批|(?<![a-z])global[ _-]batch")
MICRO_BATCH = re.compile(r"micro[ -]?batch(?!es)|微批(?!量)")
SERVED = frozenset(
    {"concurrency", "people", "active_users", "requests_per_second", "prompt_tokens", "output_tokens"}
)  # said of a model that runs
# A context of so many tokens is that of a model that runs.
WINDOW = re.compile(
    r"\d\s?k?\s?(?:tokens?\s)?(?:的)?(?:上下文|(?<![a-z])(?:ctx|context)(?![a-z]))"
    r"|(?:上下文(?:长度)?|(?<![a-z])(?:ctx|context(?: length| window)?))\s?[=:为是]?\s?\d"
)
SAMPLES = re.compile(
    r"(\d{1,9}(?:\.\d{1,3})?\s?[万千百]?|[一二两三四五六七八九十百千万]{1,6})\s?([kmw])?\s?(?:条|个|组)?\s?"
    r"(?:样本|数据|对话|语料|问答|(?<=条)(?=\s?[x×*,，每]|\s?\d)|(?:training )?(?:samples|examples|conversations|rows))"
)
EPOCHS = re.compile(r"(\d{1,2})\s?(?:轮|个?\s?epochs?|遍)|epochs?\s?[:=]?\s?(\d{1,2})")
# Samples are told in characters or words, too: of so many tokens each.
TEXT = re.compile(
    r"(?:每[条个份段篇]|平均|长度|各)[^,，。;?\d]{0,8}?(?:大概|大约|约)?\s?(?P<zh>\d{2,6})\s?个?(?:汉|中文)?字(?!节|符串|段)"
    r"|(?P<en>\d{2,6}) (?:english )?words? (?:each|apiece|per|long|on average)"
)
# A rate of tokens: its slot, and how many of the slot's units its own has.
RATES = {
    "second": ("tokens_per_second", 1), "minute": ("tokens_per_second", 60), "hour": ("tokens_per_second", 3600),
    "day": ("tokens_per_day", 1), "parameter": ("tokens_per_parameter", 1),
}  # fmt: skip
PORTS = r"(\d{1,2}|two|four|eight|sixteen|[两四八])(?: ?[x*×] ?| |[块张个])(\d{2,3}) ?g(?:b(?:it)?(?:/s|ps)?|bps|be)?"
COUNT_TIMES_PORT = re.compile(
    rf"(?<![\d.a-z]){PORTS} ?(?:的|infiniband )?(?:(?:per|/|each) ?(?:node|server|machine|box)|每(?:台|个)?(?:机|服务器|节点)"
    r"|nics?(?![a-z])|hcas?(?![a-z])|(?<![a-z])ib(?![a-z])|roce|网卡|网口|以太网?|rdma)"
    rf"|(?:每(?:台|个)?(?:机器?|服务器|节点)?|(?:nodes?|servers?|each) (?:with|has|have|at|of)) ?{PORTS}(?![a-z])"
)  # 8x400G NICs
BOXES = re.compile(
    r"(?:几|多少)\s?(?:台|个?节点|个?机器?)\s?(\d{1,2}|[二四八十]{1,2})\s?卡(?!时)"
    r"|how many (\d{1,2})[ -]?(?:x )?(?:gpus?|cards?)[ -](?:nodes?|servers?|boxes|machines?)"
    r"|how many (\d{1,2}) ?[x×*-] ?[a-z0-9]{2,12}[ -](?:nodes?|servers?|boxes|machines?)"
)
SYSTEMS = re.compile(r"(?:几|多少)\s?台\s?[dh]gx|how many [dh]gx")  # how many are asked for, so none is said
CAPACITY = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)\s?gi?b total capacity|total capacity of (\d{1,4}(?:\.\d{1,3})?)\s?gi?b")
LANES = re.compile(r"(?<![a-z0-9])x\s?(1|2|4|8|16|32)(?![\da-z])")

OF_GGUF = frozenset({"ollama", "lm-studio", "lmstudio", "llama.cpp"})  # engines that run files in this format


def read_slots(
    masked: str, low: str, start: int, end: int, found: Sequence[Found], before: Mapping[str, Any]
) -> dict[str, Any]:
    """Slots said in low[start:end]; `before` are those already known, which decide between training and serving."""
    clause, masked_clause = low[start:end], masked[start:end]
    here = [f for f in found if start <= f.start < end]
    flagged, off = read_flags(clause)
    slots: dict[str, Any] = read_details(clause)
    slots |= workload_of(clause, masked_clause, here, flagged, before, low)
    if (
        {"every_hours", "every_steps", "copies"} & slots.keys()
        and slots.get("workload") == "inference"
        and SAVED.search(clause)
    ):
        slots.pop("workload")  # a run that is saved again and again
        slots["task"] = "train"
    read_methods(slots, here, low, clause, before.get("workload"))
    slots |= held_by(here, low, clause, before)
    if targets := targets_of(clause, low):
        slots["lora_targets"] = targets
    if slots.get("offload") and OF_OPTIMIZER.search(clause) and slots.get("workload") in (None, "inference"):
        slots.pop("workload", None)  # what is offloaded are states of training
        slots.setdefault("task", "train")
    if "concurrency" in slots and MICRO_BATCH.search(clause) and slots.get("workload") in (None, "inference"):
        sequences = slots.pop("concurrency")  # that are learned from at once, or in a step
        slots |= {"task": "train"} | ({} if GLOBAL_BATCH.search(clause) else {"micro_batch": sequences})
        slots.pop("workload", None)
    known = {k: v for k, v in before.items() if k in ("workload", "task")}
    if not {"workload", "task"} & {*slots, *known, *flagged} and (SERVED & slots.keys() or WINDOW.search(clause)):
        slots["workload"] = "inference"
    training = {**known, **slots, **flagged}.get("workload") not in (None, "inference") or (
        "workload" not in slots and {**known, **slots}.get("task") in ("finetune", "train")
    )
    training = training or bool(
        re.search(r"activation|激活|梯度|gradient|optimizer|优化器|micro[ -]?batch", clause) and "workload" not in slots
    )
    serving = {**known, **slots, **flagged}.get("workload") == "inference" and not ("task" in slots and "workload" not in slots)
    read_formats(slots, [f for f in here if f.quantity == "precision" and f.value not in off], low, serving)
    read_schemes(slots, here)
    _cards(slots, here)
    _models(slots, here)
    _sizes(slots, here, training, serving)
    read_resources(slots, here, low, masked)
    read_paying(slots, here, masked, start, end)
    read_files(slots, clause)
    lanes = [int(m[1]) for m in LANES.finditer(clause)] if any(f.unit == "interconnects" for f in here) else []
    if lanes and lanes != [16]:
        slots["lanes"] = list(dict.fromkeys(lanes))
    _samples(slots, clause)
    if "tokens_of_text" not in slots and (texts := read_texts(clause, training)):
        of_serving = SERVED & texts.keys() and not {"workload", "task"} & {*slots, *known}
        slots = {**texts, **slots} | ({"workload": "inference"} if of_serving else {})
    boxes = BOXES.search(clause)
    if boxes or SYSTEMS.search(clause):
        slots.pop("gpu_count", None)
        slots.pop("nodes", None)
    if boxes:
        each = slots["gpus_per_node"] = int(scan(next(filter(None, boxes.groups())))[0].value or 8)
        if others := [n for n in slots.pop("gpu_counts", ()) if n != each]:
            slots["gpu_count"] = others[0]
    capacity = CAPACITY.search(clause)
    if capacity and "gpu" not in slots:
        slots["capacity_gib"] = float(capacity[1] or capacity[2])
    pair, turned = MEMORY_TIMES_COUNT.search(clause), COUNT_TIMES_MEMORY.search(clause)
    ports = COUNT_TIMES_PORT.search(clause)
    if ports:
        many, rate = (int(scan(g)[0].value or 1) for g in ports.groups() if g)
        slots.setdefault("network_gbps", float(rate))
        slots.setdefault("interconnect", f"{many}x{rate} Gb/s per node")
    elif (pair or turned) and "gpu" not in slots and "gpu_count" not in slots:
        size, count = (pair[1], pair[2]) if pair else (turned[2], turned[1]) if turned else ("0", "0")
        slots["memory_gb"], slots["gpu_count"] = float(size), int(count)
        slots.pop("size_gb", None)
    slots |= flagged
    in_question(slots, here, low, start, end)
    if (
        slots.get("workload") == "lora"
        and slots.get("quantization") in ("int4", "nf4")
        and re.search(r"(?:4[ -]?bit|int4|nf4|量化)\s?(?:的)?\s?lora", clause)
    ):
        slots["workload"] = "qlora"
    if slots.get("task") in ("finetune", "train") and "workloads" not in slots and slots.get("quantization") in ("int4", "nf4"):
        slots.pop("task")
        slots["workload"] = "qlora"  # weights in 4 bits can only be tuned through adapters
    if {**before, **slots}.get("engine") in OF_GGUF and slots.get("quantization") == "int4" and "q4_0" not in clause:
        slots["quantization"] = "q4_k_m"  # four bits of theirs, scales included
    if slots.get("workload") == "qlora" and slots.get("quantization") == "int4":
        slots["quantization"] = "nf4"
    if of_each := offers_of(here):
        slots |= {"of_each": of_each, "each": ("gpu", slots["gpus"])}
    elif series := series_of(low, start, end, here, {**known, **slots}):
        slots["each"] = series
        if series[0] == "parameters":
            slots.pop("model", None)  # one of several sizes
        if series[0] == "model" and TOGETHER.search(clause):
            slots["together"] = True
    return slots


def _samples(slots: dict[str, Any], clause: str) -> None:
    """Tokens of a data set told by its samples: how many, of how many tokens each, how often gone through."""
    many, each = SAMPLES.search(clause), slots.get("tokens") or slots.get("seq_len") or slots.get("context_len")
    text = TEXT.search(clause) if many and not each else None
    if text and text.lastgroup:
        each = tokens_of(text.lastgroup, text[text.lastgroup])
        slots["tokens_of_text"] = (text.lastgroup, text.group(), each)
    epochs = EPOCHS.search(clause)
    if not many and epochs and slots.get("tokens"):
        slots["tokens"] *= int(epochs[1] or epochs[2])  # every pass goes through all of them
    if not many or not each or each > 1e6:
        return
    count = scan(many[1])
    if count and count[0].value:
        scale = {"k": 1e3, "m": 1e6, "w": 1e4}.get(many[2] or "", 1.0)
        slots.setdefault("seq_len", int(each))
        slots["tokens"] = count[0].value * scale * each * (int(epochs[1] or epochs[2]) if epochs else 1)


def _cards(slots: dict[str, Any], here: Sequence[Found]) -> None:
    rows = list(dict.fromkeys(f.extra["row"] for f in here if f.quantity == "gpu" and f.extra.get("row")))
    if rows:
        slots["gpu"] = rows[0]
        if len(rows) > 1:
            slots["gpus"] = rows
    elif named := [f.value for f in here if f.quantity == "gpu" or (f.quantity == "unknown" and f.unit == "accelerator")]:
        slots["gpu_name"] = named[0]
    odd = [f for f in here if f.quantity == "gpu" and f.extra.get("own_memory")]
    if odd:
        slots["memory_gb"] = odd[0].extra["mem_gb"]
    system = next((f.extra["system"] for f in here if f.extra.get("system")), None)
    if system:
        slots["system"] = system
    counts = [f for f in here if f.quantity == "gpu_count"]
    if counts:
        first = counts[0]
        if first.value == 1 and (more := next((c for c in counts if (c.value or 0) > 1), None)):
            first = more  # 单卡 A100 80G, 16 卡: the first says of each what it is
        if first.value is not None:
            slots["gpu_count"] = int(first.value)
        elif "range" in first.extra:
            slots["gpu_count_range"] = first.extra["range"]
        if first.extra.get("nodes") is not None:
            slots["nodes"], slots["gpus_per_node"] = int(first.extra["nodes"]), int(first.extra["per_node"])
        if len(counts) > 1:
            slots["gpu_counts"] = [int(c.value) for c in counts if c.value is not None]
    if len(rows) > 1 and len(set(each := counts_of(here, counts))) > 1 and len(each) == len(rows):
        slots["gpu_counts"] = each
    for f in here:
        if f.quantity == "node_count" and f.value is not None and "nodes" not in slots:
            slots["nodes"] = int(f.value)


def _models(slots: dict[str, Any], here: Sequence[Found]) -> None:
    rows = list(dict.fromkeys(f.extra["row"] for f in here if f.quantity == "model" and f.extra.get("row")))
    if rows:
        slots["model"] = rows[0]
        if len(rows) > 1:
            slots["models"] = rows
    elif not slots.get("compute_optimal"):  # which is said by the name of a model
        named = [f.value for f in here if f.quantity == "model" or (f.quantity == "unknown" and f.unit == "model")]
        slots |= {"model_family": named[0]} if named else {}
    sizes = [f for f in here if f.quantity == "parameters" and f.value is not None]
    for f in sizes:
        if f.extra.get("role") == "active":
            slots.setdefault("active_parameters", f.value)
        else:
            slots.setdefault("parameters", f.value)
    top = next((f.value for f in sizes if f.extra.get("role") == "max"), None)
    if top:
        slots["parameters"] = top
    distinct = list(dict.fromkeys(f.value for f in sizes if f.extra.get("role") != "active"))
    if len(distinct) > 1:
        slots["parameters_list"] = distinct


def _sizes(slots: dict[str, Any], here: Sequence[Found], training: bool, serving: bool) -> None:
    lengths = [f for f in here if f.quantity == "seq_len" and f.value]
    if lengths:
        both = slots.get("prompt_tokens"), slots.get("output_tokens")
        if training:
            slots.pop("prompt_tokens", None)
        exchanged = [f for f in lengths if int(f.value or 0) in both and not training]
        other = next((f for f in lengths if f not in exchanged), None)
        if other is not None:
            slots["seq_len" if training else "context_len"] = int(other.value)
        elif exchanged:
            slots["context_len"] = sum(n for n in both if n)
    for f in here:
        if f.quantity == "tokens" and f.value is not None:
            key, share = RATES.get(f.extra.get("per", ""), ("tokens", 1))
            slots.setdefault(key, f.value / share)
        elif f.quantity == "batch" and f.value is not None:
            role = f.extra.get("role")
            if f.unit == "tokens":
                slots.setdefault("global_batch_tokens", int(f.value))
            else:
                plain = "concurrency" if serving and not training and role is None else "micro_batch"
                key = {"grad_accum": "gradient_accumulation", "global": "global_batch"}.get(role or "", plain)
                slots.setdefault(key, int(f.value))
