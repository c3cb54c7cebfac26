"""Sentences with the evidence they stand on become a text with numbered marks, and citations with spans at both ends."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kb.answering.script import Script
from kb.answering.verify import unsupported
from kb.index.lexical import tokens
from kb.types.answer import AnswerTable, Citation, Span, Value
from kb.types.source import Evidence

log = logging.getLogger(__name__)
PLAIN = re.compile(r"[a-z]+(?:-[a-z]+)*[ ,:.]")  # a word that may take a capital: no vLLM, no max_model_len
END = re.compile(r"([。！？；.!?;:：]+[”’\"')）]*)$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of the answer. `lead` stands before it (bullet, space); a claim without evidence is refused."""

    text: str
    evidence: tuple[Evidence, ...]
    lead: str
    claims: bool


@dataclass(slots=True)
class Composer:
    """Collects an answer to a `question` piece by piece; `finish` numbers the citations and refuses what is not supported.

    `known` are texts that lend numbers to every sentence: the question, values, derivation lines, assumptions.
    """

    language: str
    question: str = ""
    known: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    table: AnswerTable | None = None
    _pieces: list[Sentence] = field(default_factory=list)

    def say(self, text: str, *evidence: Evidence, lead: str = "") -> None:
        """A sentence that claims something, with what it stands on."""
        text = text.strip()
        if not lead and self.language == "en" and PLAIN.match(text):
            text = text[0].upper() + text[1:]
        self._pieces.append(Sentence(text, tuple(evidence), lead or self._gap(), True))

    def point(self, text: str, *evidence: Evidence) -> None:
        """A claim on a line of its own."""
        self.say(text, *evidence, lead="\n- ")

    def note(self, text: str, lead: str = "") -> None:
        """Words that claim nothing of the world: a heading, a question back, a transition."""
        self._pieces.append(Sentence(text.strip(), (), lead or self._gap(), False))

    def break_paragraph(self) -> None:
        if self._pieces:
            self._pieces.append(Sentence("", (), "\n\n", False))

    def tabulate(
        self,
        columns: Sequence[str],
        rows: Sequence[tuple[Sequence[str], Sequence[Evidence]]],
        source: str,
        heads: Sequence[Evidence] = (),
    ) -> None:
        """A table whose rows each carry their marks in a last column headed `source`; `heads`: what its headings are quoted from."""
        self.break_paragraph()
        top = "| " + " | ".join([*columns, source]) + " "
        self._pieces.append(Sentence(top if heads else f"{top}|", tuple(heads), "", bool(heads)))
        self.note("|" + " --- |" * (len(columns) + 1), lead="\n")
        for cells, evidence in rows:
            row = " | ".join(c.replace("|", "/") for c in cells)
            self._pieces.append(Sentence(f"| {row} | ", tuple(evidence), "\n", True))
        self.break_paragraph()
        self.table = self.table or AnswerTable(tuple(columns), tuple(tuple(cells) for cells, _ in rows))

    def _gap(self) -> str:
        last = self._pieces[-1] if self._pieces else None
        if last is None or (last.lead == "\n\n" and not last.text):
            return ""
        return " " if self.language == "en" or last.text.endswith((".", "?", "!")) else ""

    def stands_on(self, evidence: Evidence) -> bool:
        """Whether something said already rests on this evidence."""
        return any(evidence in p.evidence for p in self._pieces)

    def said(self, text: str) -> bool:
        """Whether the answer holds these very words already."""
        return any(p.text == text.strip() for p in self._pieces)

    def holds(self, stems: Iterable[str]) -> bool:
        """Whether each of the stems begins a word of the answer."""
        held = {t for p in self._pieces for t in tokens(p.text)}
        return all(any(t.startswith(stem) for t in held) for stem in stems)

    @property
    def empty(self) -> bool:
        return not any(p.text for p in self._pieces)

    def finish(self) -> tuple[str, tuple[Citation, ...]]:
        """The text and its citations. Sentences with a number that nothing supports are left out and listed in `dropped`."""
        script = Script(self.language)
        text = ""
        order: dict[tuple[object, str], int] = {}
        used: dict[int, Evidence] = {}
        spans: dict[int, list[Span]] = {}
        for piece in self._pieces:
            if piece.claims:
                standing = [e.quote for e in piece.evidence] + [_printed(e) for e in piece.evidence] + self.known
                lacking = unsupported(piece.text, [*standing, *(v.text for v in self.values)])
                if lacking or not piece.evidence:
                    self.dropped.append(piece.text)
                    log.warning("left out, unsupported %s: %s", lacking, piece.text)
                    continue
            words = script.write(piece.text)
            lead = piece.lead if text else piece.lead.lstrip("\n ")
            lead = lead.lstrip("\n") if text.endswith("\n") else lead
            text += lead
            start = len(text)
            numbers = []
            for evidence in piece.evidence:
                n = order.setdefault((evidence.locator, evidence.quote), len(order) + 1)
                used.setdefault(n, evidence)
                if n not in numbers:
                    numbers.append(n)
            body, closing = _parted(words) if numbers else (words, "")
            text += body
            for n in numbers:
                spans.setdefault(n, []).append(Span(start, len(text.rstrip(" |"))))
            if numbers:
                text += " " if self.language == "en" and not body.endswith(" ") else ""
                text += "".join(f"[{n}]" for n in numbers) + closing
        text = text.rstrip()
        citations = tuple(
            Citation(n, e.source, e.locator, tuple(spans[n]), e.quote, e.references) for n, e in sorted(used.items())
        )
        return text, citations


def _parted(text: str) -> tuple[str, str]:
    """A sentence and its closing punctuation, between which marks go; a table row and its closing bar."""
    if text.startswith("| "):
        return text, " |"
    found = END.search(text)
    return (text[: found.start()], found.group()) if found else (text, "")


def _printed(evidence: Evidence) -> str:
    source = evidence.source
    return " ".join(filter(None, (source.title, source.published, source.retrieved)))
