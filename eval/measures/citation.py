"""Citations: marks and citations pair up, quotes stand where they say, claims carry marks, the expected cell is cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from eval.cases import Case
from eval.measures.figures import MARK, NUMBERING, figures, number
from eval.measures.score import Library, Plain, Score, share

CITED_KINDS = ("passages", "spec", "sizing")
SENTENCE_END = re.compile(r"(?:[。！？!?；]|\.(?=\s|\[|$))(?:\s*\[\d+\])*")


def holds(case: Case, answer: Plain, library: Library | None) -> Score:
    """Every mark has its citation and every citation its mark, spans lie in the text, quotes are what they are quoted from."""
    text, citations = answer["text"], answer["citations"]
    marks, numbers = {int(n) for n in MARK.findall(text)}, {c["n"] for c in citations}
    faults = [f"mark [{n}] without a citation" for n in sorted(marks - numbers)]
    faults += [f"citation {n} without a mark" for n in sorted(numbers - marks)]
    for citation in citations:
        faults += [f"[{citation['n']}] {fault}" for fault in _faults(citation, text, library)]
    return share("citations hold", faults, len(marks | numbers))


def _faults(citation: Plain, text: str, library: Library | None) -> Iterator[str]:
    if not citation["answer_spans"]:
        yield "supports nothing"
    for span in citation["answer_spans"]:
        if not 0 <= span["start"] < span["end"] <= len(text):
            yield "answer span outside the text"
    quote, locator = citation["quote"], citation["locator"]
    if not quote.strip():
        yield "empty quote"
    elif library is None or "rule" in locator:
        return
    elif "column" in locator:
        if not _in_cell(quote, library, locator):
            yield f"the cell {locator['table']}/{locator['row']}/{locator['column']} does not hold the quote"
    elif _document(library, citation["source"]["id"])[locator["start"] : locator["end"]] != quote:
        yield "document[start:end] is not the quote"


def _in_cell(quote: str, library: Library, locator: Plain) -> bool:
    row = library.specs.row(locator["table"], locator["row"])
    cell = row.cells.get(locator["column"]) if row else None
    if cell is None:
        return False
    is_number = isinstance(cell.value, int | float) and not isinstance(cell.value, bool)
    return float(cell.value) in map(number, figures(quote)) if is_number else quote == cell.quote


def _document(library: Library, id: str) -> str:
    try:
        return str(library.source(id).text)
    except LookupError:
        return ""
    except Exception as error:  # the façade's own error for an unknown id, which is a fault of the answer here
        if type(error).__name__ != "UnknownEntity":
            raise
        return ""


def cited(case: Case, answer: Plain, library: Library | None) -> Score | None:
    """The share of sentences and table rows with a figure that carry a mark; nothing for an answer that claims nothing."""
    if answer["kind"] not in CITED_KINDS:
        return None
    sentences = SENTENCE_END.sub(lambda end: end.group() + "\n", NUMBERING.sub("", answer["text"])).split("\n")
    claims = [part for part in sentences if figures(part)]
    bare = [f"no mark: {part.strip()[:60]}" for part in claims if not MARK.search(part)]
    if not answer["citations"]:
        bare.append("no citation at all")
    return share("claims cited", bare, len(claims))


def cell(case: Case, answer: Plain, library: Library | None) -> list[Score]:
    """The expected cells of the spec tables are among the citations."""
    found = {_key(c["locator"]) for c in answer["citations"]}
    out = []
    for expected in (e for e in case.expect if e["kind"] == "cell"):
        detail = "" if _key(expected) in found else f"{'/'.join(map(str, _key(expected)))} is not cited"
        out.append(Score("cell", float(not detail), detail))
    return out


def _key(locator: Plain) -> tuple[Any, ...]:
    return locator.get("table"), locator.get("row"), locator.get("column")
