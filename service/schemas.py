"""What responses hold; fields may be added, none is dropped. The OpenAPI document is made from these models and the requests.

Responses are not passed through them at run time: `kb.types.plain` gives the same structures, and a test compares the two.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

Language = Literal["zh", "zh-Hant", "en"]


class Source(BaseModel):
    id: str
    kind: Literal["article", "spec", "model", "rule", "price"]
    title: str
    url: str
    published: str | None = None
    retrieved: str | None = None
    stance: Literal["right", "vague", "outdated", "wrong"] | None = None


class ArticleLocator(BaseModel):
    """A span of the source's text, in code points, half-open."""

    heading_path: list[str]
    start: int
    end: int


class CellLocator(BaseModel):
    table: str
    row: str
    column: str


class RuleLocator(BaseModel):
    rule: str


Locator = ArticleLocator | CellLocator | RuleLocator


class Span(BaseModel):
    start: int
    end: int


class Citation(BaseModel):
    n: int
    source: Source
    locator: Locator
    answer_spans: list[Span]
    quote: str


class Value(BaseModel):
    name: str
    value: float | str | None
    unit: str | None
    text: str = ""
    low: float | None = None
    high: float | None = None
    scope: str | None = None


class Mention(BaseModel):
    """text == question[start:end], in code points."""

    text: str
    start: int
    end: int
    quantity: str
    value: Any
    unit: str | None = None
    slot: str | None = None


class Understanding(BaseModel):
    language: Language
    intents: list[str]
    is_follow_up: bool
    slots: dict[str, Any]
    mentions: list[Mention]


class Assumed(BaseModel):
    slot: str
    value: Any
    reason: str


class Quantity(BaseModel):
    value: float
    unit: str


class Input(BaseModel):
    value: float
    unit: str
    from_: Annotated[str, Field(alias="from")]


class DerivationLine(BaseModel):
    id: str
    rule: str
    formula: str
    inputs: dict[str, Input]
    result: Quantity
    citation: int


class Component(BaseModel):
    component: str
    value: float
    unit: str


class AnswerTable(BaseModel):
    columns: list[str]
    rows: list[list[Any]]


class Nearest(BaseModel):
    title: str
    url: str


class Declined(BaseModel):
    reason: Literal["not_in_corpus", "out_of_scope", "not_published", "unsafe", "missing_input"]
    missing: list[str] = []
    nearest: list[Nearest]


class Disagreement(BaseModel):
    claim: str
    sources: list[int]
    taken: int
    why: str


class Phrased(BaseModel):
    """What a language model did to the words of the answer; sentences that fail verification are dropped, what they stood for stays.
    `fallback` says why the deterministic answer stands as it was."""

    model: str
    rephrased: int
    dropped: int
    fallback: Literal["slow", "unreachable", "error", "unreadable", "unsupported"] | None = None


Verdict = Literal["fits", "fits_with_conditions", "does_not_fit"]


class Answer(BaseModel):
    """Spans are Unicode code points, half-open, over NFC text."""

    id: str
    question: str
    language: Language
    conversation_id: str
    kind: Literal["passages", "spec", "sizing", "clarification", "declined"]
    text: Annotated[str, Field(description="Markdown with citation marks [1] [2]")]
    citations: list[Citation]
    values: list[Value]
    verdict: Verdict | None
    understanding: Understanding
    assumptions: list[Assumed]
    derivation: list[DerivationLine]
    breakdown: list[Component] | None = None
    table: AnswerTable | None = None
    declined: Declined | None = None
    disagreements: list[Disagreement] | None = None
    confidence: Annotated[float, Field(ge=0, le=1)]
    follow_ups: list[str]
    warnings: list[str]
    index_version: str
    timings_ms: dict[str, float]
    phrased: Annotated[
        Phrased | None, Field(description="absent when no language model is configured or had prose to rephrase")
    ] = None


class SizingResult(BaseModel):
    request: dict[str, Any]
    verdict: Verdict | None
    values: list[Value]
    breakdown: list[Component]
    derivation: list[DerivationLine]
    assumptions: list[Assumed]
    citations: list[Citation]
    warnings: list[str]


class Configuration(BaseModel):
    """Hardware and layout as a request that /v1/size answers with the same figures."""

    request: dict[str, Any]
    verdict: Verdict | None
    values: list[Value]
    hints: Annotated[list[str], Field(description="what would make it fit, or fit with room")]


class PlanOption(Configuration):
    """`pareto`: no other is better in cost, time and number of GPUs at once."""

    rank: int
    pareto: bool


class Rejection(BaseModel):
    """`reason` is a key, `text` says it to a reader; `nearest` is what came closest to being allowed."""

    reason: str
    text: str
    count: int
    nearest: Configuration | None


class PlanResult(BaseModel):
    objective: Literal["cost", "time", "gpus"]
    options: list[PlanOption]
    rejected: list[Rejection]
    considered: int
    feasible: int
    assumptions: list[Assumed]
    warnings: list[str]


class Scores(BaseModel):
    dense: float | None
    lexical: float | None


class Hit(BaseModel):
    passage_id: str
    source: Source
    locator: Locator
    text: str
    score: float
    scores: Scores


class Hits(BaseModel):
    hits: list[Hit]


class Label(BaseModel):
    en: str
    zh: str


class TableSummary(BaseModel):
    name: str
    label: Label
    rows: int
    columns: list[str]


class Tables(BaseModel):
    tables: list[TableSummary]


class ColumnDetail(BaseModel):
    name: str
    kind: Literal["number", "text", "flag"]
    unit: str | None
    label: Label


class SpecTable(BaseModel):
    """A row holds `id`, `name` and one value per column."""

    name: str
    label: Label
    columns: list[str]
    column_details: list[ColumnDetail]
    rows: list[dict[str, Any]]


class Dissent(BaseModel):
    value: str
    source: Source


class CellDisagreement(BaseModel):
    """Sources that contradict one another about a cell: what was taken, what others print, and why that one."""

    taken: str
    others: list[Dissent]
    why: Label


class Cell(BaseModel):
    """`status` says why `value` is null; `text` says of an unknown one "not published" where its source was read and prints none."""

    value: float | str | bool | None
    unit: str | None
    source: Source
    text: str
    status: Literal["unsupported", "unknown"] | None = None
    note: str | None = None
    confidence: str | None = None
    disagreement: CellDisagreement | None = None


class SpecRow(BaseModel):
    id: str
    name: str
    table: str
    cells: dict[str, Cell]


class SourceSummary(BaseModel):
    id: str
    kind: str
    title: str
    url: str
    language: str
    collection: str
    published: str | None = None
    retrieved: str | None = None


class Sources(BaseModel):
    sources: list[SourceSummary]


class SourceText(SourceSummary):
    """`text` is what the offsets of citations point into."""

    text: str


class Rules(BaseModel):
    rules: list[dict[str, Any]]


class Readiness(BaseModel):
    status: Literal["ready", "starting"]
    checks: dict[str, bool]
    versions: dict[str, str]


class FieldFault(BaseModel):
    pointer: Annotated[str, Field(description="JSON Pointer (RFC 6901) into the request body")]
    field: str
    detail: str


class ProblemDocument(BaseModel):
    """RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: list[FieldFault] | None = None
