"""What a log or a complaint shows, by kind, with the figures it states: each kind has its section in the corpus."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kb.types.question import Symptom

TROUBLE = re.compile(
    r"(?<![a-z])(?:ooms?(?:ing)?|out of (?:gpu |video |cuda )?(?:memory|vram)|oom-?killed?|killed|sigkill"
    r"|crash(?:es|ed|ing)?|segfault"
    r"|hang(?:s|ing)?|stuck|tried to allocate|cuda error|nccl (?:error|timeout)|timeout|falls? off the bus"
    r"|runtimeerror|exceptions?|traceback|warn(?:ing)?s?:?|is not supported(?= between)"
    r"|xid|leak|blows? up|errors?|fail(?:s|ed|ing)?|throttl\w+|overheat\w*|hits \d{1,9}c)(?![a-z])"
    r"|爆显存|(?:kv ?cache|缓存|记忆体)\s?(?:不够|不足)(?!吗)|报[^,，。]{1,16}(?:不够|不足|错误)"
    r"|显存不够(?!吗)|显存不足|显存溢出|炸显存|(?:还是|又|就|直接|居然|老是?|总是)(?:爆|炸|崩)|爆了|炸了|崩溃|崩了"
    r"|报错|被杀|掉卡|卡死|卡住|起不来|启动不了|挂了|失败|异常|死机|降频|过热|就爆"
)
# Trouble that has not come, and is asked about.
FEARED = re.compile(
    r"(?<![a-z])(?:or|will (?:it|this|that)|would (?:it|this|that)|gonna|going to|without|avoid(?:ing)?) (?:oom|crash|run out)"
    r"|(?<![a-z])(?:will|would) [^.?!,;]{0,40}(?:oom|run out|crash)(?![a-z])"
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
OOM = re.compile(
    r"(?<![a-z])oom(?:s|ed|ing)?(?![a-z]|-?kill)|out of (?:cuda |gpu |video )?(?:memory|vram)|[爆炸]显存|显存(?:不够|不足|溢出|爆|炸)|"
    + BURST
)
SECOND = re.compile(
    r"(?:second|2nd) (?:step|batch|iteration)|after the first (?:step|batch|iteration)|first (?:step|batch|iteration)[^.?]{0,40}second"
    r"|第(?:二|2)\s?(?:步|个?batch|批|个?step)|第(?:一|1)\s?(?:步|个?batch|批)[^。?]{0,16}(?:没事|正常|能过|可以)"
)
LATE = re.compile(
    r"(?:第|跑到?|到第|训到|训练到?|跑了|训了)\s?\d{2,7}\s?(?:多|来|几)?\s?(?:步|个?step|iter)"
    r"|(?:after|at step|at iteration|step)\s?\d{2,7}|\d{2,7}\+? steps in(?![a-z])"
    r"|(?:跑|训练?)(?:了)?(?:几|一|半)(?:个)?(?:小时|天|百步|千步)|(?:中途|跑着跑着|训着训着|过一会儿?)"
    r"|after (?:a few|some|several) (?:hours|steps|hundred)|(?:慢慢|逐渐|一直|不断|持续|越来越)(?:在)?(?:涨|上涨|增长|变?[高大多])"
    r"|(?:memory|vram|usage)[^.?]{0,16}(?:keeps? |slowly |steadily )?(?:grow|climb|creep|increas|rising)"
)
# What was said of a run that ran out of memory, and is why.
CAUSES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("no_mixed_precision", re.compile(
        r"(?:unset|neither|without|no|not set\w*|disabl\w+|turn(?:ed)? off|false)[^.?;]{0,24}(?:fp16|bf16)[^.?;]{0,24}(?:fp16|bf16)"
        r"|(?:fp16|bf16)[^.?;]{0,16}(?:fp16|bf16)[^.?;]{0,12}(?:unset|not set|both (?:off|false)|disabled|= ?false"
        r"|没设|没开|都不|都没|不设|不开)"
        r"|(?:没设|没开|不设|不开|没有?(?:设置|指定)|都没)[^。?]{0,12}(?:fp16|bf16)[^。?]{0,12}(?:fp16|bf16)")),
    ("images", re.compile(
        r"^(?!.*(?:diffusion|(?:to|2)[- ]?(?:video|image)|[a-z]2v(?![a-z])|comfyui|文生|图生|生图|生成(?:图|视频)))(?=.*(?:"
        r"(?<![a-z])[a-z]*\d?(?:\.\d)?-?vlm?(?![a-z])|vision|multi-?modal|(?<![a-z])images?(?![a-z])|多模态|多图|图像|图片|视觉))")),
    ("first_gpu", re.compile(
        r"(?:only|just)[^.?]{0,12}(?:gpu|card|rank) ?0(?!\d)|(?<![a-z])(?:gpu|card|rank) ?0(?!\d)[^.?]{0,20}(?:more"
        r"|oom|out of|full|blows|higher)"
        r"|(?:只有|就|光|偏偏|唯独|仅)(?:是)?(?:第一张|第0张|0 ?号|gpu ?0(?!\d)|卡 ?0(?!\d))|(?:第一张|0 ?号"
        r"|gpu ?0)[卡显存]{0,3}(?:更多|更高|偏高|特别|先|爆|oom)")),
    ("saving", re.compile(
        r"(?:saving|saves?|writing)[^.?]{0,24}(?:checkpoint|ckpt|model|state)[^.?]{0,32}(?:oom|memory)"
        r"|(?:oom|memory)[^.?]{0,32}(?:saving|saves?|writing)(?! memory)(?![a-z])|保存[^。?]{0,24}(?:oom|爆|炸|显存)"
        r"|(?:oom|爆|炸)[^。?]{0,8}保存")),
    ("evaluating", re.compile(
        r"(?<![a-z])(?:eval(?:uat\w+)?|validation)(?![a-z])[^.?]{0,40}(?:oom|memory)|(?:oom"
        r"|memory)[^.?]{0,32}(?<![a-z])(?:eval|validation)"
        r"|(?:评估|验证|eval)[^。?]{0,12}(?:就|时|阶段|的时候)")),
)  # fmt: skip
SAID: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("merging", re.compile(
        r"(?=merg(?:e|es|ing)[^.?]{0,32}(?:lora|adapter|model)|(?:lora|adapter)[^.?]{0,16}merg(?:e|es|ing)|合并)"
        r"(?=.*(?:(?<!v)(?<!gpu )(?<![a-z])ram(?![a-z])|内存|记忆体|session|colab|kaggle))(?=.*(?:lora|adapter|适配器))", re.DOTALL)),
    ("host_killed", re.compile(
        r"oom-?killed|killed? ?-9(?!\d)|(?:out of|running out of|exhaust\w*|used up) (?:all )?(?:the |my )?(?:system "
        r"|host |cpu )?ram(?![a-z])"
        r"|(?<!v)(?<!gpu )(?<![a-z])ram (?:is |was |gets )?(?:used up|full|exhausted|runs? out)"
        r"|(?<![a-z])ram ?(?:爆|用完|用光|耗尽|溢出|打满|撑爆)|(?<!gpu)(?<!cuda)(?<!显卡)(?: |系统|主机|,|，|的"
        r"|^)内存(?:爆|用完|用光|耗尽|溢出|打满|撑爆)|"
        r"exit ?code:? ?-9|(?:exit(?:ed)?|return(?:ed)?)[^,.;?]{0,16}(?:-9|137)(?!\d)|\(-9\)|sig(?:nal )?-?kill"
        r"|signal 9(?!\d)|oom-?killer"
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
        r"(?:\d|两|二|三|四|多)\s?(?:台|个?节点|机|nodes?|machines)[^。?]{0,40}(?:只有|才|只快|没快|反而慢|only|barely"
        r"|hardly|just)[^。?]{0,24}"
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
# While a model was loaded: it is not trained yet.
LOADING = re.compile(r"(?<![a-z])(?:load(?:s|ed|ing)?|from_pretrained)(?![a-z])|加载|载入|读取")
OF_HOST = frozenset({"merging", "host_killed"})
WITH_DOCKER = frozenset({"docker_bridge", "nccl_system"})


def shows_images(text: str) -> bool:
    """Whether a question is about a model that takes images beside text."""
    return dict(CAUSES)["images"].search(text.lower()) is not None


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
    if any(s.kind == "oom" for s in out) and (causes := [Symptom(kind) for kind, pattern in CAUSES if pattern.search(text)]):
        out = [*(s for s in out if s.kind != "oom"), *causes[:1]]
    out += [Symptom(kind) for kind, pattern in SAID if pattern.search(text)]
    kinds = {s.kind for s in out}
    if kinds & OF_HOST:  # it is not the memory of a GPU that ran short
        out = [s for s in out if s.kind in OF_HOST][:1]
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
    return out or [Symptom("oom", {k: v for k, v in said.items() if k == "requested"})]


def _gib(m: re.Match[str]) -> float:
    return round(float(m[1]) / (1 if m[2] == "g" else 1024), 3)
