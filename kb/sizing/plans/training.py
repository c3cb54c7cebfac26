"""Memory of training and fine-tuning: model states, activations, buffers, overhead; for the whole job and the fullest GPU."""

from __future__ import annotations

from kb.sizing.case import Case, either
from kb.sizing.defaults import published
from kb.sizing.elementwise import is_array, least
from kb.sizing.plans.footprint import Footprint
from kb.sizing.plans.post_training import beside
from kb.sizing.plans.weights import weights_of
from kb.sizing.rules import activations, adapters, memory, post_training
from kb.sizing.shape import Shape
from kb.types.derivation import Given, Node


def footprint(case: Case) -> Footprint:
    """The memory of a laid-out training case."""
    assert case.shape is not None
    shape, r = case.shape, case.request
    recipe = r.precision if r.precision in ("fp32", "pure_bf16") else "mixed"
    element = case.constant(f"training_element.{r.precision}")
    trained = adapter_parameters(case) if case.adapted else shape["parameters"]
    states = {
        "gradients": memory.gradients(trained=trained, element=element),
        "optimizer_states": memory.optimizer_states(
            trained=trained,
            master=case.constant(f"master.{r.precision}"),
            moments=case.constant(f"moments.{r.optimizer}"),
            moment=case.constant(_moment(recipe, r.optimizer or "")),
        ),
    }
    averaged = dict[str, Node]()
    if r.ema:
        averaged["ema"] = memory.ema(trained=trained, element=case.constant("ema_element"))
        states["optimizer_states"] = memory.states_with_ema(optimizer_states=states["optimizer_states"], ema=averaged["ema"])
    whole: dict[str, Node]
    if case.adapted:
        base = weights_of(case, r.quantization if r.workload == "qlora" else None)
        adapter = memory.weights(parameters=trained, element=element)
        held = memory.with_adapter(weights=base, adapter=adapter)
        whole = {"weights": base, "adapter": adapter, **states}
    else:
        held = memory.weights(parameters=trained, element=element)
        whole = {"weights": held, **states}
    whole |= averaged | {"model_states": memory.model_states(weights=held, **states)}
    stage, away = r.zero_stage or 0, r.offload in ("cpu", "nvme")
    host = case.constant("offloaded")
    parts: dict[
        str, Node
    ] = {  # offloading moves gradients and optimizer states to the host, with full sharding the weights too
        "weights": host if away and stage >= 3 else _share(case, held, sharded=stage >= 3, experts=True),
        "gradients": host if away else _share(case, states["gradients"], sharded=stage >= 2, experts=not case.adapted),
        "optimizer_states": host
        if away
        else _share(case, states["optimizer_states"], sharded=stage >= 1, experts=not case.adapted),
    }
    states_per_gpu = memory.model_states(
        weights=parts["weights"], gradients=parts["gradients"], optimizer_states=parts["optimizer_states"]
    )
    parts |= working(case)
    fragmentation = parts.pop("fragmentation")
    held_per_gpu: Node = memory.sum_training(**parts)
    whole["divisible_per_gpu"] = states_per_gpu
    if r.post_training:
        others = beside(case, shape, whole["model_states"], states_per_gpu, _share)
        whole |= others.whole | {"divisible_per_gpu": post_training.divisible(states=states_per_gpu, beside=others.per_gpu)}
        parts |= others.parts
        cache = others.parts.get("rollout_cache", Given("rollout_cache", 0.0, "B"))
        held_per_gpu = post_training.together(held=held_per_gpu, beside=others.per_gpu, rollout_cache=cache)
    parts["fragmentation"] = fragmentation
    per_gpu = memory.with_fragmentation(held=held_per_gpu, fragmentation=parts["fragmentation"])
    whole["model_states_per_gpu"] = states_per_gpu
    of_step = activations.with_logits(activations=parts["activations"], logits=parts["logits"])
    whole["activations"] = memory.total(per_gpu=of_step, gpu_count=case.field("gpu_count"))
    return Footprint(whole, parts, per_gpu)


def working(case: Case) -> dict[str, Node]:
    """What a GPU holds beside its share of the model states, by component: none of it is divided by more replicas."""
    assert case.shape is not None
    shape, away = case.shape, case.request.offload in ("cpu", "nvme")
    activations = case.once("activations", lambda: _activations(case, shape))
    buffers = case.once("buffers", lambda: _buffers(case, shape, away))
    parts = {"activations": activations, "logits": _logits(case, shape), "buffers": buffers}
    fragmentation = memory.fragmentation(**parts, slack=case.constant("fragmentation"))
    overhead = either(case.several_servers, case.constant("overhead.parallel"), case.constant("overhead.training"))
    return {**parts, "overhead": overhead, "fragmentation": fragmentation}


def adapter_parameters(case: Case) -> Node:
    """Parameters of the adapters on the chosen projections."""
    assert case.shape is not None
    shape, block, rank = case.shape, _adapted_block(case), case.field("lora_rank")
    heads = {n: shape[n] for n in ("layers", "hidden", "heads", "kv_heads", "head_dim")}
    if block == "query_value":
        return adapters.query_value(rank=rank, **heads)
    if block == "attention":
        return adapters.attention(rank=rank, **heads)
    feed_forward = adapters.feed_forward(
        rank=rank, layers=shape["layers"], matrices=shape["matrices"], hidden=shape["hidden"], width=shape["ffn"]
    )
    if block == "feed_forward":
        return feed_forward
    return adapters.all_linear(attention=adapters.attention(rank=rank, **heads), feed_forward=feed_forward)


def adapted_projections(case: Case) -> Node:
    """How many projections of a layer have an adapter."""
    assert case.shape is not None
    block, matrices = _adapted_block(case) if case.adapted else "none", case.shape["matrices"]
    if block == "feed_forward":
        return matrices
    if block == "all":
        return adapters.projections(attention=case.constant("adapted.attention"), feed_forward=matrices)
    return case.constant(f"adapted.{block}")


def _adapted_block(case: Case) -> str:
    """What `lora_targets` names: some or all projections of attention, of the feed-forward block, or of both."""
    targets = (case.request.lora_targets or "all").lower()
    names = {t.strip().removesuffix("_proj") for t in targets.replace("+", ",").replace(" ", ",").split(",") if t.strip()}
    if names <= {"q", "v"}:
        return "query_value"
    if names <= {"attention", "attn", "q", "k", "v", "o", "qkv"}:
        return "attention"
    return "feed_forward" if names <= {"mlp", "ffn", "gate", "up", "down", "feed_forward"} else "all"


def _moment(recipe: str, optimizer: str) -> str:
    return (
        "moment_element.adamw_8bit"
        if optimizer == "adamw_8bit"
        else f"moment_element.{'pure_bf16' if recipe == 'pure_bf16' else 'wide'}"
    )


def _share(case: Case, total: Node, sharded: bool, experts: bool) -> Node:
    """One GPU's part of `total`: divided by tensor and pipeline parallelism, and by the replicas when sharded. Context parallelism
    replicates the model, so its ranks shard too. Expert parallelism divides what `experts` have a part in: adapters leave them out."""
    ranks = case.sharded_over if sharded else 1
    layout = {"tensor_parallel": case.field("tensor_parallel"), "pipeline_parallel": case.field("pipeline_parallel")}
    shards: Node = Given("shards", 1.0 * ranks, "1")
    # beyond the replicas, expert parallelism takes ranks that tensor parallelism would have split experts over
    expert = least(case.degree("expert_parallel"), case.holders)
    if case.shape and case.shape.is_moe and experts and (is_array(expert) or expert > 1):
        return memory.expert_share(
            total=total,
            experts=case.shape["expert_fraction"],
            expert_parallel=Given("expert_parallel", 1.0 * expert, "1"),
            shards=shards,
            **layout,
        )
    return memory.share(total=total, shards=shards, **layout)


def token_count(case: Case) -> Node:
    """Tokens of a micro-batch, as a pure number."""
    samples, length = case.field("micro_batch"), case.field("seq_len")
    if answers := case.assumptions.constants.get(f"answers.{case.request.post_training}"):
        return case.once("count", lambda: post_training.pairs(samples=samples, answers=answers, length=length))
    return case.once("count", lambda: activations.tokens(sequences=samples, length=length))


def _activations(case: Case, shape: Shape) -> Node:
    r, element, tokens = case.request, case.constant("activation_element"), token_count(case)
    layer = _layer(case, shape, element, tokens)
    if r.flash_attention is False:
        scores = activations.scores(
            sequences=case.field("micro_batch"),
            length=case.field("seq_len"),
            heads=shape["heads"],
            kept=case.constant("kept_scores"),
        )
        layer = activations.layer_with_scores(layer=layer, scores=scores) if r.recompute != "selective" else layer
    divide = {"tensor_parallel": case.field("tensor_parallel"), "context_parallel": case.field("context_parallel")}
    if r.sequence_parallel or (not is_array(r.tensor_parallel) and case.degree("tensor_parallel") == 1):
        layer = activations.divided(layer=layer, **divide)
    else:
        layer = activations.partly_divided(layer=layer, undivided=case.constant("undivided_activations"), **divide)
    if r.recompute == "full":
        kept = case.constant("layers_on_the_way") if inputs_on_host(case) else shape["layers"]
        return activations.recomputed(
            tokens=tokens, hidden=shape["hidden"], element=element, layers=kept, **divide,
            layer=activations.beyond_logits(layer=layer, logits=_logits(case, shape)),
        )  # fmt: skip
    if r.recompute == "selective" and r.flash_attention is not False:
        return activations.kept_selectively(layer=layer, layers=shape["layers"], fraction=case.constant("selective_fraction"))
    return activations.kept_all(layer=layer, layers=shape["layers"])


def _layer(case: Case, shape: Shape, element: Node, tokens: Node) -> Node:
    """What a layer keeps whole for the backward pass: of a frozen one only what adapters and norms want."""
    if published(case.request):
        return activations.published_layer(tokens=tokens, hidden=shape["hidden"], kept=case.constant("published_layer"))
    block = {n: shape[n] for n in ("hidden", "heads", "kv_heads", "maps")}
    block |= {"head_dim": shape["score_width"], "width": shape["live_width"]}
    if not case.adapted:
        return activations.layer(tokens=tokens, element=element, **block)
    adapted, yes, no = _adapted_block(case), case.constant("one_rank"), case.constant("adapted.none")
    return activations.adapted_layer(
        tokens=tokens,
        element=element,
        attention=no if adapted == "feed_forward" else yes,
        feed_forward=yes if adapted in ("feed_forward", "all") else no,
        **block,
    )


def _logits(case: Case, shape: Shape) -> Node:
    kept = case.constant(f"logits_kept.{_loss(case)}")
    layout = {n: case.field(n) for n in ("tensor_parallel", "context_parallel")}
    return case.once("logits", lambda: activations.logits(tokens=token_count(case), vocab=shape["vocab"], kept=kept, **layout))


def keeps_logits(case: Case) -> bool:
    """Whether the loss needs all logits at once."""
    return _loss(case) != "fused"


def _loss(case: Case) -> str:
    """The kind of loss: as said, or as the library that was named has it; else a plain one in pretraining, and beside adapters where
    activations are kept, since who saves on these saves on the logits too. In full fine-tuning the gradients, which are counted, come
    when such logits have left."""
    said = case.request.fused_loss
    if said is not None:
        return "fused" if said else "plain"
    if case.request.workload == "pretrain" or f"plain_loss.{case.engine}" in case.assumptions.constants:
        return "plain"
    return "with_activations" if case.adapted and case.request.recompute != "full" else "fused"


def inputs_on_host(case: Case) -> bool:
    """Whether layer inputs are moved to host memory until the backward pass wants them: as said, or as the library has it."""
    said = case.request.activation_offload
    return f"activation_offload.{case.engine}" in case.assumptions.constants if said is None else said


def _buffers(case: Case, shape: Shape, away: bool) -> Node:
    """What full sharding, or offloading of it, gathers before use; and of quantized weights the matrix at work."""
    none, wide = case.constant("no_buffers"), case.constant("training_element.bf16")
    tensor = case.field("tensor_parallel")
    stored = case.request.quantization if case.request.workload == "qlora" else None
    gathered: Node = none
    if (case.request.zero_stage or 0) >= 3:
        gathered = memory.gathered(
            parameters=_gathered(case, shape), embedding=shape["embedding"], layers=shape["layers"], live=case.constant("gathered_layers"),
            element=case.constant(f"weight_element.{stored}") if stored else wide, kept_element=wide, tensor_parallel=tensor,
        )  # fmt: skip
        gathered = gathered if away else either(case.data_parallel > 1, gathered, none)
    if stored is None:
        return gathered
    widened = memory.widened(hidden=shape["hidden"], width=shape["live_width"], element=wide, tensor_parallel=tensor)
    return memory.gathered_and_widened(gathered=gathered, widened=widened)


def _gathered(case: Case, shape: Shape) -> Node:
    """The parameters that full sharding gathers: of experts only those of a rank, where several GPUs hold a shard of them."""
    width = case.degree("expert_parallel")
    if not shape.is_moe or (not is_array(width) and width == 1):
        return shape["parameters"]
    own = either(case.sharded_over > width, Given("own", 1.0 / width, "1"), case.constant("no_slack"))
    return memory.gathered_parameters(parameters=shape["parameters"], experts=shape["expert_fraction"], own=own)
