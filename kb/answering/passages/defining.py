"""What a name means: the sentences of the corpus that define it, and of several names those that say how they differ."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.answering.draft import Draft, Tools
from kb.answering.passages.quoting import BUDGET, SHORT, Said, tell, unquotable, with_context
from kb.answering.passages.sections import sectioned, spans_of
from kb.answering.wording.neutral import DEFINING
from kb.index.lexical import fold, tokens, words
from kb.retrieval.ground import Quotable
from kb.retrieval.rerank import rerank
from kb.types.evidence import Hit
from kb.understanding.asks.naming import asks_difference, contrasted, defined

POOL, SECTIONS, SENTENCES = 64, 16, 14  # passages that compete, sections looked into, sentences of each
# What speaks for a sentence as a definition of a name, from what reads well as one.
BEGINS, SAYS, HOLDS, HEADS, WORDED, EXPLAINS, RANK, LATER, CURT = 1.5, 1.0, 0.5, 1.0, 0.3, 3.0, 0.8, 0.03, 1.0
ENOUGH, ALONE = 2.2, 3.0  # the least sum that defines one of several names, and one that stands alone
EARLY, FIRST = 30, 4  # characters before a name that is what its sentence is about, and that begins it
GLOSS = re.compile(r"(?P<before>[一-鿿]+|[A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,4}) ?[（(](?P<inside>[^（()）]{2,30})[）)]")
BRACKET = re.compile(r"\s?[（(][^（()）\d]{3,40}[）)]")  # what a short name stands for
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def holds(text: str, name: str, *also: str) -> bool:
    """Whether a text has a name, written together or apart (`PagedAttention`, `paged attention`), or another name of the same."""
    held = set(tokens(text))
    return any((words(n) or set(tokens(n))) <= held for n in (*_spelt(name), *also))


def _spelt(name: str) -> tuple[str, ...]:
    joined = name.replace(" ", "") if name.isascii() else name
    return tuple(dict.fromkeys((name, CAMEL.sub(" ", name), joined)))


def glossed(heading: str, name: str) -> tuple[str, ...]:
    """The other names that a heading gives in brackets, before or behind a name: `expert parallelism (EP)`."""
    out = []
    for found in GLOSS.finditer(heading):
        before, inside = found["before"].split(), found["inside"].strip()
        full = " ".join(before[-len(inside) :]) if inside.isupper() else " ".join(before[-2:])
        if holds(inside, name):
            out.append(full)
        elif holds(full, name):
            out.append(inside)
    return tuple(out)


def named(text: str, hits: Sequence[Hit]) -> tuple[str, ...]:
    """What a question asks to have explained, one thing or several set against one another, where no section near it does so by itself."""
    names = contrasted(text) or tuple(filter(None, [defined(text)]))
    return () if names and hits and covered(names, text, hits[0]) else names


def covered(names: Sequence[str], question: str, hit: Hit) -> bool:
    """Whether the section of a passage answers how the names differ by itself: it is headed so, or its opening sets them against
    one another."""
    (section,) = sectioned([hit])
    heading = " ".join(section.passage.heading_path[-1:])
    if len(names) == 1:
        return holds(defined(heading), *names) or holds(section.document.text[slice(*spans_of(section)[0])], *names)
    if all(holds(heading, n) for n in names):
        return asks_difference(heading) or not asks_difference(question)
    opening = section.document.text[slice(*spans_of(section)[0])]
    return all(holds(opening, n) for n in names)


def unknown(name: str, hits: Sequence[Hit], tools: Tools) -> bool:
    """Whether a name in Latin letters stands in no section near the question, under none of its names."""
    also = tools.related(name)
    return name.isascii() and not any(
        holds(h.passage.text + " ".join(h.passage.heading_path), name, *also) for h in sectioned(hits[:4])
    )


def define(name: str, draft: Draft, tools: Tools, share: float, least: float) -> list[Said]:
    """The sentences that define a name, with what follows them in their section, `share` of the usual length; empty where none do."""
    language = "en" if draft.wording.language == "en" else "zh"
    query = draft.wording("what_is", name=name)
    hits = rerank(query, tools.search(query, POOL, language), tools.lexical)
    best: tuple[float, Hit, int] | None = None
    for hit in sectioned(hits[:SECTIONS]):
        for at, span in enumerate(spans_of(hit)[:SENTENCES]):
            score = 0.0 if unquotable(hit, span) else _defines(name, hit, at, hit.document.text[slice(*span)])
            if score >= max(least, best[0] if best else 0.0):
                best = (score, hit, at)
    return _from(best[1], best[2], int(share * BUDGET[language])) if best else []


def contrast(names: Sequence[str], hits: Sequence[Hit], draft: Draft, tools: Tools) -> bool:
    """Define each of the names, then say what is said of all of them; False where one is not defined."""
    least = ENOUGH if len(names) > 1 else ALONE
    told = {n: define(n, draft, tools, 1 / (len(names) + 0.5), least) for n in names}
    if not all(told.values()):
        return False
    said: set[tuple[str, int]] = set()
    for sentences in told.values():
        fresh = [s for s in sentences if (s.hit.document.id, s.start) not in said]
        said |= {(s.hit.document.id, s.start) for s in fresh}
        if fresh:
            draft.composer.break_paragraph()
            tell(fresh, draft.composer, answers=True)
    both = _of_all(names, hits, said) if len(names) > 1 else []
    if both:
        draft.composer.break_paragraph()
        tell(both, draft.composer, answers=True)
    return True


def note_missing(names: Sequence[str], draft: Draft) -> None:
    """Name what was asked about and is not in what was said."""
    missing = [n for n in names if not any(draft.composer.holds([t]) for t in words(n) or tokens(n))]
    if missing and len(missing) < len(names):
        draft.composer.break_paragraph()
        draft.composer.note(draft.wording("not_mentioned", names=draft.wording("ask:and").join(missing)))


def _defines(name: str, hit: Hit, at: int, sentence: str) -> float:
    """How much a sentence of a section reads like the definition of a name; 0 where neither it nor its heading has the name, or it
    says nothing of it."""
    heading = hit.passage.heading_path[-1] if hit.passage.heading_path else ""
    also = glossed(heading, name)
    headed, held = holds(heading, name), holds(sentence, name, *also)
    if not (held or (headed and at == 0)):
        return 0.0
    low = fold(sentence)
    written = "|".join(re.escape(fold(n)) for n in (*_spelt(name), *also))
    place = re.search(rf"(?<![a-z0-9])(?:{written})(?![a-z0-9-])", low)
    after = place.end() if place and place.start() < EARLY else -1
    says = after >= 0 and DEFINING.match(low, after) is not None
    bracketed = after >= 0 and BRACKET.match(low, after) is not None
    explains = at == 0 and holds(defined(heading), name)
    if not (explains or says or bracketed):
        return 0.0
    worded = any(holds(a, name) for a in hit.document.asked.get(heading, ()))
    score = HOLDS * held + RANK * hit.score - LATER * at + SAYS * (says + bracketed) + EXPLAINS * explains
    score += BEGINS * (place is not None and place.start() <= FIRST) + (HEADS if headed else WORDED * worded)
    return score - CURT * (len(sentence) <= SHORT["en" if sentence.isascii() else "zh"])


def _from(hit: Hit, at: int, budget: int) -> list[Said]:
    """A sentence with what it needs, and what follows it as far as the budget goes."""
    spans = spans_of(hit)
    chosen = _run(hit, spans, at)
    left = budget - sum(spans[i][1] - spans[i][0] for i in chosen)
    for i in range(max(chosen) + 1, len(spans)):
        left -= spans[i][1] - spans[i][0]
        if left < 0 or unquotable(hit, spans[i]):
            break
        chosen |= {i}
    return [Said(hit, *spans[i]) for i in sorted(chosen)]


def _run(hit: Hit, spans: list[tuple[int, int]], at: int) -> set[int]:
    """A sentence with what it leans on and leads to, without the yes or no that its section opens with."""
    chosen = with_context(Quotable(hit, *spans[at], 0.0, 0.0), spans)
    return chosen - {0} if 1 not in chosen and at > 0 else chosen


def _of_all(names: Sequence[str], hits: Sequence[Hit], said: set[tuple[str, int]]) -> list[Said]:
    """The first sentence of the passages near the question that speaks of all the names and was not said."""
    for hit in sectioned(hits[:4]):
        spans = spans_of(hit)
        for span in spans:
            text = hit.document.text[slice(*span)]
            if not unquotable(hit, span) and all(holds(text, n) for n in names) and (hit.document.id, span[0]) not in said:
                chosen = _run(hit, spans, spans.index(span))
                return [Said(hit, *spans[i]) for i in sorted(chosen) if (hit.document.id, spans[i][0]) not in said]
    return []
