"""Reading and evidence become an answer: one match over the intents, nothing else."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from kb.answering import asking, decline
from kb.answering.cite import Composer
from kb.answering.draft import Draft, Tools
from kb.answering.explaining import (
    BRIEFLY,
    FIGURES,
    beside,
    corpus_language,
    explain,
    explained_by_name,
    explained_surely,
    from_documents,
    tell_of,
)
from kb.answering.made import made
from kb.answering.passages import splits
from kb.answering.sizing import (
    bought,
    choosing,
    claimed,
    drives,
    job,
    judged,
    mixed,
    open_card,
    pooled,
    portable,
    race,
    series,
    smallest,
    way_out,
)
from kb.answering.sizing.fields import costs_a_run, linked, subject, together
from kb.answering.tables import prices, value
from kb.answering.tables.comparing import ORIGIN, compare
from kb.answering.tables.filtering import select
from kb.answering.tables.lookup import correct, lookup
from kb.answering.tables.specs import cell_evidence
from kb.answering.trouble import diagnose, reserved_beside
from kb.answering.wording import Wording
from kb.index.lexical import words
from kb.retrieval.ground import ground
from kb.types.answer import Answer, Assumed
from kb.types.question import Part, Premise, Understanding
from kb.types.specs import Row
from kb.understanding.asks.decisions import DIFFERENCE
from kb.understanding.asks.manner import asks
from kb.understanding.asks.vague import MACHINE, TO_RUN, open_ended
from kb.understanding.premises.beliefs import ANY_KERNEL, DEGREE
from kb.understanding.premises.stated import ANSWERING

TOLD = frozenset(
    {"question", "tokens", "context_len", "days", "edition", "currency"}
)  # what of a reading is told though no row stands behind it

SLOW_LINK = 50.0  # Gb/s, up to which a link of a server is told of as slow
SENTENCE = 0.2  # of the length of an answer: for a sentence or two, without the table below them
WITH_WAY = 0.55  # of the length of an answer: for the reason with what to do instead


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
        if reading.refusal == "unsafe" or not from_documents(asked, reading, draft, tools):
            decline.refuse(draft, reading.refusal)
        return made(question, reading, draft)
    for premise in reading.premises:
        correct(premise, tools.book, draft)
        draft.settle("spec" if premise.table else "passages")
        draft.believed |= premise.kind in ANSWERING
    kinds = [p.kind for p in reading.premises]
    for premise in [p for i, p in enumerate(reading.premises) if p.kind not in kinds[:i]]:  # once, whatever it is believed of
        _believed(premise, reading, draft, tools)
    parts = reading.parts or (Part("out_of_scope" if reading.off_topic else "explain", question, reading.slots),)
    if reading.unknown_entities and all(p.intent in FIGURES and (p.entities or p.intent == "size") for p in parts):
        decline.note_unknown(draft, reading)
    for part in parts:
        if (
            (draft.believed and part.settled)
            or pooled.settles(part, draft)
            or (draft.split and _of_degrees(part, reading, draft))
        ):
            continue
        draft.composer.break_paragraph()
        _part(part, reading, draft, tools, single=len(parts) == 1)
    if draft.judged.startswith("format:") and draft.kind == "spec" and draft.ways == {"spec"} and not draft.believed:
        tell_of(draft.judged, reading, draft, tools, share=SENTENCE)
    for part in [p for p in draft.unanswered if draft.ways and not decline.answered(draft, words(p.text))]:
        draft.composer.break_paragraph()
        decline.part(draft, part, parts.index(part))
    if not draft.ways and draft.kind is None and draft.declined is None:
        decline.without_evidence(draft, tools.search(question, 3, corpus_language(language)))
    return made(question, reading, draft)


def _part(part: Part, reading: Understanding, draft: Draft, tools: Tools, single: bool) -> None:
    part = drives.placed(reserved_beside(bought.owned(part, reading, draft, tools), reading), tools)
    match part.intent:
        case _ if part.pointing and not reading.unknown_entities and not asking.said("gpu", part.slots):
            unnamed = TO_RUN.search(part.text.lower()) and not (subject(part.slots) or asking.said("model", part.slots))
            asking.ask(["model", "gpu"] if unnamed else ["gpu"], draft)
        case "lookup" | "compare" if (
            not (part.columns or part.conditions or DIFFERENCE.search(part.text.lower()))
            and beside(part, reading)
            and explained_surely(part, reading, draft, tools)
        ):
            pass  # the cards are named, something else is asked of them
        case "lookup" if not (part.columns or reading.is_follow_up) and asks(part.text) and beside(part, reading):
            explain(part, reading, draft, tools, single)  # its figures would not answer that
        case "filter" | "size" if smallest.asked(part) and smallest.respond(part, reading, draft, tools):
            draft.composer.break_paragraph()
            _read_as(reading, draft, tools)
        case "compare" | "size" if race.asked(part) and race.respond(part, reading, draft, tools):
            draft.composer.break_paragraph()
            _read_as(reading, draft, tools)
        case "lookup" | "compare" | "filter":
            state = {"lookup": lookup, "compare": compare, "filter": select}[part.intent]
            part = choosing.bounded(part, reading, draft, tools)
            if judged.of_a_card(part, draft, tools):
                draft.settle("spec")
                tell_of(draft.judged, reading, draft, tools)
                return
            if value.asked(part):
                if value.tell(part, tools.book, draft):
                    _read_as(reading, draft, tools)
                    draft.settle("spec")
                    return
                part = replace(part, columns=(), conditions=())
            if state(part, tools.book, draft):
                for card in [r for t, i in part.entities if prices.LAUNCH in part.columns and (r := tools.book.row(t, i))]:
                    prices.launched(card, draft)
                if part.intent == "compare" and part.conditions and subject(part.slots):
                    draft.composer.break_paragraph()
                    series.fits(part, reading, draft, tools)
                if part.columns and prices.asked(part):
                    draft.composer.break_paragraph()
                    prices.tell(part, tools.book, draft)
                _read_as(reading, draft, tools)
                if any(column == ORIGIN for column, _, _ in part.conditions):
                    tell_of("stopped", reading, draft, tools, share=SENTENCE)
                draft.settle("spec")
            else:
                explain(part, reading, draft, tools, single)
        case "size" | "explain" if prices.asked(part):
            prices.tell(part, tools.book, draft)
            _read_as(reading, draft, tools)
        case "size" | "explain" | "out_of_scope" if single and not reading.is_follow_up and _vague(part, reading, draft):
            pass
        case "size" if draft.ways and not (part.wanted or subject(part.slots)) and decline.answered(draft, words(part.text)):
            pass  # whether what was named will do: that was said
        case "size" if not subject(part.slots) and from_documents(part, reading, draft, tools):
            pass
        case "size" if way_out.asked(part) and way_out.respond(part, reading, draft, tools):
            tell_of(draft.judged, reading, draft, tools, share=1.0, part=part)
            if draft.further:
                draft.composer.break_paragraph()
                draft.composer.say(draft.further[0], *draft.further[1])
        case "size" if _unlisted(part) and explained_by_name(part, reading, draft, tools):
            pass
        case "size" if portable.asked(part) and portable.respond(part, reading, draft, tools):
            draft.composer.break_paragraph()
            _read_as(reading, draft, tools)
        case "size" if bought.asked(part) and bought.respond(part, reading, draft, tools):
            draft.composer.break_paragraph()
            _read_as(reading, draft, tools)
        case "size" if mixed.asked(part) and mixed.respond(part, reading, draft, tools):
            pass
        case "size" if open_card.asked(part) and open_card.respond(part, reading, draft, tools):
            pass
        case "size" if choosing.asked(part) and choosing.respond(part, reading, draft, tools):
            draft.composer.break_paragraph()
            _read_as(reading, draft, tools)
        case "size":
            if "layout" in part.wanted and choosing.asked(part):  # none does the job: whether and how it fits at all
                part = replace(part, wanted=(), asks_verdict=True)
            if part.slots.get("task") == "train" and (linked(part) or SLOW_LINK) < SLOW_LINK:
                tell_of("link:slow", reading, draft, tools, share=SENTENCE)
                draft.composer.break_paragraph()
            listed = "each" in part.slots and not together(part) and series.respond(part, reading, draft, tools)
            if not listed and not job.respond(part, reading, draft, tools):
                if (link := linked(part)) is not None:
                    tell_of("link:slow" if link <= SLOW_LINK else "link:fast", reading, draft, tools, share=1.0)
                    draft.settle("passages")
                else:
                    explain(part, reading, draft, tools, single)
            elif draft.kind == "sizing":
                if "checkpoint_why" in part.slots:
                    tell_of("explain:checkpoint", reading, draft, tools)
                if "measured" in part.slots:
                    tell_of(draft.judged, reading, draft, tools)
                draft.composer.break_paragraph()
                _read_as(reading, draft, tools)
        case "explain" if part.slots.get("flash_attention") and part.entities and ANY_KERNEL.search(part.text.lower()):
            tell_of("belief:kernel", reading, draft, tools, share=WITH_WAY)
            draft.settle("passages")
        case "explain" if part.slots.get("advised"):
            claimed.by_format(part, draft, tools)
            tell_of(part.slots["advised"], reading, draft, tools, share=1.0)
            draft.settle("passages")
        case "explain" if part.slots.get("slots_asked"):
            tell_of("told:slots", reading, draft, tools, share=1.0)
            draft.settle("passages")
        case "explain" if costs_a_run(part) and job.respond(part, reading, draft, tools):
            pass
        case "troubleshoot":
            diagnose(part, reading, draft, tools, single)
        case "explain":
            explain(part, reading, draft, tools, single)
        case "out_of_scope":
            if not from_documents(part, reading, draft, tools):
                decline.out_of_scope(draft, part, single)


def _unlisted(part: Part) -> bool:
    """Whether a size is asked of a model that is in no table."""
    return "other_model" in part.slots and not subject(part.slots)


def _vague(part: Part, reading: Understanding, draft: Draft) -> bool:
    """Ask back where a question says neither what is to run nor on what."""
    told = (
        subject(part.slots)
        or (part.wanted and not part.slots.get("laptop"))
        or reading.unknown_entities
        or {"circuit_a", "psu_w"} & part.slots.keys()
    )
    if told or (part.entities and not part.asks_verdict) or not open_ended(part.text, reading.mentions):
        return False
    third = "context_len" if MACHINE.search(part.text.lower()) else "gpu"
    asking.ask(asking.worded([s for s in ("model", "workload", third) if not asking.said(s, part.slots)], part.slots), draft)
    return draft.kind == "clarification"


def _believed(premise: Premise, reading: Understanding, draft: Draft, tools: Tools) -> None:
    """Quote the section of the corpus that puts a common belief right; its beginning, where a cell did so already."""
    if premise.table and premise.kind == "pool":
        return
    query = f"belief:{premise.kind}"
    if premise.kind == "heads":
        asked = draft.wording(query)
        hits = tools.search(asked, 4, corpus_language(reading.language))[:1]
        draft.split = splits.instead(reading.slots, ground(asked, hits, tools.lexical), draft)
    if premise.kind == "reserved" and pooled.tell(reading, draft, tools):
        return
    briefly = WITH_WAY if premise.kind == "kernel" else BRIEFLY if premise.table or draft.split else 1.0
    out = draft.split and reading.slots.get("way_out")
    tell_of("way_out:layers" if out else query, reading, draft, tools, share=briefly)


def _of_degrees(part: Part, reading: Understanding, draft: Draft) -> bool:
    """Whether a part asks of nothing but how many GPUs are to be split, which was told."""
    named = any(m.slot == "tensor_parallel" and m.text in part.text for m in reading.mentions) or DEGREE.search(part.text)
    named = named or part.slots.get("way_out")
    return part.intent in ("explain", "troubleshoot") and bool(named or decline.answered(draft, words(part.text)))


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
        of_cells = draft.ways <= {"spec"} and all(p.intent in FIGURES - {"size"} for p in reading.parts)
        if slot == "gpu" and of_cells and row and not _told_apart(row, reason, reading, tools):
            continue
        if row or slot in TOLD:
            draft.composer.known.append(reason)
            words = draft.wording("read_as", reason=reason)
            text = reading.slots.get("tokens_of_text") if slot == "tokens" else None
            rate = tools.constant(f"text.{text[0]}") if text else None
            evidence = cell_evidence(row, column) if row else rate.evidence if rate else None
            draft.composer.say(words, evidence) if evidence else draft.composer.note(words)


def _told_apart(row: Row, reason: str, reading: Understanding, tools: Tools) -> bool:
    """Whether a variant that a reason names has another cell than the row in a column that was asked for, or corrected."""
    asked = {c for p in reading.parts for c in p.columns} | {p.column for p in reading.premises if p.table == row.table}
    variants = [r for r in tools.book.rows(row.table) if r.name in reason and r.id != row.id]
    return not asked or any(held(r, c) != held(row, c) for r in variants for c in asked)


def held(row: Row, column: str) -> tuple[float | None, str | None]:
    return row.number(column), row.text(column)


def _telling(row: Row, reason: str, columns: Set[str], tools: Tools) -> bool:
    """Whether a variant that a reason names differs from the row in a figure that went into what was computed."""
    variants = [r for r in tools.book.rows(row.table) if r.name in reason and r.id != row.id]
    return any(r.number(c) != row.number(c) for r in variants for c in columns)
