"""The order of the first passages: a heading that says what was asked lifts its passage."""

from __future__ import annotations

from kb.index.lexical import Lexical
from kb.retrieval.rerank import rerank
from kb.types.document import Document, Passage
from kb.types.evidence import Hit
from kb.types.source import DocumentId, PassageId

TEXTS = {"Host RAM": "Memory of the host.", "When does a fine-tune run out of GPU memory?": "Activations fill it."}
LEXICAL = Lexical.build([f"{heading} {text}" for heading, text in TEXTS.items()])


def hit(heading: str, score: float, dense: float) -> Hit:
    text = TEXTS[heading]
    document = Document(DocumentId(heading), "article", "Memory", "", "en", text)
    return Hit(Passage(PassageId(heading), document.id, (heading,), 0, len(text), text), document, score, dense, 0.0)


def test_a_heading_that_says_what_was_asked_comes_first() -> None:
    found = rerank("my fine-tune runs out of GPU memory", [hit("Host RAM", 1.0, 0.3), hit(list(TEXTS)[1], 0.9, 0.3)], LEXICAL)
    assert found[0].passage.id == list(TEXTS)[1]


def test_the_best_score_stays_and_the_order_is_that_of_the_scores() -> None:
    found = rerank("host", [hit("Host RAM", 0.8, 0.3), hit(list(TEXTS)[1], 0.7, 0.1)], LEXICAL)
    assert found[0].score == 0.8 and found[0].score >= found[1].score >= 0
    assert rerank("host", [], LEXICAL) == ()
