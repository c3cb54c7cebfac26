"""The reader: a question, with the conversation before it, to its understanding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kb.types.lexicon import Lexicon
from kb.types.question import Mention, Part, Understanding
from kb.types.specs import SpecBook
from kb.understanding import conversation
from kb.understanding.entities import EntityReader
from kb.understanding.fold import Folded, fold
from kb.understanding.found import Found
from kb.understanding.language import language_of
from kb.understanding.mentions import Reading, read_mentions
from kb.understanding.names import Words
from kb.understanding.parts import Context, read_parts
from kb.understanding.premises import premises_of
from kb.understanding.topic import Topics, problem_of

LIMIT = 20_000
SLOT_OF = {
    "parameters": "parameters",
    "tokens": "tokens",
    "gpu_count": "gpu_count",
    "node_count": "nodes",
    "gpu_hours": "gpu_hours",
    "model": "model",
    "gpu": "gpu",
    "batch": "micro_batch",
    "precision": "precision",
    "method": "workload",
    "money": "budget",
    "time": "days",
    "memory": "memory_gb",
    "power": "power_w",
    "bandwidth": "network_gbps",
    "seq_len": "context_len",
}
NO_MENTION = frozenset({"row", "sizes", "system", "own_memory", "written"})


class Reader:
    """Reads questions over one lexicon and one book of specs. Deterministic; no files, no model; safe to share between threads."""

    def __init__(self, lexicon: Lexicon, book: SpecBook) -> None:
        self._book = book
        self._entities = EntityReader(lexicon, book)
        self._topics = Topics(lexicon)
        self._brands = lexicon.words.get("brands", ())
        self._boxes = Words(lexicon.words.get("boxes_of_eight", ()))

    def read(self, question: str, history: Sequence[str] = (), before: Understanding | None = None) -> Understanding:
        """The understanding of `question` after the user turns of `history`, oldest first, or after `before`: the last one's reading."""
        for turn in history[-20:] if before is None else ():
            before = self._turn(turn, before)
        return self._turn(question, before)

    def _turn(self, question: str, before: Understanding | None) -> Understanding:
        fallback = before.language if before else "en"
        language = language_of(question, fallback)
        text = (
            question
            if len(question) <= LIMIT
            else question[: LIMIT // 2] + " " * (len(question) - LIMIT) + question[-LIMIT // 2 :]
        )
        folded = fold(text)
        if not re.search(r"[^\W_]", folded.low):
            return Understanding(language, (), False, {}, (), question.strip(), (), problem=("question", "empty"))
        reading = read_mentions(
            folded.low, folded.cased, self._entities, self._book, hinted=bool(before and not before.off_topic)
        )
        on_topic = self._topics.speaks_of_field(folded.low, reading, before)
        if not on_topic:
            part = Part("out_of_scope", question.strip())
            return Understanding(
                language,
                ("out_of_scope",),
                False,
                {},
                self._mentions(reading, folded, question, {}),
                question.strip(),
                (part,),
                off_topic=True,
            )
        return self._understand(question, language, folded, reading, before)

    def _understand(
        self, question: str, language: Any, folded: Folded, reading: Reading, before: Understanding | None
    ) -> Understanding:
        low = folded.low

        def source(start: int, end: int) -> str:
            a, b = folded.span(start, end)
            return question[a:b]

        parts, slots = read_parts(Context(low, reading, {}, source, self._brands, self._book))
        asked = any(
            p.wanted
            or p.columns
            or p.conditions
            or p.asks_verdict
            or p.intent in ("troubleshoot", "explain", "compare", "filter")
            for p in parts
        ) and not _silent(parts, reading)
        follows = conversation.continues(low, slots, parts, asked, before)
        if follows and before is not None:
            earlier = before.parts[-1] if before.parts and before.parts[-1].intent != "out_of_scope" else None
            parts, slots = read_parts(
                Context(low, reading, conversation.carried(before), source, self._brands, self._book, earlier)
            )
            slots = self._resized(slots, before)
            parts = tuple(replace(p, slots=self._resized(dict(p.slots), before)) for p in parts)
        slots = self._joined(slots)
        parts = tuple(
            replace(p, slots=self._joined(dict(p.slots)), entities=_with_model(p, self._joined(dict(p.slots)))) for p in parts
        )
        assumed = dict[str, str]()
        for card in reading.entities.cards:
            if card.assumed and card.row == slots.get("gpu"):
                assumed["gpu"] = card.assumed
        if (
            follows
            and before is not None
            and "gpu" in before.assumed
            and slots.get("gpu") == before.slots.get("gpu")
            and not reading.entities.cards
        ):
            assumed["gpu"] = before.assumed["gpu"]
        for model in reading.entities.models:
            if model.assumed and model.row == slots.get("model"):
                assumed["model"] = model.assumed
        if any(_fits_as_is(p) for p in parts):
            parts = tuple(replace(p, slots={**p.slots, "workload": "inference"}) if _fits_as_is(p) else p for p in parts)
            slots = {**slots, "workload": slots.get("workload", "inference")}
            assumed["workload"] = "nothing_about_training"
        premises = premises_of(low, reading.found, slots, self._book)
        return Understanding(
            language=language,
            intents=tuple(dict.fromkeys(p.intent for p in parts)),
            is_follow_up=follows,
            slots=slots,
            mentions=self._mentions(reading, folded, question, slots),
            question=conversation.standalone(question, before, follows),
            parts=parts,
            premises=premises,
            assumed=assumed,
            unknown_entities=tuple(dict.fromkeys(reading.entities.unknown)),
            problem=problem_of(low, slots, reading),
        )

    def _joined(self, slots: dict[str, Any]) -> dict[str, Any]:
        """A family and a size said apart (`70b ... llama 2`) are one model."""
        family, size = slots.get("model_family"), slots.get("parameters")
        if family and size and "model" not in slots:
            row = self._entities.member_of(str(family), float(size))
            if row:
                slots = {**slots, "model": row}
                slots.pop("model_family")
        return slots

    def _resized(self, slots: dict[str, Any], before: Understanding) -> dict[str, Any]:
        """A new size after a model (`说错了，是13B`) means the family's member of that size, when there is one."""
        old = before.slots.get("model")
        if (
            old
            and "model" not in slots
            and "model_family" not in slots
            and slots.get("parameters")
            and slots["parameters"] != before.slots.get("parameters")
        ):
            row = self._entities.sibling(str(old), float(slots["parameters"]))
            if row:
                return {**slots, "model": row}
        return slots

    def _mentions(self, reading: Reading, folded: Folded, question: str, slots: dict[str, Any]) -> tuple[Mention, ...]:
        out = []
        for f in reading.found:
            if f.quiet:
                continue
            start, end = folded.span(f.start, f.end)
            extra = {k: v for k, v in f.extra.items() if k not in NO_MENTION}
            value = int(f.value) if isinstance(f.value, float) and f.value.is_integer() else f.value
            out.append(Mention(question[start:end], start, end, f.quantity, value, f.unit, _slot(f, slots), extra))
        return tuple(out)


HOLDS = re.compile(r"塞|放|装|能上|(?<![a-z])(?:fit|fits|hold|holds|enough for|on one|on a single)(?![a-z])|权重|weights|满血")


def _fits_as_is(part: Part) -> bool:
    """Whether a question of fit that says nothing of training speaks of holding a model, or of its weights' format."""
    s = part.slots
    open_ = part.asks_verdict and "workload" not in s and "task" not in s and bool(s.get("model") or s.get("parameters"))
    return (
        open_
        and bool(s.get("gpu") or s.get("memory_gb"))
        and bool(HOLDS.search(part.text.lower()) or s.get("quantization") or s.get("precision"))
    )


def _slot(f: Found, slots: dict[str, Any]) -> str | None:
    name = SLOT_OF.get(f.quantity)
    if f.quantity == "seq_len" and "seq_len" in slots:
        return "seq_len"
    return name if name in slots else None


def _with_model(part: Part, slots: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    model = slots.get("model")
    if model and ("models", model) not in part.entities and not any(t == "models" for t, _ in part.entities):
        return (*part.entities, ("models", str(model)))
    return part.entities


def _silent(parts: Sequence[Part], reading: Reading) -> bool:
    """Whether the only part is the guess made for a turn that asks nothing."""
    return (
        len(parts) == 1
        and not (parts[0].wanted or parts[0].columns or parts[0].conditions)
        and parts[0].intent in ("size", "lookup", "explain")
        and not parts[0].asks_verdict
    )
