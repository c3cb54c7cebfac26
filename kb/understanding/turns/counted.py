"""How many of what was spoken of a turn means: `4 of them`, `那8张呢`, `and 16?`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kb.types.question import Part
from kb.understanding.context import Context
from kb.understanding.numbers.numerals import ANY_WORD, WORDS

N = rf"\d{{1,5}}|{ANY_WORD}"
BARE_NUMBER = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|and|then|now|so|but)[, ]+){0,2}(?:make (?:it|that)|换成|改成|改为|换|with|try|use|用|what about|how about"
    rf"|(?:what )?if(?: (?:i|we|you))?(?: (?:use|used|had|have|take|took|buy|bought|get|got|run))?"
    r"|(?:what (?:about|if) )?(?:(?:i |we )?(?:shard|spread|split|run|train)(?:ed|ing)?(?: (?:it|them))? )?"
    r"(?:on|over|across|between)(?: all)?)"
    rf"\s?({N})(?: of them)?(?: instead)?\s*(?:呢|吧)?\W*$"
)
# `zero1 on 8`, `用zero3 在16上`: cards, where sharding over them is spoken of.
ACROSS = re.compile(
    rf"(?:(?<![a-z])(?:on|over|across|between)(?: all)?|在|用|分到|摊到) ?({N})(?: ?上)?(?: of them| instead)?"
    r" ?(?:呢|吧)?\s*(?=[?,，。;]|$)"
)
SHARDED = frozenset({"zero1", "zero2", "zero3", "fsdp", "tp", "pp", "dp"})
OF_THEM = re.compile(
    rf"(?<![a-z\d.])({N}) of (?:them|'?em|those|these)(?![a-z])"
    rf"|^\W*(?:那|要是|如果|换成|改成)?({N})[张块片台个](?:卡|机器|服务器|一起)?(?:呢|的话|吧)?\W*$"
)
ONLY_NUMBER = re.compile(rf"^\W*(?:(?:and|or)(?: with| for)? ({N})|那?({N})呢)\W*$")
OF_CARDS = re.compile(r"[张块片]|卡|(?<![a-z])(?:gpus?|cards?)(?![a-z])")
SUMMED = {"tdp_w": "power", "power_max_kw": "power"}  # of a column what several have together
FEW = 16  # cards that a bare number may mean where no number of cards was said
OF_EACH = frozenset({"memory_per_gpu", "model_states_per_gpu"})


def bare_count(c: Context) -> dict[str, Any]:
    """The number of cards that a follow-up says without their name: `2 of them`, `what about 4`."""
    sharded = any(f.quantity == "method" and f.value in SHARDED for f in c.reading.found)
    carded = any(c.carried.get(k) for k in ("gpu", "memory_gb", "gpu_count"))
    if not c.earlier or not (sharded or carded or OF_EACH & set(c.earlier.wanted)):
        return {}
    said = OF_THEM.search(c.low) or (BARE_NUMBER.match(c.low) if not c.reading.found else None)
    said = said or (ACROSS.search(c.low) if sharded and "gpu_count" not in {f.quantity for f in c.reading.found} else None)
    if said is None and "gpu_count" in c.carried:
        said = ONLY_NUMBER.match(c.low)
    number = next((g for g in said.groups() if g), "0") if said else "0"
    count = int(WORDS.get(number) or number)
    if not 1 < count <= (10**5 if c.carried.get("gpu_count") else FEW):
        return {}
    each = c.carried.get("gpus_per_node") if not OF_CARDS.search(c.low) else None  # what is counted is the server
    return {"gpu_count": count * each, "nodes": count} if each else {"gpu_count": count}


def summed(part: Part, earlier: Part) -> Part:
    """A turn that says how many there are of what a figure was asked of: what so many of them have together."""
    wanted = tuple(dict.fromkeys(SUMMED[n] for n in earlier.columns if n in SUMMED))
    more = (part.slots.get("gpu_count") or 1) > (earlier.slots.get("gpu_count") or 1)
    if not (wanted and more and earlier.intent == "lookup" and part.entities == earlier.entities):
        return part
    return replace(part, intent="size", columns=(), wanted=wanted, unread=False)
