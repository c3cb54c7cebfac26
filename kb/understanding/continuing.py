"""A turn that builds on the one before: what it leaves open, and the one before says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.types.question import Part
from kb.understanding import asks, conversation
from kb.understanding.columns import DENSE, of_sparse, sparse
from kb.understanding.context import SPECS, Context, entities_of, of_unknown
from kb.understanding.found import Found
from kb.understanding.numerals import WORDS
from kb.understanding.ranking import FORMAT

N = rf"\d{{1,5}}|{'|'.join(sorted(WORDS, key=len, reverse=True))}"
BARE_NUMBER = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|and|then|now|so|but)[, ]+){0,2}(?:make (?:it|that)|换成|改成|改为|换|with|try|use|用|what about|how about"
    rf"|(?:what )?if(?: (?:i|we|you))?(?: (?:use|used|had|have|take|took|buy|bought|get|got|run))?)\s?({N})(?: instead)?\s*(?:呢|吧)?\W*$"
)
OF_THEM = re.compile(rf"(?<![a-z\d.])({N}) of (?:them|those|these)(?![a-z])")
FEW = 16  # cards that a bare number may mean where no number of cards was said
SIZING_SLOTS = frozenset(
    [
        "seq_len",
        "context_len",
        "micro_batch",
        "gpu_count",
        "quantization",
        "precision",
        "workload",
        "concurrency",
        "zero_stage",
        "kv_precision",
        "lora_rank",
    ]
)
PRICES = frozenset({"electricity_price", "price_per_gpu_hour", "price_per_hour"})


def bare_count(c: Context) -> dict[str, Any]:
    """The number of cards that a follow-up says without their name: `2 of them`, `what about 4`."""
    if not c.earlier or not any(c.carried.get(k) for k in ("gpu", "memory_gb", "gpu_count")):
        return {}
    said = OF_THEM.search(c.low) or (BARE_NUMBER.match(c.low) if not c.reading.found else None)
    count = int(WORDS.get(said[1]) or said[1]) if said else 0
    return {"gpu_count": count} if 1 < count <= (10**5 if c.carried.get("gpu_count") else FEW) else {}


def together(c: Context, start: int, end: int, here: Sequence[Found]) -> tuple[tuple[str, str], ...]:
    """The cards that a follow-up about one or none speaks of together: both that were named, or the one named with the one before."""
    if not c.earlier or c.earlier.intent not in (*SPECS, "size"):
        return ()
    cards = [e for e in c.recent if e[0] == "accelerators"]
    own = [("accelerators", str(f.extra["row"])) for f in here if f.quantity == "gpu" and f.extra.get("row")]
    if len(own) == 1 and asks.COMPARE.search(c.low, start, end):
        both = [*[e for e in cards if e not in own][-1:], *own]
    elif not own and conversation.speaks_of_both(c.low[start:end], here):
        before = [e for e in c.earlier.entities if e[0] == "accelerators"]
        both = before if len(before) > 1 else cards[-2:]
    else:
        return ()
    return tuple(both) if len(both) > 1 else ()


def continued(part: Part, earlier: Part | None, c: Context) -> Part:
    """What a part leaves open and the part before it says."""
    if earlier is None:
        return part
    rates = tuple(c for c in earlier.columns if c in DENSE)
    if part.intent in SPECS and rates and of_sparse(part.text.lower()) and not FORMAT.search(part.text.lower()):
        part = replace(part, columns=tuple(map(sparse, rates)))  # of the formats just spoken of
    if part.intent in SPECS and not part.columns and earlier.intent in SPECS:
        part = replace(part, columns=earlier.columns)
    linked = [r for t, id in part.entities if (r := c.book.row(t, id)) and r.number("interconnect_gb_s")]
    spoken = {"interconnect_name", "interconnect_gb_s"} & set(earlier.columns) and len(linked) == len(part.entities)
    if part.columns == ("memory_bandwidth_gb_s",) and spoken:
        part = replace(part, columns=("interconnect_gb_s",) if not re.search(r"显存|memory|hbm|vram", c.low) else part.columns)
    if (
        part.intent == "compare"
        and earlier.intent in SPECS
        and asks.COMPARE.search(c.low)
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
        return Part("explain", text, slots)
    if (
        earlier is not None
        and earlier.intent == "explain"
        and SIZING_SLOTS & said.keys()
        and (slots.get("model") or slots.get("parameters"))
    ):
        return Part("size", text, slots, entities, (), ("memory_total",))
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
    if earlier is not None:
        shown = own or (earlier.entities if earlier.intent in (*SPECS, "filter") else entities)
        wanted = earlier.wanted
        if "model_states" in wanted and {"gpu_count", "zero_stage"} & said.keys():
            wanted = tuple(dict.fromkeys(("model_states_per_gpu", *wanted)))
        return replace(earlier, text=text, slots=slots, entities=shown, wanted=wanted)
    if slots.get("model") or slots.get("parameters"):
        timed = slots.get("tokens") and slots.get("gpu")
        placed = bool(slots.get("gpu") or slots.get("memory_gb"))
        return Part("size", text, slots, entities, (), ("training_time",) if timed else (), (), placed and not timed)
    if slots.get("gpu_hours") or (slots.get("price_per_gpu_hour") and (slots.get("hours") or slots.get("days"))):
        return Part("size", text, slots, entities, (), ("cost",) if slots.get("currency") else ("gpu_hours",))
    if entities and not any(
        k in slots for k in ("tensor_parallel", "pipeline_parallel", "flash_attention", "zero_stage", "task", "workload")
    ):
        return Part("compare" if len(entities) > 1 else "lookup", text, slots, entities)
    return Part("explain", text, slots, entities)
