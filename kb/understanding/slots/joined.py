"""Slots that only together say what they mean: a card and a size of its memory, a family and a size, a rate and a peak."""

from __future__ import annotations

from typing import Any

from kb.types.specs import Row, SpecBook
from kb.understanding.names.cards import is_unified
from kb.understanding.names.families import Families
from kb.understanding.slots.bare_sizes import mixture_of

Slots = dict[str, Any]


class Joined:
    """Joins slots over one book of specs."""

    def __init__(self, families: Families, book: SpecBook) -> None:
        self._families, self._book = families, book
        self._memories = {m for row in book.rows("accelerators") if (m := row.number("memory_gb"))}

    def __call__(self, said: Slots) -> Slots:
        """A family and a size said apart (`70b ... llama 2`) are one model, as is a size that one mixture alone has; a capacity that a
        driver reports is a card's nominal one. Memory shared with the processor comes in several sizes, of which the table has the
        largest; a rate that a card was seen to reach is a share of its peak."""
        slots = dict(said)
        card = self._book.row("accelerators", str(slots.get("gpu")))
        own, reached, reported = (slots.pop(name, None) for name in ("own_memory_gb", "tflops_per_gpu", "capacity_gib"))
        if card:
            slots = _of_its_own_size(slots, card, own)
        if reached and "mfu" not in slots and card and (peak := card.number("bf16_dense_tflops")):
            slots["mfu"] = reached / peak
        if reported is not None:
            slots.setdefault("memory_gb", min((m for m in self._memories if m >= reported), default=reported))
        family, size = slots.get("model_family"), slots.get("parameters")
        if family and size and "model" not in slots and (row := self._families.member_of(str(family), float(size))):
            del slots["model_family"]
            slots["model"] = row
        mixture = mixture_of(slots, self._book)
        return {**slots, "model": mixture} if mixture else slots

    def resized(self, slots: Slots, model: str | None, size: float | None) -> Slots:
        """A new size after a `model` of another `size` (`说错了，是13B`) means the family's member of that size, when there is one."""
        named = "model" in slots or "model_family" in slots
        if not model or named or not slots.get("parameters") or slots["parameters"] == size:
            return slots
        row = self._families.sibling(model, float(slots["parameters"]))
        return {**slots, "model": row} if row else slots


def _of_its_own_size(slots: Slots, card: Row, said: float | None) -> Slots:
    """A card whose memory the processor shares, with less of it than the table has."""
    size = said or slots.get("memory_gb") or slots.get("host_ram_gb")
    if not size or not is_unified(card) or size >= (card.number("memory_gb") or 0):
        return slots
    return {**{k: v for k, v in slots.items() if k not in ("memory_gb", "host_ram_gb")}, "gpu_memory_gb": size}
