"""From what was found to request fields (slots), clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kb.understanding.found import Found
from kb.understanding.numbers.numerals import scan
from kb.understanding.slots.details import read_details
from kb.understanding.slots.flags import read_flags
from kb.understanding.slots.methods import denied, read_methods
from kb.understanding.slots.resources import read_resources
from kb.understanding.slots.series import counts_of, offers_of, series_of

WORKLOADS = {
    "full_ft": "full_finetune",
    "lora": "lora",
    "dora": "lora",
    "qlora": "qlora",
    "pretrain": "pretrain",
    "continued_pretrain": "pretrain",
    "peft": "lora",
    "p_tuning": "lora",
    "prefix_tuning": "lora",
    "adapter": "lora",
}
LIKE_LORA = frozenset({"p_tuning", "prefix_tuning", "adapter"})  # whose base is frozen and whose own parameters are few, too
PLAIN_TRAINING = {
    "sft": "finetune",
    "dpo": "finetune",
    "rlhf": "finetune",
    "ppo": "finetune",
    "grpo": "finetune",
    "orpo": "finetune",
    "finetune": "finetune",
}
FULL = re.compile(
    r"(?:动|训练|更新)?(?:全部|所有)参数|全部参数|(?<![a-z])full(?=[ -](?:ft|fine|tun|parameter|training"
    r"|instead)|\s*$|\s*[?,.;])(?!\s?\ue002)|(?<![a-z])full (?:ft|tune)|finetuning_type: full"
    r"|(?:不[用做要]|(?<![a-z])(?:without|no|not|w/o)(?: using)?) ?lora(?![a-z])"
)
PRETRAIN = re.compile(
    r"(?<![a-z])pre-?train(?:ing|ed)?(?![a-z])|从头训|从零训|预训练|from scratch|基座训练|(?<![a-z])chinchilla"
)
SERVE = re.compile(
    r"推理|推论|部署|问答|客服|聊天|助手|(?<![a-z])rag(?![a-z])"
    r"|起服务|起不来|起得来|起(?=个?模型|\ue002)|上线|跑得?动|能跑|跑(?=\s?(?:\d{1,9}(?:\.\d{1,9})?\s?b"
    r"|[一二三四五六七八九十百]+亿|个|一个|\ue002|得|起来|本地|大模型|模型|llm|多大))|本地跑|加载"
    r"|(?<![a-z])(?:infer(?:ence)?|serv(?:e|ing|ed)|deploy(?:ed|ing|ment)?|host(?:ing)?(?! (?:ram|memory|cpu))|run(?:ning|s)?"
    r"|chat(?:bot)?)(?![a-z])"
)
SERVE_HINT = re.compile(
    r"(?<![a-z])(?:tok(?:en)?s?/s|t/s|ttft|tok/s)(?![a-z])|首字|每秒几个|蹦几个字|kv ?cache|kv缓存"
    r"|(?<![a-z])kv(?![a-z])|并发|decode|decoding"
)
TUNE = re.compile(
    r"微调|精调|调优(?=\s?\d|\s?\ue002)|炼(?!丹)|(?<![a-z])(?:fine-?tun(?:e|ed|ing)|sft|tuning|finetune)(?![a-z])"
)
TRAIN = re.compile(
    r"训练|训(?=完|得|多大|一个|\d|\s)|炼丹|(?<![a-z_])(?:train(?:ed|ing|s)?|mfu)(?![a-z_])|练(?=\d|\ue002|一个|\s?\ue002)|增训"
)
KV_NEAR = re.compile(
    r"(?:kv[ _-]?cache[ _-]?dtype|cache[ _-]type[ _-][kv]|-ct[kv])\s?[:=]?\s?\"?(?:fp8_)?$"
    r"|kv[ _-]?(?:cache|缓存)?\s?(?:用|为|是|量化(?:成|为)?|改成|in|at|=|:|quantized to)?\s?$"
)
KV_AFTER = re.compile(r"\s?(?:的)?\s?kv(?![a-z])")
PURE = re.compile(
    r"纯\s?bf16|pure[ _-]?bf16|不(?:留|保留|要|存)\s?(?:fp32|主)|no fp32 (?:master|copy)|without (?:fp32 )?master"
)
OF_OPTIMIZER = re.compile(r"(?<![a-z])(?:optimi[sz]er|adamw?|zero[ -]?(?:offload|infinity|[123]))(?![a-z])|优化器")
MASTER = re.compile(
    r"(?:保留|带|有|加|用|with|keep(?:ing|s)?|plus|and)\s?(?:an? )?(?:fp32|float32|32[- ]?(?:bit|位))"
    r"\s?(?:的)?\s?(?:master|copy of the weights|主权重|主副本)"
)
RATED = re.compile(
    r"\s?(?:tensor(?: core)?s?)?\s?(?:的)?\s?(?:dense|稠密|稀疏"
    r"|sparse)?\s?(?:tensor(?: core)?s?)?\s?(?:的)?\s?(?:算力|tflops|flops|tops|性能|峰值|figure"
    r"|throughput|compute|capable|support)"
)
MEMORY_TIMES_COUNT = re.compile(
    r"(?<![\d.a-z])(\d{2,3})\s?g?b?\s?[*x]\s?(\d{1,2})(?=\s?(?:的)?\s?(?:机器|卡|显存|显卡|工作站|服务器"
    r"|setup|box|rig|gpus?))"
)
SAVED = re.compile(r"checkpoint|ckpt|检查点|存档")
COUNT_TIMES_MEMORY = re.compile(
    r"(?<![\d.a-z])(\d{1,3})\s?[x*×]\s?(\d{2,3})\s?gb?(?![a-z/])(?!\s?(?:内存|ram|ddr|memory|硬盘|ssd|nvme))"
)
SERVED = frozenset({"concurrency", "requests_per_second", "prompt_tokens", "output_tokens"})  # said of a model that runs
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
TOKENS_OF = {"zh": 1.0, "en": 4 / 3}
COUNT_TIMES_PORT = re.compile(
    r"(?<![\d.a-z])(\d{1,2}) ?[x×*] ?(\d{2,3}) ?g(?:b(?:it)?(?:/s|ps)?|bps|be)? ?(?:的|infiniband )?"
    r"(?:nics?(?![a-z])|hcas?(?![a-z])|(?<![a-z])ib(?![a-z])|roce|网卡|网口|以太网?|rdma)"
)  # 8x400G NICs
BOXES = re.compile(
    r"(?:几|多少)\s?(?:台|个?节点|个?机器?)\s?(\d{1,2}|[二四八十]{1,2})\s?卡(?!时)"
    r"|how many (\d{1,2})[ -]?(?:x )?(?:gpus?|cards?)[ -](?:nodes?|servers?|boxes|machines?)"
    r"|how many (\d{1,2}) ?[x×*-] ?[a-z0-9]{2,12}[ -](?:nodes?|servers?|boxes|machines?)"
)
SYSTEMS = re.compile(r"(?:几|多少)\s?台\s?[dh]gx|how many [dh]gx")  # how many are asked for, so none is said
CAPACITY = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)\s?gi?b total capacity|total capacity of (\d{1,4}(?:\.\d{1,3})?)\s?gi?b")
LANES = re.compile(r"(?<![a-z0-9])x\s?(1|2|4|8|16|32)(?![\da-z])")
LLAMA_CPP = {"2": "q2_k", "3": "q3_k_m", "4": "q4_k_m", "5": "q5_k_m", "6": "q6_k", "8": "q8_0"}
AS_WRITTEN = frozenset(
    ["q2_k", "q3_k_s", "q3_k_m", "q3_k_l", "iq4_xs", "q4_0", "q4_k_s", "q4_k_m", "q5_0", "q5_k_s", "q5_k_m", "q6_k", "q8_0"]
)


def read_slots(
    masked: str, low: str, start: int, end: int, found: Sequence[Found], before: Mapping[str, Any]
) -> dict[str, Any]:
    """Slots said in low[start:end]; `before` are those already known, which decide between training and serving."""
    clause, masked_clause = low[start:end], masked[start:end]
    here = [f for f in found if start <= f.start < end]
    flagged, off = read_flags(clause)
    slots: dict[str, Any] = read_details(clause)
    slots |= _workload(clause, masked_clause, here, flagged, before, low)
    if (
        {"every_hours", "every_steps", "copies"} & slots.keys()
        and slots.get("workload") == "inference"
        and SAVED.search(clause)
    ):
        slots.pop("workload")  # a run that is saved again and again
        slots["task"] = "train"
    read_methods(slots, here, low, clause)
    if slots.get("offload") and OF_OPTIMIZER.search(clause) and slots.get("workload") in (None, "inference"):
        slots.pop("workload", None)  # what is offloaded are states of training
        slots.setdefault("task", "train")
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
    _formats(slots, [f for f in here if f.quantity == "precision" and f.value not in off], low, serving)
    _schemes(slots, here)
    _cards(slots, here)
    _models(slots, here)
    _sizes(slots, here, training, serving)
    read_resources(slots, here, low, masked)
    lanes = [int(m[1]) for m in LANES.finditer(clause)] if any(f.unit == "interconnects" for f in here) else []
    if lanes and lanes != [16]:
        slots["lanes"] = list(dict.fromkeys(lanes))
    _samples(slots, clause)
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
        slots.setdefault("network_gbps", float(ports[2]))
        slots.setdefault("interconnect", f"{ports[1]}x{ports[2]} Gb/s per node")
    elif (pair or turned) and "gpu" not in slots and "gpu_count" not in slots:
        size, count = (pair[1], pair[2]) if pair else (turned[2], turned[1]) if turned else ("0", "0")
        slots["memory_gb"], slots["gpu_count"] = float(size), int(count)
        slots.pop("size_gb", None)
    slots |= flagged
    if (
        slots.get("workload") == "lora"
        and slots.get("quantization") in ("int4", "nf4")
        and re.search(r"(?:4[ -]?bit|int4|nf4|量化)\s?(?:的)?\s?lora", clause)
    ):
        slots["workload"] = "qlora"
    if slots.get("task") in ("finetune", "train") and "workloads" not in slots and slots.get("quantization") in ("int4", "nf4"):
        slots.pop("task")
        slots["workload"] = "qlora"  # weights in 4 bits can only be tuned through adapters
    if slots.get("workload") == "qlora" and slots.get("quantization") == "int4":
        slots["quantization"] = "nf4"
    if of_each := offers_of(here):
        slots |= {"of_each": of_each, "each": ("gpu", slots["gpus"])}
    elif series := series_of(low, start, end, here, {**known, **slots}):
        slots["each"] = series
    return slots


def _samples(slots: dict[str, Any], clause: str) -> None:
    """Tokens of a data set told by its samples: how many, of how many tokens each, how often gone through."""
    many, each = SAMPLES.search(clause), slots.get("tokens") or slots.get("seq_len") or slots.get("context_len")
    text = TEXT.search(clause) if many and not each else None
    if text and text.lastgroup:
        each = round(float(text[text.lastgroup]) * TOKENS_OF[text.lastgroup])
        slots["tokens_of_text"] = text.lastgroup
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


def _workload(
    clause: str,
    masked: str,
    here: Sequence[Found],
    flagged: Mapping[str, Any],
    before: Mapping[str, Any],
    low: str,
) -> dict[str, Any]:
    methods = [f.value for f in here if f.quantity == "method" and not denied(f, low)]
    named = [WORKLOADS[m] for m in methods if m in WORKLOADS]
    if FULL.search(masked) or "finetuning_type: full" in clause:
        named.append("full_finetune")
    if PRETRAIN.search(clause) and "pretrain" not in named:
        named.append("pretrain")
    if "workload" in flagged:
        return {"workload": flagged["workload"]}
    kinds = list(dict.fromkeys(named))
    if "qlora" in kinds and "lora" in kinds and not SIDE_BY_SIDE.search(clause):
        kinds.remove("lora")
    if kinds == ["pretrain", "full_finetune"] or kinds == ["full_finetune", "pretrain"]:
        kinds = [kinds[0]]
    if len(kinds) == 1:
        return {"workload": kinds[0]}
    if len(kinds) > 1:
        return {"workload": kinds[0], "workloads": kinds}
    tools = [str(f.value).partition(":")[0] for f in here if f.quantity == "tool"]
    serve = bool(SERVE.search(masked)) or "serve" in tools
    tune = TUNE.search(masked) or any(m in PLAIN_TRAINING for m in methods)
    train = (
        TRAIN.search(masked)
        or any(m in ("zero1", "zero2", "zero3", "grad_ckpt", "grad_accum", "fsdp") for m in methods)
        or "train" in tools
        or any(f.quantity == "tokens" and not f.extra.get("per") and (f.value or 0) >= 1e8 for f in here)
    )
    if tune:
        return {"task": "finetune"} | (
            {"workloads": ["inference"]} if serve and re.search(r"推理|inference|infer|部署|serv", clause) else {}
        )
    if serve and not (train and not re.search(r"推理|推论|部署|inference|serv", clause)):
        return {"workload": "inference"}
    if train:
        return {"task": "train"}
    if SERVE_HINT.search(masked) and not {"workload", "task"} & before.keys():
        return {"workload": "inference"}
    return {}


SIDE_BY_SIDE = re.compile(
    r"(?<!q)lora.{0,24}(?:vs|versus|compared|对比|还是|或|和|与|跟|or|and|、|/|,).{0,12}qlora|qlora.{0,12}(?:vs|versus|compared|对比|还是|或|和|与|跟|or|and|、|/|,).{0,12}(?<!q)lora"
)


def _formats(slots: dict[str, Any], formats: Sequence[Found], low: str, serving: bool) -> None:
    for f in formats:
        around, after = low[max(0, f.start - 24) : f.start], low[f.end : f.end + 16]
        value = str(f.value)
        if KV_NEAR.search(around) or KV_AFTER.match(after):
            slots.setdefault("kv_precision", {"8bit": "int8", "4bit": "int4"}.get(value, value))
            continue
        if RATED.match(after) and not re.match(r"\s?(?:compute)", after):
            continue
        quantized = value in ("4bit", "8bit", "int4", "int8", "nf4", "fp4", "2bit", "3bit", "5bit", "6bit")
        if value == "mixed":
            slots.setdefault("precision", "bf16")
        elif quantized or (serving and value != "tf32"):
            written = str(f.extra.get("written", ""))
            name = (
                LLAMA_CPP.get(value[0], value)
                if written.startswith(("q", "iq"))
                else {"4bit": "int4", "8bit": "int8", "2bit": "q2_k", "3bit": "q3_k_m", "5bit": "q5_k_m", "6bit": "q6_k"}.get(
                    value, value
                )
            )
            if written in AS_WRITTEN:
                name = written
            slots.setdefault("quantization", name)
            if not quantized:
                slots.setdefault("precision", name)
        else:
            slots.setdefault("precision", value)
    if PURE.search(low):
        slots["precision"] = "pure_bf16"
    elif MASTER.search(low):
        slots["precision"] = "bf16"  # whose master weights they are
    spoken = list(dict.fromkeys(str(f.value) for f in formats))
    if len(spoken) > 1:
        slots["formats"] = spoken


def _schemes(slots: dict[str, Any], here: Iterable[Found]) -> None:
    for f in here:
        if f.quantity == "method" and f.value in ("awq", "gptq"):
            slots["quantization"] = f"{f.value}-int4"


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
            key = {"second": "tokens_per_second", "parameter": "tokens_per_parameter", "day": "tokens_per_day"}.get(
                f.extra.get("per", ""), "tokens"
            )
            slots.setdefault(key, f.value)
        elif f.quantity == "batch" and f.value is not None:
            role = f.extra.get("role")
            if f.unit == "tokens":
                slots.setdefault("global_batch_tokens", int(f.value))
            else:
                plain = "concurrency" if serving and not training and role is None else "micro_batch"
                key = {"grad_accum": "gradient_accumulation", "global": "global_batch"}.get(role or "", plain)
                slots.setdefault(key, int(f.value))
