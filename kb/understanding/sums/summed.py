"""The parts of a question of which one is a sum over its figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kb.types.question import Part
from kb.understanding.numbers.numerals import scan
from kb.understanding.sums.buying import of_buying
from kb.understanding.sums.figures import Slots, Sum
from kb.understanding.sums.flows import of_a_cache, of_air, of_download, of_files
from kb.understanding.sums.memory import of_a_part, of_adapters, of_cache_in_ram
from kb.understanding.sums.runs import of_a_bubble, of_steps

FORMATS = re.compile(r"(?<![a-z])(fp32|bf16|fp16|fp8)(?![\da-z])")


BESIDE_IT = frozenset({"weights", "checkpoint_size", "kv_cache", "model_states"})
READERS: tuple[Callable[[str, Slots], Sum | None], ...] = (
    of_a_bubble, of_air, of_steps, of_a_cache, of_download, of_adapters, of_cache_in_ram, of_a_part, of_files, of_buying,
)  # fmt: skip
NUMBERS = re.compile(r"\d")


def speaks_of_a_sum(low: str) -> bool:
    """Whether a text that names nothing else of the field holds a sum of it: steps and seconds, a pipeline, air, files a second."""
    return bool(NUMBERS.search(low)) and any(
        found is not None for read in (of_a_bubble, of_steps, of_files) for found in [read(low, {})]
    )


def summed(parts: Sequence[Part], low: str, slots: Slots) -> tuple[tuple[Part, ...], dict[str, Any]]:
    """The parts and the slots of the turn, where figures of the question are to be put into one sum: a part that is sized by it."""
    known = {**slots, **{k: v for p in parts for k, v in p.slots.items()}}
    found = next((s for read in READERS if NUMBERS.search(low) and (s := read(low, known))), None) if parts else None
    if found is None:
        return tuple(parts), dict(slots)
    own = {k: v for k, v in known.items() if k not in found.instead_of} | dict(found.slots)
    beside = [p for p in parts if p.wanted and set(p.wanted) <= BESIDE_IT and not set(p.wanted) & set(found.wanted)]
    beside = beside if len(beside) < len(parts) else []  # asked for its own sake, beside the sum
    main = next(
        (p for p in parts if (p.wanted or p.asks_verdict) and p not in beside), next(p for p in parts if p not in beside)
    )
    further = tuple(
        dict.fromkeys(n for p in parts for n in p.wanted if n in ("cost", "energy") and "break_even" not in found.wanted)
    )
    wanted = (*found.wanted, *further) if found.wanted else main.wanted
    whole = replace(
        main,
        intent="size",
        slots=own,
        wanted=wanted,
        columns=(),
        conditions=(),
        asks_verdict=False,
        settled=False,
    )
    formats = list(dict.fromkeys(FORMATS.findall(low))) if "gradients" in wanted else []
    each = (
        [replace(whole, slots={**own, "precision": f}, text=f"{whole.text} {f}") for f in formats]
        if len(formats) > 1
        else [whole]
    )
    kept = [
        p
        for p in parts
        if p is not main and p not in beside and p.intent in ("explain", "troubleshoot") and not _has_figures(p.text)
    ]
    return (*beside, *each, *kept), {**slots, **dict(found.slots)} | {k: v for k, v in own.items() if k in slots}


def _has_figures(text: str) -> bool:
    return bool(scan(text)) or bool(NUMBERS.search(text))
