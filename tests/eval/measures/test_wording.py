"""Terms, verdict and language of the text."""

import pytest
from answers import answer, case

from eval.measures import wording


def mentions(text, *terms, **fields):
    return wording.mentions(case({"kind": "mentions", "terms": list(terms), **fields}), answer(text=text), None)[0]


def test_one_synonym_hits_a_group():
    assert mentions("Use NVMe drives", ["ssd", "nvme"], ["drive"]).passed


def test_latin_terms_are_words_of_their_own():
    assert not mentions("A100 cards", ["A10"]).passed
    assert mentions("two A10s", ["A10"]).passed
    assert mentions("显存80GB够用", ["显存"]).passed


def test_the_share_hit_is_measured_against_what_is_needed():
    assert mentions("bandwidth", ["bandwidth"], ["memory"]).value == 0.5
    assert mentions("bandwidth", ["bandwidth"], ["memory"], at_least=1).passed


def test_forbidden_strings_fail():
    expected = case({"kind": "forbids", "strings": ["<script>"]})
    assert wording.forbids(expected, answer(), None)[0].passed
    assert not wording.forbids(expected, answer(text="<SCRIPT>"), None)[0].passed


def test_the_verdict_is_one_of_the_accepted():
    expected = case({"kind": "verdict", "any_of": ["fits", "fits_with_conditions"]})
    assert wording.verdict(expected, answer(verdict="fits"), None)[0].passed
    assert not wording.verdict(expected, answer(), None)[0].passed


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("zh", "显存为 80 GB，功耗为 700 W", 1.0),
        ("zh", "The memory is 80 GB", 0.0),
        ("en", "The memory is 80 GB", 1.0),
        ("en", "显存为八十吉字节左右吧", 0.0),
        ("zh-Hant", "顯示記憶體為 80 GB", 1.0),
    ],
)
def test_the_answer_is_in_the_language_of_the_question(language, text, value):
    assert wording.language(case(language=language), answer(text=text), None).value == value


def test_a_mixed_question_and_a_short_answer_leave_the_language_open():
    assert wording.language(case(language="mixed"), answer(), None) is None
    assert wording.language(case(), answer(text="80 GB"), None) is None
