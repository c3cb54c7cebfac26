"""The wire: what requests may hold and what responses hold. The OpenAPI document is made from these models.

Responses are not passed through them at run time: `kb.types.plain` gives the same structures, and a test compares the two.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Language = Literal["zh", "zh-Hant", "en"]
Text = Annotated[str, Field(max_length=200)]
Words = Annotated[str, Field(max_length=100_000)]  # the setting max_question bounds it further, with a better message
Id = Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9._:~-]+$")]


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


Count = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=10_000_000)]
Positive = Annotated[float, Field(gt=0, le=1e30, allow_inf_nan=False)]
Share = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]


class Body(BaseModel):
    """A request body: exact types, no unknown fields."""

    model_config = ConfigDict(strict=True, extra="forbid")


# --- requests ---


class Turn(Body):
    role: Literal["user", "assistant"]
    content: Annotated[str, Field(max_length=32_000)]


class Filters(Body):
    """Each one value or a list of them."""

    collection: Text | Annotated[list[Text], Field(max_length=50)] | None = None
    kind: Text | Annotated[list[Text], Field(max_length=50)] | None = None
    source_id: Text | Annotated[list[Text], Field(max_length=50)] | None = None
    language: Text | Annotated[list[Text], Field(max_length=50)] | None = None

    def lists(self) -> dict[str, list[str]]:
        given = self.model_dump(exclude_none=True)
        return {name: [value] if isinstance(value, str) else value for name, value in given.items()}


class AskRequest(Body):
    question: Words
    conversation_id: Id | None = None
    history: Annotated[list[Turn], Field(max_length=100)] = []
    language: Literal["auto", "zh", "zh-Hant", "en"] = "auto"
    top_k: Annotated[int, Field(ge=1, le=50)] | None = None
    filters: Filters | None = None
    stream: bool = False


class UnderstandRequest(Body):
    question: Words
    history: Annotated[list[Turn], Field(max_length=100)] = []


class SearchRequest(Body):
    query: Words
    top_k: Annotated[int, Field(ge=1, le=100)] = 10
    mode: Literal["hybrid", "dense", "lexical"] = "hybrid"
    filters: Filters | None = None


class ModelFigures(Body):
    """An architecture by its figures; `parameters` alone is enough for most rules."""

    parameters: Positive | None = None
    active_parameters: Positive | None = None
    layers: Count | None = None
    hidden: Count | None = None
    ffn: Count | None = None
    heads: Count | None = None
    kv_heads: Count | None = None
    head_dim: Count | None = None
    vocab: Count | None = None
    experts: Count | None = None
    top_k: Count | None = None
    tied_embeddings: bool | None = None
    gated_mlp: bool | None = None
    expert_ffn: Count | None = None
    shared_experts: Annotated[int, BeforeValidator(_whole), Field(ge=0, le=10_000)] | None = None
    dense_layers: Annotated[int, BeforeValidator(_whole), Field(ge=0, le=10_000)] | None = None
    attention: Text | None = None
    kv_lora_rank: Count | None = None
    q_lora_rank: Count | None = None
    qk_rope_head_dim: Count | None = None
    qk_nope_head_dim: Count | None = None
    v_head_dim: Count | None = None


class GpuFigures(Body):
    """An accelerator by its figures."""

    memory_gb: Positive | None = None
    memory_bandwidth_gb_s: Positive | None = None
    bf16_dense_tflops: Positive | None = None
    fp8_dense_tflops: Positive | None = None
    interconnect_gb_s: Positive | None = None
    tdp_w: Positive | None = None


class SizingRequest(Body):
    """What to size. A field that is not given is filled with a stated assumption, or done without."""

    workload: Literal["pretrain", "full_finetune", "lora", "qlora", "inference"] | None = None
    model: Text | ModelFigures | None = None
    gpu: Text | GpuFigures | None = None
    gpu_count: Count | None = None
    gpus_per_node: Count | None = None
    precision: Literal["fp32", "fp16", "bf16", "pure_bf16", "fp8", "fp4"] | None = None
    optimizer: Literal["adamw", "adamw_8bit", "adafactor", "sgd", "lion", "muon"] | None = None
    zero_stage: Annotated[int, BeforeValidator(_whole), Field(ge=0, le=3)] | None = None
    offload: Literal["none", "cpu", "nvme"] | None = None
    tensor_parallel: Count | None = None
    pipeline_parallel: Count | None = None
    context_parallel: Count | None = None
    expert_parallel: Count | None = None
    sequence_parallel: bool | None = None
    recompute: Literal["none", "selective", "full"] | None = None
    interconnect: Text | None = None
    engine: Text | None = None
    flash_attention: bool | None = None
    seq_len: Annotated[int, BeforeValidator(_whole), Field(ge=1, le=1_000_000_000)] | None = None
    micro_batch: Count | None = None
    global_batch_tokens: Annotated[int, BeforeValidator(_whole), Field(ge=1, le=10**15)] | None = None
    tokens: Positive | None = None
    mfu: Share | None = None
    lora_rank: Count | None = None
    lora_targets: Text | None = None
    quantization: Annotated[str, Field(max_length=32)] | None = None
    context_len: Annotated[int, BeforeValidator(_whole), Field(ge=1, le=1_000_000_000)] | None = None
    concurrency: Count | None = None
    requests_per_second: Positive | None = None
    prompt_tokens: Annotated[int, BeforeValidator(_whole), Field(ge=0, le=1_000_000_000)] | None = None
    output_tokens: Annotated[int, BeforeValidator(_whole), Field(ge=0, le=1_000_000_000)] | None = None
    kv_precision: Annotated[str, Field(max_length=32)] | None = None
    gpu_memory_utilization: Share | None = None
    days: Positive | None = None
    budget: Positive | None = None
    currency: Annotated[str, Field(max_length=16)] | None = None
    price_per_gpu_hour: Positive | None = None
    purchase_price: Positive | None = None
    electricity_price: Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)] | None = None
    utilization: Share | None = None


# --- responses: fields may be added to them, none is dropped ---


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


class SizingResult(BaseModel):
    request: dict[str, Any]
    verdict: Verdict | None
    values: list[Value]
    breakdown: list[Component]
    derivation: list[DerivationLine]
    assumptions: list[Assumed]
    citations: list[Citation]
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


class Cell(BaseModel):
    """`status` says why `value` is null."""

    value: float | str | bool | None
    unit: str | None
    source: Source
    text: str
    status: Literal["unsupported", "unknown"] | None = None
    note: str | None = None


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
