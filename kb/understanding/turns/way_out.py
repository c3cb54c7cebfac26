"""A turn that only asks what to do (`ok so what should I do then`, `那怎么办`), or that says what was done already and did not help."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.types.question import Intent, Part
from kb.understanding.context import Context
from kb.understanding.slots.known import tells_card, tells_model

_LEAD = (
    r"(?:(?:ok(?:ay)?|so|well|and|but|hmm+|damn|then|now|alright|right|thanks?|i see|got it|ugh|oh|fine"
    r"|好吧?|嗯|哦|行吧?|可是|但|所以|这样啊?|知道了|明白了?|那么?|既然这样|这样的话|放不下|不够|不行)[ ,，.。!！…:]*){0,4}"
)
_WHO = r"(?:(?:i|we|you|one) )?"
_TAIL = (
    r"(?: (?:about (?:it|this|that)|here|then|now|next|instead|to (?:make it (?:fit|work|run)|fix (?:it|this|that)"
    r"|get it to (?:run|fit|work))))*"
)
_ASKS = (
    r"what (?:now|then|next|else)|now what|(?:any )?next steps?"
    rf"|what (?:should|can|could|do|would|shall|must) {_WHO}(?:do|try|change|recommend|suggest|advise|use|run|take|pick|choose|set"
    rf"|go (?:with|for))(?: to do)?{_TAIL}"
    rf"|(?:what|which) (?:layout|split|setup|config(?:uration)?|settings?|parallelism|combination)"
    rf"(?: (?:should|can|could|do|would|shall|must) {_WHO}(?:use|run|take|pick|choose|set|try)"
    rf"| (?:is|would be) (?:right|best|better))?{_TAIL}"
    r"|what (?:are|r) (?:my|the|our) (?:options|choices|alternatives)|what (?:would|will|does) (?:fit|work|help)(?: then| instead| here)*"
    r"|what(?:'s| is) (?:the )?(?:fix|solution|alternative|way out|workaround|next step|remedy)"
    rf"|how (?:do|can|could|should|would) {_WHO}(?:fix|solve|get around|make|work around|get)"
    r"(?: (?:it|this|that))?(?: (?:fit|work|run|to (?:fit|work|run)))?"
    r"|(?:is there|are there|any) (?:any |a |another )?(?:way|ways|options|alternatives?|workarounds?|fix|ideas?|solution)"
    r"(?: (?:around (?:it|this|that)|out|to (?:make it (?:fit|work|run)|fix (?:it|this|that))))?"
    r"|(?:我们?|咱们?)?(?:该|应该|要|得|现在|可以|能|还能|到底|又)*(?:怎么|咋|如何|怎样|怎)(?:样)?(?:才)?(?:能)?"
    r"(?:办|弄|整|搞|做|解决|处理|配|选|调|改|行|放(?:得)?下|跑(?:起来|得动)?)(?:才(?:好|行)|比较好|合适)?"
    r"|(?:还?有(?:什么|啥|没有|哪些)?)(?:别的|其他|其它|更好的|解决)?(?:的)?(?:办法|方法|方案|招|思路|出路|选择)(?:吗|么|没有|没)?"
    r"|(?:要)?(?:再)?(?:量化|压缩?|降)(?:到|成)?(?:多少|几|什么|啥)(?:位|bit|精度|程度)?(?:数)?(?:就|才|还)?(?:可以|行|够|能(?:放下|跑|装下)?|放得下)?(?:了)?"
    r"|(?:what|which|how (?:low|far)(?: do i have to)?) (?:quant\w*|precision|bits?)(?: level)?"
    rf"(?: (?:do|would|should|can) (?:i|we) (?:need|use|take|have)| (?:fits?|works?|would (?:fit|work)|does fit))?{_TAIL}"
    r"|(?:我们?|咱们?)?(?:该|应该|要|得|现在|可以|能|还能|到底)*(?:改)?(?:用|选|换|配|设|开)(?:成)?(?:什么|啥|哪种|哪个|怎样的)(?:样的)?"
    r"(?:布局|方案|配置|切分|切法|拆法|组合|设置|并行(?:方式|策略)?)?(?:才(?:好|行)|比较好|合适|好)?"
    r"|下一步(?:呢|怎么办|怎么做|做什么|该做什么)?|换(?:什么|啥|成什么)(?:好|合适)?"
)
WAY_OUT = re.compile(rf"^\W*{_LEAD}(?:{_ASKS})[ ,，]*(?:then|now|呢|啊|呀|吧|嘛|好|才好)?\W*$")

# What was told has been done: `网卡指定了也不行`, `already set that, still hangs`.
TRIED = re.compile(
    r"(?:也|都|还是?|仍然?|依然|依旧)(?:是)?(?:不行|不管用|没用|没效果|没变化|没改善|一样|报(?!价)|炸|爆|卡|慢|崩|挂|失败|出错|不够|掉|起不来|超时|高|满)"
    r"|没(?:什么)?(?:用|效果|变化|改善)\s*[,，。!?]?\s*$|(?:设|改|调|开|加|换|指定|升级|重装|关|降|试)(?:过|了)[^?？]{0,24}(?:还|也|仍|依然|没用|一样)"
    r"|(?<![a-z])(?:already|still|tried|didn'?t (?:help|work|change)|did not (?:help|work|change)|doesn'?t (?:help|work)"
    r"|no (?:luck|change|effect|difference|improvement)|same (?:error|problem|message)|not helping|not working|to no avail)(?![a-z])"
)

# What else there is, asked behind what was done.
ANYTHING_ELSE = re.compile(
    r"还(?:能|可以|有)[^?？]{0,6}(?:怎么|办法|什么|啥|哪些|招|救)"
    r"|(?<![a-z])(?:anything|what) else(?![a-z])|(?<![a-z])what (?:now|next|more)(?![a-z])"
)
# What makes it another job: that is told of anew.
JOB = (
    "workload",
    "task",
    "post_training",
    "optimizer",
    "quantization",
    "precision",
    "zero_stage",
    "offload",
    "seq_len",
    "context_len",
)

# Of these what was switched on already, as a turn may say.
MEASURES = frozenset({"zero_stage", "offload"})
DONE = re.compile(r"已经|都(?:开|用|设)了|(?<![a-z])already(?![a-z])")


def way_out(c: Context) -> Part | None:
    """The part of such a turn: the job spoken of with slot `way_out`, or the trouble or passage told before; None for any other turn,
    after a list."""
    if c.earlier is None or c.earlier.intent == "filter" or not WAY_OUT.match(c.low):
        return None
    slots = {**c.carried, "way_out": True} | ({"ran_out": True} if c.earlier.intent == "troubleshoot" else {})
    text = c.source(0, len(c.low)).strip()
    if c.earlier.intent in ("lookup", "compare"):
        return Part("explain", text, slots, c.earlier.entities, unread=True)
    placed = tells_model(slots) and (tells_card(slots) or slots.get("memory_gb"))
    if placed and (c.earlier.intent in ("size", "troubleshoot")):
        return replace(c.earlier, intent="size", text=text, slots=slots, wanted=("memory_per_gpu",), asks_verdict=True)
    intent: Intent = "troubleshoot" if c.earlier.intent == "troubleshoot" else "explain"
    return Part(intent, text, slots, c.earlier.entities, wanted=c.earlier.wanted if intent == "troubleshoot" else ())


def tried(part: Part, earlier: Part | None, c: Context) -> Part:
    """A part of a further turn about trouble that says what was done already: slot `tried`. Of a job whose cards and model were known
    before, what was told is not told again: what would make it fit is."""
    if earlier is None or earlier.intent in ("lookup", "compare", "filter") or part.intent not in ("troubleshoot", "explain"):
        return part
    known = tells_model(c.carried) and tells_card(c.carried)
    anew = {f.quantity for f in c.reading.found} & {"model", "parameters", "gpu", "gpu_count", "memory"}
    done = MEASURES if TRIED.search(c.low) or DONE.search(c.low) else frozenset[str]()
    same = not anew and all(part.slots.get(s) == c.carried.get(s) for s in JOB if s not in done)
    if (
        earlier.intent == "troubleshoot"
        and (part.intent == "troubleshoot" or ANYTHING_ELSE.search(c.low))
        and known
        and same
        and "memory_per_gpu" in (*part.wanted, *earlier.wanted)
    ):
        slots = {**part.slots, "way_out": True, "ran_out": True}
        return replace(part, intent="size", slots=slots, wanted=("memory_per_gpu",), asks_verdict=True)
    if TRIED.search(c.low):
        return replace(part, slots={**part.slots, "tried": True})
    return replace(part, slots={**part.slots, "retold": True}) if earlier.intent in ("explain", "troubleshoot") else part
