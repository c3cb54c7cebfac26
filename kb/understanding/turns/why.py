"""A turn that asks nothing but why (`why?`, `为什么`, `really?`)."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.types.question import Part
from kb.understanding.slots.known import tells_model

BARE = re.compile(
    r"^\W*(?:(?:but|and|so|ok|那|但)[, ，]*)?"
    r"(?:why(?: (?:is|are) (?:that|it|this)| so (?:much|many|little|few|big|high|low)| not| that)?|how (?:come|so)|really|are you sure"
    r"|为什么(?:呢|这么[多少大小高低]|会这样|不[行够])?|为啥(?:呢)?|怎么会(?:这样)?|真的(?:吗|假的)?|确定吗)\W*$"
)
FIGURES = ("lookup", "compare", "filter", "size")
SERVED, TRAINED = ("weights", "kv_cache"), ("weights", "gradients", "optimizer_states", "activations")  # what a job holds


def why(part: Part, earlier: Part, low: str) -> Part | None:
    """Of a verdict, what the memory is made of; of another figure a part that is not understood, since no section is about it."""
    if part.intent != "explain" or earlier.intent not in FIGURES or not BARE.match(low):
        return None
    if earlier.intent != "size" or not earlier.asks_verdict or not tells_model(part.slots):
        return replace(part, unread=True)
    slots = {**part.slots, "gpu_count": part.slots.get("gpu_count") or 1}
    held = SERVED if slots.get("workload") == "inference" else TRAINED
    return replace(earlier, text=part.text, slots=slots, wanted=(*held, "memory_per_gpu"), asks_verdict=False)
