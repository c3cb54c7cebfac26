"""A draft becomes an answer: what no evidence supports is left out, and marks are numbered."""

from __future__ import annotations

from collections.abc import Mapping

from kb.answering import confidence
from kb.answering.draft import Draft
from kb.answering.lines import renumbered
from kb.types.answer import Answer, Declined, Disagreement, Kind
from kb.types.question import Understanding
from kb.types.source import Locator


def made(question: str, reading: Understanding, draft: Draft) -> Answer:
    composer = draft.composer
    composer.known += [str(a.value) for a in draft.assumptions] + [line.text for line in draft.derivation]
    text, citations = composer.finish()
    if not citations and draft.kind in ("passages", "spec", "sizing"):  # nothing of it could be supported
        why = draft.wording("declined:not_in_corpus")
        text, draft.kind, draft.declined = text or why, "declined", draft.declined or Declined("not_in_corpus")
    by_evidence = {(c.locator, c.quote): c.n for c in citations}
    derivation = renumbered(draft.derivation, by_evidence)
    kind: Kind = draft.kind or ("declined" if draft.declined else "clarification")
    return Answer(
        id="",
        question=question,
        language=reading.language,
        conversation_id="",
        kind=kind,
        text=text,
        citations=citations,
        values=tuple(dict.fromkeys(composer.values)),
        verdict=draft.verdict,
        understanding=reading,
        assumptions=tuple(draft.assumptions),
        derivation=derivation,
        confidence=round(
            confidence.of(
                draft.ways | ({draft.declined.reason} if kind == "declined" and draft.declined else set()), draft.nearness
            ),
            2,
        ),
        index_version="",
        breakdown=draft.breakdown,
        table=composer.table,
        declined=draft.declined,
        disagreements=_disagreements(draft, by_evidence) or None,
        follow_ups=tuple(draft.follow_ups),
        warnings=tuple(draft.warnings),
    )


def _disagreements(draft: Draft, cited: Mapping[tuple[Locator, str], int]) -> tuple[Disagreement, ...]:
    """The disputes that were stated, by the numbers of their citations."""
    found = []
    for dispute in draft.disputes:
        taken, *others = (cited.get((e.locator, e.quote)) for e in (dispute.taken, *dispute.others))
        if taken and all(others):
            numbers = tuple(dict.fromkeys(n for n in (taken, *others) if n))
            found.append(Disagreement(dispute.claim, numbers, taken, dispute.why))
    return tuple(found)
