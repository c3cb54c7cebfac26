"""Sums over figures that stand in the question: the words that ask for one, and the fields that its figures fill."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb.types.question import Part
from kb.understanding.numbers.numerals import scan
from kb.understanding.slots.known import tells_model

Slots = Mapping[str, Any]
NUM = (
    r"(\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,4})?)\s?(k(?![a-z])|thousand|m(?:illion|n)?(?![a-z])|b(?:illion|n)(?![a-z])|万|亿)?"
)
SCALE = {"k": 1e3, "t": 1e3, "m": 1e6, "b": 1e9, "万": 1e4, "亿": 1e8}


def _value(number: str, scale: str | None) -> float:
    return float(number.replace(",", "")) * SCALE.get((scale or " ")[0], 1.0)


def _first(pattern: re.Pattern[str], low: str) -> float | None:
    """The number of the alternative that matched, each of a numeral and its scale."""
    m = pattern.search(low)
    if m is None:
        return None
    at = next(i for i in range(1, len(m.groups()) + 1, 2) if m[i])
    return _value(m[at], m[at + 1])


@dataclass(frozen=True, slots=True)
class Sum:
    """What is asked for, the fields that figures fill, and the fields into which they were read before."""

    wanted: tuple[str, ...]
    slots: Slots
    instead_of: frozenset[str] = frozenset()


STEP = r"(?:optimi[sz]er |training |gradient )?(?:steps?|iterations?|iters?)(?![a-z])"
SEC = r"(?:s|secs?|seconds?)(?![a-z])"
EACH_STEP = re.compile(
    rf"(?<![a-z])(?:step|iteration) (?:time|duration|takes?)(?: of| is|:| about)*\s?{NUM}\s?{SEC}|"
    rf"(?<![\d.a-z]){NUM}\s?{SEC}\s?(?:/|per |an? |each |every )\s?(?:step|it(?:er(?:ation)?)?)(?![a-z])"
    rf"|(?:each|every|one|a|per) (?:step|iteration|iter)(?: takes?| needs?| is|:|,| of)*(?: about| around| roughly)? {NUM}\s?{SEC}"
    rf"|(?<![a-z]){STEP},? (?:a|at|of|with|taking|@|x|×|each|,)(?: (?:a|at|about|each))? ?{NUM}\s?{SEC}"
    rf"|(?:每一?步|单步|一步)(?:耗时|用时|要|需要?|大概|大约|约|时间|是|花)*\s?{NUM}\s?(?:秒|s(?![a-z]))"
    rf"|{NUM}\s?(?:秒|s)\s?(?:/|每|一)\s?步"
)
STEPS_A_SECOND = re.compile(
    rf"(?<![\d.a-z]){NUM}\s?(?:it|iters?|iterations?|steps?)\s?(?:/|per )\s?{SEC}|每秒\s?{NUM}\s?步|{NUM}\s?步\s?(?:/|每)\s?秒"
)
STEPS = re.compile(
    rf"(?<![\d.a-z/]){NUM}\s?(?:more |total )?{STEP}(?!\s?(?:/|per) ?s(?:ec|[^a-z]|$))|(?:max[_ ]steps|steps)\s?[=:]\s?{NUM}"
    rf"|{NUM}\s?(?:个)?步(?!\s?[/每])"
)
SAMPLES = re.compile(
    rf"(?<![\d.a-z]){NUM}\s?(?:training |sft |instruction )?(?:samples|examples|rows|sequences|conversations|pairs|prompts)(?![a-z])"
    rf"|{NUM}\s?(?:条|个|组)\s?(?:训练)?(?:样本|数据|对话|问答)"
)
EPOCHS = re.compile(rf"(?<![\d.a-z]){NUM}\s?(?:个\s?)?(?:epochs?(?![a-z])|轮|遍)|epochs?\s?[=:]?\s?{NUM}")
BATCH = re.compile(
    rf"(?:global[ _-]?batch(?:[ _-]?size)?|effective batch(?: size)?|total batch(?: size)?|(?<![a-z])gbs|全局批(?:次|量|大小)?"
    rf"|总批(?:次|大小)?)"
    rf"(?: of| is|是|为|[=:])?\s?{NUM}|(?<![a-z])(?<!micro )batch(?: size)?(?: of| is|[=:])?\s?{NUM}"
)
LASTS = re.compile(
    r"how long|how many (?:hours|days|hrs|minutes)|hrs?(?![a-z])|(?<![a-z])eta(?![a-z])|when (?:is|will|does)|(?<![a-z])(?:left"
    r"|finish\w*|done|need|takes?)(?![a-z])"
    r"|多久|多长|几个?小时|几天|多少(?:小时|天|分钟|时间)|什么时候|还要|\?\s*$"
)


def _of_steps(low: str, slots: Slots) -> Sum | None:
    each, rate = _first(EACH_STEP, low), _first(STEPS_A_SECOND, low)
    if each is None and rate:
        each = 1 / rate
    if not each:
        return None
    rest = EACH_STEP.sub(lambda m: "steps" if STEPS.search(m.group()) is None else m.group(), low)
    said = {"step_seconds": each}
    steps, samples, batch = _first(STEPS, STEPS_A_SECOND.sub(" ", rest)), _first(SAMPLES, low), _first(BATCH, low)
    batch = batch or slots.get("global_batch")
    if steps and steps > 1:
        said["steps"] = steps
    elif samples and batch:
        said |= {"samples": samples, "global_batch": int(batch), "epochs": _first(EPOCHS, low) or 1.0}
    elif tokens := slots.get("global_batch_tokens"):
        return Sum((), {"tokens_per_second": tokens / each}, frozenset({"seconds"}))  # how fast it is, by a step
    else:
        return None
    unread = {
        "tokens",
        "seconds",
        "seq_len",
        "micro_batch",
        "samples_per_second",
        "every_steps",
        "copies",
        "context_len",
        "tokens_per_second",
    }
    unread |= {"concurrency", "workloads", "gradient_accumulation", "days", "hours"} | (
        {"global_batch"} if "steps" in said else set()
    )
    return Sum(("training_time", *(("optimizer_steps",) if samples and "steps" not in said else ())), said, frozenset(unread))


LINK = re.compile(
    r"(?<![\d.a-z])(?P<n>\d{1,5}(?:\.\d{1,2})?)\s?(?P<u>[mg])(?:(?:ega|iga)?bits?|bps|b"
    r"|ig)?(?:\s?/\s?s)?(?: per second)?(?: (?:home|symmetric))?"
    r"\s?(?:的)?\s?(?:line|link|connection|internet|fib(?:er|re)|dsl|broadband|uplink|宽带|专线|带宽|光纤|网速|的网)"
    r"|(?<![\d.a-z])(?P<n2>\d{1,5}(?:\.\d{1,2})?)\s?(?P<u2>[mg])(?:bits?|bps)(?![a-z])"
    r"|(?<![a-z])(?:1[ -]?)?(?P<giga>gigabit|gbe)(?![a-z/])|(?P<zh>[百千万])兆"
)
DOWNLOADS = re.compile(
    r"(?<![a-z])(?:download(?:s|ing|ed)?|pull(?:ing)?|fetch(?:ing)?|snapshot_download)(?![a-z])|下载|下完|拉取|拉下来"
)
WORDS = {"百": 0.1, "千": 1.0, "万": 10.0}


def _of_download(low: str, slots: Slots) -> Sum | None:
    link = LINK.search(low)
    if not DOWNLOADS.search(low) or not (tells_model(slots) or slots.get("size_gb")):
        return None
    speed = slots.get("network_gbps")
    if link and not speed:
        number, unit = link["n"] or link["n2"], link["u"] or link["u2"]
        speed = float(number) * (1e-3 if unit == "m" else 1.0) if number else WORDS.get(link["zh"] or "千", 1.0)
    if not speed or slots.get("copies"):
        return None
    unread = frozenset(
        {"bandwidth_gb_s", "memory_gb", "own_memory_gb", "workloads", "context_len", "days", "hours", "interconnect"}
    )
    if slots.get("parameters") and slots.get("parameters", 0) <= 1e9 and slots.get("model"):
        unread |= {"parameters"}
    return Sum(("download_time",), {"network_gbps": speed, "workload": "inference"}, unread | {"task"})


HOW_MUCH = (
    r"(?:how (?:much|big|large|many (?:gb|gib|bytes))|what(?:'s| is) the size|size|memory"
    r"|vram|gb(?![a-z])|take|占|多大|多少|几个?g|大小|要|需)"
)
NO_PART = r"(?! ?(?:checkpoint|accumul|clip|sync|all|norm|descent|noise|bucket|offload))"


def _asks_of(thing: str) -> re.Pattern[str]:
    return re.compile(rf"{HOW_MUCH}[^?。;]{{0,48}}(?:{thing})|(?:{thing})[^?。;]{{0,60}}{HOW_MUCH}")


TABLE = r"embedding (?:table|matrix|layer|weights)|(?:word|token|input) embeddings?|词嵌入(?:表|层|矩阵)?|嵌入(?:表|层|矩阵)"
MASTER = r"(?:fp32 |32[- ]bit |float32 )?master (?:weights?|copy|params?\w*)|主权重|主副本"
MOMENTS = (
    r"(?:adamw?(?:'s)? |optimi[sz]er(?:'s)? |first and second )(?:moments?|momentum(?: and variance)?)"
    r"|adamw?\s?的?(?:动量|一二阶矩|矩)|一阶(?:和|与|、)?二阶(?:动量|矩)|优化器动量"
)
PARTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("master_weights", _asks_of(MASTER)),
    ("moments", _asks_of(MOMENTS)),
    ("embedding_table", _asks_of(TABLE)),
    ("gradients", _asks_of(rf"(?<![a-z])gradients?(?![a-z]){NO_PART}|梯度(?!检查点|累[积加]|同步|裁剪|通信|下降|噪声)")),
)
AMONG_OTHERS = re.compile(r"(?<![a-z])(?:weights|optimi[sz]er|adamw?|states?|activations?)(?![a-z])|权重|优化器|状态|激活|参数")
LOGITS = re.compile(r"(?<![a-z])logits?(?![a-z])")
COMPARED = re.compile(
    r"(?<![a-z])(?:why|explain|difference|vs\.?|versus)(?![a-z])|为什么|为啥|区别|通信|同步|all-?reduce|zero|fsdp"
    r"|offload"
)
VOCAB = re.compile(rf"vocab(?:ulary)?(?:[ _]size)?\s?(?:of|is|[=:])?\s?{NUM}|词表(?:大小)?\s?[=:为是]?\s?{NUM}")
SEQUENCES = re.compile(
    rf"(?:micro[ -]?batch(?:[ _]size)?|(?<![a-z])mbs|batch(?:[ _]size)?|(?<![a-z])bs|批(?:次|量)?(?:大小)?)\s?(?:of|is"
    rf"|[=:为是])?\s?{NUM}|(?<![a-z])b\s?=\s?{NUM}"
)
LENGTH = re.compile(
    rf"(?:seq(?:uence)?(?:[ _]?len(?:gth)?)?|context(?: length)?|ctx|length|序列(?:长度)?|上下文(?:长度)?|长度)\s?(?:of|is"
    rf"|[=:为是])?\s?{NUM}"
    rf"|{NUM}(?:[ -]?token)?s? (?:seq(?:uence)?s?|context|ctx|tokens)"
)


def _of_a_part(low: str, slots: Slots) -> Sum | None:
    if LOGITS.search(low):
        vocab, length = _first(VOCAB, low), _first(LENGTH, low) or slots.get("seq_len") or slots.get("context_len")
        if not length or not (vocab or slots.get("model")):
            return None
        kilo = float(length) / 1000
        if "k" in low and kilo.is_integer() and int(kilo) & (int(kilo) - 1) == 0:
            length = int(kilo) * 1024
        said = {"seq_len": int(length), "micro_batch": int(_first(SEQUENCES, low) or 1), "workload": "pretrain"}
        said |= {"vocabulary": int(vocab)} if vocab else {}
        said |= {"precision": "fp32"} if re.search(r"fp32|float32|32[ -]?bit", low) else {}
        return Sum(("logits_once",), said, frozenset({"tokens", "context_len", "concurrency", "quantization", "vocab", "task"}))
    if not tells_model(slots) or COMPARED.search(low) or slots.get("gpu") or slots.get("memory_gb"):
        return None
    wanted = tuple(name for name, pattern in PARTS if pattern.search(low))
    if len(wanted) != 1 or (wanted == ("gradients",) and AMONG_OTHERS.search(low)):
        return None
    runs = wanted == ("embedding_table",)
    return Sum(
        wanted,
        {"workload": "inference" if runs else slots.get("workload") or "pretrain"},
        frozenset({"task", "other_model"} | ({"quantization"} if not runs else set())),
    )


ADAPTERS = re.compile(
    r"how many (?:\w+ )?(?:lora )?(?:lora'?s?|adapters?)(?! param| weights)(?![a-z])"
    r"|(?:多少|几)个?(?:不同的?)?\s?(?:r(?:ank)?\s?=?\s?\d+\s?的)?\s?(?:lora|适配器)"
)
BESIDE = re.compile(
    r"(?<![a-z])(?:next to|beside|alongside|on top|fit|hold|load|serve|host|keep|same (?:gpu|base)|at once|one (?:gpu"
    r"|card))(?![a-z])|旁边|同时|还能|放|挂|加载|共用|部署"
)
KV_TOKENS = re.compile(
    r"how many tokens|(?:多少|几)(?:万|百万)?个?\s?tokens?|how much context|(?:能|可)?(?:存|缓存|放)(?:下|得下)?多少"
)
KV = re.compile(r"(?<![a-z])kv(?![a-z])|键值缓存")
RAM = re.compile(
    r"(?<![\d.a-z])(?P<n>\d{1,6}(?:\.\d)?)\s?(?P<u>[gt])i?b?\s?(?:of |的)?\s?(?:(?:system |host |cpu |server )?(?:ram|memory|dram"
    r"|ddr\d?)(?![a-z])|内存|主存)"
    r"|(?:(?<![a-z])(?:ram|dram)|内存|主存)\s?(?:of|is|有|是|为)?\s?(?P<n2>\d{1,6})\s?(?P<u2>[gt])i?b?"
)


def _of_adapters(low: str, slots: Slots) -> Sum | None:
    if not ADAPTERS.search(low) or not BESIDE.search(low) or not tells_model(slots):
        return None
    return Sum(("max_adapters",), {"workload": "inference"}, frozenset({"task", "workloads", "adapters"}))


def _of_cache_in_ram(low: str, slots: Slots) -> Sum | None:
    ram = RAM.search(low)
    if not (ram and KV.search(low) and KV_TOKENS.search(low) and tells_model(slots)) or slots.get("gpu"):
        return None
    size = float(ram["n"] or ram["n2"]) * (1000 if (ram["u"] or ram["u2"]) == "t" else 1)
    return Sum(
        ("host_cache_tokens",),
        {"host_ram_gb": size, "workload": "inference"},
        frozenset({"size_gb", "memory_gb", "offload", "task"}),
    )


FILE = r"(?:images?|imgs?|pics?|pictures?|photos?|frames?|files?|videos?|clips?|samples?|pdfs?|scans?|jpe?gs?)(?![a-z])"
FILE_ZH = r"(?:图片|图像|照片|文件|视频|样本|图)"
ITEMS = re.compile(rf"(?<![\d.a-z]){NUM}\s?{FILE}(?!\s?(?:/|per|a) ?s)|{NUM}\s?(?:张|个|份|条)?\s?{FILE_ZH}(?!\s?/)")
BYTES = re.compile(r"(?<![\d.a-z])(?P<n>\d{1,5}(?:\.\d{1,2})?)\s?(?P<u>[kmg])i?b(?![a-z/])(?!it)")
A_SECOND = re.compile(
    rf"(?<![\d.a-z]){NUM}\s?{FILE.replace('(?![a-z])', '')}\s?(?:/|per |an? )\s?{SEC}|每秒(?:要?读|处理|吃)?(?:取)?\s?{NUM}\s?(?:张"
    rf"|个)?\s?{FILE_ZH}?"
    rf"|{NUM}\s?(?:张|个)?\s?{FILE_ZH}?\s?(?:/|每)\s?秒"
)
UNITS = {"k": 1e-6, "m": 1e-3, "g": 1.0}


def _of_files(low: str, slots: Slots) -> Sum | None:
    size, rate = BYTES.search(low), _first(A_SECOND, low)
    items = _first(ITEMS, A_SECOND.sub(" ", low))
    if not size or not ((items and items >= 1000) or rate) or slots.get("model"):
        return None
    said: dict[str, Any] = {"size_gb": float(size["n"]) * UNITS[size["u"]]}
    said |= {"items": items} if items and items >= 1000 else {}
    said |= {"items_per_second": rate} if rate else {}
    wanted = (("dataset_size",) if "items" in said else ()) + (("read_bandwidth",) if rate else ())
    unread = {
        "memory_gb",
        "own_memory_gb",
        "context_len",
        "seq_len",
        "copies",
        "samples_per_second",
        "tokens",
        "concurrency",
        "task",
    }
    return Sum(wanted, said, frozenset(unread | {"parameters", "requests_per_second", "disk_gb_s"}))


AIR = re.compile(r"(?<![a-z])(?:cfm|air ?flow|cubic (?:feet|met(?:er|re)s))(?![a-z])|风量|送风")
RISE = re.compile(
    r"(?P<n>\d{1,2}(?:\.\d)?)\s?(?P<u>°? ?[cfk](?![a-z])|℃|℉|度|degrees?(?: [cf](?:elsius|ahrenheit)?)?)[^,.;?\d]{0,24}(?:rise"
    r"|delta|difference|warmer|温升|温差)"
    r"|(?:rise|delta[- ]?t|difference|温升|温差|dt)(?: of| is|是|为|=|:|按"
    r"|约)?\s?(?P<n2>\d{1,2}(?:\.\d)?)\s?(?P<u2>°? ?[cfk](?![a-z])|℃|℉|度|degrees?(?: [cf](?:elsius|ahrenheit)?)?)?"
)
FAHRENHEIT = re.compile(r"f|℉")


def _of_air(low: str, slots: Slots) -> Sum | None:
    rise = RISE.search(low)
    if not AIR.search(low) or rise is None:
        return None
    if not any(slots.get(s) for s in ("power_w", "rack_w", "server_kw", "gpu", "system")):
        return None
    degrees = float(rise["n"] or rise["n2"]) * (5 / 9 if FAHRENHEIT.search(rise["u"] or rise["u2"] or "") else 1.0)
    watts = slots.get("rack_w") or slots.get("power_w") or (slots.get("server_kw") or 0) * 1000
    return Sum(
        ("airflow",), {"temperature_rise": degrees} | ({"rack_w": watts} if watts else {}), frozenset({"power_w", "server_kw"})
    )


BUBBLE = re.compile(r"(?<![a-z])bubbles?(?![a-z])|气泡|空泡")
STAGES = re.compile(
    rf"(?<![\d.a-z]){NUM}[ -]?(?:pipeline |pp )?stages?(?![a-z])|(?<![a-z])(?:pp|p"
    rf"|pipeline[ _-]?parallel(?:ism)?(?: size)?)\s?[=: ]\s?{NUM}"
    rf"|{NUM}\s?(?:级|段|个阶段|阶段)(?!虚拟)|(?<![a-z]){NUM}[ -]?way pp"
)
NAMED_MICRO = re.compile(rf"(?:num[_ ])?micro[ _-]?batch(?:es)?\s?[=:]\s?{NUM}|(?<![a-z])m\s?=\s?{NUM}")
MICRO = re.compile(
    rf"(?<![\d.a-z=]){NUM}\s?(?:个|份)?\s?(?:micro[ _-]?batch(?:es)?|微批次?)"
    rf"|(?:num[_ ])?micro[ _-]?batch(?:es)?(?: 数(?:量)?)?\s?(?:of|is|are|[=:为是])?\s?{NUM}"
    rf"|(?<![a-z])m\s?=\s?{NUM}|微批次?(?:数量?|个数)?\s?[=:为是]?\s?{NUM}"
)
CHUNKS = re.compile(
    rf"(?:(?<![a-z])(?:interleav\w*(?: (?:factor|degree|of|by|with))?|v|vpp|virtual(?: pipeline)?(?: (?:stages?|size|degree))?"
    rf"|model chunks))\s?[=: ]\s?{NUM}"
    rf"|(?<![\d.a-z]){NUM}\s?(?:virtual (?:pipeline )?(?:stages?|chunks?)|(?:model )?chunks|[x×] interleav\w*)"
    rf"|{NUM}\s?个?(?:虚拟(?:阶段|流水线|段|级)?|模型块)|交错(?:度|数)?\s?[=:为是]?\s?{NUM}"
)


def _of_a_bubble(low: str, slots: Slots) -> Sum | None:
    if not BUBBLE.search(low):
        return None
    chunks = _first(CHUNKS, low)
    rest = CHUNKS.sub(" ", low)
    micro = _first(NAMED_MICRO, rest) or _first(MICRO, rest)
    stages = _first(STAGES, MICRO.sub(" ", NAMED_MICRO.sub(" ", rest))) or slots.get("pipeline_parallel")
    if not stages or not micro:
        return None
    said = {"pipeline_parallel": int(stages), "micro_batches": int(micro)} | ({"virtual_stages": int(chunks)} if chunks else {})
    return Sum(("pipeline_bubble",), said, frozenset({"micro_batch", "virtual_stages"}))


FORMATS = re.compile(r"(?<![a-z])(fp32|bf16|fp16|fp8)(?![\da-z])")


BESIDE_IT = frozenset({"weights", "checkpoint_size", "kv_cache", "model_states"})
READERS: tuple[Callable[[str, Slots], Sum | None], ...] = (
    _of_a_bubble, _of_air, _of_steps, _of_download, _of_adapters, _of_cache_in_ram, _of_a_part, _of_files,
)  # fmt: skip
CUES = (BUBBLE, EACH_STEP, STEPS_A_SECOND, AIR, A_SECOND)
NUMBERS = re.compile(r"\d")


def speaks_of_a_sum(low: str) -> bool:
    """Whether a text that names nothing else of the field holds a sum of it: steps and seconds, a pipeline, air, files a second."""
    return bool(NUMBERS.search(low)) and any(
        found is not None for read in (_of_a_bubble, _of_steps, _of_files) for found in [read(low, {})]
    )


def summed(parts: Sequence[Part], low: str, slots: Slots) -> tuple[tuple[Part, ...], dict[str, Any]]:
    """The parts and the slots of the turn, where figures of the question are to be put into one sum: a part that is sized by it."""
    known = {**slots, **{k: v for p in parts for k, v in p.slots.items()}}
    found = next((s for read in READERS if NUMBERS.search(low) and (s := read(low, known))), None) if parts else None
    if found is None:
        return tuple(parts), dict(slots)
    own = {k: v for k, v in known.items() if k not in found.instead_of} | dict(found.slots)
    beside = [p for p in parts if p.wanted and set(p.wanted) <= BESIDE_IT and not set(p.wanted) & set(found.wanted)]
    beside = beside if len(beside) < len(parts) else []  # asked for its own sake, beside the sum
    main = next(
        (p for p in parts if (p.wanted or p.asks_verdict) and p not in beside), next(p for p in parts if p not in beside)
    )
    further = tuple(dict.fromkeys(n for p in parts for n in p.wanted if n in ("cost", "energy")))
    wanted = (*found.wanted, *further) if found.wanted else main.wanted
    whole = replace(
        main,
        intent="size",
        slots=own,
        wanted=wanted,
        columns=(),
        conditions=(),
        asks_verdict=False,
        settled=False,
    )
    formats = list(dict.fromkeys(FORMATS.findall(low))) if "gradients" in wanted else []
    each = (
        [replace(whole, slots={**own, "precision": f}, text=f"{whole.text} {f}") for f in formats]
        if len(formats) > 1
        else [whole]
    )
    kept = [
        p
        for p in parts
        if p is not main and p not in beside and p.intent in ("explain", "troubleshoot") and not _has_figures(p.text)
    ]
    return (*beside, *each, *kept), {**slots, **dict(found.slots)} | {k: v for k, v in own.items() if k in slots}


def _has_figures(text: str) -> bool:
    return bool(scan(text)) or bool(NUMBERS.search(text))
