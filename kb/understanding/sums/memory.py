"""Parts of the memory, and what fits beside a model or into the memory of a host."""

from __future__ import annotations

import re

from kb.understanding.slots.known import tells_model
from kb.understanding.sums.figures import NUM, Slots, Sum, first

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
STATES = re.compile(r"模型状态|(?<![a-z])model states?(?![a-z])")
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


def of_a_part(low: str, slots: Slots) -> Sum | None:
    if LOGITS.search(low):
        vocab, length = first(VOCAB, low), first(LENGTH, low) or slots.get("seq_len") or slots.get("context_len")
        if not length or not (vocab or slots.get("model")):
            return None
        kilo = float(length) / 1000
        if "k" in low and kilo.is_integer() and int(kilo) & (int(kilo) - 1) == 0:
            length = int(kilo) * 1024
        said = {"seq_len": int(length), "micro_batch": int(first(SEQUENCES, low) or 1), "workload": "pretrain"}
        said |= {"vocabulary": int(vocab)} if vocab else {}
        said |= {"precision": "fp32"} if re.search(r"fp32|float32|32[ -]?bit", low) else {}
        return Sum(("logits_once",), said, frozenset({"tokens", "context_len", "concurrency", "quantization", "vocab", "task"}))
    if not tells_model(slots) or COMPARED.search(low) or slots.get("gpu") or slots.get("memory_gb"):
        return None
    if STATES.search(low):
        return None  # of which these are parts
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


def of_adapters(low: str, slots: Slots) -> Sum | None:
    if not ADAPTERS.search(low) or not BESIDE.search(low) or not tells_model(slots):
        return None
    return Sum(("max_adapters",), {"workload": "inference"}, frozenset({"task", "workloads", "adapters"}))


def of_cache_in_ram(low: str, slots: Slots) -> Sum | None:
    ram = RAM.search(low)
    if not (ram and KV.search(low) and KV_TOKENS.search(low) and tells_model(slots)) or slots.get("gpu"):
        return None
    size = float(ram["n"] or ram["n2"]) * (1000 if (ram["u"] or ram["u2"]) == "t" else 1)
    return Sum(
        ("host_cache_tokens",),
        {"host_ram_gb": size, "workload": "inference"},
        frozenset({"size_gb", "memory_gb", "offload", "task"}),
    )
