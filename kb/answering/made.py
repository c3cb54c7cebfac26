"""A draft becomes an answer: what no evidence supports is left out, and marks are numbered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from kb.answering import confidence
from kb.answering.draft import Draft
from kb.answering.script import Script
from kb.types.answer import Answer, AnswerTable, Declined, DerivationLine, Disagreement, Kind
from kb.types.question import Understanding
from kb.types.source import Locator


def made(question: str, reading: Understanding, draft: Draft) -> Answer:
    composer = draft.composer
    composer.known += [str(a.value) for a in draft.assumptions] + [line.text for line in draft.derivation]
    text, citations = composer.finish()
    if not citations and draft.kind in ("passages", "spec", "sizing"):  # nothing of it could be supported
        why = draft.wording("declined:not_in_corpus")
        text, draft.kind, draft.declined = text or why, "declined", draft.declined or Declined("not_in_corpus")
    write = Script(reading.language).write
    by_evidence = {(c.locator, c.quote): c.n for c in citations}
    derivation = _renumbered(draft.derivation, by_evidence)
    kind: Kind = draft.kind or ("declined" if draft.declined else "clarification")
    return Answer(
        id="",
        question=question,
        language=reading.language,
        conversation_id="",
        kind=kind,
        text=text,
        citations=citations,
        values=tuple(dict.fromkeys(replace(v, text=write(v.text)) for v in composer.values)),
        verdict=draft.verdict,
        understanding=reading,
        assumptions=tuple(replace(a, reason=write(a.reason)) for a in draft.assumptions),
        derivation=tuple(replace(line, text=write(line.text)) for line in derivation),
        confidence=round(
            confidence.of(
                draft.ways | ({draft.declined.reason} if kind == "declined" and draft.declined else set()), draft.nearness
            ),
            2,
        ),
        index_version="",
        breakdown=draft.breakdown,
        table=_written(composer.table, write),
        declined=draft.declined,
        disagreements=_disagreements(draft, by_evidence) or None,
        follow_ups=tuple(map(write, draft.follow_ups)),
        warnings=tuple(map(write, draft.warnings)),
    )


def _renumbered(lines: Sequence[DerivationLine], cited: Mapping[tuple[Locator, str], int]) -> tuple[DerivationLine, ...]:
    """Derivation lines with the citation numbers of the answer; a line that was not cited is left out."""
    by_rule = {getattr(locator, "rule", None): n for (locator, _), n in cited.items()}
    return tuple(replace(line, citation=by_rule[line.rule]) for line in lines if line.rule in by_rule)


def _written(table: AnswerTable | None, write: Callable[[str], str]) -> AnswerTable | None:
    """A table in the script of the text."""
    return table and AnswerTable(tuple(map(write, table.columns)), tuple(tuple(map(write, row)) for row in table.rows))


def _disagreements(draft: Draft, cited: Mapping[tuple[Locator, str], int]) -> tuple[Disagreement, ...]:
    """The disputes that were stated, by the numbers of their citations."""
    found = []
    for dispute in draft.disputes:
        taken, *others = (cited.get((e.locator, e.quote)) for e in (dispute.taken, *dispute.others))
        if taken and all(others):
            numbers = tuple(dict.fromkeys(n for n in (taken, *others) if n))
            found.append(Disagreement(dispute.claim, numbers, taken, dispute.why))
    return tuple(found)
