"""Trouble: what a log or a complaint shows, what the job takes where it is known, and the remedies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kb.answering import decline
from kb.answering.draft import Draft, Tools
from kb.answering.explaining import beside, corpus_language, explain, near
from kb.answering.passages import quoting
from kb.answering.passages.quoting import OURS
from kb.answering.passages.tried import untried
from kb.answering.render import number
from kb.answering.sizing import job
from kb.answering.sizing.groups import RESERVED
from kb.types.answer import Value
from kb.types.question import Part, Symptom, Understanding
from kb.understanding.slots.known import tells_card, tells_model

GENERAL = frozenset({"oom", "used_up"})  # symptoms of which nothing more is known
APTER = 0.75  # of the score of a section: the general one that has less is left aside for it


def diagnose(part: Part, reading: Understanding, draft: Draft, tools: Tools, single: bool) -> None:
    """What the log shows; then what the job takes, where it is known, and the remedies; where nothing is known of it, what to tell."""
    said = part.slots
    if said.get("way_out"):
        explain(part, reading, draft, tools, single)
        return
    subject, place = tells_model(said), tells_card(said)
    known = bool(subject and place and (said.get("workload") or said.get("task")))
    computed = known and bool(part.wanted)
    if known and not reading.symptoms and draft.sized and RESERVED in draft.sized[-1][1]:  # which was no trouble
        weights = replace(part, intent="size", wanted=("weights",), asks_verdict=False)
        job.respond(weights, reading, draft, tools)
        return
    too_long = any(s.kind == "context_too_long" and not s.figures for s in reading.symptoms)
    if subject and place and too_long:  # how long it may be is computed where the log does not say
        slots = {k: v for k, v in {"gpu_count": 1, **said, "workload": "inference"}.items() if k != "context_len"}
        job.respond(replace(part, intent="size", slots=slots, wanted=("max_context_len",)), reading, draft, tools)
        draft.composer.break_paragraph()
    # the remedies of a job that is known are computed, not listed
    kinds = [s for s in reading.symptoms if not (computed and s.kind == "oom")]
    apter = bool(kinds) and all(s.kind in GENERAL and not s.figures for s in kinds) and _apter(part, reading, draft, tools)
    loaded = bool(subject and said.get("retold") and any(s.kind == "host_killed" for s in kinds))
    shown = kinds if loaded else [] if apter else [s for s in kinds if _show(s, part, reading, draft, tools)]
    if shown:
        draft.settle("passages")
        draft.composer.break_paragraph()
    if subject and any(s.kind == "host_killed" for s in shown):  # by the system, for want of its own memory
        loading: Mapping[str, Any] = said if said.get("task") else {"workload": "inference", **said}
        job.respond(replace(part, intent="size", slots=loading, wanted=("host_ram",)), reading, draft, tools)
        return
    if computed or (known and not shown):
        wanted = ("model_states_per_gpu",) if (said.get("gpu_count") or 1) > 1 and said.get("workload") != "inference" else ()
        slots = {"gpu_count": 1, **said}  # one card, where a card is named and no number
        job.respond(replace(part, slots=slots, wanted=wanted, asks_verdict=bool(said.get("workload"))), reading, draft, tools)
        draft.composer.break_paragraph()
    told = len(beside(part, reading)) > decline.SHORT_PART and _apter(part, reading, draft, tools)
    if computed and draft.kind == "sizing" and not told:
        return  # the remedies were computed on the asker's own figures, and nothing else was told
    if not shown:
        explain(part, reading, draft, tools, single)
    elif any(s.kind != "oom" for s in shown):
        return  # the log said what is wrong
    if part.wanted and not (subject or place):  # memory ran short
        draft.composer.break_paragraph()
        draft.composer.note(draft.wording("ask_trouble"))


def _apter(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Whether a section is clearly nearer to what was asked than the general one about running out of memory."""
    general = tools.search(draft.wording("symptom:oom"), 1, corpus_language(reading.language))
    _, hits = near(part, reading, tools)
    if not general or not hits or hits[0].document.collection != OURS:
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
