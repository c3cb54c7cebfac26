"""A knowledge base of a few hand-written answers, with the façade of the real one.

`python -m tests.service.fake_knowledge [PORT]` serves it, for looking at the widget.
"""

from __future__ import annotations

import re
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb import errors
from kb.types.answer import (
    Answer,
    AnswerTable,
    Assumed,
    Citation,
    Component,
    Declined,
    DerivationLine,
    Input,
    Nearest,
    Quantity,
    Span,
    Value,
)
from kb.types.document import Document, Passage
from kb.types.evidence import Hit
from kb.types.plain import plain
from kb.types.planning import Configuration, PlanOption, PlanResult, Rejection
from kb.types.question import Mention, Understanding
from kb.types.sizing import SizingRequest, SizingResult
from kb.types.source import ArticleLocator, CellLocator, RuleLocator, Source
from kb.types.specs import Bilingual, Cell, Column, Row, SpecBook, Table

SHEET = Source(
    "h100-datasheet", "spec", "NVIDIA H100 Tensor Core GPU Datasheet", "https://example.com/h100", "2024-03", "2026-11-30"
)
CARD = Source("llama3-70b-card", "model", "Llama 3 70B model card", "https://example.com/llama3", "2024-04-18")
RULE_EN = Source("memory.weights", "rule", "Weights of a model", "https://example.com/rules/weights")
RULE_ZH = Source("memory.weights", "rule", "模型权重", "https://example.com/rules/weights")
PAPER = Source(
    "pagedattention",
    "article",
    "Efficient Memory Management for Large Language Model Serving",
    "https://example.com/paged",
    "2023-09-12",
)
TEXT = "# KV cache\n\nThe KV cache holds keys and values for every token in flight. It grows linearly with context.\n"
QUOTE = "It grows linearly with context."

SIZING = {
    "en": """**It fits, with conditions:** Llama 3 70B on 4 × H100 80 GB needs **38.6 GiB per GPU** of 67.1 GiB usable [1][2].

- Weights take 131.4 GiB in all, 32.9 GiB per GPU with tensor parallelism over 4 [1].
- The KV cache of 16 requests of 8,192 tokens adds 4.0 GiB per GPU [3].

| Component | Per GPU |
| --- | ---: |
| Weights [1] | 32.9 GiB |
| KV cache [3] | 4.0 GiB |
| Overhead [1] | 1.7 GiB |

Start the engine with `--tensor-parallel-size 4` [3].""",
    "zh": """**可以，但有条件：** Llama 3 70B 以 bf16 部署在 4 张 H100 80 GB 上，每卡需要 **38.6 GiB**，可用 67.1 GiB [1][2]。

- 权重共 131.4 GiB，张量并行 4 路后每卡 32.9 GiB [1]。
- 16 路并发、每路 8,192 token 的 KV 缓存每卡再占 4.0 GiB [3]。

| 组成 | 每卡 |
| --- | ---: |
| 权重 [1] | 32.9 GiB |
| KV 缓存 [3] | 4.0 GiB |
| 其他开销 [1] | 1.7 GiB |

启动时请设置 `--tensor-parallel-size 4` [3]。""",
}
SPEC = {
    "en": "The H100 SXM has **80 GB** of HBM3 memory (data sheet of 2024-03) [1].",
    "zh": "H100 SXM 的显存为 **80 GB** HBM3（数据手册，2024-03）[1]。",
}
PASSAGE = {
    "en": "The KV cache holds keys and values for every token in flight [1]. It grows linearly with context [1].",
    "zh": "KV 缓存保存所有在途 token 的键和值 [1]。它随上下文长度线性增长 [1]。",
}
DECLINED = {
    "en": "The knowledge base holds nothing on this. The nearest it has is listed below.",
    "zh": "知识库中没有相关内容。下面列出最接近的资料。",
}
TRADITIONAL = str.maketrans("显张个权启动时请设线长证并发组关", "顯張個權啟動時請設線長證並發組關")


class FakeKnowledgeBase:
    """Answers by keyword: 装/fit a sizing, 显存/memory/GB a spec, KV a passage, 天气/weather declined, boom an exception."""

    def __init__(self) -> None:
        self.versions = {"index": "test-1", "rules": "test-1"}
        self.warmed = False
        self.kept: dict[str, Answer] = {}
        self.specs = _specs()
        self._document = Document(
            "articles/kv-cache/en.md", "article", "KV cache", "https://example.com/kv", "en", TEXT, topic="kv-cache"
        )  # type: ignore[arg-type]

    def warm(self) -> None:
        self.warmed = True

    def counts(self) -> dict[tuple[str, str], int]:
        return {("requests", "slow"): 2, ("sentences", "names"): 1}

    def ready(self) -> dict[str, bool]:
        return {"index": True, "model": self.warmed}

    def understand(self, question: str, history: Sequence[tuple[str, str]] = ()) -> Understanding:
        zh = bool(re.search(r"[\u4e00-\u9fff]", question))
        found = re.search(r"H100", question)
        mentions = (Mention("H100", found.start(), found.end(), "gpu", "h100-sxm", None, "gpu"),) if found else ()
        return Understanding("zh" if zh else "en", ("lookup",), bool(history), {"gpu": "h100-sxm"} if found else {}, mentions)

    def ask(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        history: Sequence[tuple[str, str]] = (),
        language: str = "auto",
        top_k: int | None = None,
        filters: Mapping[str, Sequence[str]] | None = None,
    ) -> Answer:
        if "boom" in question:
            raise RuntimeError("secret inside")
        if "no-such" in question:
            raise errors.UnknownEntity("gpu", "no-such", ("h100-sxm",))
        read = self.understand(question, history)
        spoken = read.language if language == "auto" else language
        lang = "en" if spoken == "en" else "zh"
        base = Answer(
            "ans_" + uuid.uuid4().hex[:12],
            question,
            spoken,
            conversation_id or "conv_" + uuid.uuid4().hex[:12],  # type: ignore[arg-type]
            "passages",
            PASSAGE[lang],
            (_passage_citation(PASSAGE[lang]),),
            (),
            None,
            read,
            (),
            (),
            0.82,
            "test-1",
            follow_ups=("KV cache of a 70B at 32K?", "How much does GQA save?")
            if lang == "en"
            else ("70B 在 32K 上下文的 KV 缓存多大？", "GQA 能省多少？"),
            timings_ms={"understand": 1.0, "retrieve": 4.0, "size": 0.0, "compose": 1.0, "total": 6.0},
        )
        answer = _shaped(base, question.lower(), lang)
        if spoken == "zh-Hant":
            answer = replace(answer, text=answer.text.translate(TRADITIONAL))
        self.kept[answer.id] = answer
        return answer

    def search(self, query: str, k: int = 10, *, mode: str = "hybrid", filters: Any = None) -> tuple[Hit, ...]:
        start = TEXT.index(QUOTE)
        return (
            Hit(
                Passage("p1", self._document.id, ("KV cache",), start, start + len(QUOTE), QUOTE), self._document, 0.9, 0.8, 7.5
            ),
        )[:k]  # type: ignore[arg-type]

    def hit(self, hit: Hit) -> dict[str, Any]:
        locator = ArticleLocator(hit.passage.heading_path, hit.passage.start, hit.passage.end)
        scores = {"dense": hit.dense, "lexical": hit.lexical}
        return {
            "passage_id": hit.passage.id,
            "source": plain(PAPER),
            "locator": plain(locator),
            "text": hit.passage.text,
            "score": hit.score,
            "scores": scores,
        }

    def size(self, fields: Mapping[str, Any], language: str = "en") -> SizingResult:
        if fields.get("gpu") == "no-such":
            raise errors.UnknownEntity("gpu", "no-such", ("h100-sxm",))
        answer = self.ask("does it fit?" if language == "en" else "装得下吗")
        request = SizingRequest(workload=fields.get("workload", "inference"))
        return SizingResult(
            request,
            answer.verdict,
            answer.values,
            answer.breakdown or (),
            answer.derivation,
            answer.assumptions,
            answer.citations,
            (),
        )

    def plan(self, fields: Mapping[str, Any], language: str = "en") -> PlanResult:
        if fields.get("gpus") == ["no-such"]:
            raise errors.UnknownEntity("gpus", "no-such", ("h100-sxm",))
        sized = self.size({}, language)
        one = PlanOption(1, True, sized.request, sized.verdict, sized.values)
        nearest = Configuration(sized.request, "does_not_fit", ())
        text = "does not fit" if language == "en" else "放不下"
        return PlanResult("cost", (one,), (Rejection("memory", text, 3, nearest),), 4, 1, sized.assumptions, ())

    def sources(self) -> tuple[Document, ...]:
        return (self._document,)

    def source(self, id: str) -> Document:
        if id != self._document.id:
            raise errors.UnknownEntity("source", id, (self._document.id,))
        return self._document

    def rules(self) -> list[dict[str, Any]]:
        return [{"id": "memory.weights", "formula": "parameters × bytes", "inputs": {"parameters": {"unit": "1"}}}]

    def rule(self, id: str) -> dict[str, Any]:
        if id != "memory.weights":
            raise errors.UnknownEntity("rule", id)
        return self.rules()[0]

    def answer(self, id: str) -> Answer | None:
        return self.kept.get(id)

    def forget(self, conversation_id: str) -> bool:
        ids = [i for i, a in self.kept.items() if a.conversation_id == conversation_id]
        for i in ids:
            del self.kept[i]
        return bool(ids)


def _span(text: str, mark: str) -> tuple[Span, ...]:
    """The sentence before each mark."""
    return tuple(Span(max(0, m.start() - 12), m.start()) for m in re.finditer(re.escape(mark), text))


def _passage_citation(text: str) -> Citation:
    start = TEXT.index(QUOTE)
    return Citation(1, PAPER, ArticleLocator(("KV cache",), start, start + len(QUOTE)), _span(text, "[1]"), QUOTE)


def _shaped(base: Answer, asked: str, lang: str) -> Answer:
    if "天气" in asked or "weather" in asked:
        nearest = (
            Nearest("KV cache", "https://example.com/kv"),
            Nearest("NVIDIA H100 Tensor Core GPU Datasheet", "https://example.com/h100"),
        )
        return replace(
            base,
            kind="declined",
            text=DECLINED[lang],
            citations=(),
            declined=Declined("out_of_scope", nearest),
            confidence=0.95,
        )
    if any(word in asked for word in ("fit", "装", "推理", "部署", "serve")):
        return _sizing(base, lang)
    if any(word in asked for word in ("显存", "memory", "gb")):
        cell = Citation(1, SHEET, CellLocator("accelerators", "h100-sxm", "memory_gb"), _span(SPEC[lang], "[1]"), "80 GB")
        table = AnswerTable(("GPU", "memory"), (("H100 SXM [1]", "80 GB"),))
        return replace(
            base, kind="spec", text=SPEC[lang], citations=(cell,), values=(Value("memory_gb", 80, "GB", "80 GB"),), table=table
        )
    return base


def _sizing(base: Answer, lang: str) -> Answer:
    text = SIZING[lang]
    citations = (
        Citation(
            1,
            RULE_EN if lang == "en" else RULE_ZH,
            RuleLocator("memory.weights"),
            _span(text, "[1]"),
            "weights = parameters × bytes per parameter",
        ),
        Citation(2, SHEET, CellLocator("accelerators", "h100-sxm", "memory_gb"), _span(text, "[2]"), "80 GB"),
        Citation(3, PAPER, ArticleLocator(("KV cache",), 78, 109), _span(text, "[3]"), QUOTE),
    )
    derivation = (
        DerivationLine(
            "s1",
            "memory.weights",
            "parameters × bytes",
            {"parameters": Input(70.6e9, "1", "models/llama3-70b/parameters"), "bytes": Input(2, "B", "assumption")},
            Quantity(131.4, "GiB"),
            1,
            "70.6 × 10⁹ × 2 B = 131.4 GiB",
        ),
        DerivationLine(
            "s2",
            "memory.shard",
            "weights / ways",
            {"weights": Input(131.4, "GiB", "s1"), "ways": Input(4, "1", "given")},
            Quantity(32.9, "GiB"),
            1,
            "131.4 GiB / 4 = 32.9 GiB",
        ),
        DerivationLine(
            "s3",
            "memory.total",
            "weights + cache + overhead",
            {"weights": Input(32.9, "GiB", "s2")},
            Quantity(38.6, "GiB"),
            1,
            "32.9 + 4.0 + 1.7 = 38.6 GiB",
        ),
    )
    names = ("weights", "kv_cache", "overhead")
    return replace(
        base,
        kind="sizing",
        text=text,
        citations=citations,
        verdict="fits_with_conditions",
        derivation=derivation,
        values=(
            Value("memory_per_gpu", 38.6, "GiB", "38.6 GiB", 35.1, 42.0),
            Value("memory_available_per_gpu", 67.1, "GiB", "67.1 GiB"),
        ),
        breakdown=tuple(Component(n, v, "GiB") for n, v in zip(names, (32.9, 4.0, 1.7), strict=True)),
        assumptions=(
            Assumed("precision", "bf16", "the usual choice for serving" if lang == "en" else "推理的常用精度"),
            Assumed("concurrency", 16, "not given" if lang == "en" else "未说明"),
        ),
        warnings=("Above 64K tokens of context it no longer fits." if lang == "en" else "上下文超过 64K token 时放不下。",),
    )


def _specs() -> SpecBook:
    columns = (
        Column("vendor", "text", None, Bilingual("Vendor", "厂商")),
        Column("memory_gb", "number", "GB", Bilingual("Memory", "显存")),
        Column("fp8_dense_tflops", "number", "TFLOP/s", Bilingual("FP8 dense", "FP8 稠密算力")),
    )
    cells = {
        "vendor": Cell("NVIDIA", None, "known", SHEET, "NVIDIA"),
        "memory_gb": Cell(80, "GB", "known", SHEET, "80 GB", note="HBM3"),
        "fp8_dense_tflops": Cell(None, "TFLOP/s", "unsupported", SHEET, "unsupported"),
    }
    row = Row("accelerators", "h100-sxm", "H100 SXM", cells)
    return SpecBook({"accelerators": Table("accelerators", Bilingual("Accelerators", "加速器"), columns, {row.id: row})})


if __name__ == "__main__":
    import uvicorn

    from kb.settings import Settings
    from service.app import create_app

    uvicorn.run(create_app(FakeKnowledgeBase(), Settings()), port=int(sys.argv[1]) if len(sys.argv) > 1 else 8099)
