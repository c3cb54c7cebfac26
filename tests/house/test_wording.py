"""Every phrase exists in both languages with the same blanks, and phrases stand in `wording/` alone."""

import re
from pathlib import Path
from string import Formatter

import pytest

from kb.answering.wording import en, names, planning, tables, telling, training, zh

ANSWERING = Path(__file__).parent.parent.parent / "kb" / "answering"


def blanks(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


def test_both_languages_have_the_same_phrases_and_names() -> None:
    assert en.PHRASES.keys() == zh.PHRASES.keys()
    assert names.EN.keys() == names.ZH.keys()
    for room in ROOMS:
        assert room.EN.keys() == room.ZH.keys() and not room.EN.keys() & en.PHRASES.keys()
    assert len(EN) == len(en.PHRASES) + sum(len(room.EN) for room in ROOMS), "no key stands in two rooms"


ROOMS = (planning, tables, telling, training)
EN = {key: text for room in (en.PHRASES, *(r.EN for r in ROOMS)) for key, text in room.items()}
ZH = {key: text for room in (zh.PHRASES, *(r.ZH for r in ROOMS)) for key, text in room.items()}


@pytest.mark.parametrize("key", sorted(EN))
def test_a_phrase_has_the_same_blanks_in_both_languages(key: str) -> None:
    assert blanks(EN[key]) == blanks(ZH[key])


def test_no_chinese_answer_prose_stands_outside_the_wording() -> None:
    for file in (f for f in ANSWERING.rglob("*.py") if f.parent.name != "wording"):
        code = re.sub(r'"""[\s\S]*?"""|#.*', "", file.read_text(encoding="utf-8"))
        assert not re.findall(r"[\u4e00-\u9fff]{2,}", code), file.name


# Where a mark may stand far behind: none of the blanks is a figure.
NO_FIGURES = {"price_unknown", "ask_again", "place_declined", "part_declined"}


def test_no_phrase_is_cut_before_its_mark() -> None:
    for phrases in (EN, ZH):
        for key, phrase in phrases.items():  # a reader takes what stands before a stop for a sentence of its own
            cut = re.split(r"[；。！？](?=.)|\.\s+(?=[A-Z{])", phrase)
            assert key in NO_FIGURES or not any("{" in sentence for sentence in cut[:-1]), key
