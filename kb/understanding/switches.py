"""What is to be switched on for a run whose size is asked for as well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.types.question import Part

_THING = r"(?:switch(?:es)?|options?|flags?|settings?|knobs?|toggles?|features?)"
MEASURES = {
    "fused_loss": r"liger(?: ?kernel)?|(?:fused|chunked) (?:linear )?(?:loss|cross[ -]?entropy|ce)(?![a-z])"
    r"|(?:融合|分块)(?:的)?(?:损失|交叉熵)",
    "flash_attention": r"flash ?-?att(?:ention|n)(?:[ -]?\d)?",
    "recompute": r"(?:gradient|activation) checkpointing|梯度检查点|激活重计算",
}
_BEFORE = (
    r"(?:(?<![a-z])(?:need|require|necessary|must|have to use|do without)(?![a-z])[^,.;?]{0,16}?"
    r"|(?:要不要|需不需要|用不用|需要|必须|非得|非要|得)[^,，。;?]{0,6}?)"
)
_AFTER = r"[^,，。;?]{0,12}?(?:\?|吗|么|$)"
NEEDED = {name: re.compile(rf"{_BEFORE}(?:{measure}){_AFTER}") for name, measure in MEASURES.items()}
SWITCHES = re.compile(
    rf"(?<![a-z])(?:which|what)(?: other| else| more| further| kind of)?,? {_THING}(?![a-z])"
    r"|(?<![a-z])what(?: else| more)?,? (?:should|must|do|shall|can|would) (?:i|we|you) (?:need to |have to )?"
    r"(?:enable|switch on|turn on|activate|set|toggle)(?![a-z])"
    r"|(?<![a-z])what(?: else)? (?:has to|must|needs to|should) be (?:on|enabled|switched on|turned on|set)(?![a-z])"
    r"|(?:哪些|哪个|哪几个|哪一个|什么|啥|多少)(?:开关|选项|设置项?|功能|参数没)"
    r"|(?:漏|少|忘|没|还要|要|该|需要|应该?|得|必须)(?:了|再)?(?:打?开|启用?|设)(?:启|了|上)?(?:哪些|哪个|哪几个|什么|啥)"
)
TRAINED = frozenset({"pretrain", "full_finetune", "lora", "qlora"})


def switched(parts: Sequence[Part], low: str) -> tuple[Part, ...]:
    """The parts, of which one about a run that is sized also tells what has to be on (slot `switches`: True, or the field of the one
    measure that is asked about, which then was not said to be taken). What asks for nothing else is no part of its own."""
    sized = next((p for p in parts if _sized(p)), None)
    needed = next((name for name, pattern in NEEDED.items() if pattern.search(low)), None)
    if sized is None or not (needed or SWITCHES.search(low)):
        return tuple(parts)
    slots = {k: v for k, v in sized.slots.items() if k != needed} | {"switches": needed or True}
    told = replace(sized, slots=slots)
    return tuple(told if p is sized else p for p in parts if not (p.intent == "explain" and SWITCHES.search(p.text.lower())))


def _sized(part: Part) -> bool:
    s = part.slots
    job = s.get("workload") in TRAINED and (s.get("model") or s.get("parameters")) and s.get("seq_len")
    return bool(job and part.intent in ("size", "troubleshoot"))
