"""Articles: marks become claims, and every fault is named at once."""

from pathlib import Path

import pytest

from kb.errors import CorpusFault
from kb.ingest.articles import read_article, read_articles
from kb.ingest.sources import read_sources
from kb.types.source import Source

SOURCES = {
    id: Source(id, "article", id.title(), f"https://example.org/{id}", retrieved=f"2026-0{n}") for n, id in enumerate("abc", 1)
}
FRONT = '+++\ntitle = "{title}"\nsources = {sources}\nupdated = 2026-11-30\n+++\n'


def write(folder: Path, topic: str, language: str, body: str, sources: str = '["a", "b"]', title: str = "Memory") -> Path:
    path = folder / topic / f"{language}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(FRONT.format(title=title, sources=sources) + body, encoding="utf-8")
    return path


def faults(folder: Path) -> str:
    with pytest.raises(CorpusFault) as caught:
        read_articles(folder, SOURCES)
    return "\n".join(caught.value.faults)


BODY = "\n## One\n\nIt takes 5 GB. And more.[^a] The b guide says 3 GB.[^b:wrong]\n\n| x | 7 |\n|---|---|\n| y | 8[^a][^b] |\n"


def test_marks_become_claims_over_the_sentences_they_end(tmp_path: Path) -> None:
    document = read_article(write(tmp_path, "memory", "en", BODY), SOURCES)
    assert "[^" not in document.text and document.text.startswith("## One")
    claims = [(document.text[c.start : c.end], c.source.id, c.stance) for c in document.claims]
    assert claims == [
        ("It takes 5 GB. And more.", "a", None),
        ("The b guide says 3 GB.", "b", "wrong"),
        ("| y | 8 |", "a", None),
        ("| y | 8 |", "b", None),
    ]


def test_an_article_is_named_after_its_topic_and_language(tmp_path: Path) -> None:
    document = read_article(write(tmp_path, "memory", "en", BODY), SOURCES)
    assert (document.id, document.topic, document.language, document.title) == ("memory.en", "memory", "en", "Memory")
    assert (document.url, document.published, document.retrieved) == ("https://example.org/a", "2026-11-30", "2026-02")


def test_translations_with_the_same_sections_figures_and_marks_are_read(tmp_path: Path) -> None:
    write(tmp_path, "memory", "en", "\n## One\n\n1,000 GB and 41.9 million.[^a][^b]\n")
    write(tmp_path, "memory", "zh", "\n## 一\n\n1000 GB，4190 万。[^b][^a]\n")
    assert [document.id for document in read_articles(tmp_path, SOURCES)] == ["memory.en", "memory.zh"]


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    write(tmp_path, "lonely", "en", BODY)
    write(tmp_path, "memory", "en", "\n## One\n\n5 GB.[^a][^b]\n\n## Two\n\nText.\n")
    write(tmp_path, "memory", "zh", "\n## 一\n\n6 GB。[^a][^b]\n\n## 二\n\n好。[^b]\n")
    write(tmp_path, "wild", "en", "\n## One\n\n## Two\n\nIt takes 5 GB.\n\nSee [this](x.md).\n\nNo.[^d][^a:silly]\n")
    write(tmp_path, "wild", "zh", "\n## 一\n\n好。[^a][^b]\n")
    found = faults(tmp_path)
    for expected in (
        "lonely: there is no zh.md",
        "differ in figures: zh only ['6'], en only ['5']",
        "differ in marks",
        "section 'One' is empty",
        "figure 5 has no source mark",
        "the paragraph has no source mark at 'See [this](x.md)",
        "a link or HTML stands in the text at 'See [this](x.md)",
        "source 'd' is cited but not listed",
        "source 'b' is listed in the front matter but not cited",
        "source 'd' is not in sources.toml",
        "stance 'silly'",
        "the sections of zh (1) and en (2) do not match",
    ):
        assert expected in found


def test_digits_in_names_are_no_figures(tmp_path: Path) -> None:
    body = "\n## One\n\nAn H100 runs BF16 under ZeRO-3.[^a][^b]\n"
    assert read_article(write(tmp_path, "memory", "en", body), SOURCES).claims


def test_front_matter_is_required(tmp_path: Path) -> None:
    path = tmp_path / "memory" / "en.md"
    path.parent.mkdir()
    path.write_text("# no front matter", encoding="utf-8")
    with pytest.raises(CorpusFault, match="front matter"):
        read_article(path, SOURCES)


def test_the_bibliography_reports_every_malformed_entry(tmp_path: Path) -> None:
    path = tmp_path / "sources.toml"
    path.write_text('[Bad]\ntitle = "t"\nurl = ""\npublisher = "p"\nretrieved = "yesterday"\nmood = "x"\n', encoding="utf-8")
    with pytest.raises(CorpusFault) as caught:
        read_sources(path)
    assert len(caught.value.faults) == 4


def test_a_source_keeps_its_dates(tmp_path: Path) -> None:
    path = tmp_path / "sources.toml"
    path.write_text('[a]\ntitle = "t"\nurl = "https://x.org"\npublisher = "p"\npublished = "2020"\nretrieved = 2026-11-30\n')
    assert read_sources(path)["a"] == Source("a", "article", "t", "https://x.org", "2020", "2026-11-30", None, "p")
