"""What requests may hold: exact types, bounds, no unknown fields."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Text = Annotated[str, Field(max_length=200)]
Texts = Text | Annotated[list[Text], Field(max_length=50)]
Words = Annotated[str, Field(max_length=100_000)]  # the setting max_question bounds it further, with a better message
Id = Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9._:~-]+$")]


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


# The engine bounds each field further and says what would be allowed (kb.sizing.request).
Count = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=10_000_000)]
Layers = Annotated[int, BeforeValidator(_whole), Field(ge=0, le=10_000)]
Few = Annotated[int, BeforeValidator(_whole), Field(ge=0, le=16)]
Length = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=1_000_000_000)]
Positive = Annotated[float, Field(gt=0, le=1e30, allow_inf_nan=False)]
Amount = Annotated[float, Field(ge=0, le=1e30, allow_inf_nan=False)]
Share = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]


class Body(BaseModel):
    """A request body: exact types, no unknown fields."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Turn(Body):
    role: Literal["user", "assistant"]
    content: Annotated[str, Field(max_length=32_000)]


class Filters(Body):
    """Each one value or a list of them."""

    collection: Texts | None = None
    kind: Texts | None = None
    source_id: Texts | None = None
    language: Texts | None = None

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
    shared_experts: Layers | None = None
    dense_layers: Layers | None = None
    attention: Text | None = None
    kv_lora_rank: Count | None = None
    q_lora_rank: Count | None = None
    qk_rope_head_dim: Count | None = None
    qk_nope_head_dim: Count | None = None
    v_head_dim: Count | None = None
    context: Length | None = None
    sliding_window: Length | None = None
    full_attention_layers: Layers | None = None


class GpuFigures(Body):
    """An accelerator by its figures."""

    memory_gb: Positive | None = None
    memory_bandwidth_gb_s: Positive | None = None
    bf16_dense_tflops: Positive | None = None
    fp8_dense_tflops: Positive | None = None
    fp4_dense_tflops: Positive | None = None
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
    shard_degree: Count | None = None
    sequence_parallel: bool | None = None
    recompute: Literal["none", "selective", "full"] | None = None
    interconnect: Text | None = None
    engine: Text | None = None
    flash_attention: bool | None = None
    fused_loss: bool | None = None
    activation_offload: bool | None = None
    seq_len: Length | None = None
    micro_batch: Count | None = None
    global_batch_tokens: Annotated[int, BeforeValidator(_whole), Field(ge=1, le=10**15)] | None = None
    tokens: Positive | None = None
    mfu: Share | None = None
    lora_rank: Count | None = None
    lora_targets: Text | None = None
    post_training: Literal["dpo", "ppo", "grpo"] | None = None
    reference_models: Few | None = None
    reward_models: Few | None = None
    critics: Few | None = None
    rollout_engines: Few | None = None
    quantization: Annotated[str, Field(max_length=32)] | None = None
    context_len: Length | None = None
    concurrency: Count | None = None
    people: Length | None = None
    active_users: Length | None = None
    requests_per_second: Positive | None = None
    demanded_tokens_per_second: Positive | None = None
    prompt_tokens: Annotated[int, BeforeValidator(_whole), Field(ge=0, le=1_000_000_000)] | None = None
    output_tokens: Annotated[int, BeforeValidator(_whole), Field(ge=0, le=1_000_000_000)] | None = None
    documents: Positive | None = None
    input_tokens: Positive | None = None
    generated_tokens: Positive | None = None
    labelled: bool | None = None
    kv_precision: Annotated[str, Field(max_length=32)] | None = None
    gpu_memory_utilization: Share | None = None
    days: Positive | None = None
    budget: Positive | None = None
    currency: Annotated[str, Field(max_length=16)] | None = None
    price_per_gpu_hour: Positive | None = None
    price_per_month: Positive | None = None
    price_per_gb_month: Positive | None = None
    purchase_price: Positive | None = None
    electricity_price: Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)] | None = None
    utilization: Share | None = None
    global_batch: Length | None = None
    ema: bool | None = None
    step_seconds: Positive | None = None
    samples: Positive | None = None
    epochs: Positive | None = None
    vocabulary: Length | None = None
    items: Positive | None = None
    items_per_second: Positive | None = None
    temperature_rise: Positive | None = None
    data_parallel: Count | None = None
    gpu_hours: Positive | None = None
    power_kw: Positive | None = None
    size_gb: Positive | None = None
    disk_gb_s: Positive | None = None
    network_gbps: Positive | None = None
    bandwidth_gb_s: Positive | None = None
    samples_per_second: Positive | None = None
    file_formats: Text | None = None
    copies: Count | None = None
    weights_only: bool | None = None
    power_w: Positive | None = None
    psu_w: Positive | None = None
    rack_w: Positive | None = None
    pue: Positive | None = None
    every_hours: Positive | None = None
    steps: Positive | None = None
    every_steps: Positive | None = None
    seconds: Positive | None = None
    mtbf_hours: Positive | None = None
    token_bytes: Count | None = None
    micro_batches: Count | None = None
    virtual_stages: Count | None = None
    link_gb_s: Positive | None = None
    memory_channels: Count | None = None
    memory_mt_s: Positive | None = None
    memory_kind: Text | None = None
    host_ram_gb: Positive | None = None
    storage_gb: Positive | None = None
    sockets: Count | None = None
    compute_optimal: bool | None = None
    system: Text | None = None
    processor: Text | None = None
    whole_server: bool | None = None
    server_kw: Positive | None = None
    servers: Count | None = None
    tokens_per_second: Positive | None = None
    tokens_per_day: Positive | None = None
    price_per_million_tokens: Amount | None = None
    running_per_day: Amount | None = None
    surcharge: Amount | None = None
    full_price_per_gpu_hour: Amount | None = None
    discount: Positive | None = None
    drives: Count | None = None
    adapters: Count | None = None
    gpu_lanes: Count | None = None
    lost_share: Amount | None = None
    circuit_a: Positive | None = None
    circuit_v: Positive | None = None
    circuit_phases: Literal[1, 3] | None = None
    gpu_power_w: Positive | None = None
    gpu_memory_gb: Positive | None = None
    # in place of model, gpu, gpu_count, days and utilization
    parameters: Positive | None = None
    active_parameters: Positive | None = None
    memory_gb: Positive | None = None
    nodes: Count | None = None
    hours: Positive | None = None
    hours_per_day: Positive | None = None

    def said(self) -> dict[str, Any]:
        """The fields that were given, as the engine takes them."""
        return self.model_dump(exclude_none=True)


class PlanRequest(SizingRequest):
    """What to plan: a sizing request, and what to choose from and keep to."""

    gpus: Annotated[list[Text], Field(min_length=1, max_length=64)] | None = None
    max_gpus: Count | None = None
    max_days: Positive | None = None
    max_budget: Positive | None = None
    objective: Literal["cost", "time", "gpus"] | None = None
    prices: Annotated[dict[Text, Positive], Field(max_length=64, description="per GPU-hour, by accelerator")] | None = None
