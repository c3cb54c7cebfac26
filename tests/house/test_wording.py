"""Every phrase exists in both languages with the same blanks, and phrases stand in `wording/` alone."""

import re
from pathlib import Path
from string import Formatter

import pytest

from kb.answering.wording import en, names, planning, tables, zh

ANSWERING = Path(__file__).parent.parent.parent / "kb" / "answering"


def blanks(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


def test_both_languages_have_the_same_phrases_and_names() -> None:
    assert en.PHRASES.keys() == zh.PHRASES.keys()
    assert names.EN.keys() == names.ZH.keys()
    for room in (planning, tables):
        assert room.EN.keys() == room.ZH.keys() and not room.EN.keys() & en.PHRASES.keys()
    assert not planning.EN.keys() & tables.EN.keys()


EN, ZH = en.PHRASES | planning.EN | tables.EN, zh.PHRASES | planning.ZH | tables.ZH


@pytest.mark.parametrize("key", sorted(EN))
def test_a_phrase_has_the_same_blanks_in_both_languages(key: str) -> None:
    assert blanks(EN[key]) == blanks(ZH[key])


def test_no_chinese_answer_prose_stands_outside_the_wording() -> None:
    for file in (f for f in ANSWERING.rglob("*.py") if f.parent.name != "wording"):
        code = re.sub(r'"""[\s\S]*?"""|#.*', "", file.read_text(encoding="utf-8"))
        assert not re.findall(r"[\u4e00-\u9fff]{2,}", code), file.name
