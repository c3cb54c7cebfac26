"""KnowledgeBase: the façade, and the only place where parts are put together."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process

from kb.answering.draft import Tools
from kb.answering.explaining import POOL
from kb.answering.flow import answer
from kb.answering.passages.sections import OURS
from kb.errors import InvalidInput, UnknownEntity
from kb.index import build as building
from kb.index.embedder import Embedder, open_embedder
from kb.index.manifest import Manifest
from kb.index.opened import Index, open_index
from kb.kept import Kept
from kb.retrieval.rerank import features, rerank
from kb.retrieval.search import Filters, Mode, search
from kb.settings import CORPUS, LanguageModel
from kb.sizing.listing import rules_as_plain
from kb.sizing.request import from_mapping
from kb.sizing.search.limits import plan_from_mapping
from kb.sizing.search.plan import plan
from kb.sizing.search.purchase import purchases, rate_of
from kb.sizing.size import size
from kb.types.answer import Answer
from kb.types.derivation import Assumption
from kb.types.document import Document
from kb.types.evidence import Hit
from kb.types.plain import plain
from kb.types.planning import PlanResult, Purchase
from kb.types.question import Understanding
from kb.types.sizing import SizingRequest, SizingResult
from kb.types.source import ArticleLocator, DocumentId, Source
from kb.types.specs import SpecBook
from kb.understanding import Reader

if TYPE_CHECKING:
    from kb.answering.rephrasing.phrase import Phraser

RETENTION = 24 * 3600.0  # seconds an answer or conversation is kept
SIZINGS = 64  # kept of the last requests: conversations, widgets and scripts come back to one configuration
ARTICLES = ("article",)


class KnowledgeBase:
    """An opened index with everything that stands on it. Safe to use from several threads."""

    def __init__(
        self, index: Index, embedder: Embedder, retention: float = RETENTION, llm: LanguageModel | None = None
    ) -> None:
        self.index, self._embedder = index, embedder
        self._reader = Reader(index.lexicon, index.book)
        self._sized = lru_cache(SIZINGS)(self._anew)
        self._answers: Kept[Answer] = Kept(retention)
        self._conversations: Kept[Understanding] = Kept(retention)
        self._warm = threading.Event()
        self._phraser = _phraser(llm) if llm else None

    @classmethod
    def open(
        cls,
        home: Path,
        *,
        model: str | None = None,
        embedder: Embedder | None = None,
        retention: float = RETENTION,
        llm: LanguageModel | None = None,
    ) -> KnowledgeBase:
        """Open the index in `home`; `llm` rephrases answers. Raises IndexMissing, or IndexMismatch naming the field and the remedy."""
        embedder = embedder or open_embedder(model, home / "models")
        return cls(open_index(home, embedder), embedder, retention, llm)

    # questions

    def ask(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        history: Sequence[tuple[str, str]] = (),
        language: str = "auto",
        top_k: int | None = None,
        filters: Filters | None = None,
    ) -> Answer:
        """Answer a question; a follow-up finds what came before under `conversation_id`, or in `history` as (role, content)."""
        started = time.perf_counter()
        spent: dict[str, float] = dict.fromkeys(("understand", "retrieve", "size", "compose"), 0.0)
        before = self._conversations.get(conversation_id) if conversation_id else None
        turns = [content for role, content in history if role == "user"]
        with _timed(spent, "understand"):
            reading = self._reader.read(question, turns, before)
            if reading.off_topic:
                reading = self._reader.read(question, turns, before, near=self._nearest(question, reading.language))
            if language != "auto":
                reading = replace(reading, language=language)  # type: ignore[arg-type]  # checked at the door
        tools = self._tools(spent, filters, top_k)
        with _timed(spent, "compose"):
            made = answer(question, reading, tools)
        if self._phraser:
            with _timed(spent, "phrase"):
                made = self._phraser.phrase(made)
        total = (time.perf_counter() - started) * 1e3
        spent["compose"] -= spent["retrieve"] + spent["size"]
        conversation = conversation_id or f"con_{uuid.uuid4().hex}"
        made = replace(
            made,
            id=f"ans_{uuid.uuid4().hex}",
            conversation_id=conversation,
            index_version=self.versions["index"],
            timings_ms={**{k: round(v, 3) for k, v in spent.items()}, "total": round(total, 3)},
        )
        self._conversations.put(conversation, Reader.kept(before, reading))
        self._answers.put(made.id, made)
        return made

    def understand(self, question: str, history: Sequence[tuple[str, str]] = ()) -> Understanding:
        """The reading alone: no search, no model."""
        return self._reader.read(question, [content for role, content in history if role == "user"])

    def search(self, query: str, k: int = 10, *, mode: Mode = "hybrid", filters: Filters | None = None) -> tuple[Hit, ...]:
        """Ranked passages; `mode` hybrid, dense or lexical. What both legs find is put in the order in which answers take it."""
        found = self._found(query, max(k, POOL) if mode == "hybrid" else k, mode, filters)
        return rerank(query, found, self.index.lexical)[:k] if mode == "hybrid" else found

    def _found(self, query: str, k: int, mode: Mode = "hybrid", filters: Filters | None = None) -> tuple[Hit, ...]:
        reading = self._reader.read(query)
        return search(
            query,
            self.index,
            self._embedder.queries,
            k=k,
            mode=mode,
            filters=filters,
            language="en" if reading.language == "en" else "zh",
            also=self.index.lexicon.expand(query),
        )

    def _nearest(self, question: str, language: str) -> float:
        """The cosine of the article's passage or heading that is nearest to a question, in the language that it is asked in; what a user
        ingested makes no question one of the field."""
        hits = self.candidates(question, "en" if language == "en" else "zh", 1, filters={"collection": (OURS,)})
        return max((max(h.dense, h.headed) for h in hits), default=0.0)

    def candidates(
        self, query: str, language: str | None = None, k: int = POOL, filters: Filters | None = None, top_k: int | None = None
    ) -> tuple[Hit, ...]:
        """The passages of articles that an answer chooses from, before they are put in order."""
        wanted: dict[str, Sequence[str]] = {"kind": ARTICLES, **(filters or {})}
        hits = self._found(query, max(4 * k, top_k or 0), filters=wanted)
        # one article in two languages says the same twice: keep the asker's, and other documents in any language
        mine = [h for h in hits if language is None or not h.document.topic or h.document.language == language]
        return tuple(mine[: top_k or k])

    def described(self, query: str, hits: Sequence[Hit]) -> NDArray[np.float64]:
        """What the order of passages is made of, (n, f): see `kb.retrieval.rerank`."""
        return features(query, hits, self.index.lexical)

    def size(self, fields: Mapping[str, Any], language: str = "en", wanted: Sequence[str] = ()) -> SizingResult:
        """Size a request given by its fields; `model` and `gpu` may be names as people write them.

        Raises InvalidInput naming the field, the value and what is allowed; also when too little is given to compute anything.
        """
        result = self._size({k: self._row_id(k, v) for k, v in fields.items()}, language, wanted)
        if not result.values:
            lacking = ", ".join(result.missing) or "model"
            raise InvalidInput(
                result.missing[0] if result.missing else "model",
                None,
                f"there is nothing to compute from this: give {lacking} (`model` or `parameters`, and a `gpu` for what fits).",
                f"信息不足，无法计算：请给出 {lacking}（`model` 或 `parameters`，判断能否放下还需 `gpu`）。",
            )
        return result

    def plan(self, fields: Mapping[str, Any], language: str = "en") -> PlanResult:
        """The best hardware and layouts for a request: its fields, and `gpus`, `max_gpus`, `max_days`, `max_budget`, `objective` and
        `prices`; models and GPUs may be named as people write them.

        Raises InvalidInput naming the field, the value and what is allowed.
        """
        named = {k: self._row_id(k, v) for k, v in fields.items()}
        gpus, prices = named.get("gpus"), named.get("prices")
        if isinstance(gpus, str | list | tuple):
            several = gpus.split(",") if isinstance(gpus, str) else gpus
            named["gpus"] = [self._row_id("gpu", g.strip() if isinstance(g, str) else g) for g in several]
        if isinstance(prices, Mapping):
            named["prices"] = {self._row_id("gpu", g): price for g, price in prices.items()}
        return plan(*plan_from_mapping(named), self.index.book, self.index.assumptions, language=language)

    def _size(self, fields: Mapping[str, Any], language: str, wanted: Sequence[str]) -> SizingResult:
        return self._sized(from_mapping(fields), language, tuple(wanted))

    def _anew(self, request: SizingRequest, language: str, wanted: tuple[str, ...]) -> SizingResult:
        return size(request, self.index.book, self.index.assumptions, wanted, language=language)

    def _row_id(self, field: str, value: Any) -> Any:
        """The row that a name means, so that `H100` does as well as `h100-sxm5-80gb`; anything else as it is."""
        table = {"model": "models", "gpu": "accelerators"}.get(field)
        if table and isinstance(value, str) and len(value) <= 100 and not self.index.book.row(table, value):
            read = self._reader.read(value)
            if field == "model" and field in read.assumed and "parameters" not in read.slots:
                return value  # a family without a size is a choice that a request has to make itself
            return read.slots.get(field, value)
        return value

    # what there is

    @property
    def specs(self) -> SpecBook:
        return self.index.book

    def sources(self) -> tuple[Document, ...]:
        """The documents of the corpus and the ingested ones; rendered table rows are reached by id or in `specs`."""
        return tuple(d for d in self.index.documents.values() if d.entity is None)

    def source(self, id: str) -> Document:
        """Raises UnknownEntity with the nearest ids."""
        if document := self.index.documents.get(DocumentId(id)):
            return document
        raise UnknownEntity("source", id, _nearest(id, self.index.documents))

    def rules(self) -> list[dict[str, Any]]:
        return rules_as_plain(self.index.assumptions)

    def rule(self, id: str) -> dict[str, Any]:
        """Raises UnknownEntity with the nearest ids."""
        listed = {r["id"]: r for r in self.rules()}
        if id in listed:
            return listed[id]
        raise UnknownEntity("rule", id, _nearest(id, listed))

    def hit(self, hit: Hit) -> dict[str, Any]:
        """A hit as the outside sees it."""
        d, p = hit.document, hit.passage
        source = Source(d.id, d.kind, d.title, d.url, d.published, d.retrieved)
        return {
            "passage_id": p.id,
            "source": plain(source),
            "locator": plain(ArticleLocator(p.heading_path, p.start, p.end)),
            "text": p.text,
            "score": round(hit.score, 6),
            "scores": {"dense": round(hit.dense, 6), "lexical": round(hit.lexical, 6)},
        }

    # what is kept

    def answer(self, id: str) -> Answer | None:
        return self._answers.get(id)

    def forget(self, conversation_id: str) -> bool:
        """Drop a conversation and its answers; whether there was one."""
        self._answers.drop(lambda a: a.conversation_id == conversation_id)
        return self._conversations.drop(lambda _: True, conversation_id) > 0

    # state

    @property
    def versions(self) -> dict[str, str]:
        """`index` names the generation; `corpus` the inputs it was built from; `model` what embedded them."""
        m = self.index.manifest
        return {"index": m.version, "corpus": m.inputs.partition(":")[0][:12], "model": m.model}

    def warm(self) -> None:
        """Load the model and run every stage once, so that the first question does not wait."""
        self.search("warm up", 1)
        for question in ("显存", "GPU memory"):
            self._reader.read(question)
        self._warm.set()

    def ready(self) -> dict[str, bool]:
        return {"index": True, "model": self._warm.is_set()}

    def counts(self) -> Mapping[tuple[str, str], int]:
        """What the language model did, by ("requests" or "sentences", outcome), since the start; empty without one."""
        return dict(self._phraser.counts) if self._phraser else {}

    def _tools(self, spent: dict[str, float], filters: Filters | None, top_k: int | None) -> Tools:
        def find(query: str, k: int, language: str | None) -> tuple[Hit, ...]:
            with _timed(spent, "retrieve"):
                return self.candidates(query, language, k, filters, top_k)

        def compute(fields: Mapping[str, Any], wanted: Sequence[str], language: str) -> SizingResult:
            with _timed(spent, "size"):
                return self._size(fields, language, wanted)

        def choose(fields: Mapping[str, Any], language: str) -> PlanResult:
            with _timed(spent, "size"):
                return self.plan(fields, language)

        def buy(fields: Mapping[str, Any], limit: float, language: str, cheapest: bool) -> tuple[Purchase, ...]:
            book, assumed = self.index.book, self.index.assumptions
            with _timed(spent, "size"):
                return purchases(from_mapping(fields), limit, book, assumed, language, cheapest=cheapest)

        def rate(currency: str) -> Assumption | None:
            return rate_of(currency, self.index.assumptions)

        return Tools(
            self.index.book,
            self.index.lexical,
            find,
            compute,
            choose,
            buy,
            rate,
            self.index.assumptions.constants.get,
            self.index.lexicon.expand,
        )


def build(home: Path, corpus: Path = CORPUS, *, model: str | None = None, articles: bool = True) -> tuple[Manifest, int]:
    """Corpus and ingested documents -> index; returns its manifest and how many passages had to be embedded."""
    return building.build(home, corpus, open_embedder(model, home / "models"), articles=articles)


def _phraser(model: LanguageModel) -> Phraser:
    from kb.answering.rephrasing.phrase import Phraser  # here, so that only those who configure a model pay for it

    return Phraser(model)


def _nearest(name: str, known: Mapping[Any, Any]) -> tuple[str, ...]:
    return tuple(str(m[0]) for m in process.extract(name, [str(k) for k in known], limit=3, score_cutoff=60))


class _timed:
    """Adds the milliseconds of a block to an entry."""

    def __init__(self, spent: dict[str, float], name: str, clock: Callable[[], float] = time.perf_counter) -> None:
        self._spent, self._name, self._clock = spent, name, clock

    def __enter__(self) -> None:
        self._started = self._clock()

    def __exit__(self, *_: object) -> None:
        self._spent[self._name] = self._spent.get(self._name, 0.0) + (self._clock() - self._started) * 1e3
