"""Questions that the articles answer: what is looked for, what is near enough to quote, and what is said when nothing is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.answering import asking, decline
from kb.answering.draft import Draft, Tools
from kb.answering.passages import defining, quoting
from kb.answering.passages.quoting import OURS
from kb.answering.passages.tried import untried
from kb.answering.sizing import claimed
from kb.answering.sizing.grounds import model_name, what_of
from kb.answering.wording.neutral import PLAINLY
from kb.index.lexical import words
from kb.retrieval.ground import Ground, ground
from kb.retrieval.rerank import likely, rerank
from kb.retrieval.search import ASKING
from kb.retrieval.support import support
from kb.types.evidence import Hit
from kb.types.question import Part, Understanding

FIGURES = frozenset({"lookup", "compare", "filter", "size"})  # intents answered with figures of what is named

HEADED = 0.8  # of their score: passages beside one whose heading is the question
BRIEFLY = 0.35  # of the length of an answer: for the reason of what was said
NAMED = ("gpu", "model", "parameters", "gpu_count")  # quantities that say on what something went wrong
ENDS = " 　?？!！.。,，"
POOL = 64  # passages that compete: one whose heading alone is near stands far down before they are weighed
LATEST = 400  # code points of a conversation that are searched with: the last ones
OF_FOLLOW_UP = 0.5  # weight of a follow-up's own words in search, beside those of all that was asked
SURE = 0.9  # of coverage and cosine: a section that answers what is asked of cards beside their figures
SAME = 0.7  # of the cosine: in other words the question of a section
ALIKE = 0.4  # of the cosine: a passage that is about what a question beside figures asks
PLAIN = re.compile("|".join(sorted((w for w in PLAINLY.split() if not w.isascii() and len(w) > 1), key=len, reverse=True)))
ASIDE = re.compile(r"[（(][^（()）?？]{4,80}[）)]")
FURTHER = 0.8  # of the best section's score: what the next one must have to be about the same problem
NEWLY = 0.88  # of the best section's score by a further turn's own words: what another must have to come instead of the one told before
UNREAD = 0.5  # of the words of a turn that no rule understands: what a passage must hold of them to answer it
OF_NAMED = 0.3  # the least coverage and cosine of a section that names what is asked of
OF_PART = 0.7  # of a part's own words beside the whole question's


def explain(part: Part, reading: Understanding, draft: Draft, tools: Tools, single: bool) -> None:
    """Quote what the corpus says, or decline when it says nothing near enough."""
    queries, hits = near(part, reading, tools)
    nearest, strange = hits, bool(reading.unknown_entities)
    about: tuple[Hit, ...] = ()
    if strange and not reading.unpublished and (about := _on_names(part, reading, hits, tools)):
        strange, hits = False, about
    if part.unread and (part.slots.get("way_out") or not (beside(part, reading) and _covered(part, hits, tools))):
        asking.again(part, draft, _conversation(part, draft, tools))
        return
    if part.slots.get("way_out"):
        _further(part, reading, draft, tools)
        return
    queries, hits = _anew(part, reading, nearest, tools) or (queries, hits)
    names = defining.named(part.text, hits) if part.intent == "explain" and not reading.unknown_entities else ()
    if names and defining.contrast(names, hits, draft, tools):
        draft.settle("passages")
        return
    found = untried(quoting.grounded(queries, hits, tools), part)
    if strange and not part.entities and part.intent != "troubleshoot":
        decline.unknown(draft, reading, hits)
    elif part.intent == "size" and not part.wanted and found.coverage + found.foremost < decline.NEAR_OF_SIZE:
        asking.ask(asking.lacking(part), draft)
    elif (
        (decline.too_far(found, part.intent) and not (about and found.coverage + found.foremost >= OF_NAMED))
        or (names and not likely(queries[0], hits, tools.lexical) and all(defining.unknown(n, hits, tools) for n in names))
        or (not single and _aside(part, reading, hits, tools))
    ):
        if draft.believed or (not draft.composer.empty and any(single or not p.table for p in reading.premises)):
            return  # what was believed is put right, and that was all
        if single and "hardware" in part.wanted:
            tell_of("told:hardware", reading, draft, tools, share=1.0)
            draft.settle("passages")
        elif single:
            decline.without_evidence(draft, hits)
        else:
            draft.unanswered.append(part)
    elif any((claimed.by_format(part, draft, tools), _told(found, part, draft))):
        draft.settle("passages", found.coverage + found.dense)
        defining.note_missing(names, draft)
    elif draft.believed:
        return  # it says what was said already
    elif single:
        decline.without_evidence(draft, hits)
    else:
        draft.unanswered.append(part)


def _told(found: Ground, part: Part, draft: Draft) -> bool:
    """Quote what was found; of steps of which one was taken already, what remains of them."""
    if part.slots.get("tried") and found.withheld:
        draft.composer.note(draft.wording("tried"))
    return bool(quoting.quote(found, draft.composer))


def _before(part: Part, reading: Understanding) -> str:
    """What was asked before a further turn."""
    return reading.question.removesuffix(part.text).rstrip(ENDS + ";；")[-LATEST:]


def _anew(
    part: Part, reading: Understanding, again: Sequence[Hit], tools: Tools
) -> tuple[tuple[str, ...], tuple[Hit, ...]] | None:
    """What to look for and the passages for a turn after one that was answered with a passage, where that passage would come `again`
    and another is as near to the turn's own words."""
    if not part.slots.get("retold"):
        return None
    language, before = corpus_language(reading.language), _before(part, reading)
    told = rerank(before, tools.search(before, POOL, language), tools.lexical)[:1]
    if not told or not again or again[0].passage.heading_path != told[0].passage.heading_path:
        return None
    own = rerank(part.text, tools.search(part.text, POOL, language), tools.lexical)
    rest = tuple(h for h in own if h.passage.heading_path != told[0].passage.heading_path)[:8]
    return ((part.text,), rest) if rest and rest[0].score >= NEWLY * own[0].score else None


def _further(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> None:
    """What else the corpus says of a problem told before: the section next to the one that was quoted; where none is near, ask back."""
    before = _before(part, reading)
    hits = rerank(before, tools.search(before, POOL, corpus_language(reading.language)), tools.lexical)
    rest = tuple(h for h in hits if h.passage.heading_path != hits[0].passage.heading_path)
    if not rest or rest[0].score < FURTHER * hits[0].score or not (found := quoting.grounded((before,), rest, tools)).quotable:
        asking.further(draft)
    elif quoting.quote(found, draft.composer):
        draft.settle("passages", found.coverage + found.dense)


def explained_by_name(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Quote the sections about a model that is in no table and that the articles name; False where none does."""
    queries, hits = near(part, reading, tools)
    about = _on_names(part, reading, hits, tools)
    found = quoting.grounded(queries, about, tools)
    if not about or not quoting.quote(found, draft.composer):
        return False
    draft.settle("passages", found.coverage + found.dense)
    return True


def _on_names(part: Part, reading: Understanding, hits: Sequence[Hit], tools: Tools) -> tuple[Hit, ...]:
    """The sections that name what a question speaks of and no table has: of those near to the question, else near to the name."""
    family = (part.slots.get(slot) for slot in ("other_model", "model_family"))
    names = (*reading.unknown_entities, *(str(name) for name in family if name))
    for near in (hits, tools.search(" ".join(names), POOL, corpus_language(reading.language))):
        if found := tuple(h for h in near if any(_about(n, h) for n in names)):
            return found
    return ()


def _about(name: str, hit: Hit) -> bool:
    """Whether a section names something in its heading, or in how people ask for it."""
    heading = hit.passage.heading_path[-1] if hit.passage.heading_path else ""
    return any(defining.holds(text, name) for text in (heading, *hit.document.asked.get(heading, ())))


def tell_of(
    key: str, reading: Understanding, draft: Draft, tools: Tools, share: float = BRIEFLY, part: Part | None = None
) -> None:
    """Quote the section of the corpus that a phrase of the wording asks for, where there is such a phrase; without advice that a `part`
    says was followed."""
    if draft.wording.has(key):
        query = draft.wording(key)
        hits = tools.search(query, 4, corpus_language(reading.language))
        draft.composer.break_paragraph()
        found = quoting.grounded((query,), hits[:1], tools)
        quoting.quote(untried(found, part) if part else found, draft.composer, answers=True, share=share)


def beside(part: Part, reading: Understanding) -> set[str]:
    """The words of a part that are about something beside the things it names and their figures."""
    text = part.text.lower()
    for mention in reading.mentions:
        text = text.replace(mention.text.lower(), " ")
    return words(PLAIN.sub(" ", ASKING.sub(" ", text))) - words(PLAINLY)


def explained_surely(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Quote what the corpus says where it surely is what was asked; False where it may not be."""
    found = quoting.grounded(*near(part, reading, tools), tools)
    if (found.coverage + found.dense < SURE and found.dense < SAME) or not quoting.quote(found, draft.composer):
        return False
    draft.settle("passages", found.coverage + found.dense)
    return True


def _aside(part: Part, reading: Understanding, hits: Sequence[Hit], tools: Tools) -> bool:
    """Whether the passages are about something else than a question that stands beside one answered with figures."""
    if part.intent != "explain" or not any(p.intent in FIGURES for p in reading.parts):
        return False
    own = ground(part.text, hits[:4], tools.lexical, also=tools.related(part.text))
    return own.dense < ALIKE and own.coverage + own.dense < SURE


def _conversation(part: Part, draft: Draft, tools: Tools) -> str:
    """What is understood of a conversation: the model and what is done with it, and the cards."""
    w, slots = draft.wording, part.slots
    card = tools.book.row("accelerators", str(slots.get("gpu") or ""))
    count = slots.get("gpu_count") or 1
    what = what_of(model_name(slots, tools), str(slots["workload"]) if slots.get("workload") else None, w)
    on = (f"{count} × {card.name}" if count > 1 else card.name) if card else ""
    return w.join([said for said in (what, on) if said])


def _covered(part: Part, hits: Sequence[Hit], tools: Tools) -> bool:
    """Whether the passages hold the words of a turn itself, whatever was asked before."""
    return ground(part.text, hits[:4], tools.lexical).coverage >= UNREAD


def near(part: Part, reading: Understanding, tools: Tools) -> tuple[tuple[str, ...], tuple[Hit, ...]]:
    """What to look for, and the passages nearest to it: a part is also looked for with all that was asked, a follow-up foremost so."""
    whole, own = _without_asides(reading.question, reading)[-LATEST:], _without_asides(part.text or reading.question, reading)
    if len(reading.parts) < 2 and not reading.is_follow_up:
        own = whole
    if part.intent == "troubleshoot":
        own = _symptom(own, reading)
    language = corpus_language(reading.language)
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


def from_documents(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Quote the user's own documents where they hold what was asked; False when they do not, or there are none."""
    query = part.text or reading.question
    own = [h for h in tools.search(query, 4, corpus_language(reading.language)) if h.document.collection != OURS]
    found = ground(query, own, tools.lexical)
    if support(query, own, tools.lexical) < decline.SUPPORTED or not quoting.quote(found, draft.composer):
        return False
    draft.settle("passages", found.coverage + found.dense)
    return True


def _without_asides(text: str, reading: Understanding) -> str:
    """A question without what it only says in brackets of cards, models and amounts: that finds articles about these."""

    def shown(aside: re.Match[str]) -> str:
        return " " if any(m.text in aside[0] for m in reading.mentions) else aside[0]

    said = ASIDE.sub(shown, text)
    return said if any(c.isalpha() for c in said) else text


def _symptom(text: str, reading: Understanding) -> str:
    """What went wrong, without what it went wrong on: the names of cards and models find articles about these."""
    said = text
    for mention in reading.mentions:
        if mention.quantity in NAMED:
            said = said.replace(mention.text, " ")
    return said if any(c.isalpha() for c in said) else text


def corpus_language(language: str) -> str:
    return "en" if language == "en" else "zh"
