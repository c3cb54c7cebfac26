"""What has to be switched on for a long sequence: what a GPU takes without each of it, and what makes more room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount
from kb.answering.sizing.grounds import standing
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.sizing import SizingResult

GIB = "GiB"
LONG = 16_384  # tokens of a micro-batch from which on logits and activations outweigh the rest
OFF: Mapping[str, Any] = {"fused_loss": False, "flash_attention": False, "recompute": "none"}
RANKS = (8, 4, 2)  # over which a sequence is split, the most first
SPLIT = {"context_parallel"}  # the change that splits it


def tell(
    fields: Mapping[str, Any], slots: Mapping[str, Any], result: SizingResult, draft: Draft, tools: Tools, room: bool = True
) -> bool:
    """Where it is asked what is to be switched on, or whether one measure is (slot `switches`, its name), what a GPU takes without it;
    else, where a loss that keeps all logits would not fit, that one sentence. True where it is told what splitting the sequence saves;
    nothing of that without `room`, as it was told."""
    request, asked = result.request, slots.get("switches")
    tokens = (request.seq_len or 0) * (request.micro_batch or 1)
    if request.workload in (None, "inference") or (tokens < LONG and not asked):
        return False
    placed = {**fields, "zero_stage": request.zero_stage} if (request.gpu_count or 1) > 1 else dict(fields)
    if asked in OFF:
        _one(str(asked), placed, result, draft, tools)
    elif asked:
        _listed(placed, slots, result, draft, tools)
        return room and _room(placed, result, draft, tools)
    elif slots.get("fused_loss") is None:
        _of_the_loss(placed, result, draft, tools)
    return False


def _of_the_loss(fields: dict[str, Any], result: SizingResult, draft: Draft, tools: Tools) -> None:
    plain = _sized(fields, {"fused_loss": False}, draft, tools)
    need, have = _of(plain, "memory_per_gpu"), _of(result, "memory_available_per_gpu")
    same = need == _of(result, "memory_per_gpu")  # which was told with that loss
    if plain is None or need is None or have is None or result.verdict == "does_not_fit" or need <= have or same:
        return
    logits = next((c.value for c in plain.breakdown if c.component == "logits"), 0.0)
    texts = {"logits": _shown(logits, "logits", draft), "need": _shown(need, "per_gpu_without", draft)}
    draft.composer.say(draft.wording("needs_fused_loss", **texts), *standing(plain, "memory_per_gpu", tools=tools))


def _one(name: str, fields: dict[str, Any], result: SizingResult, draft: Draft, tools: Tools) -> None:
    without = _sized(fields, {name: OFF[name]}, draft, tools)
    need, have = _of(without, "memory_per_gpu"), _of(result, "memory_available_per_gpu")
    if without is None or need is None or have is None:
        return
    w = draft.wording
    key = "switch_needed:no" if need <= have else "switch_needed:yes"
    words = w(key, switch=w(f"switch:{name}"), need=_shown(need, "per_gpu_without", draft))
    draft.composer.say(words, *standing(without, "memory_per_gpu", tools=tools))


def _listed(fields: dict[str, Any], slots: Mapping[str, Any], result: SizingResult, draft: Draft, tools: Tools) -> None:
    w, composer, rows = draft.wording, draft.composer, []
    for name in [n for n in OFF if slots.get(n) is None]:  # what was said to be on is not told again
        need = _of(without := _sized(fields, {name: OFF[name]}, draft, tools), "memory_per_gpu")
        if without is not None and need is not None:
            cells = [w(f"switch:{name}"), _shown(need, "per_gpu_without", draft)]
            rows.append((need, cells, standing(without, "memory_per_gpu", tools=tools)))
    rows.sort(key=lambda row: row[0])
    if rows:
        composer.break_paragraph()
        composer.known += [cells[0] for _, cells, _ in rows]
        composer.say(w("switches"), *rows[0][2][:1])
        composer.tabulate((w("switch"), w("without")), [(cells, found) for _, cells, found in rows], w("source"))


def _room(fields: dict[str, Any], result: SizingResult, draft: Draft, tools: Tools) -> bool:
    """What takes less still; True where the sequence may be split."""
    w, before, room = draft.wording, _of(result, "memory_per_gpu") or 0.0, dict[str, str]()
    for name, value in (*(("context_parallel", n) for n in RANKS), ("activation_offload", True)):
        need = _of(_sized(fields, {name: value}, draft, tools), "memory_per_gpu")
        if need is not None and need < before and name not in room:
            room[name] = w(f"room:{name}", value=value, need=_shown(need, "per_gpu_with", draft))
    if room:
        draft.composer.known += room.values()
        words = w("more_room", list=w.join(list(room.values())))
        draft.composer.say(words, *standing(result, "memory_per_gpu", tools=tools))
    return bool(SPLIT & room.keys())


def _sized(fields: dict[str, Any], change: Mapping[str, Any], draft: Draft, tools: Tools) -> SizingResult | None:
    try:
        return tools.size({**fields, **change}, ("memory_per_gpu",), draft.wording.language)
    except InvalidInput:
        return None


def _of(result: SizingResult | None, name: str) -> float | None:
    """A value of a result in GiB."""
    value = next((v.value for v in result.values if v.name == name), None) if result else None
    return float(value) if isinstance(value, int | float) else None


def _shown(gib: float, name: str, draft: Draft) -> str:
    """An amount in words, which joins the values of the answer."""
    text = amount(gib, GIB, draft.wording)
    draft.composer.values.append(Value(name, gib, GIB, text, scope="per_gpu"))
    return text
