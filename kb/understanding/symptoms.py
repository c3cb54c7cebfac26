"""What a log or a complaint shows, by kind, with the figures it states: each kind has its section in the corpus."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kb.types.question import Symptom

TROUBLE = re.compile(
    r"(?<![a-z])(?:ooms?(?:ing)?|out of (?:gpu |video |cuda )?(?:memory|vram)|oom-?killed?|killed|sigkill"
    r"|crash(?:es|ed|ing)?|segfault"
    r"|hang(?:s|ing)?|stuck|tried to allocate|cuda error|nccl (?:error|timeout)|timeout|falls? off the bus"
    r"|xid|leak|blows? up|errors?|fail(?:s|ed|ing)?|throttl\w+|overheat\w*|hits \d{1,9}c)(?![a-z])"
    r"|爆显存|(?:kv ?cache|缓存|记忆体)\s?(?:不够|不足)(?!吗)|报[^,，。]{1,16}(?:不够|不足|错误)"
    r"|显存不够(?!吗)|显存不足|显存溢出|炸显存|(?:还是|又|就|直接|居然|老是|总是)(?:爆|炸|崩)|爆了|炸了|崩溃|崩了"
    r"|报错|被杀|掉卡|卡死|卡住|起不来|启动不了|挂了|失败|异常|死机|降频|过热|就爆"
)
# Trouble that has not come, and is asked about.
FEARED = re.compile(
    r"(?<![a-z])(?:or|will (?:it|this|that)|would (?:it|this|that)|gonna|going to|without|avoid(?:ing)?) (?:oom|crash|run out)"
    r"|会不会\s?(?:爆|oom)|会\s?(?:爆显存|爆|oom)\s?(?:吗|么)"
)
BURST = r"(?:又|就|还是|老是?|总是|直接|一直)(?:爆|炸)(?!胎)|[爆炸]了(?!胎)"
OUT_OF_MEMORY = re.compile(
    r"(?<![a-z])oom(?:s|ing|-?killed?)?(?![a-z])|out of (?:gpu |video |cuda )?(?:memory|vram)|tried to allocate"
    rf"|[爆炸]显存|显存(?:不够|不足|溢出|爆|炸)|{BURST}"
)
MOST = 2
FRAGMENTED = 0.05  # of what is allocated: what must lie in pieces beside it to be called fragmentation
GIB = r"(\d{1,5}(?:\.\d{1,3})?)\s?([gm])i?b"
FIGURES: Mapping[str, re.Pattern[str]] = {
    "requested": re.compile(rf"tried to allocate {GIB}"),
    "allocated": re.compile(rf"{GIB} (?:already allocated|is allocated by pytorch)"),
    "reserved": re.compile(rf"{GIB} reserved(?! by pytorch but)"),
    "unallocated": re.compile(rf"{GIB} is reserved by pytorch but unallocated"),
}
CACHE_TOKENS = re.compile(r"larger than the maximum number of tokens that can be stored in kv cache \((\d{1,9})\)")
TOO_LONG = re.compile(r"max(?:imum)?[ _](?:model[ _]len|seq(?:uence)?[ _]len(?:gth)?)[^\n]{0,80}larger than[^\n]{0,60}kv cache")
OOM = re.compile(r"(?<![a-z])oom(?![a-z])|out of (?:cuda |gpu )?memory|[爆炸]显存|显存(?:不够|不足|溢出)|" + BURST)
SECOND = re.compile(
    r"(?:second|2nd) (?:step|batch|iteration)|after the first (?:step|batch|iteration)|first (?:step|batch|iteration)[^.?]{0,40}second"
    r"|第(?:二|2)\s?(?:步|个?batch|批|个?step)|第(?:一|1)\s?(?:步|个?batch|批)[^。?]{0,16}(?:没事|正常|能过|可以)"
)
LATE = re.compile(
    r"(?:第|跑到|到第|训到|训练到|跑了|训了)\s?\d{2,7}\s?(?:多|来|几)?\s?(?:步|个?step|iter)"
    r"|(?:after|at step|at iteration|step)\s?\d{2,7}|\d{2,7}\+? steps in(?![a-z])"
    r"|(?:跑|训练?)(?:了)?(?:几|一|半)(?:个)?(?:小时|天|百步|千步)|(?:中途|跑着跑着|训着训着|过一会儿?)"
    r"|after (?:a few|some|several) (?:hours|steps|hundred)"
)
SAID: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("host_killed", re.compile(
        r"exit ?code:? ?-9|(?:exit(?:ed)?|return(?:ed)?)[^,.;?]{0,16}(?:-9|137)(?!\d)|\(-9\)|sig(?:nal )?-?kill|signal 9(?!\d)|oom-?killer"
        r"|(?<!worker is )(?<!worker )(?<![a-z])(?:gets?|got|was|is|process|just) killed(?! by signal: bus)"
        r"|(?:被|直接|就|的时候) ?(?:杀|kill)"
        r"|killed(?=[,，。?！]| *$)")),
    ("thermal", re.compile(
        r"thermal (?:slowdown|throttl)|throttl\w+[^.?]{0,24}(?:temperature|heat|thermal)|overheat"
        r"|(?:过热|温度|\d{2} ?度|\d{2} ?°?c(?![a-z]))[^。?]{0,24}(?:频率|降频|掉频|变慢|掉到)|(?:降频|掉频|频率(?:掉|降))"
        r"|clocks? (?:drop|fall|go down|throttle)")),
    ("nan", re.compile(r"(?:loss|损失|梯度|grad\w*)[^。?]{0,24}(?<![a-z])(?:nan|inf)(?![a-z])"
        r"|(?<![a-z])nan(?![a-z])[^。?]{0,16}(?:loss|损失)")),
    ("docker_bridge", re.compile(r"(?<!\d)172\.1[78]\.\d{1,3}\.\d{1,3}|(?<![a-z])docker0(?![a-z\d])")),
    ("nccl_timeout", re.compile(
        r"collective operation timeout|nccl[^。?\n]{0,24}(?:timeout|timed out|超时)|(?:timeout|超时)[^。?\n]{0,16}nccl"
        r"|watchdog[^。?\n]{0,40}timeout")),
    ("nccl_system", re.compile(r"unhandled (?:system|cuda) error|ncclsystemerror|ncclunhandledcudaerror")),
    ("nodes_slow", re.compile(
        r"(?:\d|两|二|三|四|多)\s?(?:台|个?节点|机|nodes?|machines)[^。?]{0,40}(?:只有|才|只快|没快|反而慢|only|barely|hardly|just)[^。?]{0,24}"
        r"(?:倍|x(?![a-z\d])|times|快|慢|faster|slower|speed|throughput|one node|single node)"
        r"|(?:多机|跨机|multi-?node)[^。?]{0,16}(?:很慢|太慢|变慢|更慢|slow|slower)")),
    ("cards_slow", re.compile(
        r"(?:\d|两|二|三|四|八|多)\s?(?:张|块|卡|x\s)\s?[^。?]{0,24}(?:只有|才|只快|没快|反而慢|not much faster)[^。?]{0,16}"
        r"(?:倍|单卡|一张|快|慢)"
        r"|(?<!\d)\d\s?(?:x )?[^.?]{0,16}(?:only|barely|hardly|just)[^.?]{0,16}\dx? ?(?:times )?(?:faster|the speed|speed|of one)"
        r"|多卡(?:训练)?[^。?]{0,8}(?:很慢|太慢|变慢|没变快|比单卡慢)")),
    ("bound", re.compile(
        r"(?:算力|计算|compute)[^。?]{0,12}(?:还是|or)[^。?]{0,16}(?:带宽|访存|memory|bandwidth)[^。?]{0,8}(?:瓶颈|受限|bound)?"
        r"|compute[- ]bound|memory[- ]bound|带宽瓶颈")),
)  # fmt: skip
WITH_DOCKER = frozenset({"docker_bridge", "nccl_system"})


def symptoms_of(low: str) -> tuple[Symptom, ...]:
    """Kinds of trouble a text shows, the most telling first; figures of memory in GiB."""
    text = low[:8000]
    out: list[Symptom] = []
    if m := CACHE_TOKENS.search(text):
        out.append(Symptom("context_too_long", {"tokens": float(m[1])}))
    elif TOO_LONG.search(text):
        out.append(Symptom("context_too_long"))
    if (OOM.search(text) and not FEARED.search(text)) or "tried to allocate" in text:
        out += _memory(text)
    out += [Symptom(kind) for kind, pattern in SAID if pattern.search(text)]
    kinds = {s.kind for s in out}
    if kinds >= WITH_DOCKER:  # the address says which of the many causes of a system error it is
        out = [s for s in out if s.kind != "nccl_system"]
    return tuple(out[:MOST])


def _memory(text: str) -> list[Symptom]:
    """Out of memory: room that is reserved and in pieces, room that is used up, or a failure long after the first step."""
    said = {name: _gib(m) for name, pattern in FIGURES.items() if (m := pattern.search(text))}
    if {"allocated", "reserved"} <= said.keys():
        said["unallocated"] = round(said["reserved"] - said["allocated"], 2)
    out = []
    if {"requested", "allocated", "unallocated"} <= said.keys():
        loose = said["unallocated"] >= max(said["requested"], FRAGMENTED * said["allocated"])
        out.append(Symptom("fragmented" if loose else "used_up", said))
    if SECOND.search(text):
        out.append(Symptom("second_step"))
    if LATE.search(text):
        out.append(Symptom("late_oom"))
    return out or [Symptom("oom")]


def _gib(m: re.Match[str]) -> float:
    return round(float(m[1]) / (1 if m[2] == "g" else 1024), 3)
