"""Saying no: what is out of scope, what no source supports, what cannot be computed, and the nearest useful thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kb.answering.draft import Draft
from kb.answering.passages.quoting import nearest
from kb.answering.wording.neutral import TAIL
from kb.errors import InvalidInput, UnknownEntity
from kb.index.lexical import words
from kb.retrieval.ground import Ground
from kb.types.answer import Declined, DeclineReason, Nearest, Value
from kb.types.evidence import Hit
from kb.types.question import Intent, Part, Refusal, Understanding
from kb.understanding.asks.manner import TRAINED

NEAR_OF_SIZE = 0.66  # the same for a question of what fits that names no model: below it the model is asked for
SHORT_PART = 4  # distinct words that are about something: a tail of the part before
LAST_PLACE = 3  # from the fourth part on a part is called a later one
ENDS = " ,，。?？"
RELATED = 0.3  # least centred cosine of a passage that is named as the nearest thing to a name that is not on file
RANKED = 0.7  # least score of the same
# Least sum of word coverage and the quoted passage's own cosine: of 324 questions whose section was found about one in fifty has less.
NEAR = 0.46
# Least support of a question that the user's own documents are to answer; on the public sets of `sizewright eval support` it loses no
# more answers than a least sum of coverage and cosine did, and declines more of what has none.
SUPPORTED = 3.5


def too_far(found: Ground, about: Intent) -> bool:
    """Whether even the best passage is too far from what was asked to stand on; a symptom is always answered with its remedies."""
    return not found.quotable or (about != "troubleshoot" and found.coverage + found.foremost < NEAR)


def out_of_scope(draft: Draft, part: Part, single: bool) -> None:
    if single:
        _decline(draft, "out_of_scope", draft.wording("declined:out_of_scope"))
    else:
        why = draft.wording("declined:out_of_scope")
        draft.composer.note(draft.wording("part_declined", part=part.text.strip(), why=why))


def answered(draft: Draft, asked: Iterable[str]) -> bool:
    """Whether a short part, given by its words, is about nothing but what the answer names: one more wish for what was said."""
    own = set(asked) - words(TAIL)
    return len(own) <= SHORT_PART and draft.composer.holds(own)


def part(draft: Draft, asked: Part, place: int) -> None:
    """One part of several has no support; it is named by its words, or by its place where these hold figures, which would look claimed."""
    why = draft.wording("declined:not_in_corpus")
    if any(c.isdigit() for c in asked.text):
        where = draft.wording(f"place:{min(place, LAST_PLACE)}")
        draft.composer.note(draft.wording("place_declined", place=where, why=why))
    else:
        draft.composer.note(draft.wording("part_declined", part=asked.text.strip(ENDS), why=why))


def without_evidence(draft: Draft, hits: Sequence[Hit]) -> None:
    _decline(draft, "not_in_corpus", draft.wording("declined:not_in_corpus"), hits)


def unknown(draft: Draft, reading: Understanding, hits: Sequence[Hit]) -> None:
    """A well-formed name that the tables do not hold: never answered from a neighbour."""
    words = _unknown(draft, reading)
    _decline(
        draft,
        "not_published" if reading.unpublished else "not_in_corpus",
        words,
        [h for h in hits if h.dense >= RELATED and h.score >= RANKED],
    )


def note_unknown(draft: Draft, reading: Understanding) -> None:
    """The same where the rest of the question is answered: a size that was given, another card."""
    sized = [n for n in reading.unknown_entities if reading.slots.get("parameters") and not reading.slots.get("model")]
    if sized == list(reading.unknown_entities) and any(p.intent == "size" for p in reading.parts) and not reading.unpublished:
        draft.composer.note(draft.wording("unknown_sized", name=", ".join(sized)))  # whose size is in its name
        return
    draft.composer.note(_unknown(draft, reading))


def _unknown(draft: Draft, reading: Understanding) -> str:
    gap = " " if reading.language == "en" else ""
    sized = reading.slots.get("model_family") if "size" in reading.intents and reading.slots.get("parameters") else None
    keys = {name: "unknown_sized" if name == sized else "unknown_entity" for name in reading.unknown_entities}
    asked = "".join(p.text for p in reading.parts).lower()
    closed = "unknown_closed:training" if TRAINED.search(asked) else "unknown_closed"
    return gap.join(draft.wording(closed if reading.unpublished else key, name=name) for name, key in keys.items())


def refuse(draft: Draft, why: Refusal) -> None:
    """What nobody publishes, what is the asker's own affair, what should not be helped with."""
    _decline(draft, why, draft.wording(f"declined:{why}"))


def invalid(draft: Draft, reading: Understanding) -> None:
    """0 GPUs, -7B, NaN: say what is wrong with which field."""
    field, fault = reading.problem or ("", "")
    if fault == "empty":
        draft.kind = "clarification"  # nothing was asked yet
    key = f"problem:{field}" if draft.wording.has(f"problem:{field}") else "problem"
    if fault.startswith("not a finite number: ") and any(c.isdigit() for c in fault):
        key = "problem:beyond"
    said = fault.rpartition(": ")[2]
    draft.composer.known.append(said)
    problem = draft.wording(key, field=draft.wording.name(field), said=said)
    _decline(draft, "missing_input", draft.wording("declined:invalid", problem=problem), missing=(field,))


def refused(error: InvalidInput, reading: Understanding, draft: Draft) -> None:
    """What the rules refuse: say which field is wrong, and why."""
    composer = draft.composer
    text = error.en if reading.language == "en" else error.zh
    composer.note(draft.wording("unknown_entity", name=error.value) if isinstance(error, UnknownEntity) else text)
    composer.values.append(Value(error.field, None, None, error.en if reading.language == "en" else error.zh))
    draft.kind = draft.kind or "declined"
    draft.declined = draft.declined or Declined("missing_input", missing=(error.field,))


def _decline(draft: Draft, reason: DeclineReason, words: str, hits: Sequence[Hit] = (), missing: tuple[str, ...] = ()) -> None:
    if not draft.composer.said(words):
        draft.composer.note(words)
    documents = nearest(hits)
    near = tuple(Nearest(d.title, d.url) for d in documents)
    if near:
        draft.composer.note(draft.wording("nearest"), lead="\n\n")
        for document in documents:
            draft.composer.note(document.title, lead="\n- ")
    draft.kind = draft.kind or "declined"
    draft.declined = draft.declined or Declined(reason, near, missing)
