"""General questions: the sentences of the corpus that answer, in order, quoted and cited."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from kb.answering.cite import Composer
from kb.answering.draft import Tools
from kb.answering.passages import openings
from kb.answering.passages.hearsay import unheard
from kb.answering.passages.sections import MARKER, sectioned, spans_of
from kb.answering.wording import Wording
from kb.answering.wording.neutral import POLAR
from kb.index.lexical import tokens, words
from kb.ingest.chunk import announced, leans
from kb.retrieval.ground import Ground, Quotable, ground
from kb.types.document import Document
from kb.types.evidence import Hit
from kb.types.source import ArticleLocator, Evidence, Source

OURS = "corpus"  # the collection of the shipped articles; all others are the user's
TABLED = 0.3  # share of the length of an answer from which a quoted sentence brings its table
BUDGET = {"en": 1000, "zh": 360}  # characters of an answer, about 160 words
SHORT = {"en": 40, "zh": 16, "zh-Hant": 16}  # an opening of so few characters answers its heading and says little without it
ASKED = 0.5  # of a heading's cosine: it says again what was asked, and need not be repeated
BESIDE = 0.9  # of the best sentence's score: what a sentence of another passage must reach
LATER = 0.01  # of a score, for each sentence that stands before: a section is read from its start where nothing in it is nearer
BESIDES = 1  # other passages at most
CORE = 0.6  # of the length of an answer: figures beyond it are of what was asked, not further examples
MEANT = 0.75  # of the best passage's cosine: another that is less near shares words and not the subject
SHARED = 0.6  # of the best passage's share of what was asked, by weight: another that has less is about something else
HOLDING = 0.05  # of what was asked, by weight: a sentence that holds less holds nothing of it
NEWS = 0.1  # share of the words asked that a sentence of another passage must add
SAME = 0.6  # share of a sentence's tokens that were said already: it says nothing new
REPORTED = {"wrong", "outdated", "vague"}  # what a source says and we do not: never without what follows it
HALF = (";", "；")  # a sentence that ends so goes on in the next
LEADING = (":", "：")  # a sentence that ends so leads to a list or a table
ROWS = 12  # of a table at most
ROW = re.compile(r"\s*(\|[^\n]*\|)[ \t]*(?=\n|$)")
FIGURES = re.compile(r"(?<![\w.-])\d")  # that are no part of a name
RULED = re.compile(r"[|\s:-]+")
GOING_ON, STOPS = re.compile(r"[；;]$"), {"；": "。", ";": "."}


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that will be said: where it stands, and the passage that led to it."""

    hit: Hit
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.hit.document.text[self.start : self.end]


def grounded(queries: Sequence[str], hits: Sequence[Hit], tools: Tools) -> Ground:
    """What of the passages may be quoted, by the query of which they cover most; of our own articles the sections they stand in."""
    near = hits[:4]
    found, query = max(
        ((ground(q, near, tools.lexical, also=tools.related(q)), q) for q in queries), key=lambda g: g[0].coverage
    )
    whole = ground(query, sectioned(near), tools.lexical, also=tools.related(query))
    return replace(found, quotable=whole.quotable)


def quote(found: Ground, composer: Composer, answers: bool = False, share: float = 1.0) -> tuple[Hit, ...]:
    """Say what the best passage says, and the best sentences beside it; returns the passages that were used. `answers`: its heading
    is what was asked, so that a bare yes or no stands for itself; `share` of the usual length is said."""
    found = unheard(found, composer.question)
    if not found.quotable:
        return ()
    budget = int(share * BUDGET["en" if composer.language == "en" else "zh"])
    return tell(_chosen(found, budget, composer.question), composer, answers, tables=share >= TABLED)


def tell(chosen: Sequence[Said], composer: Composer, answers: bool = False, tables: bool = True) -> tuple[Hit, ...]:
    """Say sentences in their order, a passage a paragraph, with the `tables` that they lead to; returns the passages that were used."""
    used: dict[str, Hit] = {}
    w = Wording(composer.language)
    for at, said in enumerate(chosen):
        stands = evidence(said.hit, said.start, said.end)
        leads = said.text.rstrip().endswith(LEADING) or (not used and at == 0)  # what answers goes on in the table below it
        table = _table(said) if leads and tables else []
        if composer.stands_on(stands) or (
            table and used.keys() - {said.hit.passage.id}
        ):  # a table beside the answer is left there
            continue
        shown = re.sub(r"\s+", " ", MARKER.sub("", said.text)).strip()
        bare = openings.bare(shown)
        apt = bare and openings.apt(composer.question, said.hit)
        contradicts = any(_reported(s.hit.document, s.start, s.end) for s in chosen[at + 1 : at + 2])
        if bare and not apt and not contradicts:
            continue
        if bare and not apt:
            composer.known.extend(
                said.hit.passage.heading_path[-1:]
            )  # may name figures: it is quoted as what the section is asked
        if said.hit.passage.id not in used:
            if used:
                composer.break_paragraph()
            used[said.hit.passage.id] = said.hit
            following = chosen[at + 1].text if chosen[at + 1 :] and chosen[at + 1].hit is said.hit else ""
            more = following and not (leans(following) or MARKER.match(following))
            if not ((answers and not bare) or apt):
                shown = _introduced(shown, said.hit, w, foremost=len(used) == 1, bare=bare, alone=not more)
            if not shown:
                continue
        if listed := MARKER.match(said.text) is not None:
            shown = GOING_ON.sub(lambda m: STOPS[m[0]], shown)  # what follows in the list may not be quoted
        (composer.point if listed else composer.say)(shown, stands)
        if table:
            (heads, *rows), (top, *spans) = zip(*((cells, evidence(said.hit, *span)) for cells, span in table), strict=True)
            figures = any(c.isdigit() for c in "".join(heads))
            composer.tabulate(
                heads, [(c, (e,)) for c, e in zip(rows, spans, strict=True)], w("source"), [top] if figures else ()
            )
    return tuple(used.values())


def _table(said: Said) -> list[tuple[list[str], tuple[int, int]]]:
    """The rows of the table that a sentence leads to, its headings first: the cells and the span of each; empty where none follows."""
    text, at, out = said.hit.document.text, said.end, list[tuple[list[str], tuple[int, int]]]()
    while (row := ROW.match(text, at)) and len(out) <= ROWS:
        at = row.end()
        if not RULED.fullmatch(row[1]):
            out.append(([c.strip() for c in row[1].strip("| ").split("|")], row.span(1)))
    return out if len(out) > 1 else []


def _chosen(found: Ground, budget: int, question: str) -> list[Said]:
    """The best passage of our own as a whole as far as it fits, where it is long without figures of something else, else its best
    sentences; then what comes close to it elsewhere and holds words of the question that were not told."""
    asked = words(question)
    chosen: list[Said] = []
    told: set[str] = set()
    for rank, name in enumerate(_passages(found, asked)):
        mine = [q for q in found.quotable if q.hit.passage.id == name]
        whole = rank == 0 and mine[0].hit.document.collection == OURS
        floor = 0.0 if whole else BESIDE * found.quotable[0].score
        spans = spans_of(mine[0].hit)
        taken = _announced(mine[0].hit, spans, 0) if whole and not unquotable(mine[0].hit, spans[0]) else set[int]()
        if whole:
            mine.sort(key=lambda q: LATER * spans.index((q.start, q.end)) - q.score)
        left = budget - sum(s.end - s.start for s in chosen) - sum(spans[i][1] - spans[i][0] for i in taken)
        for q in mine:
            needed = with_context(q, spans) - taken
            length = sum(spans[i][1] - spans[i][0] for i in needed)
            if rank > 0 and len(needed) > 2:  # an argument of that passage, not a sentence beside ours
                continue
            again = rank > 0 and (
                len(told & set(tokens(q.text))) > SAME * len(set(tokens(q.text)))
                or len(asked & set(tokens(q.text)) - told) < NEWS * len(asked)
            )
            padding = (
                whole
                and left < (1 - CORE) * budget
                and q.match < HOLDING
                and FIGURES.search(q.text)
                and not MARKER.match(q.text)
            )
            if q.score < floor or again or padding or (length > left and (taken or chosen)):
                continue
            taken |= needed
            left -= length
        taken = {i for i in taken if (name, spans[i][0]) not in found.withheld}
        chosen += [Said(mine[0].hit, *spans[i]) for i in sorted(taken)]
        told |= {t for i in taken for t in tokens(Said(mine[0].hit, *spans[i]).text)}
    return chosen


def _passages(found: Ground, asked: Set[str]) -> Sequence[str]:
    """The passages to quote from, best first. They compete as passages: no sentence wins by naming the part asked about. What stands
    beside the best is about no product that was not named."""
    hits = {q.hit.passage.id: q.hit for q in sorted(found.quotable, key=lambda q: -q.hit.score)}
    covers = {q.hit.passage.id: q.coverage for q in found.quotable}
    best, *others = hits.values()
    near = [h.passage.id for h in others if h.dense >= MEANT * best.dense and not _named(h) - asked]
    return [best.passage.id, *(n for n in near if covers[n] >= SHARED * covers[best.passage.id])][: 1 + BESIDES]


def _named(hit: Hit) -> set[str]:
    """The words of a passage's heading that hold a figure, such as the numbers of cards."""
    return {t for t in words(hit.passage.heading_path[-1] if hit.passage.heading_path else "") if any(c.isdigit() for c in t)}


def unquotable(hit: Hit, span: tuple[int, int]) -> bool:
    return hit.document.text[slice(*span)].lstrip().startswith(("|", "#"))


def _announced(hit: Hit, spans: list[tuple[int, int]], at: int) -> set[int]:
    """A sentence by its position in `spans`, and as many after it as it says that there are (`one of four things.`)."""
    text = [hit.document.text[slice(*span)] for span in spans]
    end, count = at, announced(text[at])
    while (count > 0 or text[end].rstrip().endswith(HALF)) and end + 1 < len(spans) and not unquotable(hit, spans[end + 1]):
        end += 1
        count -= not text[end].rstrip().endswith(HALF)
    return set(range(at, end + 1))


def with_context(q: Quotable, spans: list[tuple[int, int]]) -> set[int]:
    """A sentence, what it leans on before it, what puts it right after it, and a bare yes or no that its passage opens with.

    By position in `spans`.
    """
    text, first = q.hit.document.text, spans.index((q.start, q.end))
    last = first
    while last + 1 < len(spans) and _reported(q.hit.document, *spans[last]):
        last += 1
    if MARKER.match(q.text):
        lead = next((i for i in range(first, -1, -1) if not MARKER.match(text[slice(*spans[i])])), first)
        return {lead, *range(first, last + 1)}
    while last + 1 < len(spans) and text[slice(*spans[last])].rstrip().endswith(HALF):
        last += 1
    while first > 0 and (
        leans(text[slice(*spans[first])])
        or _reported(q.hit.document, *spans[first - 1])
        or text[slice(*spans[first - 1])].rstrip().endswith(HALF)
    ):
        first -= 1
    last = max(_announced(q.hit, spans, last), default=last)
    verdict = (
        {0} if q.hit.document.collection == OURS and spans[0][1] - spans[0][0] <= SHORT[q.hit.document.language] else set()
    )
    return {i for i in {*verdict, *range(first, last + 1)} if not unquotable(q.hit, spans[i])}


def evidence(hit: Hit, start: int, end: int) -> Evidence:
    """A span of a document as evidence, with the sources that the span rests on."""
    document = hit.document
    claims = [c for c in document.claims if c.start < end and start < c.end]
    first = claims[0] if claims else None
    source = Source(
        document.id,
        document.kind,
        document.title,
        first.source.url if first and first.source.url else document.url,
        first.source.published if first else document.published,
        first.source.retrieved if first else document.retrieved,
        next((c.stance for c in claims if c.stance), None),
    )
    locator = ArticleLocator(hit.passage.heading_path, start, end)
    return Evidence(source, locator, document.text[start:end], tuple(dict.fromkeys(c.source for c in claims)))


def nearest(hits: Sequence[Hit], most: int = 3) -> tuple[Document, ...]:
    """The documents of the best hits, once each."""
    return tuple({h.document.id: h.document for h in hits}.values())[:most]


def _introduced(sentence: str, hit: Hit, w: Wording, foremost: bool, bare: bool, alone: bool) -> str:
    """The first sentence taken from a passage: a bare yes or no with the heading it answers, unless the `foremost` one has the question
    itself for a heading; a document's word as its word.

    Empty for a short sentence that is no yes or no and does not stand `alone`, which says little without its heading; and for one whose
    heading holds a figure: it would stand on nothing that is quoted; a `bare` yes or no has it."""
    heading = hit.passage.heading_path[-1] if hit.passage.heading_path else ""
    if hit.document.collection != OURS:
        return w("according", title=hit.document.title, sentence=sentence)
    itself = not bare and not POLAR.match(sentence) and ((foremost and hit.headed >= ASKED) or _names(sentence, heading))
    if announced(sentence):
        return sentence
    if len(sentence) <= SHORT[w.language] and heading and not itself:
        if not (alone or bare or POLAR.match(sentence)):
            return ""
        return "" if any(c.isdigit() for c in heading) and not bare else w("headed", heading=heading, sentence=sentence)
    return sentence


def _names(sentence: str, heading: str) -> bool:
    """Whether a short sentence names what its heading asks about, and so can be understood without it."""
    return any(not t.isdigit() for t in words(sentence) & words(heading))


def _reported(document: Document, start: int, end: int) -> bool:
    return any(c.stance in REPORTED for c in document.claims if c.start < end and start < c.end)
