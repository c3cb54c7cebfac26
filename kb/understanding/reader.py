"""The reader: a question, with the conversation before it, to its understanding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kb.types.lexicon import Lexicon
from kb.types.question import Mention, Part, Symptom, Understanding
from kb.types.specs import SpecBook
from kb.understanding.asks.advised import advised
from kb.understanding.asks.refusals import refusal_of
from kb.understanding.asks.sides import sided
from kb.understanding.batch import batched
from kb.understanding.context import Context, entities_of
from kb.understanding.found import Found
from kb.understanding.holding import holding
from kb.understanding.meant import fits_as_is, meant, on_one_card, sharded, tuned_in_full
from kb.understanding.mentions import Reading, read_mentions
from kb.understanding.names.editions import is_language_part, notes_of
from kb.understanding.names.entities import EntityReader
from kb.understanding.names.typos import Respelling, Typos
from kb.understanding.parts import read_parts
from kb.understanding.premises.stated import premises_of
from kb.understanding.reasons import Reasons
from kb.understanding.slots.drives import on_drives
from kb.understanding.slots.joined import Joined
from kb.understanding.slots.workload import LIKE_LORA
from kb.understanding.states import of_states
from kb.understanding.sums.summed import speaks_of_a_sum, summed
from kb.understanding.switches import TRAINED, switched
from kb.understanding.symptoms import OF_HOST, OUT_OF_MEMORY, symptoms_of
from kb.understanding.text.fold import Folded, fold, level
from kb.understanding.text.instructions import without_instruction
from kb.understanding.text.language import language_of
from kb.understanding.topic import Topics, problem_of
from kb.understanding.trained import trained
from kb.understanding.turns import conversation

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
NO_MENTION = frozenset({"row", "card", "variants", "system", "own_memory", "absent", "written"})


class Reader:
    """Reads questions over one lexicon and one book of specs. Deterministic; no files, no model; safe to share between threads."""

    def __init__(self, lexicon: Lexicon, book: SpecBook) -> None:
        self._book = book
        self._entities = EntityReader(lexicon, book)
        self._typos = Typos(lexicon, self._entities.names)
        self._reasons = Reasons(lexicon, book)
        self._topics = Topics(lexicon)
        self._words = lexicon.words
        self._closed = tuple(level(name) for name in lexicon.words.get("closed", ()))
        self._joined = Joined(self._entities.families, book)

    def read(
        self, question: str, history: Sequence[str] = (), before: Understanding | None = None, *, near: float = 0.0
    ) -> Understanding:
        """The understanding of `question` after the user turns of `history`, oldest first, or after `before`: the last one's reading.

        `near`: the cosine of the nearest section of the corpus, by which a question is of the field though none of its words is known."""
        for turn in history[-20:] if before is None else ():
            before = conversation.kept(before, self._turn(turn, before))
        return self._turn(question, before, near)

    @staticmethod
    def kept(before: Understanding | None, reading: Understanding) -> Understanding:
        """What to hand to the next `read` as `before`: this reading, or the one before where this one was an aside."""
        return conversation.kept(before, reading)

    def _turn(self, question: str, before: Understanding | None, near: float = 0.0) -> Understanding:
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
        folded, instruction = without_instruction(folded)
        folded, respelled = self._typos.respell(folded)
        reading = read_mentions(
            folded.low, folded.cased, self._entities, self._book, hinted=bool(before and not before.off_topic)
        )
        on_topic = self._topics.speaks_of_field(folded, reading, before, near) or speaks_of_a_sum(folded.low)
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
        read = self._understand(question, language, folded, reading, before, respelled)
        if instruction is None:
            return read
        written = question[slice(*folded.span(*instruction))].strip(" ,，:：;；.。!\n")
        return replace(read, assumed={**read.assumed, "question": self._reasons("instruction", language, written=written)})

    def _understand(
        self,
        question: str,
        language: Any,
        folded: Folded,
        reading: Reading,
        before: Understanding | None,
        respelled: Sequence[Respelling] = (),
    ) -> Understanding:
        low = folded.low

        def source(start: int, end: int) -> str:
            a, b = folded.span(start, end)
            return question[a:b]

        reading, usual = self._sized(reading, before)
        parts, slots = read_parts(Context(low, reading, {}, source, self._words, self._book))
        asked = any(
            p.wanted
            or p.columns
            or p.conditions
            or p.asks_verdict
            or p.intent in ("troubleshoot", "explain", "compare", "filter")
            for p in parts
        ) and not _silent(parts)
        follows = conversation.continues(low, slots, parts, asked, before)
        if follows and before is not None:
            reading = replace(
                reading,
                found=conversation.reread(reading.found, low, before, self._entities.variants),
            )
            earlier = before.parts[-1] if before.parts and before.parts[-1].intent != "out_of_scope" else None
            parts, slots = read_parts(
                Context(low, reading, conversation.carried(before), source, self._words, self._book, earlier, before.recent)
            )
            old = before.slots.get("model"), before.slots.get("parameters")
            slots = self._joined.resized(slots, *old)
            parts = tuple(replace(p, slots=self._joined.resized(dict(p.slots), *old)) for p in parts)
        slots = self._joined(slots)
        parts = tuple(replace(p, slots=s, entities=_with_model(p, s)) for p in parts for s in [self._joined(dict(p.slots))])
        parts = on_drives(advised(sided(of_states(switched(holding(meant(parts, low)), low), low)), low))
        if len(parts) == 1 and ("sides" in parts[0].slots or ("size_gb" in slots and "size_gb" not in parts[0].slots)):
            slots = dict(parts[0].slots)  # which the next turn builds on
        assumed = self._reasons.of_names(reading, slots, usual, before if follows else None, language)
        if any(p.intent == "size" for p in parts):
            told = [
                self._reasons(code, language, **blanks) for code, blanks in notes_of(low, reading.entities, slots, self._book)
            ]
            assumed |= {"edition": (". " if language == "en" else "。").join(told)} if told else {}
        like = next((f for f in reading.found if f.quantity == "method" and f.value in LIKE_LORA), None)
        if like and slots.get("workload") == "lora":
            assumed["question"] = self._reasons("like_lora", language, name=source(like.start, like.end))
        if (count := slots.get("slots_share")) and "context_len" in slots:
            assumed["context_len"] = self._reasons("slots_share", language, count=str(count), each=str(slots["context_len"]))
        if any(sharded(p) for p in parts):
            parts = tuple(tuned_in_full(p) if sharded(p) else p for p in parts)
            slots = {k: v for k, v in slots.items() if k != "task"} | {"workload": "full_finetune"}
            assumed["workload"] = self._reasons("sharded", language)
        if any(fits_as_is(p) for p in parts):
            parts = tuple(replace(p, slots={**p.slots, "workload": "inference"}) if fits_as_is(p) else p for p in parts)
            slots = {**slots, "workload": slots.get("workload", "inference")}
            assumed["workload"] = self._reasons("nothing_about_training", language)
        parts = on_one_card(parts, low, reading.entities.cards, self._book)
        parts = trained(parts, self._book)
        parts, slots = batched(parts, low, slots)
        parts, slots = summed(parts, low, slots)
        assumed |= self._reasons.of_times(slots, language)
        for spelling in respelled:
            words = self._reasons("did_you_mean", language, written=folded.source[slice(*spelling.source)], name=spelling.name)
            slot = _slot_of(spelling, folded, reading)
            assumed[slot] = f"{words} {assumed[slot]}" if slot in assumed else words
        premises = premises_of(low, reading.entities.low, reading.found, slots, self._book, language)
        if any(p.kind == "active" for p in premises):  # the two counts of one model are no two sizes
            parts = tuple(replace(p, slots={k: v for k, v in p.slots.items() if k != "each"}) for p in parts)
        strange = tuple(
            dict.fromkeys(
                source(f.start, f.extra["full"])
                for f in reading.found
                if f.quantity == "unknown" and not is_language_part(low[f.start : f.extra["full"]], slots)
            )
        )
        symptoms = symptoms_of(low)
        if follows and before is not None and not symptoms and not asked:  # what the host ran out of memory with is told
            symptoms = tuple(s for s in before.symptoms if s.kind in OF_HOST)
        trained_by = next((str(f.value) for f in reading.found if f.quantity == "method" and f.value in TRAINED), None)
        parts = _diagnosed(parts, symptoms, low, question.strip(), trained_by) if symptoms else parts
        parts = tuple(_longest(p, reading.found, low) if p.intent == "troubleshoot" else p for p in parts)
        return Understanding(
            language=language,
            intents=tuple(dict.fromkeys(p.intent for p in parts)),
            is_follow_up=follows,
            slots=slots,
            mentions=self._mentions(reading, folded, question, slots),
            question=self._standalone(question, language, reading, before, follows, asked),
            parts=parts,
            premises=premises,
            assumed=assumed,
            unknown_entities=strange,
            unpublished=bool(strange) and all(level(name).startswith(self._closed) for name in strange),
            symptoms=symptoms,
            recent=conversation.remembered(before, entities_of(reading.found, {})),
            refusal=refusal_of(reading.entities.low),
            problem=problem_of(low, reading),
        )

    def _standalone(
        self, question: str, language: str, reading: Reading, before: Understanding | None, follows: bool, asked: bool
    ) -> str:
        """The turn on its own: the question before with what changed put in its place, or both joined."""
        if follows and before is not None and before.question and not asked and language == before.language:
            earlier = self._turn(before.question, None).mentions
            folded = fold(question)
            edited = conversation.rewritten(before.question, earlier, self._mentions(reading, folded, question, {}))
            if edited:
                return edited
        return conversation.standalone(question, language, before, follows)

    def _sized(self, reading: Reading, before: Understanding | None) -> tuple[Reading, tuple[str, ...]]:
        """(the reading, the rows to choose from) where the only model is a family and no size is said: the size talked of before, else
        the usual one, is meant. A bare expert layout (`8x7B`) is the model that has it."""
        models = [f for f in reading.found if f.quantity == "model"]
        layouts = [f for f in reading.found if "moe" in f.extra] if not models else []
        if len(layouts) == 1:
            (layout,) = layouts
            experts, size = layout.extra["moe"]
            row = self._entities.families.of_layout(f"{experts}x{size / 1e9:g}b")
            if row:
                named = Found(layout.start, layout.end, "model", row, None, {"row": row}, quiet=True)
                return replace(reading, found=tuple(sorted((*reading.found, named), key=lambda f: f.start))), ()
        if len(models) != 1 or models[0].extra.get("row") or any(f.quantity == "parameters" for f in reading.found):
            return reading, ()
        (model,) = models
        size = before.slots.get("parameters") if before else None
        row = self._entities.families.member_of(str(model.value), float(size)) if size else None
        rows = (row,) if row else self._entities.families.usual(str(model.value))
        if not rows:
            return reading, ()
        chosen = replace(model, extra={**model.extra, "row": rows[0]})
        return replace(reading, found=tuple(chosen if f is model else f for f in reading.found)), () if row else rows

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


OF_WHOLE_LOGS = frozenset({"context_too_long"})  # what is asked beside such a log is what to do about it


OF_A_GPU = frozenset({"memory_total", "memory_per_gpu"})  # which what ran out of memory takes anyway
SERVED = re.compile(r"inference|serving|(?<![a-z])serve|推理|部署|vllm|sglang|ollama")
SHORTER = re.compile(r"(?<![a-z])(?:still|even (?:at|with))(?![a-z])|还是|也(?:不行|爆|炸|oom)|照样")


def _diagnosed(
    parts: Sequence[Part], symptoms: Sequence[Symptom], low: str, question: str, method: str | None
) -> tuple[Part, ...]:
    """Parts that speak of a symptom are one question about it; figures asked for besides stay questions of their own. `method`: by
    which the question names a training."""
    whole = bool({s.kind for s in symptoms} & OF_WHOLE_LOGS)
    about = [p for p in parts if p.intent in ("explain", "troubleshoot") or whole or symptoms_of(level(p.text))]
    about = [p for p in about if p.intent not in ("lookup", "compare", "filter") and not p.settled]
    short = OUT_OF_MEMORY.search(low) and not whole and not OF_HOST & {s.kind for s in symptoms}
    about = about or [p for p in parts if short and p.intent == "size" and set(p.wanted) <= OF_A_GPU]
    if not about:
        return tuple(parts)
    wanted = ("memory_per_gpu",) if short else ()
    slots = about[0].slots
    if short and method and slots.get("workload") == "inference" and not SERVED.search(low):
        slots = {**slots, "workload": method}  # what runs out of memory is no model that only runs
    one = replace(about[0], intent="troubleshoot", text=question, slots=slots, wanted=wanted, columns=(), asks_verdict=False)
    rest = [p for p in parts if p not in about and not (short and p.intent == "size" and set(p.wanted) <= OF_A_GPU)]
    return (one, *rest)


def _longest(part: Part, found: Sequence[Found], low: str) -> Part:
    """Of several lengths of what ran out of memory the longest is wanted, unless a shorter one does not run either."""
    lengths = {int(f.value) for f in found if f.quantity == "seq_len" and f.value}
    name = next((n for n in ("seq_len", "context_len") if n in part.slots), "")
    if len(lengths) < 2 or not name or part.slots[name] not in lengths or SHORTER.search(low):
        return part
    return replace(part, slots={**part.slots, name: max(lengths), "worked_len": min(lengths)})


def _slot(f: Found, slots: dict[str, Any]) -> str | None:
    name = SLOT_OF.get(f.quantity)
    if f.quantity == "seq_len" and "seq_len" in slots:
        return "seq_len"
    return name if name in slots else None


def _slot_of(spelling: Respelling, folded: Folded, reading: Reading) -> str:
    """The slot a respelled name fills; `question` for a word that fills none."""
    begin = folded.low.find(spelling.name.lower())
    for f in reading.found:
        if f.quantity in ("gpu", "model") and f.start <= begin < f.end:
            return f.quantity
    return "question"


def _with_model(part: Part, slots: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    model = slots.get("model")
    if model and ("models", model) not in part.entities and not any(t == "models" for t, _ in part.entities):
        return (*part.entities, ("models", str(model)))
    return part.entities


def _silent(parts: Sequence[Part]) -> bool:
    """Whether the only part is the guess made for a turn that asks nothing."""
    return (
        len(parts) == 1
        and not (parts[0].wanted or parts[0].columns or parts[0].conditions)
        and parts[0].intent in ("size", "lookup", "explain")
        and not parts[0].asks_verdict
    )
