"""Serving: weights, KV cache, capacity and speed."""

from __future__ import annotations

from kb.sizing.case import Case, either
from kb.sizing.elementwise import is_array
from kb.sizing.plans import wires
from kb.sizing.plans.footprint import Footprint
from kb.sizing.plans.weights import weights_of
from kb.sizing.rules import activations, compute, memory, parameters, serving
from kb.sizing.shape import Shape
from kb.types.derivation import Given, Node


def footprint(case: Case) -> Footprint:
    """The memory of a laid-out serving case. Replicas share the sequences out among themselves."""
    assert case.shape is not None
    shape = case.shape
    weights = weights_of(case, case.request.quantization)
    per_token = _per_token(case, shape)
    cache = _cache(case, shape, per_token, case.field("context_len"), case.field("concurrency"))
    parts: dict[str, Node] = {
        "weights": memory.share(
            total=weights, shards=Given("shards", 1.0, "1"),
            tensor_parallel=case.field("tensor_parallel"), pipeline_parallel=case.field("pipeline_parallel"),
        ),
        "kv_cache": _share(case, shape, _held(case, shape, per_token, cache)),
        "activations": _forward(case, shape),
        "overhead": either(case.several_servers, case.constant("overhead.parallel"), case.constant("overhead.serving")),
    }  # fmt: skip
    whole: dict[str, Node] = {"weights": weights, "kv_cache": cache, "kv_cache_per_token": per_token}
    whole["activations"] = memory.total(per_gpu=parts["activations"], gpu_count=case.field("gpu_count"))
    return Footprint(whole, parts, memory.sum_serving(**parts))


def capacity(case: Case, found: Footprint, available: Node) -> dict[str, Node]:
    """How many sequences and how long a context the memory left over holds."""
    assert case.shape is not None
    shape = case.shape
    parts = found.parts
    free = serving.free(
        available=available, weights=parts["weights"], activations=parts["activations"], overhead=parts["overhead"]
    )
    one = Given("sequences", 1.0, "1")
    sequence = _share(case, shape, _cache(case, shape, found.whole["kv_cache_per_token"], case.field("context_len"), one))
    token = _share(case, shape, found.whole["kv_cache_per_token"])
    most: Node = serving.max_concurrency(free=free, kv_per_sequence=sequence)
    out = {"max_concurrency": serving.of_replicas(one=most, replicas=case.replicas) if _replicated(case) else most}
    longest: Node | None = None
    if not _windowed(shape):
        longest = serving.max_context(free=free, kv_per_token=token, concurrency=_sequences(case))
        cached: Node = serving.cached_tokens(free=free, kv_per_token=token)
        out["kv_cache_tokens"] = serving.of_replicas(one=cached, replicas=case.replicas) if _replicated(case) else cached
    elif shape["full_attention_layers"].value:
        windowed = parameters.windowed_fraction(layers=shape["layers"], full_layers=shape["full_attention_layers"])
        longest = serving.max_windowed_context(
            free=free, kv_per_token=token, concurrency=_sequences(case), window=shape["sliding_window"], windowed=windowed
        )
    if longest:
        known = shape.known("context")
        out["max_context_len"] = serving.within_context(fits=longest, context=shape["context"]) if known else longest
    return out


def partial(case: Case, found: Footprint, available: Node) -> dict[str, Node]:
    """Layers on the GPUs and what the others take in host memory, where not all of them fit."""
    assert case.shape is not None
    none, layers = case.constant("offloaded"), case.shape["layers"]
    free = serving.free(
        available=available, weights=none, activations=found.parts["activations"], overhead=found.parts["overhead"]
    )
    held = {"weights": found.whole["weights"], "kv_cache": found.whole["kv_cache"]}
    on_gpus = serving.layers_on_gpus(free=free, gpu_count=case.field("gpu_count"), layers=layers, **held)
    return {"gpu_layers": on_gpus, "host_ram": serving.left_on_host(layers=layers, on_gpus=on_gpus, **held)}


def speed(case: Case, found: Footprint) -> dict[str, Node]:
    """Decode and prefill, as far as the accelerator's bandwidth and compute are known."""
    assert case.shape is not None and case.chip is not None
    shape, chip = case.shape, case.chip
    bandwidth, peak = chip.get("bandwidth"), chip.peak(_compute_precision(case))
    out: dict[str, Node] = {}
    work = _work(case, shape, case.field("context_len"))
    tensor, reached = case.field("tensor_parallel"), case.constant("compute_reached")
    if bandwidth:
        whole, read = found.whole, _weights_read(case, shape, found)
        held = _held(case, shape, whole["kv_cache_per_token"], whole["kv_cache"])
        moved = serving.bytes_read(weights_read=read, kv_cache=held)
        step: Node = serving.memory_time(
            bytes_read=moved,
            bandwidth=bandwidth,
            tensor_parallel=tensor,
            reached=case.constant(f"decode_reached.{_kind(case)}"),
            layers=shape["layers"],
            latency=case.constant(_latency(case)),
        )
        batch = case.field("concurrency", "token")
        busy: Node = case.constant("no_pause")
        if peak:
            own = serving.batch(sequences=_sequences(case), token=case.constant("one_token")) if _replicated(case) else batch
            busy = serving.compute_time(per_token=work, batch=own, peak=peak, tensor_parallel=tensor, reached=reached)
        step = serving.step_time(memory_time=step, compute_time=busy, exchange=_exchange(case, shape, _sequences(case)))
        each = serving.decode_speed_per_request(token=case.constant("one_token"), step_time=step)
        out["decode_tokens_per_second_per_request"] = each
        out["decode_tokens_per_second"] = serving.decode_speed(batch=batch, step_time=step)
        out["decode_ceiling"] = serving.decode_ceiling(
            batch=batch, bytes_read=moved, bandwidth=bandwidth, tensor_parallel=tensor
        )
    if peak:
        name = "prompt_tokens" if case.request.prompt_tokens else "context_len"
        prompt = case.field(name, "token")
        prefill = serving.prefill_work(per_token=_work(case, shape, case.field(name)), prompt=prompt)
        reading = _reading(case, shape, found, name, bandwidth) if bandwidth else case.constant("no_pause")
        ready = serving.prefill_time(
            work=prefill,
            peak=peak,
            gpus=tensor,
            reached=reached,
            reading=reading,
            exchange=_exchange(case, shape, case.field(name)),
        )
        overhead = case.constant("first_token_overhead")
        out["prefill_time"] = ready
        out["time_to_first_token"] = serving.time_to_first_token(prefill=ready, overhead=overhead)
        out["prefill_tokens_per_second"] = serving.prefill_speed(prompt=prompt, time=ready)
    return out


def _exchange(case: Case, shape: Shape, tokens: Node) -> Node:
    """What the GPUs of a replica exchange for so many tokens at once."""
    if not is_array(case.request.tensor_parallel) and case.degree("tensor_parallel") == 1:
        return case.constant("no_pause")
    return serving.exchange(
        tokens=tokens, hidden=shape["hidden"], element=case.constant("activation_element"), layers=shape["layers"],
        tensor_parallel=case.field("tensor_parallel"), link=wires.of_tensor(case), latency=case.constant("all_reduce_latency"),
    )  # fmt: skip


def _reading(case: Case, shape: Shape, found: Footprint, prompt: str, bandwidth: Node) -> Node:
    """Time to read the weights that a prompt of so many tokens needs."""
    return serving.memory_time(
        bytes_read=_matrices_read(case, shape, found, case.field(prompt)), bandwidth=bandwidth,
        tensor_parallel=case.field("tensor_parallel"),
        reached=case.constant(f"decode_reached.{_kind(case)}"), layers=shape["layers"], latency=case.constant(_latency(case)),
    )  # fmt: skip


def _per_token(case: Case, shape: Shape) -> Node:
    element = case.constant(f"kv_element.{case.request.kv_precision}")
    linear = shape.known("full_attention_layers") and not shape.known("sliding_window")
    layers = shape["full_attention_layers"] if linear else shape["layers"]
    if shape.is_latent:
        return memory.latent_kv_per_token(
            layers=layers, kv_rank=shape["kv_lora_rank"], rope_dim=shape["qk_rope_head_dim"], element=element
        )
    return memory.kv_per_token(layers=layers, kv_heads=shape["kv_heads"], head_dim=shape["head_dim"], element=element)


def generated(case: Case, length: Node, sequences: Node) -> Node:
    """KV cache, in 16 bits, of so many sequences that are generated to a length."""
    assert case.shape is not None
    served = case.but(kv_precision="bf16")
    return _cache(served, case.shape, _per_token(served, case.shape), length, sequences)


def _windowed(shape: Shape) -> bool:
    return shape.known("sliding_window", "full_attention_layers") and not shape.is_latent


def _cache(case: Case, shape: Shape, per_token: Node, context: Node, concurrency: Node) -> Node:
    if _windowed(shape):
        windowed = parameters.windowed_fraction(layers=shape["layers"], full_layers=shape["full_attention_layers"])
        return memory.windowed_kv_cache(
            per_token=per_token, context=context, concurrency=concurrency, window=shape["sliding_window"], windowed=windowed
        )
    return memory.kv_cache(per_token=per_token, context=context, concurrency=concurrency)


def _replicated(case: Case) -> bool:
    return is_array(case.data_parallel) or case.data_parallel > 1


def _sequences(case: Case) -> Node:
    """Sequences in flight on one replica of the model."""
    whole = case.field("concurrency")
    return serving.sequences_of_replica(concurrency=whole, replicas=case.replicas) if _replicated(case) else whole


def _held(case: Case, shape: Shape, per_token: Node, whole: Node) -> Node:
    """The cache of one replica."""
    return _cache(case, shape, per_token, case.field("context_len"), _sequences(case)) if _replicated(case) else whole


def _share(case: Case, shape: Shape, total: Node) -> Node:
    heads = case.constant("latent_kv_heads") if shape.is_latent else shape["kv_heads"]
    return memory.kv_share(
        total=total,
        tensor_parallel=case.field("tensor_parallel"),
        kv_heads=heads,
        pipeline_parallel=case.field("pipeline_parallel"),
    )


def _forward(case: Case, shape: Shape) -> Node:
    chunk = case.constant("prefill_chunk")
    context = case.field("context_len")
    tokens = context if context.value < chunk.value else chunk
    return activations.forward(
        tokens=tokens, hidden=shape["hidden"], width=shape["live_width"], element=case.constant("activation_element"),
        tensor_parallel=case.field("tensor_parallel"),
    )  # fmt: skip


def _matrices_read(case: Case, shape: Shape, found: Footprint, tokens: Node) -> Node:
    """The weights that so many tokens at once need, as they are stored."""
    common = {"weights": found.whole["weights"], "parameters": shape["parameters"], "multiplied": shape["multiplied"]}
    return serving.expert_weights_read(concurrency=tokens, **common) if case.mixture else serving.weights_read(**common)


def _weights_read(case: Case, shape: Shape, found: Footprint) -> Node:
    """What a decoding step reads of them: with engines that widen quantized matrices first, that too."""
    read = _matrices_read(case, shape, found, _sequences(case))
    wide = case.constant("activation_element")
    narrow = case.constant(f"weight_element.{case.request.quantization}").value < wide.value
    if not narrow or f"widens.{case.engine}" not in case.assumptions.constants:
        return read
    return serving.widened(read=read, multiplied=shape["multiplied"], wide=wide, moves=case.constant(f"widens.{case.engine}"))


def _work(case: Case, shape: Shape, length: Node) -> Node:
    forward = case.constant("work.forward")
    matrices = compute.per_token(parameters=shape["multiplied"], work=forward)
    scores = compute.attention_per_token(
        layers=shape["layers"], heads=shape["heads"], width=shape["score_width"], length=length, work=forward
    )
    return compute.model_work(matrices=matrices, attention=scores)


def _kind(case: Case) -> str:
    """The part of the bandwidth that is reached depends on the memory, on the engine, and with some makers' chips on the model."""
    memory_kind = "stacked" if case.chip and case.chip.stacked else "plain"
    alone = case.host_bandwidth is not None and case.request.gpu is None  # a processor without a card, by whatever engine
    engine = "processor" if alone else case.engine
    several = "_sockets" if engine == "processor" and (case.request.sockets or 1) > 1 else ""
    own = f"{engine}{several}_{memory_kind}"
    vendor = case.chip.vendor if case.chip else ""
    mixed = f"{vendor}_mixture" if case.mixture else own
    narrow = case.constant(f"weight_element.{case.request.quantization}").value < case.constant("weight_element.int8").value
    few = f"{vendor}_4bit" if narrow else own
    return next((k for k in (mixed, few, own) if f"decode_reached.{k}" in case.assumptions.constants), memory_kind)


def _latency(case: Case) -> str:
    """What a layer costs however little is read depends on the maker of the chip that kernels are started on, else on the engine."""
    own = f"layer_latency.{case.engine}"
    kinds = (f"layer_latency.{case.chip.vendor}" if case.chip else own, own)
    return next((k for k in kinds if k in case.assumptions.constants), "layer_latency.usual")


def _compute_precision(case: Case) -> str:
    """Eight-bit floats compute in eight bits; every other format is widened to 16 bits first."""
    return "fp8" if case.request.quantization == "fp8" else "bf16"
