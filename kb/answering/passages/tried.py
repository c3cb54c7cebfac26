"""Advice that tells somebody what he has done already is left out of what is quoted."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.answering.passages.sections import MARKER, spans_of
from kb.answering.wording.neutral import PLAINLY, TRIED
from kb.index.lexical import words
from kb.retrieval.ground import Ground
from kb.types.question import Part

DONE = {"recompute": ("full",), "micro_batch": (1,), "workload": ("lora", "qlora")}  # with which a measure has been taken


NAMES = re.compile(
    r"[a-z]+(?:_[a-z]+)+|(?<![\d.])0\.\d+", re.IGNORECASE
)  # options by their names, and the shares they are set to
SHARED = 2  # words of a turn that say what was done: a sentence with so many of them tells to do it


def untried(found: Ground, part: Part) -> Ground:
    """The sentences without those that tell what was done already: the items of a list that begin with a measure which was taken, and
    what a turn says was done to no avail (slot `tried`)."""
    if part.slots.get("tried"):
        return _without(found, part.text)
    taken = (
        [name for name, values in DONE.items() if part.slots.get(name) in values]
        if part.intent == "troubleshoot" or part.slots.get("ran_out")
        else []
    )
    done = [TRIED[name] for name in taken]

    def again(item: str) -> bool:
        mark = MARKER.match(item)
        alone = bool(part.slots.get("ran_out"))  # sentences of a text, each of which is one measure
        return (alone or mark is not None) and any(p.match(item, mark.end() if mark else 0) for p in done)

    if not done:
        return found
    hits = {q.hit.passage.id: q.hit for q in found.quotable}
    withheld = {(n, a) for n, hit in hits.items() for a, b in spans_of(hit) if again(hit.document.text[a:b])}
    return replace(found, quotable=tuple(q for q in found.quotable if not again(q.text)), withheld=frozenset(withheld))


def _without(found: Ground, text: str) -> Ground:
    """What was found, without the sentences that name the option a turn says was set, or share its words."""
    options, own = {n.lower() for n in NAMES.findall(text)}, words(text) - words(PLAINLY)

    def told(sentence: str) -> bool:
        named = options & {n.lower() for n in NAMES.findall(sentence)}
        return bool(named) if options else len(own & words(sentence)) >= SHARED

    hits = {q.hit.passage.id: q.hit for q in found.quotable}
    withheld = {(n, a) for n, hit in hits.items() for a, b in spans_of(hit) if told(hit.document.text[a:b])}
    left = tuple(q for q in found.quotable if not told(q.text))
    return replace(found, quotable=left, withheld=frozenset(withheld)) if left else found
