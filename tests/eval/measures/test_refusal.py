"""Declining is right when it is expected, and only then."""

from answers import answer, case, declined

from eval.measures.refusal import declined as measure


def score(expected, given):
    return measure(case(expected), given, None)[0]


def test_a_question_to_decline_must_be_declined():
    assert score({"kind": "declined"}, declined()).passed
    assert not score({"kind": "declined"}, answer()).passed


def test_the_reason_counts_when_one_is_asked_for():
    assert score({"kind": "declined", "reasons": ["out_of_scope"]}, declined()).passed
    assert not score({"kind": "declined", "reasons": ["unsafe"]}, declined()).passed


def test_a_near_miss_must_be_answered():
    assert score({"kind": "answered"}, answer()).passed
    assert not score({"kind": "answered"}, declined()).passed
    assert not score({"kind": "answered"}, answer(kind="clarification")).passed


def test_a_missing_slot_may_be_assumed_or_asked_for():
    assumed = answer(assumptions=[{"slot": "precision", "value": "bf16", "reason": "usual"}])
    assert score({"kind": "asks", "slots": ["precision"]}, assumed).passed
    assert not score({"kind": "asks", "slots": ["precision", "model"]}, assumed).passed
    assert score({"kind": "asks", "slots": ["model"]}, answer(kind="clarification")).passed
