"""What a build writes, when it does nothing, and what opening refuses."""

import json
import shutil
from pathlib import Path

import pytest

from kb.errors import CorpusFault, IndexMismatch, IndexMissing
from kb.index.build import build
from kb.index.manifest import current
from kb.index.opened import open_index


@pytest.fixture
def corpus(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of the shipped corpus with two articles."""
    shipped = request.config.rootpath / "corpus"
    place = tmp_path / "corpus"
    shutil.copytree(shipped, place, ignore=lambda folder, names: names if folder.endswith("/articles") else [])
    for topic in ("storage", "network"):
        shutil.copytree(shipped / "articles" / topic, place / "articles" / topic)
    return place


def test_passages_are_exact_spans_of_their_documents(home: Path, embedder) -> None:
    index = open_index(home, embedder)
    assert index.passages
    for passage in index.passages:
        assert index.documents[passage.document].text[passage.start : passage.end] == passage.text


def test_a_build_without_changes_embeds_nothing_and_keeps_its_version(corpus: Path, tmp_path: Path, embedder) -> None:
    first, embedded = build(tmp_path / "home", corpus, embedder)
    assert embedded > 0
    assert build(tmp_path / "home", corpus, embedder) == (first, 0)


def test_a_changed_article_embeds_only_what_changed(corpus: Path, tmp_path: Path, embedder) -> None:
    first, everything = build(tmp_path / "home", corpus, embedder)
    for lang, more in (
        ("en", "\n\nCold archives may stay on disk drives.[^ml-engineering]\n"),
        ("zh", "\n\n冷数据可以留在机械盘上。[^ml-engineering]\n"),
    ):
        article = corpus / "articles" / "storage" / f"{lang}.md"
        article.write_text(article.read_text(encoding="utf-8") + more, encoding="utf-8")
    second, embedded = build(tmp_path / "home", corpus, embedder)
    assert second.version != first.version
    assert 0 < embedded < everything / 10


def test_the_same_corpus_gives_the_same_version_in_another_home(corpus: Path, tmp_path: Path, embedder) -> None:
    assert build(tmp_path / "a", corpus, embedder)[0].version == build(tmp_path / "b", corpus, embedder)[0].version


def test_a_faulty_corpus_leaves_the_index_as_it_was(corpus: Path, tmp_path: Path, embedder) -> None:
    home = tmp_path / "home"
    first, _ = build(home, corpus, embedder)
    (corpus / "specs" / "accelerators" / "h20-96gb.toml").write_text("memory_gb = 'many'", encoding="utf-8")
    with pytest.raises(CorpusFault, match="h20-96gb"):
        build(home, corpus, embedder)
    assert open_index(home, embedder).manifest == first


def test_opening_nothing_says_what_to_run(tmp_path: Path, embedder) -> None:
    with pytest.raises(IndexMissing, match="sizewright build"):
        open_index(tmp_path, embedder)


@pytest.mark.parametrize(("field", "value"), [("model", "other@1"), ("format", 0), ("chunker", 0)])
def test_opening_a_mismatched_index_names_the_field_and_the_remedy(
    corpus: Path, tmp_path: Path, embedder, field: str, value: object
) -> None:
    build(tmp_path / "home", corpus, embedder)
    manifest = current(tmp_path / "home") / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), field: value}))
    with pytest.raises(IndexMismatch, match=rf"{field}.*sizewright build"):
        open_index(tmp_path / "home", embedder)
