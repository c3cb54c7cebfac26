"""Two ways of splitting a run between which a question chooses: `FSDP or TP`, `流水线还是 ZeRO-3`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.types.question import Part

SIDES = {
    "zero3": r"(?:deepspeed )?zero(?:[ -]?3)?|fsdp[12]?|full[ _-]?shard|hsdp",
    "solid": r"3d(?: ?(?:parallel\w*|并行))?",
    "tp": r"tp[ -]?\d{0,2}|tensor(?:[ -]parallel\w*)?|张量(?:并行)?",
    "pp": r"pp[ -]?\d{0,2}|pipelin(?:e|ing)(?:[ -]parallel\w*)?|流水线?(?:并行)?",
    "dp": r"ddp|dp|(?:plain )?data[ -]parallel\w*|数据并行",
}
WAY = {at: "|".join(rf"(?P<{name}_{at}>(?<![a-z\d])(?:{way})(?![a-z]))" for name, way in SIDES.items()) for at in (1, 2)}
OR = r"[ ,]{0,2}(?:or|vs\.?|versus|还是|或者?)[ ]?(?:用|上|走|开|use |with |rather |plain |pure )?"
EITHER = re.compile(f"(?:{WAY[1]}){OR}(?:{WAY[2]})")
OF_SIDES = frozenset({"zero_stage", "engine", "tensor_parallel", "pipeline_parallel"})
TRAINED = frozenset({None, "pretrain", "full_finetune"})


def sides_of(text: str) -> tuple[str, ...]:
    """The two ways that a text names as a choice, in its order; empty where it names none."""
    found = EITHER.search(text)
    named = sorted((key for key, said in found.groupdict().items() if said), key=lambda key: key[-1]) if found else []
    sides = tuple(dict.fromkeys(key[:-2] for key in named))
    return sides if len(sides) == 2 else ()


def sided(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, of which one that chooses between two ways of splitting a training run on cards that are said plans it (slot `sides`)."""
    return tuple(_sided(p, sides_of(p.text.lower())) for p in parts)


def _sided(part: Part, sides: tuple[str, ...]) -> Part:
    if not _placed(part):
        return part
    return _planned(part, sides) if sides else _staged(part)


def _placed(part: Part) -> bool:
    s = part.slots
    trains = s.get("workload") in TRAINED and (s.get("workload") or s.get("task") in ("train", "finetune"))
    return bool(trains and _on_cards(part))


def _on_cards(part: Part) -> bool:
    s = part.slots
    cards = s.get("gpu") and (s.get("gpu_count") or 1) > 1
    return bool(part.intent in ("size", "explain", "compare") and cards and (s.get("model") or s.get("parameters")))


def _staged(part: Part) -> Part:
    """A part that chooses between stages of ZeRO is sized with each, and told which is taken."""
    stages = part.slots.get("each", ("",))[0] == "zero_stage" and not part.wanted and offers(part.text)
    return replace(part, intent="size", wanted=("memory_per_gpu",), asks_verdict=True) if stages else part


def _planned(part: Part, sides: tuple[str, ...]) -> Part:
    slots = {k: v for k, v in part.slots.items() if k not in OF_SIDES} | {"sides": sides}
    return replace(part, intent="size", wanted=("layout",), slots=slots, columns=(), conditions=(), asks_verdict=False)


OFFERED = re.compile(r"(?<![a-z])(?:or|vs\.?|versus)(?![a-z])|还是|或者?|哪[个种]", re.IGNORECASE)


def offers(text: str) -> bool:
    """Whether a question offers a choice."""
    return OFFERED.search(text) is not None
