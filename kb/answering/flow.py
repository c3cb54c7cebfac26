"""Reading and evidence become an answer: one match over the intents, nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from kb.answering import asking, decline
from kb.answering.cite import Composer
from kb.answering.draft import Draft, Tools
from kb.answering.made import made
from kb.answering.passages import quoting, splits
from kb.answering.render import number
from kb.answering.sizing import choosing, job, judged, open_card, series
from kb.answering.sizing.underneath import RESERVED
from kb.answering.tables import prices
from kb.answering.tables.comparing import compare
from kb.answering.tables.filtering import select
from kb.answering.tables.specs import cell_evidence, correct, lookup
from kb.answering.wording import Wording
from kb.answering.wording.neutral import PLAINLY
from kb.index.lexical import words
from kb.retrieval.ground import ground
from kb.retrieval.rerank import rerank
from kb.types.answer import Answer, Assumed, Value
from kb.types.evidence import Hit
from kb.types.question import Part, Premise, Symptom, Understanding
from kb.types.specs import Row
from kb.understanding.asks.vague import open_ended
from kb.understanding.premises.beliefs import DEGREE
from kb.understanding.premises.stated import ANSWERING

FIGURES = frozenset({"lookup", "compare", "filter", "size"})  # intents answered with figures of what is named

HEADED = 0.8  # of their score: passages beside one whose heading is the question
BRIEFLY = 0.35  # of the length of an answer: for the reason of what was said
NAMED = ("gpu", "model", "parameters", "gpu_count")  # quantities that say on what something went wrong
OURS = "corpus"  # the collection of the shipped articles; all others are the user's
NEAR_OF_OWN = 0.8  # of coverage and cosine: what the user's documents must reach to answer what the articles are not asked
ENDS = " 　?？!！.。,，"
POOL = 64  # passages that compete: one whose heading alone is near stands far down before they are weighed
LATEST = 400  # code points of a conversation that are searched with: the last ones
OF_FOLLOW_UP = 0.5  # weight of a follow-up's own words in search, beside those of all that was asked
GENERAL = frozenset({"oom", "used_up"})  # symptoms of which nothing more is known
APTER = 0.75  # of the score of a section: the general one that has less is left aside for it
SURE = 0.9  # of coverage and cosine: a section that answers what is asked of cards beside their figures
ALIKE = 0.4  # of the cosine: a passage that is about what a question beside figures asks
UNREAD = 0.5  # of the words of a turn that no rule understands: what a passage must hold of them to answer it
OF_PART = 0.7  # of a part's own words beside the whole question's


def answer(question: str, reading: Understanding, tools: Tools) -> Answer:
    """The answer to a reading, without identity, version or timings (the façade adds them)."""
    language = reading.language
    wording = Wording(language)
    draft = Draft(Composer(language, question, known=[question]), wording)
    if reading.problem:
        decline.invalid(draft, reading)
        return made(question, reading, draft)
    if reading.refusal:
        asked = Part("out_of_scope", question, reading.slots)
        if reading.refusal == "unsafe" or not _from_documents(asked, reading, draft, tools):
            decline.refuse(draft, reading.refusal)
        return made(question, reading, draft)
    for premise in reading.premises:
        correct(premise, tools.book, draft.composer, wording)
        draft.settle("spec" if premise.table else "passages")
        draft.believed |= premise.kind in ANSWERING
        _believed(premise, reading, draft, tools)
    parts = reading.parts or (Part("out_of_scope" if reading.off_topic else "explain", question, reading.slots),)
    if reading.unknown_entities and all(p.intent in FIGURES and (p.entities or p.intent == "size") for p in parts):
        decline.note_unknown(draft, reading)
    for part in parts:
        if (draft.believed and part.settled) or (draft.split and _of_degrees(part, reading, draft)):
            continue
        draft.composer.break_paragraph()
        _part(part, reading, draft, tools, single=len(parts) == 1)
    for part in [p for p in draft.unanswered if draft.ways and not decline.answered(draft, words(p.text))]:
        draft.composer.break_paragraph()
        decline.part(draft, part, parts.index(part))
    if not draft.ways and draft.kind is None and draft.declined is None:
        decline.without_evidence(draft, reading, tools.search(question, 3, _corpus_language(language)))
    return made(question, reading, draft)


def _part(part: Part, reading: Understanding, draft: Draft, tools: Tools, single: bool) -> None:
    match part.intent:
        case _ if part.pointing and not reading.unknown_entities and not asking.said("gpu", part.slots):
            asking.ask(["gpu"], draft)
        case "lookup" | "compare" if (
            not (part.columns or part.conditions) and _beside(part, reading) and _explained(part, reading, draft, tools)
        ):
            pass  # the cards are named, something else is asked of them
        case "lookup" | "compare" | "filter":
            state = {"lookup": lookup, "compare": compare, "filter": select}[part.intent]
            part = choosing.bounded(part, reading, draft, tools)
            if judged.of_a_card(part, draft, tools):
                draft.settle("spec")
                _told(draft.judged, reading, draft, tools)
                return
            if state(part, tools.book, draft):
                for card in [r for t, i in part.entities if prices.LAUNCH in part.columns and (r := tools.book.row(t, i))]:
                    prices.launched(card, draft)
                if part.intent == "compare" and part.conditions and job.subject(part.slots):
                    draft.composer.break_paragraph()
                    series.fits(part, reading, draft, tools)
                if part.columns and prices.asked(part):
                    draft.composer.break_paragraph()
                    prices.tell(part, tools.book, draft)
                _read_as(reading, draft, tools)
                draft.settle("spec")
            else:
                _explain(part, reading, draft, tools, single)
        case "size" | "explain" if prices.asked(part):
            prices.tell(part, tools.book, draft)
            _read_as(reading, draft, tools)
        case "size" | "explain" | "out_of_scope" if single and not reading.is_follow_up and _vague(part, reading, draft):
            pass
        case "size" if (
            draft.ways and not (part.wanted or job.subject(part.slots)) and decline.answered(draft, words(part.text))
        ):
            pass  # whether what was named will do: that was said
        case "size" if not job.subject(part.slots) and _from_documents(part, reading, draft, tools):
            pass
        case "size" if open_card.asked(part) and open_card.respond(part, reading, draft, tools):
            pass
        case "size" if choosing.asked(part) and choosing.respond(part, reading, draft, tools):
            draft.composer.break_paragraph()
            _read_as(reading, draft, tools)
        case "size":
            listed = "each" in part.slots and series.respond(part, reading, draft, tools)
            if not listed and not job.respond(part, reading, draft, tools):
                _explain(part, reading, draft, tools, single)
            elif draft.kind == "sizing":
                if "measured" in part.slots:
                    _told(draft.judged, reading, draft, tools)
                draft.composer.break_paragraph()
                _read_as(reading, draft, tools)
        case "explain" if job.costs_a_run(part) and job.respond(part, reading, draft, tools):
            pass
        case "troubleshoot":
            _diagnose(part, reading, draft, tools, single)
        case "explain":
            _explain(part, reading, draft, tools, single)
        case "out_of_scope":
            if not _from_documents(part, reading, draft, tools):
                decline.out_of_scope(draft, part, single)


def _vague(part: Part, reading: Understanding, draft: Draft) -> bool:
    """Ask back where a question says neither what is to run nor on what."""
    told = part.wanted or job.subject(part.slots) or reading.unknown_entities or {"circuit_a", "psu_w"} & part.slots.keys()
    if told or (part.entities and not part.asks_verdict) or not open_ended(part.text, reading.mentions):
        return False
    asking.ask([s for s in ("model", "workload", "gpu") if not asking.said(s, part.slots)], draft)
    return draft.kind == "clarification"


def _diagnose(part: Part, reading: Understanding, draft: Draft, tools: Tools, single: bool) -> None:
    """What the log shows; then what the job takes, where it is known, and the remedies; where nothing is known of it, what to tell."""
    said = part.slots
    subject, place = said.get("model") or said.get("parameters"), said.get("gpu") or said.get("memory_gb")
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
    shown = [] if apter else [s for s in kinds if _show(s, reading, draft, tools)]
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
    if computed and draft.kind == "sizing" and len(_beside(part, reading)) <= decline.SHORT_PART:
        return  # the remedies were computed on the asker's own figures, and nothing else was told
    if not shown:
        _explain(part, reading, draft, tools, single)
    elif any(s.kind != "oom" for s in shown):
        return  # the log said what is wrong
    if part.wanted and not (subject or place):  # memory ran short
        draft.composer.break_paragraph()
        draft.composer.note(draft.wording("ask_trouble"))


def _apter(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Whether a section is clearly nearer to what was asked than the general one about running out of memory."""
    general = tools.search(draft.wording("symptom:oom"), 1, _corpus_language(reading.language))
    _, hits = _near(part, reading, tools)
    if not general or not hits or hits[0].document.collection != OURS:
        return False
    path = general[0].passage.heading_path
    return max((h.score for h in hits if h.passage.heading_path == path), default=0.0) < APTER * hits[0].score


def _show(symptom: Symptom, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """What a symptom means, in the figures of the log, and the section of the corpus about it; False when there is none."""
    w = draft.wording
    if not w.has(f"symptom:{symptom.kind}"):
        return False
    query = w(f"symptom:{symptom.kind}")
    hits = [h for h in tools.search(query, 4, _corpus_language(reading.language)) if h.document.collection == OURS][:1]
    found = ground(query, hits, tools.lexical)
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


def _believed(premise: Premise, reading: Understanding, draft: Draft, tools: Tools) -> None:
    """Quote the section of the corpus that puts a common belief right; its beginning, where a cell did so already."""
    if premise.table and premise.kind == "pool":
        return
    query = f"belief:{premise.kind}"
    if premise.kind == "heads":
        asked = draft.wording(query)
        hits = tools.search(asked, 4, _corpus_language(reading.language))[:1]
        draft.split = splits.instead(reading.slots, ground(asked, hits, tools.lexical), draft)
    _told(query, reading, draft, tools, share=BRIEFLY if premise.table or draft.split else 1.0)
    if premise.kind == "reserved" and job.subject(reading.slots) and reading.slots.get("gpu"):
        slots = {"gpu_count": 1, "engine": "vllm", **reading.slots, "workload": "inference"}
        draft.composer.break_paragraph()
        job.respond(Part("size", reading.question, slots, wanted=(RESERVED,)), reading, draft, tools)


def _of_degrees(part: Part, reading: Understanding, draft: Draft) -> bool:
    """Whether a part asks of nothing but how many GPUs are to be split, which was told."""
    named = any(m.slot == "tensor_parallel" and m.text in part.text for m in reading.mentions) or DEGREE.search(part.text)
    return part.intent in ("explain", "troubleshoot") and bool(named or decline.answered(draft, words(part.text)))


def _told(key: str, reading: Understanding, draft: Draft, tools: Tools, share: float = BRIEFLY) -> None:
    """Quote the section of the corpus that a phrase of the wording asks for, where there is such a phrase."""
    if draft.wording.has(key):
        query = draft.wording(key)
        hits = tools.search(query, 4, _corpus_language(reading.language))
        draft.composer.break_paragraph()
        quoting.quote(ground(query, hits[:1], tools.lexical), draft.composer, answers=True, share=share)


def _beside(part: Part, reading: Understanding) -> set[str]:
    """The words of a part that are about something beside the things it names and their figures."""
    text = part.text.lower()
    for mention in reading.mentions:
        text = text.replace(mention.text.lower(), " ")
    return words(text) - words(PLAINLY)


def _explained(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Quote what the corpus says where it surely is what was asked; False where it may not be."""
    found = quoting.grounded(*_near(part, reading, tools), tools)
    if found.coverage + found.dense < SURE or not quoting.quote(found, draft.composer):
        return False
    draft.settle("passages", found.coverage + found.dense)
    return True


def _explain(part: Part, reading: Understanding, draft: Draft, tools: Tools, single: bool) -> None:
    """Quote what the corpus says, or decline when it says nothing near enough."""
    queries, hits = _near(part, reading, tools)
    if part.unread and not _covered(part, hits, tools):
        asking.again(part, draft)
        return
    found = quoting.grounded(queries, hits, tools)
    if reading.unknown_entities and not part.entities and part.intent != "troubleshoot":
        decline.unknown(draft, reading, hits)
    elif part.intent == "size" and not part.wanted and found.coverage + found.foremost < decline.NEAR_OF_SIZE:
        asking.ask(asking.lacking(part), draft)
    elif decline.too_far(found, part.intent) or (not single and _aside(part, reading, hits, tools)):
        if draft.believed or (not draft.composer.empty and any(single or not p.table for p in reading.premises)):
            return  # what was believed is put right, and that was all
        if single and "hardware" in part.wanted:
            _told("told:hardware", reading, draft, tools, share=1.0)
            draft.settle("passages")
        elif single:
            decline.without_evidence(draft, reading, hits)
        else:
            draft.unanswered.append(part)
    elif quoting.quote(found, draft.composer):
        draft.settle("passages", found.coverage + found.dense)
    elif draft.believed:
        return  # it says what was said already
    elif single:
        decline.without_evidence(draft, reading, hits)
    else:
        draft.unanswered.append(part)


def _aside(part: Part, reading: Understanding, hits: Sequence[Hit], tools: Tools) -> bool:
    """Whether the passages are about something else than a question that stands beside one answered with figures."""
    if part.intent != "explain" or not any(p.intent in FIGURES for p in reading.parts):
        return False
    own = ground(part.text, hits[:4], tools.lexical, also=tools.related(part.text))
    return own.dense < ALIKE and own.coverage + own.dense < SURE


def _covered(part: Part, hits: Sequence[Hit], tools: Tools) -> bool:
    """Whether the passages hold the words of a turn itself, whatever was asked before."""
    return ground(part.text, hits[:4], tools.lexical).coverage >= UNREAD


def _near(part: Part, reading: Understanding, tools: Tools) -> tuple[tuple[str, ...], tuple[Hit, ...]]:
    """What to look for, and the passages nearest to it: a part is also looked for with all that was asked, a follow-up foremost so."""
    whole, own = reading.question[-LATEST:], part.text or reading.question
    if len(reading.parts) < 2 and not reading.is_follow_up:
        own = whole
    if part.intent == "troubleshoot":
        own = _symptom(own, reading)
    language = _corpus_language(reading.language)
    beside = any(p is not part and part.text in p.text for p in reading.parts)  # a question of its own within another
    if beside or own.strip(ENDS) == whole.strip(ENDS):
        return (own,), _headed(own, rerank(own, tools.search(own, POOL, language), tools.lexical))
    share = OF_FOLLOW_UP if reading.is_follow_up else OF_PART
    hits: dict[str, Hit] = {}
    for query, weight in ((own, share), (whole, 1 - share)):
        for hit in rerank(query, tools.search(query, POOL, language), tools.lexical):
            before = hits.get(hit.passage.id, replace(hit, score=0.0))
            hits[hit.passage.id] = replace(hit, score=before.score + weight * hit.score, dense=max(hit.dense, before.dense))
    best = sorted(hits.values(), key=lambda h: (-h.score, h.passage.id))[:8]
    return (own, whole), _headed(own, tuple(replace(h, score=h.score / best[0].score) for h in best))


def _headed(query: str, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The section whose heading is what was asked before all others: it was written to answer that."""
    asked = words(query)
    same = [h for h in hits if h.passage.heading_path and words(h.passage.heading_path[-1]) == asked]
    if not asked or not same or same[0] is hits[0]:
        return hits
    return (replace(same[0], score=hits[0].score), *(replace(h, score=HEADED * h.score) for h in hits if h is not same[0]))


def _from_documents(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Quote the user's own documents where they hold what was asked; False when they do not, or there are none."""
    query = part.text or reading.question
    own = [h for h in tools.search(query, 4, _corpus_language(reading.language)) if h.document.collection != OURS]
    found = ground(query, own, tools.lexical)
    if found.coverage + found.dense < NEAR_OF_OWN or not quoting.quote(found, draft.composer):
        return False
    draft.settle("passages", found.coverage + found.dense)
    return True


def _symptom(text: str, reading: Understanding) -> str:
    """What went wrong, without what it went wrong on: the names of cards and models find articles about these."""
    said = text
    for mention in reading.mentions:
        if mention.quantity in NAMED:
            said = said.replace(mention.text, " ")
    return said if any(c.isalpha() for c in said) else text


def _read_as(reading: Understanding, draft: Draft, tools: Tools) -> None:
    """State which variant an ambiguous or misspelt name was read as."""
    for slot, reason in reading.assumed.items():
        if any(a.slot == slot for a in draft.assumptions):
            continue
        table, column = {"gpu": ("accelerators", "memory_gb"), "model": ("models", "params_total")}.get(slot, ("", ""))
        row = tools.book.row(table, str(reading.slots.get(slot, ""))) if table else None
        draft.assumptions.append(Assumed(slot, row.name if row else reading.slots.get(slot), reason))
        if slot == "gpu" and draft.ways == {"sizing"} and row and not _telling(row, reason, draft.carded, tools):
            continue  # which variant it is changes nothing
        if row or slot in ("question", "tokens"):
            draft.composer.known.append(reason)
            words = draft.wording("read_as", reason=reason)
            draft.composer.say(words, cell_evidence(row, column)) if row else draft.composer.note(words)


def _telling(row: Row, reason: str, columns: Set[str], tools: Tools) -> bool:
    """Whether a variant that a reason names differs from the row in a figure that went into what was computed."""
    variants = [r for r in tools.book.rows(row.table) if r.name in reason and r.id != row.id]
    return any(r.number(c) != row.number(c) for r in variants for c in columns)


def _corpus_language(language: str) -> str:
    return "en" if language == "en" else "zh"
