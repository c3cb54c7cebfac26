"""A retrieval set in BEIR layout, put to a search that is a list of answers."""

import json
from types import SimpleNamespace

import pytest

from eval import retrieval
from eval.cases import SetFault


@pytest.fixture
def folder(tmp_path):
    documents = [{"_id": f"d{i}", "title": "", "text": f"text {i}", "lang": "zh-Hans" if i else "en"} for i in range(3)]
    queries = [
        {"_id": "q1", "text": "one", "lang": "en", "split": "dev"},
        {"_id": "q2", "text": "二", "lang": "zh", "split": "heldout"},
        {"_id": "q3", "text": "unjudged", "lang": "en", "split": "dev"},
    ]
    for name, rows in (("corpus", documents), ("queries", queries)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n", encoding="utf-8")
    return tmp_path


def build(documents, home):
    by_id = {d.id: d for d in documents}
    found = {"one": ["d0", "d1", "d1"], "二": ["d2"]}
    return SimpleNamespace(search=lambda text, k: [SimpleNamespace(document=by_id[i]) for i in found[text]])


def test_documents_are_ranked_once_each_and_judged(folder):
    record = retrieval.run(folder, build=build)
    assert record["documents"] == 3
    assert record["queries"] == 2
    assert record["by_language"]["en"]["mrr@10"] == 0.5
    assert record["by_language"]["zh"]["ndcg@10"] == 1
    assert record["all"]["recall@1"] == 0.5


def test_a_split_and_a_limit_narrow_the_queries(folder):
    assert [c["id"] for c in retrieval.run(folder, "heldout", build=build)["cases"]] == ["q2"]
    assert [c["id"] for c in retrieval.run(folder, limit=1, build=build)["cases"]] == ["q1"]


def test_the_languages_of_documents_are_told(folder):
    seen = []
    retrieval.run(folder, build=lambda documents, home: seen.extend(d.language for d in documents) or build(documents, home))
    assert seen == ["en", "zh", "zh"]


def test_another_layout_is_refused(folder):
    with pytest.raises(SetFault):
        retrieval.run(folder / "nowhere", build=build)
    (folder / "qrels.tsv").write_text("head\n")
    with pytest.raises(SetFault, match="no judged query"):
        retrieval.run(folder, build=build)
