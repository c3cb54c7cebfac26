"""A user's own documents: taken in, found, cited, and taken out without a trace."""

import json
from pathlib import Path

import pytest

from kb.api import KnowledgeBase
from kb.errors import UnknownEntity
from kb.index.build import build
from kb.library import take_in, take_out
from tests.conftest import CORPUS, WordEmbedder

NOTE = "# 机房规则\n\n紫竹机房的机柜功率上限是 17 kW，超过的机器要拆到两个机柜。\n\n## 值班\n\n值班电话在墙上。\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "rules.md").write_text(NOTE, encoding="utf-8")
    return tmp_path


def opened(home: Path) -> KnowledgeBase:
    build(home, CORPUS, WordEmbedder(), articles=False)
    return KnowledgeBase.open(home, embedder=WordEmbedder())


def test_a_document_is_found_and_cited_with_its_exact_words(place: Path) -> None:
    (document,), faults = take_in(place / "home", [place / "rules.md"])
    assert not faults
    answer = opened(place / "home").ask("紫竹机房的机柜功率上限是多少？")
    assert "17 kW" in answer.text
    assert {c.source.id for c in answer.citations} == {document.id}


def test_the_same_file_again_replaces_its_document(place: Path) -> None:
    (first,), _ = take_in(place / "home", [place / "rules.md"])
    (place / "rules.md").write_text(NOTE.replace("17 kW", "19 kW"), encoding="utf-8")
    (second,), _ = take_in(place / "home", [place / "rules.md"])
    assert first.id == second.id
    assert [d.text.count("19 kW") for d in opened(place / "home").sources()] == [1]


def test_a_removed_document_leaves_nothing_behind(place: Path) -> None:
    home = place / "home"
    (document,), _ = take_in(home, [place / "rules.md"])
    opened(home)
    take_out(home, [document.id])
    base = opened(home)
    assert base.sources() == () and not base.search("紫竹机房", 5)
    assert not any("紫竹" in f.read_text(encoding="utf-8", errors="ignore") for f in home.rglob("*.json"))


def test_removing_what_is_not_there_removes_nothing(place: Path) -> None:
    (document,), _ = take_in(place / "home", [place / "rules.md"])
    with pytest.raises(UnknownEntity, match="nothing-here"):
        take_out(place / "home", [document.id, "nothing-here"])
    assert len(list((place / "home" / "documents").glob("*.json"))) == 1


def test_a_broken_file_is_reported_and_holds_up_no_other(place: Path) -> None:
    (place / "broken.pdf").write_bytes(b"%PDF-1.7 cut off")
    taken, faults = take_in(place / "home", [place])
    assert [d.title for d in taken] == ["机房规则"]
    assert len(faults) == 1 and "broken.pdf" in faults[0].en and "broken.pdf" in faults[0].zh


def test_records_survive_the_disk(place: Path) -> None:
    take_in(place / "home", [place / "rules.md"])
    (file,) = (place / "home" / "documents").glob("*.json")
    assert json.loads(file.read_text(encoding="utf-8"))["collection"] == "default"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("紫竹机房食堂几点供应午餐", "11 点到 13 点"),
        ("紫竹集群一共有多少张 GPU？", "96 张"),
        ("When does the canteen of the Bamboo hall serve lunch?", "from 11 to 13"),
    ],
)
def test_a_users_document_answers_what_the_articles_are_not_asked(tmp_path: Path, question: str, says: str) -> None:
    text = "# 紫竹\n\n紫竹机房食堂 11 点到 13 点供应午餐。\n\n## 集群\n\n紫竹集群一共有 96 张 GPU。\n"
    (tmp_path / "zh.md").write_text(text, encoding="utf-8")
    (tmp_path / "en.md").write_text(
        "# Bamboo\n\nThe canteen of the Bamboo hall serves lunch from 11 to 13.\n", encoding="utf-8"
    )
    take_in(tmp_path / "home", [tmp_path / "zh.md", tmp_path / "en.md"])
    base = opened(tmp_path / "home")
    assert says in base.ask(question).text
    assert base.ask("明天上海会下雨吗？").kind == "declined"


HOUSE = """# Rules

The canteen of the Bamboo hall serves lunch from 11 to 13.

## Watch

The night watch is called by the phone on the wall.

## Doors

Doors are locked by the last who leaves.
"""


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does the canteen serve for lunch?", "passages"),
        ("What did the canteen serve for lunch in 2019?", "declined"),
        ("Why are doors locked by the last who leaves?", "passages"),
        ("Why are doors locked by the first who leaves?", "declined"),
        ("Are doors locked by the first who leaves?", "passages"),  # what the document holds puts that right
    ],
)
def test_a_document_that_is_near_but_lacks_what_is_asked_is_not_quoted(tmp_path: Path, question: str, kind: str) -> None:
    (tmp_path / "rules.md").write_text(HOUSE, encoding="utf-8")
    take_in(tmp_path / "home", [tmp_path / "rules.md"])
    assert opened(tmp_path / "home").ask(question).kind == kind
