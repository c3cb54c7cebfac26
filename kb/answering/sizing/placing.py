"""How a model lies on several GPUs: whole on each, or in parts, and what a GPU takes with the other of the two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount
from kb.answering.sizing.grounds import standing
from kb.types.answer import Value, Verdict
from kb.types.sizing import SizingResult

GIB = "GiB"
OTHER = ("sharded", "replicated")  # the layout that was not taken
SHARDING = {"zero_stage"}  # the change that shards


def other(result: SizingResult, draft: Draft) -> dict[str, str]:
    """What a GPU takes with the layout that was not taken, in words by its name; its figure joins the values of the answer."""
    found = {name: float(result.extra[name]) for name in OTHER if name in result.extra}
    texts = {name: amount(figure, GIB, draft.wording) for name, figure in found.items()}
    draft.composer.values += [Value(f"{name}_per_gpu", figure, GIB, texts[name]) for name, figure in found.items()]
    return texts


def keyed(key: str, decided: Verdict, result: SizingResult) -> str:
    """The sentence of a verdict: one of its own where it depends on how the model lies on the GPUs, in shards only or not whole."""
    if "replicated" in result.extra:
        return f"{key if key == 'should_fit' else decided}:sharded"
    return "does_not_fit:whole" if decided == "does_not_fit" and only_sharded(result) else key


def only_sharded(result: SizingResult) -> bool:
    """Whether sharding alone would make it fit."""
    return "sharded" in result.extra and set(result.extra.get("change", ())) == SHARDING


def beside(result: SizingResult, draft: Draft, tools: Tools) -> None:
    """What a GPU takes with the other layout, where nobody said which is meant and the verdict has not told it."""
    assumed = any(a.slot == "zero_stage" for a in result.assumptions)
    for name, text in other(result, draft).items() if assumed else ():
        draft.composer.say(draft.wording(f"beside:{name}", other=text), *standing(result, "memory_per_gpu", tools=tools))


def whole(values: Mapping[str, Value], slots: Mapping[str, Any], result: SizingResult, draft: Draft, tools: Tools) -> None:
    """Whether each GPU holds the whole model, where that is asked: yes or no, with what it holds of the weights."""
    part = next((c.value for c in result.breakdown if c.component == "weights"), None)
    if not slots.get("whole_on_each") or part is None or "weights" not in values:
        return
    w, every = draft.wording, values["weights"]
    share = amount(part, GIB, w)
    draft.composer.values.append(Value("weights", part, GIB, share, scope="per_gpu"))
    key = "whole:yes" if part >= float(every.value or 0) else "whole:no"
    draft.composer.say(w(key, weights=every.text, share=share), *standing(result, "weights", tools=tools))


def checks(result: SizingResult, slots: Mapping[str, Any], draft: Draft) -> str:
    """What may be otherwise than assumed in a run that ran out of memory: nothing that was said of it."""
    names = ["zero_stage"] if "replicated" in result.extra else []
    names += [n for n in ("recompute", "micro_batch") if slots.get(n) is None]
    return draft.wording.join([draft.wording(f"check:{n}") for n in (*names, "rest")])
