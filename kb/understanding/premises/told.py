"""A figure of memory that somebody else has told, of which is asked whether it is right: a claim, and no card of that size."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.types.question import Part
from kb.understanding.slots.known import tells_model
from kb.understanding.text.fold import level

OTHERS = re.compile(
    r"[说写称讲](?!明)|看到|读到|听说|据说|[表文]里|表格|博客|文章|教程|文档|帖子?|论坛|网上|有人|群里|经验|公式"
    r"|(?<![a-z])(?:says?|said|claims?|claimed|states?|told|i read|reads|heard|tables?|blogs?|posts?|guides?|docs?|articles?|people|reddit"
    r"|someone|everyone|calculators?|rule of thumb|takes?|needs?|requires?)(?![a-z])"
)
DOUBTED = re.compile(
    r"对吗|对吧|对不对|对么|是吧|是真的?吗|真的?吗|谁对|谁错|哪个对|靠谱|准吗|准不准|正确|有误|可信|没错吧|是不是错|写错|算错|合理吗"
    r"|是不是(?:算|说|写)?[得]?(?:太|过|偏)?[多少高低]|[算说写][多少高低]了|高估|低估"
    r"|(?<![a-z])(?:right|correct|true|wrong|accurate|plausible|legit|believe|trust|realistic|make sense|off|typo)(?![a-z])"
)
DIRECT = re.compile(
    r"(?<![a-z])(?:is|are) (?:about |around |only )?\d{1,5}(?:\.\d)?\s?[gt]i?b? (?:of (?:vram|memory) )?"
    r"(?:right|correct|accurate|true|realistic|plausible)"
    r"|\d\s?[gt]i?b?\s?(?:显存)?(?:这个(?:数|说法))?(?:对吗|对不对|正确吗|准吗|准不准|靠谱吗|合理吗)"
)
FIGURE = re.compile(r"\d\s?[gt]i?b?(?![a-z])(?!\s?(?:的)?\s?(?:显?卡|gpu|card|a\d|h\d|rtx|v\d))")
# What is shown is put down to something: a leak, a long context.
BLAMED = re.compile(
    r"造成的?吗|导致的?吗|引起的?吗|是不是|是因为|因为[^。?]{0,24}吗|泄[漏露]"
    r"|(?<![a-z])(?:leak\w*|because|caused by|due to|is it (?:my|the|a|an))(?![a-z])"
)
# What somebody had expected, beside what is shown to them.
EXPECTED = re.compile(
    r"(?:以为|应该|应当|本该|本来|理论上|不该|(?<![a-z])(?:thought|expect(?:ed|ing)?|should(?:n'?t)?|supposed|assumed|figured|=))[^,;?，。？]{0,28}$"
)
MINE_MORE = re.compile(
    r"(?:我|自己)[^。?]{0,16}(?:不止|更多|更大|要多|不够)|不止[^。?]{0,6}吧|(?<![a-z])(?:i|we|mine|my)(?![a-z])[^.?]{0,40}(?<![a-z])(?:more|higher|larger|above)(?![a-z])"
)
MINE_LESS = re.compile(
    r"(?:我|自己)[^。?]{0,16}(?:没那么|更少|更小|不到|用不了|要少|少于|小于)|(?<![a-z])(?:i|we|mine|my)(?![a-z])[^.?]{0,40}(?<![a-z])(?:less|lower|fewer|smaller|below|under)(?![a-z])"
)
SERVED_IN = frozenset({"fp8", "int8", "int4", "awq-int4", "gptq-int4", "fp4", "q4_k_m", "q8_0", "q6_k", "q5_k_m"})
ASKED = frozenset({"memory_total", "memory_per_gpu", "model_states"})


def told_by_others(part: Part) -> Part:
    """A part that doubts a figure told of a job as one that asks for the job's memory, and holds the figure for a claim."""
    s, low = part.slots, level(part.text)
    size = s.get("size_gb") or s.get("memory_gb")
    if (
        part.intent not in ("size", "explain")
        or part.columns
        or not size
        or s.get("gpu")
        or s.get("system")
        or not tells_model(s)
        or set(part.wanted) - ASKED
    ):
        return part
    if not (DIRECT.search(low) or (FIGURE.search(low) and OTHERS.search(low) and DOUBTED.search(low))):
        return part
    kept = {k: v for k, v in s.items() if k != "memory_gb" and (k != "gpu_count" or v != 1)}
    if not s.keys() & {"workload", "task"} and {s.get("precision"), s.get("quantization")} & SERVED_IN:
        kept["workload"] = "inference"  # nobody trains in these
    return replace(
        part, intent="size", slots={**kept, "size_gb": size}, wanted=part.wanted or ("memory_total",), asks_verdict=False
    )


def is_doubted(text: str) -> bool:
    """Whether a question asks if something that was told is so."""
    low = level(text)
    return bool(DIRECT.search(low) or DOUBTED.search(low))


def told_of(text: str) -> bool:
    """Whether a question repeats what others say."""
    return OTHERS.search(level(text)) is not None


def own_view(text: str) -> str:
    """What the asker thinks of a claim: that it is too low, or too high; empty where that is not said."""
    low = level(text)
    return "too_low" if MINE_MORE.search(low) else "too_high" if MINE_LESS.search(low) else ""
