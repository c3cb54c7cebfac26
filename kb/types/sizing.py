"""A sizing request and its result, field for field as the outside sees them (numbers in the units the field names say)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from kb.types.answer import Assumed, Citation, Component, DerivationLine, Value, Verdict
from kb.types.derivation import Node

Workload = Literal["pretrain", "full_finetune", "lora", "qlora", "inference"]


@dataclass(frozen=True, slots=True)
class ModelShape:
    """An architecture given by its figures; counts, no units. `parameters` alone is enough for most rules."""

    parameters: float | None = None
    active_parameters: float | None = None
    layers: int | None = None
    hidden: int | None = None
    ffn: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    vocab: int | None = None
    experts: int | None = None
    top_k: int | None = None
    tied_embeddings: bool | None = None
    gated_mlp: bool | None = None
    expert_ffn: int | None = None
    shared_experts: int | None = None
    dense_layers: int | None = None
    attention: str | None = None
    kv_lora_rank: int | None = None
    q_lora_rank: int | None = None
    qk_rope_head_dim: int | None = None
    qk_nope_head_dim: int | None = None
    v_head_dim: int | None = None
    context: int | None = None  # tokens the model was made for
    sliding_window: int | None = None  # tokens that a windowed layer keeps
    full_attention_layers: int | None = None  # layers without a window, or of a hybrid those with a cache


@dataclass(frozen=True, slots=True)
class GpuFigures:
    """An accelerator given by its figures."""

    memory_gb: float | None = None
    memory_bandwidth_gb_s: float | None = None
    bf16_dense_tflops: float | None = None
    fp8_dense_tflops: float | None = None
    fp4_dense_tflops: float | None = None
    interconnect_gb_s: float | None = None
    tdp_w: float | None = None


@dataclass(frozen=True, slots=True)
class SizingRequest:
    """What to size. None: not said; the engine fills it with a stated assumption or does without."""

    workload: Workload | None = None
    model: str | ModelShape | None = None
    gpu: str | GpuFigures | None = None
    gpu_count: int | None = None
    gpus_per_node: int | None = None
    precision: str | None = None
    optimizer: str | None = None
    zero_stage: int | None = None
    offload: str | None = None
    tensor_parallel: int | None = None
    pipeline_parallel: int | None = None
    context_parallel: int | None = None
    expert_parallel: int | None = None
    shard_degree: int | None = None  # GPUs that shard one copy of the states between them; None: all that hold one
    sequence_parallel: bool | None = None
    recompute: str | None = None
    interconnect: str | None = None
    engine: str | None = None
    flash_attention: bool | None = None
    fused_loss: bool | None = None  # the loss without keeping all logits: fused, or in chunks
    ema: bool | None = None  # a moving average of the trained parameters beside them
    activation_offload: bool | None = None  # under full recomputation the layer inputs wait in host memory
    seq_len: int | None = None
    micro_batch: int | None = None
    global_batch_tokens: int | None = None
    global_batch: int | None = None  # sequences of a step
    data_parallel: int | None = None  # replicas, where only they are said
    tokens: float | None = None
    mfu: float | None = None
    lora_rank: int | None = None
    lora_targets: str | None = None
    post_training: str | None = None  # method of preference training or reinforcement learning
    reference_models: int | None = None  # held by it beside the trained model: frozen
    reward_models: int | None = None  # frozen
    critics: int | None = None  # trained like the policy
    rollout_engines: int | None = None  # on the same GPUs
    quantization: str | None = None
    context_len: int | None = None
    concurrency: int | None = None
    active_users: int | None = None  # who use the service now and then on a day, of whom next to none wait at the same time
    people: int | None = None  # who may use the service, of whom a part does at the same time
    requests_per_second: float | None = None
    demanded_tokens_per_second: float | None = None  # that all requests together are to be answered with
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    documents: float | None = None  # of a batch, each read once and answered once, in `days` where they are said
    input_tokens: float | None = None  # of the whole batch, where documents are not counted
    generated_tokens: float | None = None  # the same, written instead of read
    labelled: bool | None = None  # a document is answered with a label, however long it is
    kv_precision: str | None = None
    gpu_memory_utilization: float | None = None
    days: float | None = None
    budget: float | None = None
    currency: str | None = None
    price_per_gpu_hour: float | None = None
    price_per_gb_month: float | None = None  # of storage
    price_per_month: float | None = None  # of all GPUs together
    purchase_price: float | None = None
    electricity_price: float | None = None
    utilization: float | None = None
    gpu_hours: float | None = None  # known already: converted to days and cost
    power_kw: float | None = None  # measured or rated power of the whole job, instead of the one computed
    size_gb: float | None = None  # of a file that is read, written or sent, instead of the one computed
    disk_gb_s: float | None = None
    network_gbps: float | None = None
    bandwidth_gb_s: float | None = None  # of a link or memory of which only the speed is known
    samples_per_second: float | None = None
    file_formats: str | None = None  # of files of the model that are kept side by side: "bf16+fp8+int4"
    copies: int | None = None  # checkpoints kept
    weights_only: bool | None = None  # a checkpoint without optimizer states
    power_w: float | None = None  # of what stands beside the GPUs
    psu_w: float | None = None
    rack_w: float | None = None  # what a rack may draw
    pue: float | None = None  # power of the building over power of the machines
    every_hours: float | None = None  # between checkpoints
    steps: float | None = None  # of the optimizer, in all
    step_seconds: float | None = None  # that one of them takes
    samples: float | None = None  # of a data set, gone through `epochs` times
    epochs: float | None = None
    vocabulary: int | None = None  # of a model of which nothing else is said
    items: float | None = None  # files of `size_gb` each
    items_per_second: float | None = None  # that every GPU reads
    temperature_rise: float | None = None  # of the air through a machine, in kelvin
    every_steps: float | None = None  # between checkpoints
    seconds: float | None = None  # that a write or a transfer takes, or may take
    mtbf_hours: float | None = None  # between failures of one GPU
    token_bytes: int | None = None  # of one token on disk
    micro_batches: int | None = None  # of a step, through a pipeline
    virtual_stages: int | None = None  # model chunks of one pipeline stage
    link_gb_s: float | None = None  # of a link between GPUs, both directions
    memory_channels: int | None = None  # of one processor
    memory_mt_s: float | None = None  # transfers of a channel, millions a second
    memory_kind: str | None = None  # of the modules in these channels, where their rate is not said: "ddr4" or "ddr5"
    host_ram_gb: float | None = (
        None  # GiB of a server, as modules count, for what of a model or its training the GPUs do not hold
    )
    storage_gb: float | None = None  # of the drives of a server, on to which states of training may go
    sockets: int | None = None  # processors of the machine
    compute_optimal: bool | None = None  # tokens, or the model, as compute is spent best
    system: str | None = None  # id of a server of the table, whose own power counts
    processor: str | None = None  # beside the GPUs: the id of a CPU of the table, else "desktop" or "server"
    whole_server: bool | None = None  # power is asked of servers, not of cards with their share of one
    server_kw: float | None = None  # power of one server
    servers: int | None = None  # of which it is not said what GPUs they hold
    tokens_per_second: float | None = None  # of the whole job, measured, instead of the one computed
    tokens_per_day: float | None = None  # that are bought of an API, or would be
    price_per_million_tokens: float | None = None
    running_per_day: float | None = None  # what a day of the machine costs, electricity and all
    surcharge: float | None = None  # share on top of the GPU-hours, for runs that fail
    full_price_per_gpu_hour: float | None = None  # what an hour would cost instead: on demand beside spot or reserved
    drives: int | None = None  # NVMe
    adapters: int | None = None  # of the network
    gpu_lanes: int | None = None  # of PCIe, of one GPU
    discount: float | None = None  # share of the price that is left to pay
    lost_share: float | None = None  # of the GPU-hours, when machines are taken away
    circuit_a: float | None = None  # of the breaker
    circuit_v: float | None = None  # of three phases the voltage between two of them
    circuit_phases: int | None = None  # 1 or 3
    gpu_power_w: float | None = None  # the limit a GPU is set to, instead of its rated power
    gpu_memory_gb: float | None = None  # what a GPU has whose row is of another size: shared memory comes in several


@dataclass(frozen=True, slots=True)
class SizingResult:
    """`request` has every default filled in. `steps` holds the roots of the derivation by value name (not part of the wire)."""

    request: SizingRequest
    verdict: Verdict | None
    values: tuple[Value, ...]
    breakdown: tuple[Component, ...]
    derivation: tuple[DerivationLine, ...]
    assumptions: tuple[Assumed, ...]
    citations: tuple[Citation, ...]
    warnings: tuple[str, ...]
    steps: Mapping[str, Node] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
