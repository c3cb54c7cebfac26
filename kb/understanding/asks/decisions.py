"""What a comparison has to decide: who is better for a use, who has the most or least of a column, whether a claim about two holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.understanding.asks.columns import FORMAT_COLUMNS
from kb.understanding.found import Found

# Of two cards, what the better one has over the other.
GAIN = re.compile(
    r"(?<![a-z])(?:gain|upgrad\w*|faster|improve\w*|or|how many times|times as much)(?![a-z])|[几幾多]少?倍"
    r"|提升|升级|换成|快(?:多少|几)|能[快多涨]|[多涨]多少|还是(?!得)"
)
# Of two cards, what the second has more or less than the first.
TOWARDS = re.compile(
    r"(?<![a-z])(?:from|going|upgrad\w*|mov(?:e|ing)|switch\w*)(?![a-z])[^?]{0,60}(?<![a-z])to(?![a-z])"
    r"|[换升][^?？]{0,4}?[成到为]|(?<!达)到 ?(?=[a-z0-9])"
)
INSTEAD = re.compile(r"(?<![a-z])(?:instead of|rather than)(?![a-z])|而不是|而非")  # of two, what the first has more or less
# How far two are apart is asked, not how much each is.
DIFFERENCE = re.compile(
    r"差(?:多少|几|距|别)|[快慢省涨多](?:多少|几)|增加(?:了)?多少|爆?涨吗"
    r"|(?<![a-z])(?:difference|how much (?:more|less|faster|slower))(?![a-z])"
)
Decision = tuple[str, str, tuple[str, ...]]  # (use or column, operator, the columns that decide, the first foremost)
CAPACITY, BANDWIDTH, RATE, LINK = "memory_gb", "memory_bandwidth_gb_s", "bf16_dense_tflops", "interconnect_gb_s"
PREFERS = re.compile(
    r"哪(?:个|张|款|块|种|台)|谁(?!家)|[选买入上租配](?=[^?。]{0,40}(?:还是|哪))|[快慢]多少|快几倍|更[快慢]"
    r"|还是[^?。]{0,24}(?:好|快|合适|划算|强|省)|(?<![a-z])(?:should i|buy|get|pick|choose)(?![a-z])[^?.]{0,48}(?<![a-z])or(?![a-z])"
    r"|(?<![a-z])(?:which|who|faster|slower|better|best|quicker|cheaper|worth|prefer|how (?:slow|fast))(?![a-z])|多[慢快]"
    r"|打[得个]?平|持平|比得[上过]|[赶跟抵][得]?[上超]|追[得]?[上平]|不相上下|有[^?,。]{1,16}(?:快|强)(?:吗|么|嘛|没|不|[?？]|$)"
    r"|(?<![a-z])(?:on par|keeps? up|match(?:es)?|as fast|equally fast|comparable)(?![a-z])"
)
# One card or the other, with nothing behind but what for: "A100 or L40S for serving 70B?".
ONE_OR_OTHER = re.compile(
    r"^\W*(?:an? |the )?\ue000[^,;。?\d]{0,12}(?:(?<![a-z])(?:or|vs\.?|versus)(?![a-z])|还是|或)[^,;。?\d]{0,12}\ue000[^,;。?]{0,12}?"
    r"(?:(?<![a-z])(?:for|to (?:run|serve|train|fine-?tune|do|host|deploy))(?![a-z])|跑|做|训|炼|微调|推理|部署)"
)
SPEEDUP = re.compile(
    r"快(?:多少|几|一?倍|吗|不快)|[提加]速|(?<![a-z])(?:faster|speed[- ]?up|speed it up|quicker)(?![a-z])"
)  # by a measure
FAST = re.compile(
    r"快|慢|性能|速度|(?<![a-z])(?:speeds?|as fast|keeps? up|fast(?:er|est)?|slow(?:er|est)?|quick(?:er|est)?"
    r"|perform(?:ance|s better)?)(?![a-z])"
)
SLOWER, FASTER = (
    re.compile(r"慢|(?<![a-z])slow(?:er|est)?(?![a-z])"),
    re.compile(r"快|(?<![a-z])(?:fast|quick)(?:er|est)?(?![a-z])"),
)
GOOD = re.compile(
    r"好|适合|强|划算|值得|推荐|选|合适|[买入上租配](?=[^?。]{0,40}还是)"
    r"|(?<![a-z])(?:better|best|worth|suited?|prefer|should i|choose|pick|buy|get|take|go (?:with|for))(?![a-z])"
)
TRAINS = re.compile(
    r"训练|[训炼](?:[^习]|$)|微调|预填充|首字|首 ?token"
    r"|(?<![a-z])(?:train\w*|fine-?tun\w+|pre-?train\w*|prefill\w*|ttft|lora|qlora)(?![a-z])"
)
INFERS = re.compile(
    r"推理|推论|解码|生成|部署|跑|聊天|(?<![a-z])(?:inference|infer|decod\w+|serv\w+|generat\w+|chat\w*|run(?:s|ning)?|llms?|tok\w*/s)"
    r"(?![a-z])"
)
LITTLE = re.compile(
    r"低|省|(?<!多)少|便宜|(?<!大)小|(?<![a-z])(?:low(?:er|est)?|less|least|cheap(?:er|est)?|smaller|fewer)(?![a-z])"
)
MUCH = re.compile(
    r"高|大|多(?!少)|快|强|好|(?<![a-z])(?:high(?:er|est)?|more|most|larger|largest|bigger|biggest|greater|faster|better|best)(?![a-z])"
)
HOLDS = re.compile(
    r"(?<![a-z])(?:holds?|fits?|runs?|loads?|takes?)(?: the| an?)? (?:bigger|larger|biggest|largest) (?:llms?|models?)(?![a-z])"
    r"|(?:装|放|跑|塞|加载|运行)[^,。?]{0,6}(?:更|最)大的?(?:大)?模型|(?:装|放|跑)(?:得下)?的?模型(?:更|最)大"
)
PRICED = re.compile(r"便宜|贵|(?<![a-z])(?:cheaper|cheapest|more expensive|pricier)(?![a-z])")
BY_LITTLE = frozenset({"tdp_w", "msrp_usd", "msrp_usd/memory_gb"})  # of which the least is the best
# What a card gives for its price.
FOR_THE_MONEY = re.compile(
    r"划算|性价比|性價比|劃算|(?<![a-z])(?:(?:better|best|more|good) value|value for|bang for|worth the money|cost[- ]effective\w*"
    r"|(?:cheap\w*|less|cost\w*|price\w*) per (?:token|tflops?|flop|unit))(?![a-z])"
)
AMOUNT = re.compile(r"多少|几倍|(?<![a-z])(?:how (?:much|many)|ratio)(?![a-z])")
CLAIM = re.compile(
    r"(?:^|[,.;:] ?)\W*(?:so |since |but )?(?:is|are|does|do|has|have|will|would)(?![a-z])[^?]{0,90}?(?<![a-z])"
    r"(?:(?P<more>higher|more|faster|larger|bigger|greater|better|stronger)"
    r"|(?P<less>lower|less|slower|smaller|fewer|worse|weaker|cheaper)) ?[^?]{0,40}?than(?![a-z])"
    r"|(?:是不是|是否)[^?,。]{0,8}比[^?,。]{1,24}?(?P<also_more>高|大|多|快|强|好|贵|适合)"
    r"|比[^?,。]{1,24}?(?:(?P<zh_more>高|大|多|快|强|好|贵|适合)|(?P<zh_less>低|小|少|慢|弱|差|省|便宜))[^?,。多几]{0,4}(?:吗|么|嘛|吧|对吗|是不是)"
)
DIFFERENT = re.compile(
    r"不(?:太|大)?(?:一样|相同|同)(?:的)?\s?(?:吗|么|嘛|吧|[?？]|$)|不是(?:不)?一样的?(?:吗|么)"
    r"|(?<![a-z])(?<!how )(?<!what )(?<!where )(?<!way )(?:is|are|do|does|have|has|isn'?t|aren'?t)(?![a-z])[^?]{0,60}"
    r"(?<![a-z])(?:different|differ)(?![a-z])"
)
SAME = re.compile(
    r"(?:一样|相同|等同|相等)(?:的|大|高|快|多)?\s?(?:吗|么|嘛|[?？])|(?:是不是|是否)[^?。]{0,12}(?:一样|相同)"
    r"|(?<![a-z])(?:is|are|do|does|have|has)(?![a-z])[^?]{0,60}(?<![a-z])(?:the )?(?:same|identical|equal)(?![a-z])"
)


TIMES = re.compile(
    r"(?<![a-z])(?:has|have|is|are|with|offers?) (?:about |roughly )?(?:twice|double|(\d(?:\.\d)?)(?:x| times)) (?:the|as)"
    r"|(?:是|有)[^?,。]{0,16}(?:两倍|二倍|2 ?倍)[^?。]{0,12}(?:吗|么|吧|对)"
)


def decisions_of(clause: str, columns: Sequence[str], found: Sequence[Found], cards: bool = True) -> tuple[Decision, ...]:
    """What a clause that compares things of one table wants decided; `cards`: they are cards, which may be better for a use."""
    first = columns[0] if columns else None
    if any((cards and f.quantity == "gpu_count" and f.value and f.value > 1) or f.quantity == "money" for f in found):
        return ()  # not card against card, or not by what they are
    if DIFFERENT.search(clause):
        return ((first, "!=", (first,)),) if first else ()
    if SAME.search(clause):
        return ((first, "==", (first,)),) if first else ()
    if not (first or cards):
        return ()
    if first is None and PRICED.search(clause):
        first = "msrp_usd"
    times = TIMES.search(clause)
    if times and first:
        return ((first, f"x{times[1] or 2}", (first,)),)
    claim = CLAIM.search(clause)
    if claim and not AMOUNT.search(clause):
        column = first or of_use(clause, found)[0]
        by = (column, LINK) if first is None and TRAINS.search(clause) else (column,)  # of cards with one rate the link decides
        return ((column, ">" if claim["more"] or claim["also_more"] or claim["zh_more"] else "<", by),)
    formatted = any(f.quantity == "precision" for f in found)  # then it is whether they hold it
    either = not (first or formatted) and ONE_OR_OTHER.match(clause) is not None
    if not (either or PREFERS.search(clause)):
        return ()
    out: list[Decision] = []
    used = cards and (TRAINS.search(clause) or INFERS.search(clause))
    if first and (not used or (MUCH.search(clause) or LITTLE.search(clause))):
        least = first in BY_LITTLE and not re.search(r"高|(?<![a-z])(?:higher|more|most)(?![a-z])", clause)
        least = least or bool(LITTLE.search(clause) and not MUCH.search(clause))
        out.append((first, "least" if least else "most", (first,)))
    if cards and (either or FAST.search(clause) or GOOD.search(clause)) and (used or not first):
        use = "training" if TRAINS.search(clause) else "inference" if used or GOOD.search(clause) else "speed"
        slowest = SLOWER.search(clause) and not FASTER.search(clause)
        out.append((use, "worst" if slowest else "best", of_use(clause, found)))
    if cards and HOLDS.search(clause):
        out.append(("holding", "best", (CAPACITY,)))
    return tuple(out)


def of_use(clause: str, found: Sequence[Found]) -> tuple[str, ...]:
    """The columns that decide a use: training and prefill compute, decoding reads memory; a tie is broken by the next."""
    formats = [FORMAT_COLUMNS[str(f.value)] for f in found if f.quantity == "precision" and f.value in FORMAT_COLUMNS]
    rate = formats[0] if formats else RATE
    return (rate, BANDWIDTH, LINK, CAPACITY) if TRAINS.search(clause) else (BANDWIDTH, rate, CAPACITY)
