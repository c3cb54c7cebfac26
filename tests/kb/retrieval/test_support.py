"""What makes a passage found hold what was asked, and what shows that it does not."""

from __future__ import annotations

import pytest

from kb.index.lexical import Lexical
from kb.retrieval.support import SIGNS, WEIGHTS, signs, support
from kb.types.document import Document, Passage, PassageLanguage
from kb.types.evidence import Hit
from kb.types.source import DocumentId, PassageId

SAID: dict[PassageLanguage, str] = {
    "en": "The first bridge was built in 1894 by the city. It accepts trams. Trains run below it.",
    "zh": "大桥于1894年由市政府建成。大桥允许电车通行。",
}


def hit(language: PassageLanguage = "en", near: float = 0.5, headed: float = 0.0) -> Hit:
    text = SAID[language]
    document = Document(DocumentId("bridge"), "article", "Bridge", "", language, text)
    return Hit(Passage(PassageId("bridge"), document.id, (), 0, len(text), text), document, 1.0, 0.4, 9.0, headed, near)


def found(question: str, *hits: Hit) -> dict[str, float]:
    row = signs(question, hits, Lexical.build([*SAID.values(), "an other text", "and one more"]))
    return dict(zip(SIGNS, map(float, row), strict=True))


def missing(question: str, language: PassageLanguage = "en") -> set[str]:
    return {name for name, value in found(question, hit(language)).items() if value < 0}


@pytest.mark.parametrize(
    ("question", "language", "sign"),
    [
        ("Who built the bridge in 1895?", "en", "figures named are held"),
        ("Why was the bridge not built by the city?", "en", "denial is held"),
        ("为什么大桥没有由市政府建成？", "zh", "denial is held"),
        ("Which trams does it reject, and what accepts them not?", "en", "denial is held"),
        ("When was the last bridge built by the city?", "en", "no opposite is held"),
        ("为什么大桥禁止电车通行", "zh", "no opposite is held"),
    ],
)
def test_what_the_passage_lacks_tells_against_it(question: str, language: PassageLanguage, sign: str) -> None:
    assert sign in missing(question, language)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Who built the bridge in 1894?", "en"),
        ("When was the bridge built by the city?", "en"),
        ("When was the first bridge built by the city?", "en"),
        ("大桥是什么时候由市政府建成的", "zh"),
        ("为什么大桥允许电车通行", "zh"),
    ],
)
def test_nothing_tells_against_a_passage_that_holds_it(question: str, language: PassageLanguage) -> None:
    assert not missing(question, language)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Was the bridge built in 1895?", "en"),
        ("Is it the last bridge that the city built?", "en"),
        ("大桥不是由市政府建成的吗？", "zh"),
        ("大桥是否禁止电车通行", "zh"),
    ],
)
def test_what_is_asked_with_yes_or_no_is_answered_by_what_contradicts_it(question: str, language: PassageLanguage) -> None:
    assert not missing(question, language)


def test_nearness_is_that_of_passage_or_heading_and_of_three() -> None:
    near = [hit(near=0.2, headed=0.6), hit(near=0.3), hit(near=0.0), hit(near=0.0)]
    assert found("bridge", *near)[SIGNS[1]] == pytest.approx(0.3)
    assert found("bridge", near[1])[SIGNS[1]] == pytest.approx(0.3)
    assert found("bridge", *near)["cosine"] == pytest.approx(0.4)


def test_words_count_by_their_weight_in_one_passage() -> None:
    assert found("first bridge", hit())[SIGNS[2]] == pytest.approx(1)
    assert 0 < found("first aqueduct", hit())[SIGNS[2]] < 1


def test_the_sum_is_higher_where_the_passage_holds_what_is_asked() -> None:
    lexical = Lexical.build(SAID.values())
    held, swapped = (support(f"When was the {w} bridge built by the city?", [hit()], lexical) for w in ("first", "last"))
    assert held > swapped > support("first aqueduct", [], lexical)
    assert (WEIGHTS >= 0).all() and len(WEIGHTS) == len(SIGNS)
