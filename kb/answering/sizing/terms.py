"""What is asked in terms of its own, told in them first: servers, tokens of a cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kb.answering.draft import Draft, Tools
from kb.answering.render import number, value_text
from kb.answering.sizing.grounds import standing
from kb.answering.sizing.underneath import RESERVED, RESERVES
from kb.types.answer import Value
from kb.types.derivation import Assumption, walk
from kb.types.question import Part
from kb.types.sizing import SizingResult

BEFORE = 0.9  # of the memory: the default of vLLM before version 0.21
FULL = 0.8  # of the memory of a GPU: weights that take more leave little


def first(
    part: Part, what: str, values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools
) -> tuple[str, ...]:
    """Say how many servers, and for how many tokens the cache has room, where that is asked; the names of the values said."""
    told = []
    if "nodes" in part.wanted and "nodes" in values and what:
        count = number(float(values["nodes"].value or 0))
        draft.composer.say(draft.wording("servers", what=what, count=count), *standing(result, "nodes", tools=tools))
        told.append("nodes")
    if "kv_cache_tokens" in part.wanted and "kv_cache_tokens" in values:
        _cache(values, result, draft, tools)
        told.append("kv_cache_tokens")
    if RESERVED in part.wanted and RESERVED in values:
        told += [RESERVED] if _reserved(values[RESERVED], result, draft, tools) else []
    return tuple(told)


def _reserved(now: Value, result: SizingResult, draft: Draft, tools: Tools) -> bool:
    """Say what an engine reserves by its present default, and by the one that it had for years; False where the share was stated."""
    under = (n for n in walk(result.steps[RESERVED]) if isinstance(n, Assumption) and n.name.startswith(RESERVES))
    w, share = draft.wording, next((n.value for n in under), None)
    if share is None or not isinstance(now.value, int | float):
        return False
    before = replace(now, value=now.value * BEFORE / share, scope=f"gpu_memory_utilization={BEFORE}")
    before = replace(before, text=value_text(before, w))
    draft.composer.values += [before, *(Value("share", s, "1", f"{number(100 * s)} %") for s in (share, BEFORE))]
    words = w("reserved", value=now.text, share=number(100 * share), before=before.text, older=number(100 * BEFORE))
    draft.composer.say(words, *standing(result, RESERVED, tools=tools))
    return True


def _cache(values: Mapping[str, Value], result: SizingResult, draft: Draft, tools: Tools) -> None:
    w, room = draft.wording, float(values["kv_cache_tokens"].value or 0)
    stands = standing(result, "kv_cache_tokens", tools=tools)
    about = number(float(f"{room:.3g}"))
    draft.composer.values.append(Value("kv_cache_tokens", float(about), "1", about, scope="rounded"))
    draft.composer.say(w("kv_tokens", count=about), *stands)
    weights, have = (float(values[n].value or 0) if n in values else 0.0 for n in ("weights", "memory_available_per_gpu"))
    total = have * (result.request.gpu_count or 1)
    if total and weights / total >= FULL:
        share = f"{number(round(100 * weights / total))} %"
        draft.composer.values.append(Value("share", weights / total, "1", share, scope="weights"))
        draft.composer.say(w("kv_tight", share=share), *stands)
