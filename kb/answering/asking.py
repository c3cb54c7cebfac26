"""Asking back: exactly what is missing to answer, and nothing where what was asked is answered already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kb.answering.draft import Draft
from kb.types.question import Part

# What a figure follows from, by what is asked for; what is not listed follows from model and workload.
OF_TIME = ("model", "workload", "tokens", "gpu")
NEEDED: Mapping[str, Sequence[str]] = {
    "training_time": OF_TIME, "gpu_hours": OF_TIME, "cost": OF_TIME,
    "gpu_count": ("model", "workload", "gpu"),
    "decode_tokens_per_second": ("model", "gpu"), "time_to_first_token": ("model", "gpu"),
    "max_parameters": ("gpu", "workload"), "max_concurrency": ("model", "gpu"), "max_context_len": ("model", "gpu"),
    "kv_cache": ("model", "context_len"), "weights": ("model", "precision"), "checkpoint_size": ("model",),
}  # fmt: skip
USUAL = ("model", "workload")
# Slots that say the same as another.
INSTEAD: Mapping[str, Sequence[str]] = {
    "model": ("parameters", "layers", "model_family"),
    "gpu": ("memory_gb", "gpus", "system"),
    "precision": ("quantization",),
}


def lacking(part: Part) -> list[str]:
    """The slots that what is asked for follows from and that nothing said; of a fit also the card."""
    slots = part.slots
    wish = next((n for n in part.wanted if n in NEEDED), "")
    needed = [*NEEDED.get(wish, USUAL), *(["gpu"] if part.asks_verdict else [])]
    open_ = [s for s in dict.fromkeys(needed) if not said(s, slots)]
    if "workload" in open_ and slots.get("task") == "train":
        open_.remove("workload")
    if "gpu_count" in part.wanted:  # how many is what is asked
        open_ = ["gpu_kind" if s == "gpu" else s for s in open_]
    return worded(open_, slots)


def worded(open_: Sequence[str], slots: Mapping[str, Any]) -> list[str]:
    """Slots by the names under which they are asked for in a question that says `slots`."""
    return [_of_part(s, slots) for s in open_]


def _of_part(slot: str, slots: Mapping[str, Any]) -> str:
    """A slot as it is asked for: of a computer that is one piece its chip, of cards whose number was said their kind."""
    if slot == "gpu":
        return "chip" if slots.get("laptop") or slots.get("mac") else "gpu_kind" if (slots.get("gpu_count") or 1) > 1 else slot
    return "method" if slot == "workload" and slots.get("task") == "finetune" else slot


def ask(slots: Sequence[str], draft: Draft) -> None:
    """Ask for slots by name. A question whose belief was put right is answered: nothing is asked back then."""
    if not slots or draft.believed:
        return
    w = draft.wording
    if slots == ["gpu"]:
        words = w("ask_card")
    else:
        words = w("ask_missing", missing=w("ask:and").join(w(f"ask:{s}") if w.has(f"ask:{s}") else w.name(s) for s in slots))
    draft.composer.note(words)
    draft.kind = draft.kind or "clarification"


def again(part: Part, draft: Draft, known_of: str = "") -> None:
    """Ask what a further turn means of which nothing was understood, instead of answering the one before once more. `known_of`: what
    is understood of the conversation."""
    words = part.text.strip()
    known = not any(c.isdigit() for c in words)  # a figure in it would look claimed
    draft.composer.note(draft.wording("ask_again", part=words) if known else draft.wording("ask_again_unnamed"))
    if known_of:
        draft.composer.known.append(known_of)
        draft.composer.note(draft.wording("ask_again_known", known=known_of))
    draft.kind = draft.kind or "clarification"


def further(draft: Draft) -> None:
    """Ask what was tried and what is seen, where nothing more is known of a problem."""
    draft.composer.note(draft.wording("way_out:unknown"))
    draft.kind = draft.kind or "clarification"


def said(slot: str, slots: Mapping[str, Any]) -> bool:
    """Whether a slot is filled, by itself or by what stands for it."""
    return any(slots.get(k) for k in (slot, *INSTEAD.get(slot, ())))
