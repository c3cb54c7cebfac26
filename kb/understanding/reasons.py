"""Why a name, a size or a word was read as it was, where there was a choice: the sentences that answers tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kb.types.lexicon import Lexicon
from kb.types.question import Understanding
from kb.types.specs import SpecBook
from kb.understanding.mentions import Reading
from kb.understanding.names.cards import Card, shaped
from kb.understanding.slots.bare_sizes import mixture_of

OF_A_CAPACITY = re.compile(r"common_variant_\d+gb_sxm$")
MOST = 5  # other sizes that are listed


class Reasons:
    """The reasons of the lexicon, filled in."""

    def __init__(self, lexicon: Lexicon, book: SpecBook) -> None:
        self._reasons, self._book = lexicon.reasons, book

    def __call__(self, code: str, language: str, **names: str) -> str:
        """The sentence of a reason's code; the code itself where the lexicon has none."""
        return self._reasons[code].of(language).format(**names) if code in self._reasons else code

    def of_names(
        self, reading: Reading, slots: Mapping[str, Any], usual: Sequence[str], before: Understanding | None, language: str
    ) -> dict[str, str]:
        """Reasons by the slot they are about; `usual`: the rows from which a model without a size was chosen, `before`: what a
        follow-up builds on, whose reasons hold where it names nothing else."""
        out = dict[str, str]()
        if reason := self._of_size(reading, slots, usual, language):
            out["model"] = reason
        if told := slots.get("tokens_of_text"):
            kind, written, tokens = told
            out["tokens"] = self(f"tokens_of_text_{kind}", language, written=written, tokens=str(tokens))
        for card in reading.entities.cards:
            if card.row and card.row == slots.get("gpu") and (reason := self._of_card(card, slots, language)):
                out["gpu"] = reason
        named = {"gpu": bool(reading.entities.cards), "model": bool(reading.entities.models)}
        for slot in named if before else ():
            if before and slot in before.assumed and not named[slot] and slots.get(slot) == before.slots.get(slot):
                out.setdefault(slot, before.assumed[slot])
        for model in reading.entities.models:
            if model.assumed and model.row == slots.get("model"):
                row, *rest = (self._book.row("models", id) for id in (model.row, *model.term.rows) if id)
                others = [r.name for r in rest if r and r != row]
                out["model"] = self(
                    model.assumed, language, name=row.name if row else model.value, others=_listed(others, language)
                )
        return out

    def of_times(self, slots: Mapping[str, Any], language: str) -> dict[str, str]:
        """Why a time is what it was taken for: a step on more machines, a load of a whole day, a night in hours; and why a sum is in a
        currency that nobody named."""
        if slots.get("currency_open"):
            return {"currency": self("currency_usual", language)}
        if many := slots.get("scaled"):
            return {"days": self("scaled", language, times=many)}
        if slots.get("daily"):
            return {"days": self("daily", language)}
        if period := slots.get("days_in_words"):
            return {"days": self("days_in_words", language, words=period, hours=f"{24 * slots['days']:g}")}
        return {}

    def _of_size(self, reading: Reading, slots: Mapping[str, Any], usual: Sequence[str], language: str) -> str | None:
        """Why a family without a size, or a size without a name, is the model it was taken for."""
        if not reading.entities.models and (bare := mixture_of({k: v for k, v in slots.items() if k != "model"}, self._book)):
            row = self._book.row("models", bare)
            if row and bare == slots.get("model"):
                return self("size_of_one_mixture", language, name=row.name)
        if usual and slots.get("model") == usual[0]:
            name, *others = [row.name for id in usual if (row := self._book.row("models", id))]
            return self("size_open", language, name=name, others=_listed(others[:MOST], language))
        return None

    def _of_card(self, card: Card, slots: Mapping[str, Any], language: str) -> str | None:
        """Why a card is the variant it was taken for; None where there is no other, or none that what was said leaves."""
        code = card.assumed or ("several_products" if card.also else None)
        rest = [r for id in card.rest if (r := self._book.row("accelerators", id))]
        others = [r.name for r in rest if card.memory in (None, r.number("memory_gb")) and shaped(r, card.form)] or [
            t.canonical for t in card.also if not set(t.rows) & set(slots.get("gpus", ()))
        ]
        if code is None or not others:
            return None
        if card.memory is not None and OF_A_CAPACITY.match(code):
            code = "common_variant_sxm"  # the capacity was said
        row = self._book.row("accelerators", card.row or "")
        return self(code, language, name=row.name if row else card.term.canonical, others=_listed(others, language))


def _listed(names: Sequence[str], language: str) -> str:
    return (", " if language == "en" else "、").join(names)
