"""The confidence of an answer: that of its weakest part, and of passages more the nearer they are."""

from __future__ import annotations

from typing import get_args

from kb.answering.confidence import RIGHT, of
from kb.api import KnowledgeBase
from kb.types.answer import DeclineReason, Kind


def test_every_way_of_answering_has_a_confidence() -> None:
    ways = {*get_args(Kind), *get_args(DeclineReason)} - {"passages", "declined"}
    assert ways == RIGHT.keys()
    assert all(0 < of([way], 0.0) < 1 for way in (*ways, "passages"))


def test_the_weakest_part_decides() -> None:
    assert of(["spec", "sizing"], 2.0) == min(RIGHT["spec"], RIGHT["sizing"])
    assert of([], 2.0) == RIGHT["clarification"]


def test_nearer_passages_are_more_likely_right() -> None:
    assert of(["passages"], 0.4) < of(["passages"], 1.2)


def test_an_answer_tells_its_confidence(knowledge: KnowledgeBase) -> None:
    assert knowledge.ask("H100 SXM 显存多大？").confidence == RIGHT["spec"]
    assert knowledge.ask("明天上海会下雨吗？").confidence == RIGHT["out_of_scope"]
