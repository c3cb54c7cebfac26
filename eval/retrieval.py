"""A public retrieval set (BEIR layout) put to the search: recall, nDCG and reciprocal rank.

corpus.jsonl   {"_id", "title", "text", "lang"?}
queries.jsonl  {"_id", "text", "split"?, "answerable"?}
qrels.tsv      query-id  corpus-id  score, with a head line
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from eval.cases import SetFault
from eval.measures.ranking import ndcg, recall, reciprocal_rank
from eval.runner import timings
from kb.types.document import Document
from kb.types.plain import plain
from kb.types.source import DocumentId

DEPTH = 10  # the rank to which results are judged
FETCHED = 3 * DEPTH  # passages asked for: several may belong to one document


class Searched(Protocol):
    def search(self, query: str, k: int = 10) -> Sequence[Any]: ...


Build = Callable[[Sequence[Document], Path], Searched]


def build_index(documents: Sequence[Document], home: Path) -> Searched:
    """A knowledge base of these documents alone, as if they had been ingested as they are into a home of its own."""
    from kb import KnowledgeBase, build

    (home / "documents").mkdir(parents=True)
    for at, document in enumerate(documents):
        text = json.dumps(plain(document), ensure_ascii=False)
        (home / "documents" / f"{at:07}.json").write_text(text, encoding="utf-8")
    build(home, articles=False)
    return KnowledgeBase.open(home)


def run(folder: Path, split: str | None = None, limit: int | None = None, build: Build = build_index) -> dict[str, Any]:
    """The record of a run: means by measure and by language of the query. Raises SetFault for a folder in another layout."""
    corpus, put, judged = documents(folder), queries(folder, split), _judged(folder)
    asked = [q for q in put if judged.get(q["_id"])][:limit]
    if not asked:
        raise SetFault(folder, (f"no judged query in split {split}" if split else "no judged query",))
    rows, spent = [], {}
    with tempfile.TemporaryDirectory(prefix="sizewright-retrieval-") as home:
        base = build(corpus, Path(home))
        for query in asked:
            started = time.perf_counter()
            ranked = list(dict.fromkeys(str(hit.document.id) for hit in base.search(query["text"], FETCHED)))
            spent[query["_id"]] = round((time.perf_counter() - started) * 1e3, 1)
            rows.append({"id": query["_id"], "language": query.get("lang", "?"), **scores(ranked, judged[query["_id"]])})
    languages = sorted({r["language"] for r in rows})
    return {
        "set": folder.name,
        "split": split,
        "documents": len(corpus),
        "queries": len(rows),
        "all": _means(rows),
        "by_language": {name: _means([r for r in rows if r["language"] == name]) for name in languages},
        "cases": rows,
        "timings_ms": timings(spent),
    }


def scores(ranked: Sequence[str], relevant: dict[str, float]) -> dict[str, float]:
    """Of document ids in order, each once."""
    return {
        "recall@1": recall(ranked, relevant, 1),
        "recall@5": recall(ranked, relevant, 5),
        f"recall@{DEPTH}": recall(ranked, relevant, DEPTH),
        f"ndcg@{DEPTH}": ndcg(ranked, relevant, DEPTH),
        f"mrr@{DEPTH}": reciprocal_rank(ranked, relevant, DEPTH),
    }


def _means(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    names = [k for k in rows[0] if k not in ("id", "language")]
    return {"queries": len(rows), **{name: round(statistics.fmean(r[name] for r in rows), 4) for name in names}}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                if line.strip():
                    yield json.loads(line)
    except (OSError, json.JSONDecodeError) as error:
        raise SetFault(path, (str(error),)) from error


def documents(folder: Path) -> list[Document]:
    return [
        Document(
            id=DocumentId(str(d["_id"])),
            kind="article",
            title=d.get("title") or "",
            url=f"file:{d['_id']}",
            language="en" if str(d.get("lang", "en")).startswith("en") else "zh",
            text=d["text"],
            collection="retrieval",
        )
        for d in _lines(folder / "corpus.jsonl")
    ]


def queries(folder: Path, split: str | None) -> list[dict[str, Any]]:
    return [q for q in _lines(folder / "queries.jsonl") if split is None or q.get("split", split) == split]


def _judged(folder: Path) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = defaultdict(dict)
    try:
        lines = (folder / "qrels.tsv").read_text(encoding="utf-8").split("\n")[1:]
    except OSError as error:
        raise SetFault(folder / "qrels.tsv", (str(error),)) from error
    for line in lines:
        if line.strip():
            query, document, grade = line.split("\t")
            out[query][document] = float(grade)
    return out
