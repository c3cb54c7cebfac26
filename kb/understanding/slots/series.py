"""Several values of one quantity in one question (`7B、13B、70B 各要多少`, two drives): one request, asked for each value."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from kb.understanding.found import Found

BETWEEN = re.compile(
    r"[\s(（)）]*(?:、|,|/|\+|和|与|跟|及|或(?:者)?|还是|vs\.?|and|or|, ?and|&|~|[升加改调增涨拉提]?到"
    r"|变成|换成|改成|换为|to|for|instead of)[\s(（]*"
    r"(?:(?:an?|the|the same|from|从)\s)?"
)
INSTEAD = re.compile(
    r".{0,20}(?:instead of|rather than|(?<![a-z])over|compared (?:to|with)|而不是|相比|比)\s?"
    r"(?:(?:regular|plain|normal|standard) |普通|标准)?"
)
SWAPPED = re.compile(
    r"\s?(?:optimizer |优化器)?(?:for|with|by|换成|换为|改成|改用|替换(?:成|为))\s?(?:an? |the )?"
)  # swap adamw for adafactor
EACH = re.compile(
    r"分别|各(?:要|需|是|占|多少|能|跑|自|用)?|每种|(?<![a-z])(?:each|respectively|vs\.?"
    r"|versus|compared?|difference|which|largest|biggest)(?![a-z])|哪[个些]|还是|差多少"
)
AGAINST = re.compile(
    r"[跟和与比同](?=[^,。;?]{1,24}(?:比|差|快|慢))|相比|比起|(?<![a-z])(?:than|compared (?:to|with)|versus|vs\.?|against)(?![a-z])"
)
SAVING = re.compile(  # what one optimizer takes less, or more, than another
    r"省|节约|减少|降低|少(?:占|用|吃)?(?:多少|几)|多(?:占|用|吃)(?:多少|几)|差(?:多少|几)|相比"
    r"|(?<![a-z])(?:sav(?:e[sd]?|ing)|less|more|difference|compared|instead of|reduc\w*)(?![a-z])"
)
RANKS = re.compile(
    r"(?<![a-z])r(?:ank)?\s?[=:]?\s?(\d{1,4})\s?(?:vs\.?|versus|instead of|rather than|or|to|和|与|对比"
    r"|还是|到|换成|、|,)\s?r?(?:ank)?\s?[=:]?\s?(\d{1,4})(?![\d.a-z])"
)
# A number that goes from one value to another: rank从8改到64, 并发从1改到4, `batch size from 1 to 4`.
_TO = r"\s?(?:从|由|from)?\s?(\d{1,5})\s?(?:[加改调增升提涨拉换]?(?:到|成|为|至)|to|->|→)\s?(\d{1,5})(?![\d.a-z])"
CHANGED = (
    ("lora_rank", re.compile(rf"(?:(?<![a-z])(?:r(?:ank)?)(?![a-z])|秩){_TO}")),
    (
        "concurrency",
        re.compile(rf"(?:并发(?:数|量)?|用户数?|(?<![a-z])(?:concurrency|concurrent (?:requests|users)|users)){_TO}"),
    ),
    ("micro_batch", re.compile(rf"(?:(?<![a-z])(?:batch(?:[ -]?size)?|bsz?)|批(?:大小|次|量)?){_TO}")),
)
COUNTS = re.compile(
    r"(?<![a-z])(?:is|are|will|would) (\d{1,3}) (?:of (?:them|those) )?(?:be )?enough,? or (?:do|will|would|should) (?:i|we) (?:really )?"
    r"(?:need|take|get|use) (\d{1,3})(?![\d.a-z])"
    r"|(\d{1,3})\s?[张块卡]?(?:就|能)?(?:够|行)[^,。?]{0,4},?\s?还是(?:说)?(?:要|得|需要|用|上)\s?(\d{1,3})\s?[张块卡]?(?![\d.a-z])"
)
_SAVED = r"(?:(?:gradient|activation)[ -]?)?(?:check-?point(?:ing)?|ckpt|recomput\w*)|(?:梯度)?检查点|(?:激活)?重计算"
# With a measure and without it: `with and without checkpointing`, 不开重计算，开了又是多少.
BOTH_WAYS = re.compile(
    r"(?<![a-z])(?:with(?: ?/ ?| and | or | vs\.? )without|without(?: ?/ ?| and | or | vs\.? )with|w/? and w/o)(?![a-z])"
    rf"[^,.;?]{{0,16}}(?:{_SAVED})"
    rf"|(?:{_SAVED})[^.;?。]{{0,16}}(?<![a-z])(?:on (?:and|vs\.?|or) off|off (?:and|vs\.?|or) on)(?![a-z])"
    rf"|(?:不开|关掉?|没开|不用)[^,，。;?]{{0,6}}(?:{_SAVED})[^。;?]{{0,16}}(?:开了?|打开|用了)"
    rf"|(?:开|打开|用)[^,，。;?]{{0,6}}(?:{_SAVED})[^。;?]{{0,16}}(?:不开|关掉?|没开|不用)"
    rf"|(?:开(?:与|和|或)?不开|开关)[^,，。;?]{{0,6}}(?:{_SAVED})|(?:{_SAVED})[^,，。;?]{{0,4}}(?:开(?:与|和|或)?不开|开关)"
)
MIXED = re.compile(r"混插|混用|混搭|一起(?:用|跑|训)|(?<![a-z])(?:mix(?:ed|ing)?|together|combined?)(?![a-z])")
# Models that run side by side on what there is.
TOGETHER = re.compile(
    r"一起|同时(?!在线)|挤|共用|都(?:放|跑|装|塞)|同一?[张块台]"
    r"|(?<![a-z])(?:together|both|on the same|same (?:card|gpu|box|machine|server)|side by side|at the same time|alongside)(?![a-z])"
)
MOST = 6
BESIDE = 3  # code points between a number of cards and their name
OPTIMIZERS = {
    "adam": "adamw",
    "adamw": "adamw",
    "8bit_adam": "adamw_8bit",
    "adafactor": "adafactor",
    "sgd": "sgd",
    "lion": "lion",
    "muon": "muon",
}
FORMATS = {"4bit": "int4", "8bit": "int8"}


def series_of(low: str, start: int, end: int, here: Sequence[Found], slots: Mapping[str, Any]) -> tuple[str, list[Any]] | None:
    """(request field, its values in order) when a clause lists values of one quantity; None when it lists none."""
    if together := _on_the_same_cards(low, start, end, here):
        return "model", together
    if MIXED.search(low, start, end):
        return None
    adapted = slots.get("workload") in ("lora", "qlora")
    ranks = RANKS.search(low, start, end) if adapted else None
    if ranks and ranks[1] != ranks[2]:
        return "lora_rank", [int(ranks[1]), int(ranks[2])]
    for field, pattern in CHANGED:
        if (both := pattern.search(low, start, end)) and both[1] != both[2] and (field != "lora_rank" or adapted):
            return field, [int(both[1]), int(both[2])]
    if BOTH_WAYS.search(low, start, end):
        return "recompute", ["none", "full"]
    counts = COUNTS.search(low, start, end) if slots.get("gpu") else None
    if counts:
        return "gpu_count", [int(n) for n in counts.groups() if n]
    each = EACH.search(low, start, end) is not None
    for quantity in ("bandwidth", "parameters", "model", "precision", "optimizer", "seq_len", "gpu"):
        listed = [
            f
            for f in here
            if f.quantity == quantity
            and (not f.quiet or quantity == "optimizer")
            and f.extra.get("role") not in ("active", "total")
        ]
        if not 1 < len(listed) <= MOST:
            continue
        asked = all(low[f.end : f.end + 2].lstrip().startswith("呢") for f in listed[1:])  # bf16 多大，fp8 呢，int4 呢
        asked = asked or (quantity == "gpu" and len(listed) == 2 and AGAINST.search(low, start, end) is not None)
        gaps = [_between(low, a, b, here) for a, b in pairwise(listed)]
        swapped = quantity == "optimizer" and (
            all(SWAPPED.fullmatch(gap) for gap in gaps) or (len(listed) == 2 and SAVING.search(low, start, end) is not None)
        )
        if not (asked or swapped or all(_listed(gap, each) for gap in gaps)) or (quantity == "gpu" and "+" in "".join(gaps)):
            continue  # cards that are added up work together
        own = quantity == "parameters" and any(_touches(m, p) for m in here if m.quantity == "model" for p in listed)
        found = _field(quantity, listed, {k: v for k, v in slots.items() if k != "model"} if own else slots)
        if found and len(set(map(str, found[1]))) == len(listed):
            return found
    return None


def _on_the_same_cards(low: str, start: int, end: int, here: Sequence[Found]) -> list[str]:
    """The models that a clause has run together, two or more of them."""
    rows = [str(f.extra["row"]) for f in here if f.quantity == "model" and f.extra.get("row")]
    distinct = list(dict.fromkeys(rows))
    return distinct if 1 < len(distinct) <= MOST and TOGETHER.search(low, start, end) else []


def _touches(a: Found, b: Found) -> bool:
    """Whether one stands in the other or beside it: a size of the model that is named."""
    return a.start <= b.end + 1 and b.start <= a.end + 1


def _between(low: str, a: Found, b: Found, here: Sequence[Found]) -> str:
    """What stands between two values, but for how many there are of the second."""
    at = next((f.start for f in here if f.quantity == "gpu_count" and a.end <= f.start and f.end <= b.start <= f.end + 3), None)
    return low[a.end : b.start if at is None or b.quantity != "gpu" else at]


def _listed(gap: str, each: bool) -> bool:
    """Whether what stands between two values joins them to a list; with `each` said, names may stand between, too."""
    if BETWEEN.fullmatch(gap) or INSTEAD.fullmatch(gap):
        return True
    joined = re.search(r"、|,|/|和|与|跟|还是|vs|and|or|对比|相比|比", gap) is not None
    return each and (gap.isspace() or (len(gap) <= 16 and joined))


def _field(quantity: str, listed: Sequence[Found], slots: Mapping[str, Any]) -> tuple[str, list[Any]] | None:
    match quantity:
        case "bandwidth" if "disk_gb_s" in slots:
            return "disk_gb_s", [f.value * {"GB/s": 1.0, "TB/s": 1e3, "MB/s": 1e-3}.get(f.unit or "", 0.0) for f in listed]
        case "parameters" if "model" not in slots and all(f.value and "role" not in f.extra for f in listed):
            return "parameters", [f.value for f in listed]
        case "model" | "gpu" if all(f.extra.get("row") for f in listed) and not any(f.extra.get("system") for f in listed):
            return quantity, [f.extra["row"] for f in listed]
        case "precision" if not slots.get("kv_precision"):
            field = "quantization" if slots.get("workload", "inference") == "inference" else "precision"
            return field, [FORMATS.get(str(f.value), str(f.value)) for f in listed if f.value != "mixed"]
        case "optimizer":
            return "optimizer", [OPTIMIZERS[str(f.value)] for f in listed if f.value in OPTIMIZERS]
        case "seq_len" if not {"prompt_tokens", "output_tokens"} & slots.keys():
            return ("seq_len" if "seq_len" in slots else "context_len"), [int(f.value) for f in listed]
    return None


def counts_of(here: Sequence[Found], counts: Sequence[Found]) -> list[int]:
    """How many of each card are spoken of: `one H200 or two H100`."""
    cards = [f for f in here if f.quantity == "gpu" and f.extra.get("row")]
    near = [next((c.value for c in counts if 0 <= card.start - c.end <= BESIDE), 1) for card in cards]
    return [int(n or 1) for n in near]


def offers_of(here: Sequence[Found]) -> list[dict[str, float]]:
    """The hourly price that is said of each of several cards, with the speed where it is said of each, too; else nothing."""
    cards = [f for f in here if f.quantity == "gpu" and f.extra.get("row")]
    if not 1 < len(cards) <= MOST or len({f.extra["row"] for f in cards}) < len(cards):
        return []
    out = []
    for card, end in zip(cards, [*(f.start for f in cards[1:]), sys.maxsize], strict=True):
        own = [f for f in here if card.start < f.start < end]
        price = next((f.value for f in own if f.quantity == "money" and f.extra.get("per") in ("hour", "gpu_hour")), None)
        speed = next((f.value for f in own if f.quantity == "tokens" and f.extra.get("per") == "second"), None)
        if price is None:
            return []
        out.append({"price_per_gpu_hour": price} | ({"tokens_per_second": speed} if speed else {}))
    return out if len({len(o) for o in out}) == 1 else []
