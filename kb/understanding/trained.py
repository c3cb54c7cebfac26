"""A run of training whose memory is asked for: so many tokens are its sequence, and on one card at home it is a fine-tune."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kb.types.question import Part
from kb.types.specs import SpecBook

MEMORY = frozenset({"memory_total", "memory_per_gpu", "activations", "model_states", "weights"})
LONGEST, SHORTEST = 262_144, 512  # tokens that may be one sequence
SMALL = 1e9  # parameters below which a model is trained from scratch at home
AT_HOME = ("consumer", "laptop")


def trained(parts: Sequence[Part], book: SpecBook) -> tuple[Part, ...]:
    """The parts, with what their figures mean of a run that is to fit."""
    return tuple(replace(p, slots=_tuned(_sequence(dict(p.slots)), book)) if _to_fit(p) else p for p in parts)


def _to_fit(part: Part) -> bool:
    s = part.slots
    trains = s.get("task") in ("train", "finetune") or s.get("workload") in ("lora", "qlora", "full_finetune")
    return (
        part.intent in ("size", "troubleshoot")
        and trains
        and (part.asks_verdict or bool(part.wanted))
        and set(part.wanted) <= MEMORY
    )


def _sequence(slots: dict[str, Any]) -> dict[str, Any]:
    tokens = slots.get("tokens")
    if not isinstance(tokens, int | float) or not SHORTEST <= tokens <= LONGEST or slots.keys() & {"seq_len", "days", "hours"}:
        return slots
    thousands = tokens / 1000  # 8k is 8192 where it is a length
    binary = thousands.is_integer() and int(thousands) & (int(thousands) - 1) == 0
    return {k: v for k, v in slots.items() if k != "tokens"} | {"seq_len": int(thousands) * 1024 if binary else int(tokens)}


def _tuned(slots: dict[str, Any], book: SpecBook) -> dict[str, Any]:
    card = book.row("accelerators", str(slots.get("gpu")))
    at_home = card is not None and (card.text("kind") or "").startswith(AT_HOME) and slots.get("gpu_count") == 1
    open_still = slots.get("task") == "train" and not slots.keys() & {
        "workload",
        "tokens",
        "zero_stage",
        "quantization",
        "optimizer",
    }
    large = (slots.get("parameters") or 0) >= SMALL
    return slots | {"task": "finetune"} if at_home and open_still and large else slots
