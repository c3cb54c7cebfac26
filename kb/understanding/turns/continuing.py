"""A turn that builds on the one before: what it leaves open, and the one before says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.types.question import Part
from kb.understanding.asks import manner
from kb.understanding.asks.columns import DENSE, FORMAT_COLUMNS, columns_of, of_sparse, sparse
from kb.understanding.asks.conditions import Condition, conditions_of
from kb.understanding.asks.decisions import of_use
from kb.understanding.asks.ranking import FORMAT, LEAST, MOST, SORT, ranking_among
from kb.understanding.context import ASKED_OF, SPECS, Context, entities_of, of_unknown
from kb.understanding.found import Found
from kb.understanding.slots.known import tells_card, tells_model
from kb.understanding.slots.paying import RENTS
from kb.understanding.turns import conversation, counted
from kb.understanding.turns.why import why

SIZING_SLOTS = frozenset([
    "seq_len", "context_len", "micro_batch", "gpu_count", "quantization", "precision", "workload", "concurrency", "zero_stage",
    "kv_precision", "lora_rank",
])  # fmt: skip
RUN = SIZING_SLOTS - {"gpu_count"} | {"people", "task", "tokens"}  # what is said of a job, not of a model
OF_THOSE = re.compile(
    r"其中|这些|里面|当中|上面|仅|只[要看留]|(?<![a-z])(?:only|just|of (?:those|them|these)|among (?:those|them|'?em|these))(?![a-z])"
)
TWICE = re.compile(
    r"翻一?倍|翻番|快一倍|[两2]倍|(?<![a-z])(?:doubl(?:e|es|ed|ing)|twice|2 ?x)(?![a-z])|faster|快(?:多少|很多|不少)|scale"
)
DOUBLING = re.compile(r"翻一?倍|翻番|快一倍|[两2]倍|(?<![a-z])(?:doubl(?:e|es|ed|ing)|twice|2 ?x)(?![a-z])")
# How far what was changed is from what it was.
GAIN = re.compile(
    r"[省快慢多少差降涨贵](?:下|掉|出)?(?:多少|几)|(?<![a-z])how much"
    r" (?:faster|slower|less|more|cheaper|quicker|memory|time|money|vram)(?![a-z])"
    r"|how much (?:does|do|would|will|can) (?:it|that|this|i|we) (?:save|gain|cost more)"
    r"|(?<![a-z])what do (?:i|we) save(?![a-z])"
)
# Of these a turn may change one, and ask what comes of it.
CHANGING = (
    "workload", "gpu", "quantization", "precision", "kv_precision", "optimizer", "zero_stage", "context_len", "seq_len", "micro_batch",
    "lora_rank", "pue", "electricity_price", "price_per_gpu_hour", "concurrency",
)  # fmt: skip
PACES = frozenset({"decode_tokens_per_second", "tokens_per_second", "training_time"})
NAME = r"(?:[a-z]+ ){0,2}[a-z]*\d\w*(?: (?:ti|super|pro|max|sxm|pcie|ada|\d{1,3} ?gb))?s?"
SO_IS = re.compile(
    r"^\W*(?:(?:and|but|or|so|then|if (?:not|so|yes|no))[, ]+){0,2}(?:does|do|is|are|has|have|can|what about|how about) (?:the |an? )?"
    rf"{NAME}(?: (?:support|have|do) (?:it|that|one))?(?: (?:too|as well|either))?(?:,? (?:n|and|&))?(?: how fast)?\W*$"
    rf"|^\W*(?:(?:and|but)[, ]+)?how fast\W*$|^\W*(?:那|如果没有|没有的话|不行的话)?[,，]?\s?(?:{NAME})\s?呢?\W*$"
)
PER_CARD = re.compile(
    r"(?:(?<![a-z])(?:per|each|every|on each|for each)[ -](?:gpus?|cards?)(?![a-z])|每(?:张|块)?(?:显?卡|gpu)|单卡)"
)
LATENCY = re.compile(r"延迟|时延|响应(?:快|速度|时间)|(?<![a-z])(?:latency|response time|responsive(?:ness)?)(?![a-z])")
LINKS = frozenset({"interconnect_name", "interconnect_gb_s"})
OF_LATENCY, OF_ONE_USER = "memory_bandwidth_gb_s", "decode_tokens_per_second"
FITTING = frozenset({"memory_total", "memory_per_gpu", "gpu_count"})
USE = re.compile(
    r"^\W*(?:(?:and|or|but|what about|how about)[, ]+)?(?:for |in )?(?:training|fine-?tuning|inference|serving|generating)\W*$"
    r"|^\W*(?:那|如果)?(?:是|用来|拿来|做|跑)?(?:训练|微调|推理)(?:呢|的话|用)?\W*$"
)
KIND = "kind"
ORDERS = frozenset({"top", "bottom", "falling", "rising"})
SLOT = re.compile(r"(?<![a-z0-9])x ?(?:1|2|4|8|16)(?![\da-z])")
BARE_COLUMN = re.compile(
    r"^\W*(?:那|它们的?|and|what about|how about|their)?[^,，。?]{1,20}(?:呢|各(?:是|有)?多少|分别(?:是|有)?多少)?\W*$"
)
PRICES = frozenset({"electricity_price", "price_per_gpu_hour", "price_per_hour"})


def together(c: Context, start: int, end: int, here: Sequence[Found]) -> tuple[tuple[str, str], ...]:
    """The cards that a follow-up about one or none speaks of together: both that were named, or the one named with the one before."""
    if not c.earlier or c.earlier.intent not in (*SPECS, "size"):
        return ()
    cards = [e for e in c.recent if e[0] == "accelerators"]
    own = [("accelerators", str(f.extra["row"])) for f in here if f.quantity == "gpu" and f.extra.get("row")]
    if len(own) == 1 and manner.COMPARE.search(c.low, start, end):
        both = [*[e for e in cards if e not in own][-1:], *own]
    elif not own and conversation.speaks_of_both(c.low[start:end], here):
        before = [e for e in c.earlier.entities if e[0] == "accelerators"]
        both = before if len(before) > 1 else cards[-2:]
    else:
        return ()
    return tuple(both) if len(both) > 1 else ()


def of_server(c: Context, here: Sequence[Found], slots: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The server spoken of before, where a turn names nothing else."""
    served = ("systems", str(slots.get("system")))
    named = any(f.quantity in ("gpu", "model", "row") for f in here)
    return (served,) if c.earlier and not named and served in c.earlier.entities else ()


def narrowed(more: Sequence[Condition], earlier: Part) -> tuple[Condition, ...]:
    """The conditions of a list with those of a further turn: of a column bounded on the same side the new one holds."""
    kept = {_side(condition): condition for condition in earlier.conditions}
    usual = next((set(v) for column, _, v in earlier.conditions if column == KIND), None)
    fresh = {_side(n): n for n in more if n[0] != KIND or usual is None or not usual <= set(n[2])}
    return tuple({**kept, **fresh}.values())


def _side(condition: Condition) -> tuple[str, str]:
    column, operator, _ = condition
    return column, operator[:1] if operator[:1] in "<>=" else "order" if operator in ORDERS else ""


# A cost that is to be counted in.
INCLUDED = re.compile(
    r"(?:也|再|都)?(?:算|加|计)(?:上|进去?|入)|也要?算|考虑进"
    r"|(?<![a-z])(?:includ(?:e|ing)|add(?:ing)?|count(?:ing)?|with|plus|factor(?:ing)? in)(?![a-z])"
)


def _once_more(earlier: Part, part: Part) -> bool:
    """Whether a turn without a wish of its own asks exactly what the one before asked."""
    if part.slots.get("copies") not in (None, earlier.slots.get("copies")):
        return False  # of so many that are kept
    of_job = (*part.slots.keys() - conversation.OF_ONE_TURN, "each")
    told = of_job if part.intent == "size" else ("gpu_counts", "lanes", "budget")
    return (earlier.intent, {*earlier.entities}, earlier.columns, earlier.wanted, earlier.conditions) == (
        part.intent, {*part.entities}, part.columns, part.wanted, part.conditions,
    ) and all(part.slots.get(s) == earlier.slots.get(s) for s in told)  # fmt: skip


def _scaled(part: Part, earlier: Part) -> Part:
    """A turn that asks whether more cards are so many times as fast: the pace spoken of, with as many as before and with these."""
    pace = tuple(n for n in earlier.wanted if n in PACES)
    if not pace or part.intent not in ("size", "explain") or not TWICE.search(part.text.lower()):
        return part
    one, more = int(earlier.slots.get("gpu_count") or 1), int(part.slots.get("gpu_count") or 0)
    if more <= one and not DOUBLING.search(part.text.lower()) and _changed(part, earlier):
        return part
    each = ("gpu_count", [one, more if more > one else 2 * one])
    slots = {k: v for k, v in part.slots.items() if k not in ("tensor_parallel", "gpu_count")} | {"each": each}
    return replace(part, intent="size", wanted=pace, asks_verdict=False, slots=slots)


def _changed(part: Part, earlier: Part) -> list[str]:
    """The fields that a turn says anew."""
    before = _before(earlier)
    return [f for f in CHANGING if part.slots.get(f) and before.get(f) and part.slots[f] != before[f]]


def _before(earlier: Part) -> dict[str, Any]:
    """What held before, with weights of 16 bits where a model runs and nothing else was said."""
    slots = dict(earlier.slots)
    if slots.get("workload") == "inference" and not slots.keys() & {"quantization", "precision"}:
        slots["quantization"] = "bf16"
    return slots


def _gained(part: Part, earlier: Part) -> Part:
    """A turn that changes one thing and asks what is gained by it: the earlier wish, before and after."""
    changed = _changed(part, earlier)
    if (
        len(changed) != 1
        or part.intent not in ("size", "explain")
        or "each" in part.slots
        or not GAIN.search(part.text.lower())
    ):
        return part
    (field,) = changed
    wanted = earlier.wanted if not part.wanted or set(part.wanted) & {"cost", "memory_total"} else part.wanted
    slots = {**part.slots, "each": (field, [_before(earlier)[field], part.slots[field]])}
    return replace(part, intent="size", wanted=wanted or ("memory_total",), asks_verdict=False, slots=slots)


def own_wish(part: Part, earlier: Part | None) -> Part:
    """A part as it is; a turn whose words change nothing of what was asked before is not answered with the same again."""
    if earlier is None or part.intent not in (*SPECS, "filter", "size") or not _once_more(earlier, part):
        return part
    return Part("explain", part.text, part.slots, part.entities, unread=True)


def _so_is(part: Part, earlier: Part) -> Part:
    """`if not, does the 3090, and how fast?`: of another card what was asked of the one before; how fast is then the link spoken of."""
    bare = not part.columns and set(part.wanted) <= {"decode_tokens_per_second"} and part.intent in ("size", "explain", *SPECS)
    if (
        not bare
        or tells_model(part.slots)
        or earlier.intent not in SPECS
        or not earlier.columns
        or not SO_IS.search(part.text.lower())
    ):
        return part
    if not part.entities or any(table != "accelerators" for table, _ in part.entities):
        return part
    linked = "interconnect_name" in earlier.columns or "interconnect_gb_s" in earlier.columns
    if part.wanted and not linked:
        return part
    columns = ("interconnect_gb_s",) if part.wanted else earlier.columns
    return replace(part, intent="lookup" if len(part.entities) == 1 else "compare", columns=columns, wanted=())


OF_A_RATE = re.compile(r"算力|支持|硬件|(?<![a-z])(?:tflops?|p?flops?|compute|support(?:s|ed)?|rate|have|has)(?![a-z])")


def _switched(part: Part, earlier: Part, c: Context) -> bool:
    """Whether a turn that names a number format alone (`开fp8呢`) means the job spoken of in that format, not the card's rate."""
    own = {f.quantity for f in c.reading.found} == {"precision"}
    job = earlier.intent == "size" and bool(earlier.wanted) and tells_model(earlier.slots)
    rates = part.intent in SPECS and bool(part.columns) and set(part.columns) <= DENSE
    return own and job and rates and not OF_A_RATE.search(c.low)


def _of_slots(part: Part, earlier: Part, c: Context) -> Part | None:
    """`over pcie x8 x8 ok?` after cards that run something: whether such slots are enough for them."""
    told = earlier.intent in ("size", "compare") and part.intent in ("size", "explain", "compare")
    if not told or "pcie" not in c.low or not SLOT.search(c.low):
        return None
    return Part("explain", part.text, {**part.slots, "slots_asked": True}, part.entities)


def _by_latency(part: Part, earlier: Part) -> Part | None:
    """Of cards that were compared, the one with less delay between tokens, which goes by the bandwidth of memory."""
    own = part.columns and part.columns != earlier.columns
    if own or part.wanted or earlier.intent != "compare" or not LATENCY.search(part.text.lower()):
        return None
    return replace(earlier, text=part.text, columns=(OF_LATENCY,), conditions=((OF_LATENCY, "most", (OF_LATENCY,)),))


def _for_use(part: Part, earlier: Part, found: Sequence[Found]) -> Part | None:
    """`for training?` after cards of which one is to be chosen: the same choice for that use."""
    low = part.text.lower()
    if earlier.intent != "compare" or not earlier.conditions or tells_model(part.slots) or not USE.match(low):
        return None
    columns = of_use(low, found)
    decision = ("training" if columns[0] != OF_LATENCY else "inference", "best", columns)
    return replace(earlier, text=part.text, slots=part.slots, columns=(), conditions=(decision,))


def _in_order(part: Part, earlier: Part, c: Context) -> Part | None:
    """`which of them draws least`, `sorted by bandwidth`, `and the power?` after a list of cards: the same cards in that order."""
    table, low = c.book.tables.get("accelerators"), part.text.lower()
    listed = earlier.intent == "filter" and table and all(table.column(name.split("/")[0]) for name, _, _ in earlier.conditions)
    if (
        not listed
        or part.entities != earlier.entities
        or part.conditions
        or tells_model(part.slots) != tells_model(earlier.slots)
    ):
        return None
    if not (SORT.search(low) or MOST.search(low) or LEAST.search(low) or BARE_COLUMN.match(low)):
        return None
    if (ranking := ranking_among(low)) is None:
        return None
    kept = tuple(k for k in earlier.conditions if k[1] not in ORDERS and k[:2] != (ranking.column, "has"))
    return replace(
        earlier, text=part.text, slots=part.slots, conditions=(*kept, (ranking.column, ranking.order, ranking.count))
    )


def continued(part: Part, earlier: Part | None, c: Context) -> Part:
    """What a part leaves open and the part before it says."""
    if earlier is None:
        return part
    if (ordered := _in_order(part, earlier, c)) is not None:
        return ordered
    if (reason := why(part, earlier, c.low)) is not None:
        return reason
    if _switched(part, earlier, c):
        return replace(part, intent="size", columns=(), entities=earlier.entities, wanted=earlier.wanted)
    part = _so_is(part, earlier)
    if (swift := _by_latency(part, earlier)) is not None:
        return swift
    if earlier.intent == "size" and part.slots.get("nvlink") is False and part.columns and set(part.columns) <= LINKS:
        return Part("explain", part.text, part.slots, part.entities)  # that there is no link is told, not asked
    if (slots := _of_slots(part, earlier, c)) is not None:
        return slots
    rates = tuple(c for c in earlier.columns if c in DENSE)
    if part.intent in SPECS and rates and of_sparse(part.text.lower()) and not FORMAT.search(part.text.lower()):
        part = replace(part, columns=tuple(map(sparse, rates)))  # of the formats just spoken of
    if part.intent in SPECS and not part.columns and earlier.intent in SPECS:
        part = own_wish(replace(part, columns=earlier.columns), earlier)
    if part.intent == earlier.intent == "filter" and OF_THOSE.search(c.low):
        part = replace(part, conditions=narrowed(part.conditions, earlier))
    if part.wanted == ("cost",) and "break_even" in earlier.wanted and INCLUDED.search(c.low):
        part = replace(part, intent="size", wanted=earlier.wanted)  # with one cost more
    part = _gained(_scaled(part, earlier), earlier)
    linked = [r for t, id in part.entities if (r := c.book.row(t, id)) and r.number("interconnect_gb_s")]
    spoken = {"interconnect_name", "interconnect_gb_s"} & set(earlier.columns) and len(linked) == len(part.entities)
    if part.columns == ("memory_bandwidth_gb_s",) and spoken:
        part = replace(part, columns=("interconnect_gb_s",) if not re.search(r"显存|memory|hbm|vram", c.low) else part.columns)
    if (
        part.intent == "compare"
        and earlier.intent in SPECS
        and manner.COMPARE.search(c.low)
        and set(earlier.entities) - set(part.entities)
    ):
        part = replace(part, entities=tuple(dict.fromkeys((*earlier.entities, *part.entities))))
    if part.wanted == ("memory_total",) and {"kv_cache_per_token"} & set(earlier.wanted) and part.slots.get("context_len"):
        part = replace(part, wanted=("kv_cache",))
    if "memory_per_gpu" in part.wanted and {"model_states", "model_states_per_gpu"} & set(earlier.wanted):
        part = replace(part, wanted=tuple("model_states_per_gpu" if w == "memory_per_gpu" else w for w in part.wanted))
    return part


def silent(c: Context, said: Mapping[str, Any], slots: dict[str, Any]) -> Part:
    """A turn that asks for nothing of its own: the earlier wish again, else what its subject suggests."""
    text = c.source(0, len(c.low)).strip()
    entities = entities_of(c.reading.found, slots)
    earlier = c.earlier
    if c.reading.entities.unknown and of_unknown(c, slots, entities_of(c.reading.found, {})):
        columns = columns_of(c.low, c.reading.entities.low, c.reading.found, ASKED_OF)
        return Part("explain", text, slots, (), columns)  # for when a name follows that is known
    if earlier is not None and earlier.intent == "explain" and SIZING_SLOTS & said.keys() and tells_model(slots):
        return Part("size", text, slots, entities, (), ("memory_total",))
    if earlier is not None and earlier.intent in SPECS and tells_card(slots) and tells_model(said):
        cards = [id for table, id in earlier.entities if table == "accelerators"]
        if RUN & said.keys():  # cards, then what is to run on them
            if len(cards) > 1 and earlier.conditions:
                return replace(earlier, text=text, slots=slots)
            slots |= {"gpus": cards, "each": ("gpu", cards)} if len(cards) > 1 else {}
            return Part("size", text, slots, entities, asks_verdict=True)
    own = entities_of(c.reading.found, {})
    if earlier is not None and earlier.intent == "explain" and earlier.columns and own:
        return Part("lookup" if len(own) == 1 else "compare", text, slots, own, earlier.columns)
    if (
        earlier is not None
        and earlier.intent == "explain"
        and PRICES & said.keys()
        and (slots.get("days") or slots.get("hours"))
    ):
        return Part("size", text, slots, entities, (), ("cost",))
    formats = [FORMAT_COLUMNS[str(f.value)] for f in c.reading.found if str(f.value) in FORMAT_COLUMNS]
    if earlier is not None and earlier.intent in SPECS and len(formats) == len(c.reading.found) > 0:
        return replace(earlier, text=text, slots=slots, columns=tuple(dict.fromkeys(formats)))  # the rate in another format
    if earlier is not None:
        shown = own or (earlier.entities if earlier.intent in (*SPECS, "filter") else entities)
        wanted = earlier.wanted
        if "gpu_count" in wanted and "gpu_count" in said:  # whether so many will do
            wanted, earlier = tuple(w for w in wanted if w != "gpu_count"), replace(earlier, asks_verdict=True)
        if PER_CARD.search(c.low):
            wanted = tuple("memory_per_gpu" if w == "memory_total" else w for w in wanted)
        if said.get("concurrency") == 1 and "concurrency" not in earlier.slots and set(wanted) <= FITTING:
            return Part("size", text, slots, entities, (), (OF_ONE_USER,))  # what one user gets is a speed
        if "energy" in wanted and PRICES & said.keys():
            wanted = tuple(dict.fromkeys(("cost", *wanted)))  # which has a price now
        if "model_states" in wanted and {"gpu_count", "zero_stage"} & said.keys():
            wanted = tuple(dict.fromkeys(("model_states_per_gpu", *wanted)))
        if not wanted and earlier.intent == "size" and "zero_stage" in said and not tells_card(slots):
            wanted = ("model_states_per_gpu", "model_states")  # which are what the stages share out
        again = replace(earlier, text=text, slots=slots, entities=shown, wanted=wanted)
        if (slotted := _of_slots(again, earlier, c)) is not None:
            return slotted
        if (swift := _by_latency(replace(again, columns=()), earlier)) is not None:
            return swift
        if (used := _for_use(again, earlier, c.reading.found)) is not None:
            return used
        if (ordered := _in_order(Part("explain", text, slots, earlier.entities), earlier, c)) is not None:
            return ordered
        if earlier.intent == "filter":
            more = conditions_of(c.low, 0, len(c.low), c.reading.found, {}, c.words, c.book)
            again = replace(again, conditions=narrowed(more, earlier))
        return own_wish(counted.summed(_gained(_scaled(again, earlier), earlier), earlier), earlier)
    if tells_model(slots):
        timed = slots.get("tokens") and slots.get("gpu")
        placed = tells_card(slots)
        return Part("size", text, slots, entities, (), ("training_time",) if timed else (), (), placed and not timed)
    rented = any(slots.get(s) for s in RENTS)
    if slots.get("gpu_hours") or (rented and (slots.get("hours") or slots.get("days"))):
        return Part("size", text, slots, entities, (), ("cost",) if slots.get("currency") else ("gpu_hours",))
    if entities and not any(
        k in slots for k in ("tensor_parallel", "pipeline_parallel", "flash_attention", "zero_stage", "task", "workload")
    ):
        return Part("compare" if len(entities) > 1 else "lookup", text, slots, entities)
    return Part("explain", text, slots, entities)
