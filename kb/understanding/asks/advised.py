"""Questions that a section of the articles answers whatever card or model they name: which section that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.types.question import Part
from kb.understanding.asks.needs import needs_link
from kb.understanding.asks.sides import sides_of

WAYS = {  # two ways of splitting a model, and how it is used: None for either
    (frozenset({"tp", "pp"}), "inference"): "ways:serving",
    (frozenset({"tp", "pp"}), None): "ways:stages",
    (frozenset({"tp", "dp"}), "inference"): "ways:copies",
    (frozenset({"dp", "zero3"}), None): "ways:states",
}
TOLD_APART = re.compile(
    r"^\W*[a-z -]{2,24} (?:vs\.?|versus) [a-z -]{2,24}\W*$"
    r"|区别|不同|(?<![a-z])differ|什么是|what (?:is|are) (?:tp|pp|dp|tensor|pipeline|data)"
)
SLOW = 2.5  # Gb/s of a link over which only whole layers are split
ACROSS = re.compile(
    r"(?:(?<![a-z])tp(?![a-z])|tensor[ -]parallel\w*|张量并行)[^?。;]{0,40}"
    r"(?:(?<![a-z])(?:across|over|between|spanning|span|cross)(?![a-z])|跨|两台|走)[^?。;]{0,24}"
    r"(?:(?<![a-z])(?:nodes?|machines?|servers?|hosts?|ethernet|infiniband|roce|gbe)(?![a-z])|\dgbe|机|节点|node|台|以太网)"
    r"|跨(?:机|节点|node|服务器)[^?。;]{0,8}(?:(?<![a-z])tp(?![a-z])|张量并行|tensor parallel)"
)
FREE = re.compile(
    r"白嫖|免费(?:的)?\s?(?:gpu|显卡|卡|算力|云)|(?:gpu|显卡|算力|卡)[^,，。?]{0,6}免费"
    r"|(?<![a-z])free (?:\w+ )?(?:gpus?|colab|tier|cloud|compute|cards?)(?![a-z])"
    r"|(?<![a-z])(?:gpus?|compute|colab|kaggle)[^.?]{0,24}(?:for free|without paying|free of charge)"
)
WHERE = re.compile(r"哪|有没有|什么|(?<![a-z])(?:where|any|what can|which)(?![a-z])|^\W*(?:free|免费)")
FIELD = r"(?:ai|a\.i\.|ml|llms?|(?:deep|machine) learning|artificial intelligence|人工智能|大模型|深度学习|机器学习|模型)"
BEST = re.compile(
    rf"^\W*(?:(?:what|which)(?:'s| is| are)? )?(?:the )?(?:(?:single |overall )?best|top) (?:gpus?|graphics cards?|video cards?|cards?)"
    rf"(?: (?:to (?:buy|get)|right now|today|out there|overall|in 20\d\d|for {FIELD}(?: work| stuff)?))*\W*$"
    rf"|^\W*(?:which|what) (?:\w+ )?(?:gpu|graphics card|video card|card)s? (?:should|would|do) (?:i|we|you)"
    rf" (?:get|buy|choose|pick|use|recommend)(?: for (?:my )?{FIELD}(?: \w+)?)?\W*$"
    rf"|^\W*(?:which|what) (?:gpu|graphics card|video card|card)s? (?:is|are|would be) (?:the )?best(?: for {FIELD})?\W*$"
    rf"|^\W*(?:想|要)?(?:做|跑|搞|学|训练|用来)?{FIELD}?(?:的话)?[,，]?(?:用|买|选)?(?:哪|什么)(?:个|张|款|种|块)?(?:显卡|gpu|卡)"
    rf"(?:是)?(?:最|比较|更)(?:好|强|牛|适合|合适|值得买)(?:用来)?(?:做|跑|搞|学|训练)?{FIELD}?\W*$"
    rf"|^\W*(?:做|跑|搞|学)?{FIELD}?最(?:好|强|适合)的(?:ai)?(?:显卡|gpu|卡)(?:是)?(?:哪|什么)[^,，。]{{0,4}}\W*$"
)
PROCESSOR = re.compile(
    r"(?<![a-z0-9])(?:(?:core )?i[3579](?![0-9])(?:[ -]?\d{4,5}[a-z]{0,2})?"
    r"|(?:ryzen|r)[ -]?[3579](?![0-9])(?:[ -]?\d{4}[a-z0-9]{0,3})?|core ultra)|锐龙"
)
ENOUGH = re.compile(
    r"够|行不行|行吗|可以吗|还是|要不要|必须|拖|瓶颈|(?<![a-z])(?:enough|ok|okay|fine|do|need|or|bottleneck|matter|good)(?![a-z])"
)
MIXED = re.compile(r"混用|混插|混搭|(?<![a-z])mix(?:ed|ing)?(?![a-z])(?! precision|tral)")
WAY = r"(?:(?<![a-z])(?:tp|pp)(?![a-z])|(?:tensor|pipeline)[ -]parallel\w*|张量并行|流水线并行)"
NEEDED = re.compile(
    rf"(?:要不要|需不需要|有必要|该不该|必须|需要)[^,，。?]{{0,8}}{WAY}|{WAY}[^,，。?]{{0,6}}(?:有必要|需要吗|必须吗)"
    r"|(?<![a-z])(?:do (?:i|we) need|should (?:i|we) use|is|are)(?![a-z])"
    rf"[^,.?]{{0,12}}{WAY}(?=[^,.?]{{0,12}}(?:needed|necessary|required|for|on|in|\?))"
)
LARGE = re.compile(
    r"(?:单|一)(?:张|块)?(?:大)?卡[^,，。?]{0,8}(?:还是|或)[^,，。?]{0,4}(?:双|两|几|多)(?:张|块)?(?:小)?卡"
    r"|(?:一|单)(?:张|块)?[^,，。?]{0,6}大卡[^,，。?]{0,6}(?:还是|或)[^,，。?]{0,6}小卡"
    r"|(?<![a-z])(?:one|a single) (?:big|large|\d+ ?gb)[^,.?]{0,12}(?:cards?|gpus?)?[^,.?]{0,8}"
    r" or (?:two|several|more|many)(?![a-z])[^,.?]{0,16}(?:cards?|gpus?|small)"
)
ENOUGH_LINK = re.compile(
    r"够|行不行|行吗|可以吗|瓶颈|拖|(?<![a-z])(?:enough|ok|okay|fine|bottleneck|slow|good idea|work)(?![a-z])"
)
UPGRADE = re.compile(r"升级|换卡|换掉|要不要换|(?<![a-z])(?:upgrad(?:e|ing)|replace|good enough|still good)(?![a-z])")
ON_CPU = re.compile(
    r"纯 ?cpu|没有?(?:显卡|gpu|独显)|(?<![a-z])(?:cpu[- ]only|on (?:the |my )?cpu|no gpu|without (?:a )?gpu)(?![a-z])"
)
BRIDGE = re.compile(
    r"nv-?link[^,，。?]{0,12}(?:桥|bridges?)?[^,，。?]{0,16}(?:有必要|值得|值不值|有用|有没有用|要不要|该不该|需要买|必须)"
    r"|(?:要不要|有必要|该不该|值得|需要|一定要|必须|非要|非得)[^,，。?]{0,8}nv-?link"
    r"|(?<![a-z])(?:worth|useful|need|necessary|help|should i (?:buy|get))(?![a-z])[^.?]{0,24}nv-?link"
    r"|nv-?link[^.?]{0,24}(?<![a-z])(?:worth|useful|needed|necessary|help|matter|pay off)(?![a-z])"
)
_OR = r"[ ,]{0,2}(?:or|vs\.?|versus|还是|或者?|跟|和)[ ]?(?:用|上|走|use |with |plain |just |普通)?"
_IB, _TCP = r"(?<![a-z])(?:ib|infiniband|rdma|roce(?:v2)?)(?![a-z])", r"(?:(?<![a-z])(?:tcp|ethernet)(?![a-z])|以太网)"
LIBRARIES = re.compile(rf"(?<![a-z])fsdp[12]?{_OR}deepspeed|deepspeed{_OR}fsdp[12]?(?![a-z])")
FABRICS = re.compile(rf"{_IB}{_OR}{_IB}")
RDMA = re.compile(rf"{_IB}{_OR}{_TCP}|{_TCP}{_OR}{_IB}")
INFINIBAND = re.compile(
    r"(?:要不要|需不需要|用不用|必须|非得|有必要|该不该|得)[^,，。;?]{0,8}(?<![a-z])(?:ib|infiniband)(?![a-z])"
    r"|(?<![a-z])(?:need|get|buy|worth|require|necessary|pointless without)(?![a-z])[^,.;?]{0,24}(?<![a-z])(?:ib|infiniband)(?![a-z])"
)
WRITTEN = re.compile(
    r"合并|保存|导出|存(?:下来|出来|的)|输出目录|(?<![a-z])(?:merged?|saved?|saving|export(?:ed)?|output|written|model files?)(?![a-z])"
)
TWICE = re.compile(
    r"(?:大|多)了?一倍|(?:两|2) ?倍|翻了?一?倍"
    r"|(?<![a-z])(?:twice|doubled?|two times|2x)(?![a-z])[^.?]{0,16}(?:as|the|size|large|big|original|in)"
    r"|(?:instead of|rather than|not|而不是|而非|本来|原来(?:只有)?|应该是?) ?\d{1,4}(?: ?gb?)?(?![a-z\d])"
)
LOOSE = frozenset({"memory_total", "memory_per_gpu", "hardware", "network_bandwidth", "checkpoint_size", "weights"})
ANSWERED = frozenset({"explain", "size", "lookup", "compare", "filter", "troubleshoot"})


def advised(parts: Sequence[Part], low: str) -> tuple[Part, ...]:
    """The parts, of which one that a certain section answers is explained by it (slot `advised`: its key)."""
    text = low if len(parts) == 1 else None
    return tuple(_told(p, key) if (key := _key(p, text or p.text.lower())) else p for p in parts)


def _told(part: Part, key: str) -> Part:
    slots = {**part.slots, "advised": key}
    return replace(part, intent="explain", slots=slots, wanted=(), columns=(), conditions=(), asks_verdict=False)


def _key(part: Part, text: str) -> str:
    s = part.slots
    subject = s.get("model") or s.get("parameters")
    if part.intent not in ANSWERED or set(part.wanted) - LOOSE or "sides" in s:
        return ""
    if (
        s.get("workload") in ("lora", "qlora")
        and s.get("network_gbps")
        and ENOUGH_LINK.search(text)
        and not s.get("interconnect")
    ):
        return "told:adapters"
    if part.intent == "explain" and needs_link(part.text.lower()):
        return "told:link"
    if part.intent == "size" and part.asks_verdict and not subject and UPGRADE.search(text) and s.get("gpu"):
        return "told:upgrade"
    if (sides := frozenset(sides_of(text))) and not TOLD_APART.search(text):
        return _way(sides, part)
    if (told := _network(text, part)) or (told := "ways:libraries" if LIBRARIES.search(text) else ""):
        return told
    if ACROSS.search(text) and not (subject and s.get("gpu")):
        return "told:across"
    if FREE.search(text) and WHERE.search(text) and not (s.get("gpu") or s.get("memory_gb")):
        return "told:free"
    if BEST.search(text):
        return "told:best"
    if PROCESSOR.search(text) and ENOUGH.search(text) and not subject and not ON_CPU.search(text):
        return "told:processor"
    if MIXED.search(text) and len([e for e in part.entities if e[0] == "accelerators"]) > 1 and not (part.wanted or subject):
        return "told:mixed"
    if NEEDED.search(text) and not part.wanted and not (subject and (s.get("gpu_count") or 1) > 1):
        return "ways:any"
    if LARGE.search(text) and not (s.get("gpu") or part.wanted):
        return "told:large"
    if BRIDGE.search(text) and not part.wanted and "budget" not in s:
        return "told:bridge"
    if WRITTEN.search(text) and TWICE.search(text) and not s.get("gpu") and "oom" not in text:
        return "told:written"
    return ""


def _network(text: str, part: Part) -> str:
    if part.wanted or TOLD_APART.search(text) or "优缺点" in text:
        return ""
    if FABRICS.search(text):
        return "told:fabric"
    several = (part.slots.get("nodes") or 1) > 1
    if several and (INFINIBAND.search(text) or RDMA.search(text)):
        return "told:nodes"
    return "told:rdma" if RDMA.search(text) else ""


def _way(sides: frozenset[str], part: Part) -> str:
    s = part.slots
    unsaid = "task" not in s and "workload" not in s
    serves = s.get("workload") == "inference" or (unsaid and ("quantization" in s or "pcie" in part.text.lower()))
    if sides == {"tp", "pp"} and serves and float(s.get("network_gbps") or SLOW) < SLOW:
        return "ways:slow"
    if part.intent == "size" and (s.get("workload") in ("lora", "qlora") or part.wanted):
        return ""
    either = WAYS.get((sides, None), "ways:any")
    return WAYS.get((sides, "inference"), either) if serves else either
