"""Whether each of several cards holds the whole model, or is to: where that is what somebody wants to know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.types.question import Part
from kb.understanding.slots.methods import WHOLE_OR_SHARDED

_CARDS = r"(?:each|every|both|all|per) (?:of the |one of the )?(?:single )?(?:\d{1,3} )?(?:gpus?|cards?|ranks?|process(?:es)?|of them)"
_WHOLE = r"(?:whole|entire|full|complete|all(?: of)?|its own copy|a copy|copy)"
WHOLE_ON_EACH = re.compile(
    rf"(?<![a-z]){_CARDS}[^,.;?]{{0,16}}?(?<![a-z])(?:hold|keep|store|have|has|load|need|contain|get|fit|carr(?:y|ie))s?(?:ing)?"
    rf"[^,.;?]{{0,24}}?(?<![a-z]){_WHOLE}(?![a-z])"
    rf"|(?<![a-z])(?:{_WHOLE}|replicated|copied)(?![a-z])[^,.;?]{{0,32}}?(?<![a-z])on {_CARDS}"
    r"|(?:每|各|单)(?:一)?(?:张|块|个)?(?:显?卡|gpu|进程)(?:上)?(?:是不是|是否)?(?:都|也)?(?:要|会|得|需要|必须|是)?(?:都)?(?:各自)?"
    r"(?:放|装|存|加载|载入|持有|保存|有|占|复制|保留)(?:了|着|下|的是)?(?:一份|一个|一整?个)?(?:完整|整个|整份|全部|全量|完全)"
    r"|(?:完整|整个|全部|全量)的?(?:模型|权重|参数|基座)[^,。;?]{0,8}(?:每|各)(?:一)?(?:张|块|个)?(?:显?卡|gpu)(?:上)?(?:都|各|一份)"
    r"|(?:模型|权重|基座)[^,。;?]{0,8}(?:每|各)(?:一)?(?:张|块|个)?(?:显?卡|gpu)(?:上)?(?:都|各)?[^,。;?]{0,4}一份"
)
KNOWN = frozenset({"lora", "qlora", "full_finetune", "pretrain", "inference"})


def holding(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, of which one that asks whether each card holds the whole model is computed (slot `whole_on_each`), and one that asks
    whether to shard it or not tells with which of the two it fits."""
    return tuple(_computed(p) if _asks(p) else _judged(p) if _chooses(p) else p for p in parts)


def _chooses(part: Part) -> bool:
    s = part.slots
    job = s.get("workload") in ("lora", "qlora", "full_finetune") and (s.get("model") or s.get("parameters"))
    placed = (s.get("gpu") or s.get("memory_gb")) and (s.get("gpu_count") or 1) > 1 and "zero_stage" not in s
    return bool(job and placed and part.intent in ("size", "explain", "compare") and WHOLE_OR_SHARDED.search(part.text.lower()))


def _judged(part: Part) -> Part:
    return replace(part, intent="size", wanted=(), asks_verdict=True)


def _asks(part: Part) -> bool:
    s = part.slots
    known = (
        s.get("workload") in KNOWN
        and (s.get("model") or s.get("parameters"))
        and max(s.get("gpu_count") or 1, s.get("tensor_parallel") or 1) > 1
    )
    return bool(known and part.intent in ("size", "explain") and WHOLE_ON_EACH.search(part.text.lower()))


def _computed(part: Part) -> Part:
    return replace(
        part, intent="size", wanted=("memory_per_gpu",), slots={**part.slots, "whole_on_each": True}, asks_verdict=False
    )
