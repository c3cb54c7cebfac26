"""Which of several cards runs a model faster: of those that hold it, by the speed that each comes to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kb.answering.draft import Draft, Tools
from kb.answering.render import number, value_text
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.calculation import calculate
from kb.answering.sizing.fields import fields_of, subject
from kb.answering.sizing.grounds import gpu_name, model_name, named, standing, what_of
from kb.answering.sizing.verdicts import PLACED
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult
from kb.types.source import Evidence
from kb.understanding.asks.needs import FASTER
from kb.understanding.text.fold import level

SPEED = "decode_tokens_per_second"
PACE = frozenset({SPEED, "decode_ceiling"})
FEWER_BITS = "int4"  # in which a model is run that no card holds as it is
DECISIONS = ("inference", "speed")  # what is to be decided: of a model that is named, how fast it runs


@dataclass(frozen=True, slots=True)
class Runner:
    """A card with the model on it."""

    name: str
    result: SizingResult
    values: dict[str, Value]

    @property
    def holds(self) -> bool:
        return self.result.verdict != "does_not_fit"

    @property
    def speed(self) -> float:
        return float(self.values[SPEED].value or 0)


def asked(part: Part) -> bool:
    """Whether cards, one of each, are compared by how fast they run a model."""
    first = part.conditions[0][0] if part.conditions else ""
    cards = [id for table, id in part.entities if table == "accelerators"]
    runs = part.slots.get("workload") in (None, "inference") and not part.slots.get("task")
    one = (part.slots.get("gpu_count") or 1) == 1 and not part.slots.get("gpu_counts")
    paced = part.intent == "size" and "each" in part.slots and SPEED in part.wanted and {*part.wanted} <= PACE
    weighed = part.intent == "compare" and first in DECISIONS and FASTER.search(level(part.text)) is not None
    return (paced or weighed) and len(cards) > 1 and subject(part.slots) and runs and one and not part.columns


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """The faster of the cards that hold it, and what the others come to; False when a speed is not computed."""
    slots, w = part.slots, draft.wording
    runners = _on_each(part, {}, reading, draft, tools)
    said = slots.keys() & {"quantization", "precision"}
    if runners and not said and not any(r.holds for r in runners):
        runners = _on_each(part, {"quantization": FEWER_BITS}, reading, draft, tools) or runners
    if not runners:
        return False
    holding = sorted((r for r in runners if r.holds), key=lambda r: -r.speed)
    first = (holding or runners)[0]
    what = what_of(model_name(slots, tools), "inference", w)
    what = w("in_format", what=what, format=str(first.result.request.quantization or "bf16"))
    draft.composer.known += [what, *(r.name for r in runners)]
    beside = named(slots, tools)
    if not holding:
        draft.composer.say(w("race:none", what=what, list=_short(runners, draft)), *_stands(runners, PLACED, tools), *beside)
    elif len(holding) == 1:
        others = _short([r for r in runners if not r.holds], draft)
        words = w("race:alone", what=what, name=first.name, speed=first.values[SPEED].text, list=others)
        draft.composer.say(words, *_stands(runners, (*PLACED, SPEED), tools), *beside)
    else:
        told = []
        for other in holding[1:]:
            ratio = number(first.speed / other.speed)
            draft.composer.values.append(Value("ratio", first.speed / other.speed, "1", ratio, scope=other.name))
            told.append(w("race:other", name=other.name, speed=other.values[SPEED].text, ratio=ratio))
        words = w("race:first", what=what, name=first.name, speed=first.values[SPEED].text, list=w.join(told))
        draft.composer.say(words, *_stands(holding, (SPEED,), tools), *beside)
        if lacking := [r for r in runners if not r.holds]:
            draft.composer.say(w("race:lacking", list=_short(lacking, draft)), *_stands(lacking, PLACED, tools))
    draft.verdict = draft.verdict or first.result.verdict
    state_assumed(first.result, PLACED if not holding else (SPEED,), draft, tools)
    for runner in holding:
        draft.composer.break_paragraph()
        calculate(runner.result, (SPEED,), draft, tools, of=runner.name)
    draft.settle("sizing")
    return True


def _on_each(part: Part, change: dict[str, str], reading: Understanding, draft: Draft, tools: Tools) -> list[Runner]:
    """The model on one of each card; nothing where a speed or a fit is not known of one."""
    out = []
    for card in [id for table, id in part.entities if table == "accelerators"]:
        fields = {**fields_of(part.slots, "inference", part), **change, "gpu": card, "gpu_count": 1}
        try:
            result = tools.size({k: v for k, v in fields.items() if k != "gpu_memory_gb"}, (SPEED,), reading.language)
        except InvalidInput:
            return []
        values = {v.name: replace(v, text=value_text(v, draft.wording), scope=f"gpu={card}") for v in result.values}
        if not result.verdict or not values.keys() >= {SPEED, *PLACED}:
            return []
        draft.composer.values += [values[n] for n in ((*PLACED, SPEED) if result.verdict != "does_not_fit" else PLACED)]
        out.append(Runner(gpu_name(result, tools, draft.wording), result, values))
    return out


def _short(runners: list[Runner], draft: Draft) -> str:
    """Cards that do not hold the model: what it needs, and what each has."""
    w = draft.wording
    return w.join(
        [w("race:short", name=r.name, need=_plain(r, PLACED[0], draft), have=_plain(r, PLACED[1], draft)) for r in runners]
    )


def _plain(runner: Runner, name: str, draft: Draft) -> str:
    """A value without its interval."""
    bare = replace(runner.values[name], low=None, high=None)
    bare = replace(bare, text=value_text(bare, draft.wording))
    draft.composer.values.append(bare)
    return bare.text


def _stands(runners: list[Runner], names: tuple[str, ...], tools: Tools) -> list[Evidence]:
    return [e for r in runners for e in standing(r.result, *names, tools=tools)]
