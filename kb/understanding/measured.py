"""A figure that somebody measured and wants to have judged: `62 ms to the first token, normal?`"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.types.question import Part
from kb.understanding.slots.known import tells_model

JUDGED = re.compile(
    r"正常[吗么嘛吧不]|正不正常|是否正常|算正常|合理[吗么嘛吧不]|合不合理|达标[吗么嘛]|(?:normal|expected|ok) ?[吗么嘛]"
    r"|(?:是不是|算不算|会不会)(?:偏|太|有点|比较)?[慢低高大差]|算[慢低高大差][吗么]|(?:偏|太|有点)[慢低高大差]了?(?:吗|么|吧|\s*[?]?\s*$)"
    r"|(?<![a-z])(?:is|are|does|do)(?: that| this| it| those| these|n'?t)?(?: a bit| too| rather| unusually| about)?"
    r" (?:normal|expected|reasonable|right|typical|plausible|slow|low|high|off|(?:look|seem|sound)s? \w{1,12})(?![a-z])"
    r"|(?:^|[,;.?!-] ?|(?<=ms) |(?<=/s) |(?<=gb) |(?<=%) )(?:normal|as expected|expected|reasonable|typical|too (?:slow|low|high|much)) ?\?"
)
LIKED = re.compile(  # of a speed alone: a card may be good, too
    r"(?<![a-z])(?:is|are)(?: that| this| it| those| these|n'?t)(?: any| a| pretty| really)?"
    r" (?:good|bad|ok|okay|fine|decent|fast|great|poor|healthy)(?![a-z])"
    r"|(?:算|是)?(?:好|快|差)(?:吗|么|还是)|(?:怎么样|如何|行吗|可以吗)\s?[?？。]?\s*$"
)
# Put about a speed that was measured, whether it is normal in other words.
AMISS = re.compile(
    r"(?<![a-z])(?:something|anything|what)(?:'?s| is)?(?: \w{1,8})? (?:wrong|amiss|broken|off|misconfigured)(?![a-z])"
    r"|(?<![a-z])misconfigur"
    r"|(?<![a-z])(?:all|the best|the most) (?:that )?(?:they|it|this|these|that|the cards?) (?:can|could)(?![a-z])"
    r"|(?<![a-z])(?:should|could|can) (?:it|they|this|that|i|these) (?:\w{1,8} )?(?:do|be|get|go|run|expect|see|speed)(?![a-z])"
    r"|(?<![a-z])(?:speed (?:it|this|them|that) up|(?:make|get) (?:it|this|them) (?:\w{1,8} )?faster)(?![a-z])"
    r"|有(?:什么|没有|啥)?问题|哪里(?:不对|出错|有问题)|不对劲|配错|应该(?:是|有|能)|提速|加速|(?:更|再|还能|提)快"
)
# Before a rate: it is to be reached, not what was measured.
SOUGHT = re.compile(
    r"(?<![a-z])(?:needs?|wants?|would like|requires?|targets?|aim|goal|at least|minimum|reach|achieve|hit|will|would|can|could"
    r"|to get)(?![a-z])"
    r"|要|需|想|希望|目标|达到|至少|不低于|起码|保证|能|可以|每(?:个)?(?:人|用户)"
)
RATE = re.compile(
    r"\d[\d.]*\s?(?:tok(?:en)?s?|t)\s?(?:/|per |an? |p)\s?s|每秒|(?:tok(?:en)?s?|t)(?:/| per )s(?:ec(?:ond)?)?[^a-z\d]{0,3}\d"
)
OF_SPEED = frozenset({"tokens_per_second", "decode_tokens_per_second"})
PLANNED = ("tokens", "days", "hours", "requests_per_second", "price_per_gpu_hour")  # what a speed is told for
SPEEDS = ("tokens_per_second", "mfu")
TAKEN = re.compile(
    r"占用?了?|用了|用到|用掉|吃了|吃掉|消耗|(?<![a-z])(?:us(?:es|ed|ing)|tak(?:es|ing)|took|eat(?:s|ing)?|at)(?![a-z])"
)
OF_ONE_GPU = re.compile(r"每(?:张|块)?卡|单卡|(?<![a-z])per[- ](?:gpu|card)|/ ?gpu")
ONE_WAY = re.compile(r"单向|(?<![a-z])(?:one|single)[- ]?way|uni-?directional|per direction|p2p|peer")
BARE = re.compile(
    r"(?:测|跑|只有|才|measured?|got|gets?|getting|see(?:ing)?)[^,，。;?]{0,12}?(?<![a-z\d.])(\d{2,4}(?:\.\d{1,2})?)"
    r"(?![\d.]*\s?[a-z%])"
)
LINK, MEMORY = "interconnect_gb_s", "memory_bandwidth_gb_s"
ABOUT = {LINK: re.compile(r"nv-?link|p2p|peer|互联|互连|卡间|xgmi"), MEMORY: re.compile(r"显存带宽|memory bandwidth|hbm")}
RUNS = ("inference", None)  # workloads of which a speed is that of decoding


def measured(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts with what was measured of them; whether it is normal is then no question of its own."""
    out = [found for p in parts for found in (_measured(p), *_beside(p))]
    told = any("measured" in p.slots for p in out)
    judged = [
        p for p in out if told and p.intent == "explain" and any(r.search(p.text.lower()) for r in (JUDGED, LIKED, AMISS))
    ]
    return tuple(p for p in out if p not in judged)


def _measured(part: Part) -> Part:
    """A part with what it measured as slot `measured` (the value's or column's name, its figure, whether one way only), asking for
    that value; unchanged where nothing measured is to be judged. Times are in seconds, memory in GiB as drivers print it."""
    low = part.text.lower()
    speed = LIKED.search(low) and any(part.slots.get(s) for s in SPEEDS)
    if not (JUDGED.search(low) or speed or _only_speed(part, low)):
        return part
    found = (_of_a_job(part, low) if part.intent in ("size", "explain") else None) or _of_a_card(part, low)
    if found is None:
        return part
    name, value, slot = found
    told = {"name": name, "value": value, "one_way": bool(ONE_WAY.search(low))}
    slots = {**{k: v for k, v in part.slots.items() if k != slot}, "measured": told}
    if name in ABOUT:
        return replace(part, intent="lookup", slots=slots, columns=(name,), wanted=(), asks_verdict=False)
    return replace(part, intent="size", slots=slots, wanted=(name,), asks_verdict=False)


def _only_speed(part: Part, low: str) -> bool:
    """Whether all that is said of a model on a card is how fast it runs there: as fast as it should, then, is what is asked."""
    s, rate = part.slots, RATE.search(low)
    if (
        not (s.get("tokens_per_second") and s.get("gpu") and rate)
        or set(part.wanted) - OF_SPEED
        or any(s.get(k) for k in PLANNED)
    ):
        return False
    if part.intent not in ("size", "explain") or SOUGHT.search(low, 0, rate.start()):
        return False
    return AMISS.search(low) is not None or (part.intent == "size" and s.get("workload") == "inference" and not s.get("task"))


def _beside(part: Part) -> tuple[Part, ...]:
    """The utilization that a measured speed comes to, where it is asked for beside whether that speed is normal."""
    s = part.slots
    asked = "mfu" in part.wanted and s.get("tokens_per_second") and s.get("gpu") and JUDGED.search(part.text.lower())
    return (replace(part, intent="size", wanted=("mfu",), asks_verdict=False),) if asked else ()


def _of_a_job(part: Part, low: str) -> tuple[str, float, str] | None:
    """(value, figure, the slot that held it) of a model that runs or is trained."""
    s = part.slots
    if not tells_model(s):
        return None
    trains = bool(s.get("task")) or s.get("workload") not in RUNS
    if "time_to_first_token" in part.wanted and s.get("seconds"):
        return "time_to_first_token", s["seconds"], "seconds"
    if s.get("tokens_per_second"):
        speed = "tokens_per_second" if trains else "decode_tokens_per_second"
        one = trains and s.get("gpu_count") != 1 and OF_ONE_GPU.search(low)
        return (f"{speed}_per_gpu" if one else speed), s["tokens_per_second"], "tokens_per_second"
    if s.get("mfu") and s.get("gpu"):
        return "mfu", s["mfu"], "mfu"
    slot = next((k for k in ("size_gb", "memory_gb") if s.get(k)), None)
    if slot and TAKEN.search(low):
        return "memory_per_gpu", s[slot], slot
    return None


def _of_a_card(part: Part, low: str) -> tuple[str, float, str] | None:
    """(column, GB/s, the slot that held it) of a card's memory or link."""
    if not any(table == "accelerators" for table, _ in part.entities):
        return None
    column = next((c for c in part.columns if c in ABOUT), None) or next((c for c, w in ABOUT.items() if w.search(low)), None)
    bare = BARE.search(low)
    said = part.slots.get("bandwidth_gb_s") or (float(bare[1]) if bare else None)
    return (column, float(said), "bandwidth_gb_s") if column and said else None
