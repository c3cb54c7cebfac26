"""The calculation beneath the figures: the lines of the derivation nearest to what was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from itertools import count

from kb.answering.draft import Draft, Tools
from kb.answering.sizing.grounds import entitled
from kb.types.answer import DerivationLine
from kb.types.derivation import Fact, Step, walk
from kb.types.sizing import SizingResult
from kb.types.source import CellLocator

LINES = 6  # of the calculation that are written out


def calculate(result: SizingResult, said: Iterable[str], draft: Draft, tools: Tools, of: str = "") -> None:
    """The calculation: the steps nearest to what was said, in the order of the derivation, each once in an answer. `of`: by what it is
    told apart from other calculations of the answer."""
    line_of = dict(
        zip(map(id, (n for n in walk(*result.steps.values()) if isinstance(n, Step))), result.derivation, strict=True)
    )
    level = [n for name in result.steps if name in said and isinstance(n := result.steps[name], Step)]
    cells = [n.evidence.locator for n in walk(*level) if isinstance(n, Fact)]
    draft.carded |= {c.column for c in cells if isinstance(c, CellLocator) and c.table == "accelerators"}
    near: dict[int, Step] = {}
    while level and len(near) < LINES:
        level = [_telling(step) for step in level]
        for step in level[: LINES - len(near)]:
            near.setdefault(id(step), step)
        level = [n for s in level for _, n in s.inputs if isinstance(n, Step) and n.value and id(n) not in near]
    chosen = [(line, near[key]) for key, line in line_of.items() if key in near]
    if not chosen:
        return
    w, composer = draft.wording, draft.composer
    composer.known += [line.text for line, _ in chosen]
    told = {text: step for line, step in reversed(chosen) if not composer.said(text := w.spelled(line.text))}
    if told:
        composer.break_paragraph()
        rule = entitled(list(told.values())[-1].evidence, result, tools)
        composer.say(w("arithmetic_of", of=of), rule) if of else composer.note(w("arithmetic"))
    for text, step in reversed(told.items()):
        facts = [n.evidence for _, n in step.inputs if isinstance(n, Fact)]
        composer.point(text, *(entitled(e, result, tools) for e in (step.evidence, *facts)))
    draft.derivation += _apart([line for line, _ in chosen], {line.id for line in draft.derivation})


def _telling(step: Step) -> Step:
    """The step, or where it leaves its one computed input as it is (shared by one GPU, times one), that input."""
    computed = [n for _, n in step.inputs if isinstance(n, Step)]
    return _telling(computed[0]) if len(computed) == 1 and computed[0].value == step.value else step


def _apart(lines: Sequence[DerivationLine], taken: Set[str]) -> list[DerivationLine]:
    """Lines whose ids no line of an earlier calculation has: all of a calculation get the same suffix, in what refers to them too."""
    if not taken & {line.id for line in lines}:
        return list(lines)
    suffix = next(f".{n}" for n in count(2) if not any(id.endswith(f".{n}") for id in taken))
    return [
        replace(
            line,
            id=line.id + suffix,
            inputs={k: replace(i, from_=i.from_ + suffix) if i.from_[1:].isdigit() else i for k, i in line.inputs.items()},
        )
        for line in lines
    ]
