"""The wordings in which people ask for a section, beside its article."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.index.records import headings
from kb.ingest.asked import read_asked
from kb.types.document import Document, Passage, PassageLanguage
from kb.types.source import DocumentId, PassageId

HEADINGS: dict[PassageLanguage, tuple[str, ...]] = {
    "en": ("Which cards have NVLink?", "Is PCIe enough?"),
    "zh": ("哪些显卡有？", "PCIe 够吗？"),
}


def written(folder: Path, text: str) -> Path:
    path = folder / "asked.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_wordings_stand_under_the_heading_of_their_language(tmp_path: Path) -> None:
    path = written(tmp_path, '["Is PCIe enough?"]\nen = ["x8 ok?"]\nzh = ["x8 行吗", "用 x4 行吗"]\n')
    asked, faults = read_asked(path, HEADINGS)
    assert not faults
    assert asked == {"en": {"Is PCIe enough?": ("x8 ok?",)}, "zh": {"PCIe 够吗？": ("x8 行吗", "用 x4 行吗")}}


def test_an_article_needs_none(tmp_path: Path) -> None:
    assert read_asked(tmp_path / "asked.toml", HEADINGS) == ({"en": {}, "zh": {}}, [])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('["Which cards?"]\nen = ["a"]\n', "there is no section"),
        ('["Is PCIe enough?"]\nde = ["a"]\n', "lists named en and zh"),
        ('["Is PCIe enough?"]\nen = "a"\n', "must be a list of questions"),
        ('["Is PCIe enough?"]\nen = [""]\n', "must be a list of questions"),
        ('["Is PCIe enough?"]\nen = ["a"]\n["Which cards have NVLink?"]\nen = ["a"]\n', "stands under"),
        ("[", "asked.toml"),
    ],
)
def test_a_fault_names_its_section(tmp_path: Path, text: str, fault: str) -> None:
    _, faults = read_asked(written(tmp_path, text), HEADINGS)
    assert len(faults) == 1 and fault in faults[0]


def test_a_passage_is_headed_by_its_heading_and_its_wordings() -> None:
    document = Document(DocumentId("a.en"), "article", "A", "", "en", "text", asked={"H": ("how so", "why")})
    passage = Passage(PassageId("a.en#0"), document.id, ("A", "H"), 0, 4, "text")
    assert headings(passage, document) == ("H", "how so", "why")
