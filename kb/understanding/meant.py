"""What is meant where it is not said: running a model that is to fit, all of it trained where it is sharded, one card."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.types.question import Part
from kb.types.specs import SpecBook
from kb.understanding.measured import measured
from kb.understanding.names.cards import Card
from kb.understanding.premises.told import told_by_others
from kb.understanding.slots.known import tells_both, tells_model
from kb.understanding.symptoms import OUT_OF_MEMORY
from kb.understanding.text.clauses import ASKING

OF_STATES = frozenset({"model_states", "memory_total", "memory_per_gpu", "weights"})
OF_NEED = frozenset({"memory_total", "memory_per_gpu"})
TRAINED = re.compile(r"训|炼|微调|(?<![a-z])(?:train|tun|lora|sft)|方式|method")


NEVER_STARTS = re.compile(
    r"起不来|起不了|(?:启动|加载|载入)不了|(?:启动|拉|跑)不(?:起来|上来)|(?:无法|不能|没法)(?:正常)?(?:启动|加载|载入)|(?:启动|加载|载入)(?:就|直接|总是?|一直)?(?:失败|报错)"
    r"|(?<![a-z])(?:won'?t|will not|does(?:n'?t| not)|can(?:'?t|not)|refuses to|fail(?:s|ed|ing)? to|unable to|never)"
    r" (?:even )?(?:start|load|launch|boot|come up|spin up)(?:s|ed)?(?: up)?(?![a-z])"
)


def meant(parts: Sequence[Part], low: str) -> tuple[Part, ...]:
    """The parts of a turn as they are meant, none of them told twice."""
    asked = _of_a_file(measured(tuple(_asks_to_start(p) if _never_starts(p) else _wanted_rate(p) for p in parts)), low)
    return _told_once(tuple(_on_a_named_card(_on_so_much(told_by_others(_in_all(p)))) for p in _of_a_desktop(asked)))


IN_ALL = re.compile(r"总共|一共|合计|总的?(?:是|要)?多少|(?<![a-z])(?:in total|altogether|in all|total)(?![a-z])")
OF_A_TOKEN = re.compile(r"每个?\s?(?:token|词元)|(?:per|each|a) token")


def _in_all(part: Part) -> Part:
    """A further turn that asks for the whole of what one token took: `每 token 多少？` and then `100 个并发每个 2k 总共呢`."""
    s, low = part.slots, part.text.lower()
    whole = part.wanted == ("kv_cache_per_token",) and s.get("concurrency") and s.get("context_len")
    return replace(part, wanted=("kv_cache",)) if whole and IN_ALL.search(low) and not OF_A_TOKEN.search(low) else part


def _of_a_desktop(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Lanes that are asked for, and whether a desktop's processor has them, are one question: `64 lanes? desktop cpu ok?`"""
    lanes = next((p for p in parts if "pcie_lanes" in p.wanted), None)
    aside = [p for p in parts if p is not lanes and p.intent == "explain" and p.slots.get("desktop")]
    if lanes is None or not aside:
        return parts
    told = replace(lanes, slots={**lanes.slots, "desktop": True}, text=" ".join([lanes.text, *(p.text for p in aside)]))
    return tuple(told if p is lanes else p for p in parts if p not in aside)


def _never_starts(part: Part) -> bool:
    s, low = part.slots, part.text.lower()
    runs = s.get("workload") in (None, "inference") and not s.get("task")
    return bool(tells_both(s) and runs and NEVER_STARTS.search(low) and not OUT_OF_MEMORY.search(low))


def _asks_to_start(part: Part) -> Part:
    """A part about a running model and its cards that does not start as one that asks whether it fits (slot `never_starts`); a run that
    says what it died of is one of trouble."""
    slots = {**part.slots, "workload": "inference", "never_starts": True}
    return replace(part, intent="size", slots=slots, wanted=(), asks_verdict=True)


def _on_so_much(part: Part) -> Part:
    """A question whether so many GB are enough, of no card by name: a card of that size is meant."""
    s = part.slots
    open_ = part.asks_verdict and part.intent == "size" and bool(s.get("size_gb")) and not set(part.wanted) - OF_STATES
    if not open_ or any(s.get(k) for k in ("gpu", "memory_gb", "system", "gpu_name")) or not tells_model(s):
        return part
    kept = {k: v for k, v in s.items() if k != "size_gb"}
    return replace(part, slots={"gpu_count": 1, **kept, "memory_gb": s["size_gb"]})


def _on_a_named_card(part: Part) -> Part:
    """A question how much memory a job takes that names a card: whether that card has it is what the asker wants to know."""
    s = part.slots
    asked = part.intent == "size" and bool(part.wanted) and not set(part.wanted) - OF_NEED
    if not asked or not tells_both(s) or part.asks_verdict or any(k in s for k in ("each", "workloads", "formats", "measured")):
        return part
    return replace(part, asks_verdict=True)


def _told_once(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts without a verdict that an earlier part about the same job gives already."""
    out: list[Part] = []
    for part in parts:
        same = [p for p in out if p.intent == part.intent == "size" and p.asks_verdict and dict(p.slots) == dict(part.slots)]
        if not (part.asks_verdict and any(set(part.wanted) <= set(p.wanted) for p in same)):
            out.append(part)
    return tuple(out)


def fits_as_is(part: Part) -> bool:
    """Whether a question of fit says nothing of training: a model on a card is to run."""
    s = part.slots
    open_ = part.asks_verdict and "workload" not in s and "task" not in s
    return open_ and tells_both(s) and not TRAINED.search(part.text.lower())


def sharded(part: Part) -> bool:
    """Whether a fine-tune of which no method is said shards its states: there is much to shard only where all is trained."""
    s = part.slots
    return (
        s.get("task") == "finetune" and bool(s.get("zero_stage")) and not {"workload", "workloads", "quantization"} & s.keys()
    )


def tuned_in_full(part: Part) -> Part:
    return replace(part, slots={k: v for k, v in part.slots.items() if k != "task"} | {"workload": "full_finetune"})


# A speed as it was measured, and one that all requests together are to have.
TAKEN_DOWN = re.compile(
    r"实测|测得|测出|跑出|只有|才(?=\s?\d)|现在|目前|(?<![a-z])(?:measured?|measuring|getting|gets?|got|seeing|see|only|currently|benchmarked)(?![a-z])"
)
ALTOGETHER = re.compile(
    r"总|吞吐|合计|一共|并发|(?<![a-z])(?:total|throughput|aggregate\w*|overall|altogether|combined|concurren\w+|batch\w*)(?![a-z])"
)
STREAM = 150.0  # tokens a second: of one request nobody wants more
SECONDS_A_DAY = 86_400


def _wanted_rate(part: Part) -> Part:
    """A rate of tokens beside a number of GPUs that is asked for, or is to be enough: a load, not a speed that was measured."""
    s, low = part.slots, part.text.lower()
    rate = s.get("tokens_per_second") or (s.get("tokens_per_day") or 0) / SECONDS_A_DAY
    counted = bool({"gpu_count", "nodes", "hardware"} & set(part.wanted))
    subject = bool(s.get("model") or s.get("parameters"))
    trains = bool(s.get("task")) or s.get("workload") not in (None, "inference")
    priced = any(k in s for k in ("price_per_million_tokens", "measured")) or TAKEN_DOWN.search(low)
    if part.intent != "size" or not subject or trains or priced or not (counted or part.asks_verdict):
        return part
    if not (rate or s.get("requests_per_second")):
        return part
    if 0 < rate <= STREAM and not (ALTOGETHER.search(low) or s.get("concurrency") or s.get("tokens_per_day")):
        return part
    kept = {k: v for k, v in s.items() if k not in ("tokens_per_second", "tokens_per_day")}
    wanted = tuple(n for n in part.wanted if n not in ("decode_tokens_per_second", "tokens_per_second"))
    if part.asks_verdict and not counted:
        wanted = (*wanted, "gpus_for_load")
    return replace(
        part, slots={**kept, "workload": "inference"} | ({"demanded_tokens_per_second": rate} if rate else {}), wanted=wanted
    )


OF_ONE = frozenset({"ollama", "llama.cpp", "lmstudio"})  # engines of machines at home, that have one card unless more are named
SEVERAL = (
    "gpu_count", "gpu_count_range", "gpu_counts", "nodes", "system", "tensor_parallel", "pipeline_parallel", "data_parallel",
    "zero_stage",
)  # fmt: skip


DECODED = frozenset(
    {"decode_tokens_per_second", "decode_tokens_per_second_per_request", "decode_ceiling", "time_to_first_token"}
)
_SORT = r"(?:(?:(?:single|lone|old|used|new|modded|desktop|nvidia|amd|geforce|radeon|\d{1,3} ?gb?|二手|新|旧|老|单卡?)(?![a-z]) ?){0,3})"
ONE = re.compile(  # a card that somebody has, or a model runs on
    rf"(?:(?<![a-z])(?:(?:(?:on|with|using|use|have|has|got|own|in|into|from|for) (?:just |only )?)?(?:(?:my|our|your|one|single|lone) )"
    rf"|(?:on|with|using|have|has|got|own|in|into) (?:just |only )?(?:an?|this|that) ){_SORT}"
    rf"|(?:我的|我这|手[上里头]的?|家里的?|自己的|这[张块]|那[张块]|有[张块]|单卡)\s?{_SORT})$"
)
MANY = re.compile(
    r"(?:s|[ -]?(?:servers?|nodes?|box(?:es)?|clusters?|machines?|pods?|systems?|rigs?|farm|hosts?|instances?))(?![a-z])"
    r"|\s?(?:的)?(?:服务器|集群|节点|整机|机器|主机)"
)


def _singled(low: str, cards: Sequence[Card]) -> bool:
    """Whether every card of a text is spoken of as one: `my 4090`, `on a 16gb 4080`, `手上的 4090`."""
    return bool(cards) and all(
        ONE.search(low, max(0, c.start - 40), c.start) and not MANY.match(low, c.end) and low[c.end - 1 : c.end] != "s"
        for c in cards
    )


def _personal(cards: Sequence[Card], book: SpecBook) -> bool:
    """Whether every card is made for desktops and laptops of consumers."""
    kinds = [row.text("kind") or "" for c in cards if (row := book.row("accelerators", c.row or ""))]
    return bool(kinds) and all(kind.startswith(("consumer", "laptop", "system on chip")) for kind in kinds)


def _of_one_card(part: Part, one: bool, at_home: bool) -> bool:
    """Whether it is asked if a card is enough, how fast or how long, and nothing says that there are several: then one is meant.
    `one`: it is spoken of as one; `at_home`: it is made for desktops and laptops, which have one unless more are named."""
    s = part.slots
    measured = DECODED & set(part.wanted) and ("measured" in s or at_home)
    return (
        tells_both(s)
        and (part.asks_verdict or "max_context_len" in part.wanted or s.get("engine") in OF_ONE or one or bool(measured))
        and not {"gpu_count", "nodes"} & set(part.wanted)
        and not any(k in s for k in SEVERAL)
    )


def on_one_card(parts: Sequence[Part], low: str, cards: Sequence[Card], book: SpecBook) -> tuple[Part, ...]:
    """The parts, of which those that mean one card without saying so are on one."""
    many = any(low[c.start : c.end].endswith("s") and c.term.canonical[-1] not in "sS" for c in cards)
    if many or CLUSTER.search(low):
        return tuple(parts)
    how = _singled(low, cards), _personal(cards, book)
    return tuple(replace(p, slots={**p.slots, "gpu_count": 1}) if _of_one_card(p, *how) else p for p in parts)


CLUSTER = re.compile(r"集群|叢集|(?<![a-z])clusters?(?![a-z])")  # of cards, however many
PAID = frozenset({"purchase_price", "budget", "price_per_gpu_hour", "price_per_hour", "price_per_day", "price_per_month"})


def leads_to(earlier: Part, part: Part) -> bool:
    """Whether a part before one about rent or purchase only tells what it follows from: `buy one for $5000 or rent.`, `an API costs $1`."""
    if part.slots.get("circuit_a") and part.asks_verdict and earlier.slots.get("circuit_a") and earlier.intent == "size":
        return not (earlier.wanted or earlier.asks_verdict)
    if "break_even" not in part.wanted:
        return False
    told = earlier.wanted == ("cost",) and not ASKING.search(earlier.text.lower())
    return told or (earlier.intent == "explain" and bool(PAID & earlier.slots.keys()))


FILE = re.compile(
    r"(?:checkpoint|ckpt|检查点|存档)[^,，。;?]{0,24}?\d{1,5}(?:\.\d{1,3})?\s?[gt]i?b?(?![a-z])"
    r"|\d{1,5}(?:\.\d{1,3})?\s?[gt]i?b? (?:checkpoint|ckpt)"
)
# The little that adapters take, wondered at: 才几十兆.
LITTLE = re.compile(
    r"(?:adapter|适配器|lora)[^,，。;?]{0,24}?(?:才|只有?|就|仅|(?<![a-z])(?:only|just|merely))[^,，。;?]{0,8}?"
    r"(?:[几\d一二两三四五六七八九十百]+ ?多?个? ?(?:兆|mi?b?(?![a-z])))"
)
WONDERED = re.compile(
    r"为什么|为啥|怎么(?:会|这么)|正常|这么[大小]|是不是|对吗"
    r"|(?<![a-z])(?:why|normal|did it|so (?:big|large|small)|how come|expected|right)(?![a-z])"
)


def _of_a_file(parts: tuple[Part, ...], low: str) -> tuple[Part, ...]:
    """A question that wonders at the size of a checkpoint as one that asks for that size: what it comes from is its reason."""
    s = parts[0].slots if len(parts) == 1 else {}
    if tells_model(s) and LITTLE.search(low) and WONDERED.search(low):
        slots = {k: v for k, v in s.items() if k not in ("size_gb", "memory_gb")} | {"workload": s.get("workload") or "lora"}
        return (replace(parts[0], intent="size", wanted=("adapter", "trainable_parameters"), slots=slots, asks_verdict=False),)
    known = tells_model(s) and bool(s.get("size_gb")) and not OUT_OF_MEMORY.search(low)
    if not known or parts[0].intent not in ("explain", "troubleshoot", "size"):
        return parts
    if not (FILE.search(low) and WONDERED.search(low)):
        return parts
    return (replace(parts[0], intent="size", wanted=("checkpoint_size",), asks_verdict=False),)
