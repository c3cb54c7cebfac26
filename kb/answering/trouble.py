"""Trouble: what a log or a complaint shows, what the job takes where it is known, and the remedies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kb.answering import decline
from kb.answering.draft import Draft, Tools
from kb.answering.explaining import beside, corpus_language, explain, near, tell_of
from kb.answering.passages import quoting
from kb.answering.passages.quoting import OURS
from kb.answering.passages.tried import untried
from kb.answering.render import number, value_text
from kb.answering.sizing import job
from kb.answering.sizing.assumed import state_assumed
from kb.answering.sizing.fields import fields_of
from kb.answering.sizing.grounds import model_name, named, standing
from kb.answering.sizing.remedies import as_trained
from kb.answering.tables.specs import cell_evidence
from kb.types.answer import Value
from kb.types.question import Part, Symptom, Understanding
from kb.types.specs import Row
from kb.understanding.slots.known import tells_card, tells_model
from kb.understanding.symptoms import LOADING, OF_HOST

GENERAL = frozenset({"oom", "used_up"})  # symptoms of which nothing more is known
CAUSED = frozenset(
    {"no_mixed_precision", "images", "first_gpu", "saving", "evaluating", "late_oom", "second_step"}
)  # that say why
STATES_OF = frozenset({"full_finetune", "pretrain"})  # workloads whose states are offloaded
OF_A_FIGURE = 0.4  # of the length of an answer: what helps, beneath the figure
OF_USE = frozenset({"memory_total", "memory_per_gpu", "weights", "max_context_len", "kv_cache"})
FORMATS = frozenset({"quantization", "precision"})
PLACE = frozenset({"gpu", "gpu_count", "memory_gb", "host_ram_gb"})
WIDTHS = (4, 2, 6, 8)  # bytes of a logit: in FP32, in 16 bits, both at once, and in FP32 twice
TWICE = 8
NEAR_SIZE = 0.12  # of a block: what padding and the estimate of its length may differ by
NEARLY = 2.0  # times more, or fewer, tokens than were said, that a block of logits may still be of
GIB_IN_GB = 1.073741824
AKIN = 0.4  # cosine of a section told beside what was computed
APTER = 0.75  # of the score of a section: the general one that has less is left aside for it


def reserved_beside(part: Part, reading: Understanding) -> Part:
    """A part about the memory in use, after it was told that an engine reserves it: what of it the weights are is left to tell."""
    told = any(p.kind == "reserved" for p in reading.premises) and tells_model(part.slots)
    if not told or part.intent not in ("size", "troubleshoot", "explain") or set(part.wanted) - OF_USE:
        return part
    slots = {k: v for k, v in part.slots.items() if k not in PLACE}
    return replace(part, intent="size", slots=slots, wanted=("weights",), columns=(), asks_verdict=False)


def diagnose(part: Part, reading: Understanding, draft: Draft, tools: Tools, single: bool) -> None:
    """What the log shows; then what the job takes, where it is known, and the remedies; where nothing is known of it, what to tell."""
    said = _carded(_loading(part), reading)
    if said.get("way_out"):
        explain(part, reading, draft, tools, single)
        return
    subject, place = tells_model(said), tells_card(said)
    known = bool(subject and place and (said.get("workload") or said.get("task")))
    computed = known and bool(part.wanted)
    too_long = any(s.kind == "context_too_long" and not s.figures for s in reading.symptoms)
    if subject and place and too_long:  # how long it may be is computed where the log does not say
        slots = {k: v for k, v in {"gpu_count": 1, **said, "workload": "inference"}.items() if k != "context_len"}
        job.respond(replace(part, intent="size", slots=slots, wanted=("max_context_len",)), reading, draft, tools)
        draft.composer.break_paragraph()
    # the remedies of a job that is known are computed, not listed
    if any(s.kind in OF_HOST for s in reading.symptoms):
        _host(part, reading, draft, tools)
        return
    if computed and not said.get("switches") and not _ran_shorter(plain := as_trained(said, tools), part, reading, tools):
        said = plain
    block = bool(part.wanted) and _block(said, reading, draft, tools)
    if block and (not computed or (said.get("workload") == "inference" and not said.get("engine"))):
        draft.settle("sizing")
        return  # nothing says on what, or that it is not trained
    said = {**said, "fused_loss": False} if block else said  # which keeps them
    kinds = [s for s in reading.symptoms if not (computed and s.kind == "oom")]
    apter = bool(kinds) and all(s.kind in GENERAL and not s.figures for s in kinds) and _apter(part, reading, draft, tools)
    loaded = bool(subject and said.get("retold") and any(s.kind == "host_killed" for s in kinds))
    shown = kinds if loaded else [] if apter else [s for s in kinds if _show(s, part, reading, draft, tools)]
    if shown:
        draft.settle("passages")
        draft.composer.break_paragraph()
    if computed or (known and not shown):
        sharable = (said.get("gpu_count") or 1) > 1 and said.get("workload") != "inference" and not said.get("offload")
        wanted = ("model_states_per_gpu",) if sharable else ("memory_per_gpu",)
        slots = {"gpu_count": 1, **said}  # one card, where a card is named and no number
        causes = [s.kind for s in shown if s.kind in CAUSED]
        slots |= {"cause_told": causes[0]} if causes else {}
        job.respond(replace(part, slots=slots, wanted=wanted, asks_verdict=bool(said.get("workload"))), reading, draft, tools)
        draft.composer.break_paragraph()
    understood = shown or block or said.get("zero_stage") == 0  # why it ran short has been said
    told = not understood and len(beside(part, reading)) > decline.SHORT_PART and _apter(part, reading, draft, tools, AKIN)
    if computed and draft.kind == "sizing" and not told:
        return  # the remedies were computed on the asker's own figures, and nothing else was told
    if not shown:
        explain(part, reading, draft, tools, single)
    elif any(s.kind != "oom" for s in shown):
        return  # the log said what is wrong
    if part.wanted and not (subject or place):  # memory ran short
        draft.composer.break_paragraph()
        draft.composer.note(draft.wording("ask_trouble"))


def _loading(part: Part) -> Mapping[str, Any]:
    """With the workload of a model that ran out of memory while it was loaded: nothing is trained yet."""
    said = part.slots
    if (
        said.get("workload")
        or said.get("task")
        or not (tells_model(said) and tells_card(said) and LOADING.search(part.text.lower()))
    ):
        return said
    format_ = {"quantization": said["precision"]} if said.get("precision") and "quantization" not in said else {}
    return {**said, **format_, "workload": "inference"}


def _carded(said: Mapping[str, Any], reading: Understanding) -> Mapping[str, Any]:
    """With the size that is all that was said of the card on which a job runs."""
    size = said.get("size_gb")
    whole = size and said.get("workload") and not tells_card(said) and not any(s.figures for s in reading.symptoms)
    return {**{k: v for k, v in said.items() if k != "size_gb"}, "memory_gb": size} if whole else said


def _ran_shorter(plain: Mapping[str, Any], part: Part, reading: Understanding, tools: Tools) -> bool:
    """Whether a shorter length that did run would not have fitted with the usual loss, so that another one is on."""
    if not (length := plain.get("worked_len")):
        return False
    fields = fields_of({"gpu_count": 1, **plain, "seq_len": length}, str(plain.get("workload")), part)
    return tools.size(fields, ("memory_per_gpu",), reading.language).verdict == "does_not_fit"


def _block(said: Mapping[str, Any], reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Say that the one block that was asked for is the logits, where it is as large as these are, or nearly so."""
    asked = next((s.figures["requested"] for s in reading.symptoms if "requested" in s.figures), None)
    tokens = (said.get("seq_len") or said.get("context_len") or 0) * (said.get("micro_batch") or 1)
    row = tools.book.row("models", str(said.get("model") or ""))
    vocabulary = row.number("vocab") if row else None
    if not (asked and tokens and row and vocabulary):
        return False
    for width in WIDTHS:
        size = tokens * vocabulary * width / 2**30
        if abs(asked - size) <= NEAR_SIZE * size:
            return _logits("block_of_logits:twice" if width == TWICE else "block_of_logits", asked, tokens, width, row, draft)
    width = WIDTHS[0]
    held = round(asked * 2**30 / (vocabulary * width))
    if said.get("workload") == "inference" or not 1 / NEARLY <= held / tokens <= NEARLY:
        return False
    return _logits("block_of_logits:nearly", asked, held, width, row, draft, said=tokens)


def _logits(key: str, asked: float, tokens: float, width: int, row: Row, draft: Draft, said: float = 0) -> bool:
    """Say of a block of `asked` GiB that it is the logits of so many tokens, where another number of them was `said`."""
    w, composer, vocabulary = draft.wording, draft.composer, row.number("vocab") or 0.0
    size = tokens * vocabulary * width / 2**30
    texts = {"asked": f"{number(asked)} GiB", "size": f"{number(size)} GiB", "tokens": number(tokens), "said": number(said)}
    composer.values += [Value("logits", size, "GiB", texts["size"]), Value("requested", asked, "GiB", texts["asked"])]
    composer.known += [texts["tokens"], texts["said"], number(vocabulary), str(width)]
    composer.say(w(key, **texts, vocabulary=number(vocabulary), width=number(width)), cell_evidence(row, "vocab"))
    composer.break_paragraph()
    return True


def _host(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> None:
    """The memory of the host ran short: how much the job takes of it, where that is known, and what helps."""
    said, composer = part.slots, draft.composer
    kind = next(s.kind for s in reading.symptoms if s.kind in OF_HOST)
    if not tells_model(said):
        tell_of(f"symptom:{kind}", reading, draft, tools, share=1.0)
        draft.settle("passages")
        return
    if kind == "host_killed" and (said.get("workload") in STATES_OF or said.get("offload")):
        job.respond(replace(part, intent="size", slots=said, wanted=("host_ram",)), reading, draft, tools)
    else:
        _loaded(kind, part, reading, draft, tools)
    composer.break_paragraph()
    tell_of(f"symptom:{kind}", reading, draft, tools, share=OF_A_FIGURE)


def _loaded(kind: str, part: Part, reading: Understanding, draft: Draft, tools: Tools) -> None:
    """How much RAM the weights take while they are loaded, or merged with an adapter, which is done in 16 bits whatever was trained."""
    said, w = part.slots, draft.wording
    left_out = PLACE | FORMATS if kind == "merging" else PLACE
    slots = {k: v for k, v in said.items() if k not in left_out}
    result = tools.size(fields_of(slots, "inference", part), ("weights",), reading.language)
    weights = next((v for v in result.values if v.name == "weights"), None)
    if weights is None or not isinstance(weights.value, int | float):
        return
    draft.settle("sizing")
    ram, text, model = said.get("host_ram_gb"), value_text(weights, w), model_name(said, tools)
    enough = "" if not ram else ":short" if ram < weights.value * GIB_IN_GB else ":enough"
    draft.verdict = draft.verdict or ("does_not_fit" if enough == ":short" else None)
    draft.composer.values.append(replace(weights, text=text))
    draft.composer.known += [model, f"{number(ram or 0)} GB"]
    words = w(f"{kind}{enough}", what=model, weights=text, ram=f"{number(ram or 0)} GB")
    draft.composer.say(words, *standing(result, "weights", tools=tools), *named(slots, tools))
    state_assumed(result, ("weights",), draft, tools)


def _apter(part: Part, reading: Understanding, draft: Draft, tools: Tools, akin: float = 0.0) -> bool:
    """Whether a section is clearly nearer to what was asked than the general one about running out of memory, and has that cosine."""
    general = tools.search(draft.wording("symptom:oom"), 1, corpus_language(reading.language))
    _, hits = near(part, reading, tools)
    if not general or not hits or hits[0].document.collection != OURS or hits[0].dense < akin:
        return False
    path = general[0].passage.heading_path
    return max((h.score for h in hits if h.passage.heading_path == path), default=0.0) < APTER * hits[0].score


def _show(symptom: Symptom, part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """What a symptom means, in the figures of the log, and the section of the corpus about it; False when there is none."""
    w = draft.wording
    if not w.has(f"symptom:{symptom.kind}"):
        return False
    query = w(f"symptom:{symptom.kind}")
    hits = [h for h in tools.search(query, 4, corpus_language(reading.language)) if h.document.collection == OURS][:1]
    found = untried(quoting.grounded((query,), hits, tools), part)
    if not found.quotable:
        return False
    draft.composer.break_paragraph()
    if symptom.figures and w.has(f"shown:{symptom.kind}"):
        figures = {k: number(v) for k, v in symptom.figures.items()}
        draft.composer.values += [Value(k, v, None, figures[k]) for k, v in symptom.figures.items()]
        first = min(found.quotable, key=lambda q: q.start)
        draft.composer.say(w(f"shown:{symptom.kind}", **figures), quoting.evidence(first.hit, first.start, first.end))
    quoting.quote(found, draft.composer, answers=True)
    return True
