"""What cannot be: figures, layouts and lengths that contradict one another, the model or the hardware.

Every check raises InvalidInput, which names the field, its value and what would be allowed. What merely is unwise is a warning and
stands in `advice.py`: a 16-bit format that the hardware lacks has a twin of the same size, and weights may be stored in a format that is
not computed in, so that the figures hold; a training run in eight or four bits on hardware without them does not exist.
"""

from __future__ import annotations

from typing import Any, NoReturn

from kb.errors import InvalidInput
from kb.sizing.case import Case
from kb.sizing.shape import DERIVE, Shape
from kb.types.sizing import ModelShape

LOW_PRECISION = ("fp8", "fp4")
COVERED = ("mha", "gqa", "mqa", "mla")
TRAINABLE = ("bf16", "fp16", "fp32")
WITHIN = 2.0  # how far a stated size may lie from what the stated widths add up to: names are round, blocks differ
SHOWN = 12  # allowed values that a message lists


def check_figures(figures: ModelShape, prefix: str) -> None:
    """Figures of a model against one another, before anything is derived from them. `prefix` stands before each field's name."""
    f = figures
    for small, large in (
        ("active_parameters", "parameters"), ("kv_heads", "heads"), ("top_k", "experts"), ("dense_layers", "layers"),
        ("full_attention_layers", "layers"),
    ):  # fmt: skip
        part, whole = getattr(f, small), getattr(f, large)
        if part is not None and whole is not None and part > whole:
            refuse(prefix + small, part, f"it cannot exceed {large}, {whole:g}", f"不能超过 {large} {whole:g}")
    if f.heads and f.kv_heads and f.heads % f.kv_heads:
        allowed = _divisors(f.heads)
        refuse(
            prefix + "kv_heads", f.kv_heads, f"it must divide heads, {f.heads}: {allowed}", f"应整除 heads {f.heads}：{allowed}"
        )
    if f.top_k and not f.experts:
        refuse(prefix + "top_k", f.top_k, "it needs experts, the number to choose from", "需同时给出专家总数 experts")
    _check_attention(f, prefix)


def _check_attention(f: ModelShape, prefix: str) -> None:
    """Of attention only what the rules cover: causal, with full, grouped, single or compressed keys and values."""
    said = (f.attention or "").lower()
    if not said:
        return
    if not (f.full_attention_layers and "hybrid" in said) and not any(kind in said for kind in COVERED):
        refuse(
            prefix + "attention", f.attention,
            "the rules cover causal decoders with MHA, GQA, MQA or MLA; encoders, embedding models, rerankers and diffusion models need "
            "other formulas",
            "公式只适用于采用 MHA、GQA、MQA 或 MLA 的因果解码器，编码器、嵌入模型、重排模型和扩散模型需用其他公式",
        )  # fmt: skip
    if "gqa" in said and not f.kv_heads:
        refuse(
            prefix + "kv_heads", None, "the cache of GQA depends on it: give the number of key-value heads",
            "GQA 的缓存大小取决于它：请给出 KV 头数",
        )  # fmt: skip
    if "mla" in said and not (f.kv_lora_rank and f.qk_rope_head_dim):
        missing = "kv_lora_rank" if not f.kv_lora_rank else "qk_rope_head_dim"
        refuse(
            prefix + missing, None, "the cache of MLA depends on it: give kv_lora_rank and qk_rope_head_dim",
            "MLA 的缓存大小取决于它：请给出 kv_lora_rank 与 qk_rope_head_dim",
        )  # fmt: skip


def check_model(case: Case) -> None:
    """The model is described well enough, and the stated size agrees with the stated widths."""
    shape = case.shape
    assert shape is not None
    if not shape.known("parameters") and not shape.known("layers", "hidden"):
        raise InvalidInput(
            "model",
            None,
            "model: give parameters, or layers and hidden.",
            "model：请给出参数量 parameters，或层数 layers 与隐藏维度 hidden。",
        )
    active, total = shape["active_parameters"].value, shape["parameters"].value
    if active > total * 1.001:
        refuse("model.active_parameters", active, f"it cannot exceed parameters, {total:g}", f"不能超过 parameters {total:g}")
    if isinstance(case.request.model, ModelShape):
        _check_size(shape, case.request.model)


def _check_size(shape: Shape, figures: ModelShape) -> None:
    width = "expert_ffn" if shape.is_moe else "ffn"
    if not shape.known("parameters", "layers", "hidden", "vocab", width):
        return
    counted, stated = DERIVE["parameters"](shape).value, shape["parameters"].value
    if not 1 / WITHIN <= stated / counted <= WITHIN:
        refuse(
            "model.parameters", stated, f"layers, widths and vocabulary add up to {counted:.4g}; give one or the other",
            f"而层数、宽度与词表合计为 {counted:.4g}，请只给其一或改正",
        )  # fmt: skip


def check_run(case: Case) -> None:
    """Lengths against the model's context, adapters against its width, precision against the hardware."""
    _check_lengths(case)
    r, shape = case.request, case.shape
    assert shape is not None
    if case.adapted and r.lora_rank and r.lora_rank > shape["hidden"].value:
        most = int(shape["hidden"].value)
        refuse(
            "lora_rank", r.lora_rank, f"an adapter of full rank has the hidden size, {most}; usual are 8 to 64",
            f"满秩即隐藏维度 {most}，通常取 8 到 64",
        )  # fmt: skip
    chip = case.chip
    if case.training and chip and r.precision in LOW_PRECISION and r.precision in chip.unsupported:
        allowed = ", ".join(p for p in TRAINABLE if p not in chip.unsupported)
        name = chip.name or "the GPU"
        refuse(
            "precision", r.precision, f"{name} does not compute in it; train in one of {allowed}",
            f"{name} 不支持该格式的计算，可用：{allowed}",
        )  # fmt: skip


def _check_lengths(case: Case) -> None:
    r, shape = case.request, case.shape
    held = (r.prompt_tokens or 0) + (r.output_tokens or 0)
    if not case.training and case.asked.context_len and held > case.asked.context_len:
        refuse(
            "context_len", case.asked.context_len, f"prompt and output together hold {held} tokens, so at least {held}",
            f"提示词与输出合计 {held} 个 token，至少应为 {held}",
        )  # fmt: skip
    if shape is None or not shape.known("context"):
        return
    made_for, most = int(shape["context"].value), longest(case, shape["context"].value)
    if case.training:
        field, length = ("seq_len" if case.asked.seq_len else "context_len"), r.seq_len or 0
    else:
        said = next((n for n in ("context_len", "prompt_tokens", "seq_len") if getattr(case.asked, n)), "context_len")
        field, length = said, r.context_len or 0
    if length > most:
        name = shape.name or "the model"
        stretched = (f", stretched no further than {most}", f"，扩展后最长 {most}") if most > made_for else ("", "")
        refuse(
            field, length, f"the context of {name} is {made_for} tokens{stretched[0]}, so at most {most}",
            f"{shape.name or '该模型'} 的上下文为 {made_for} 个 token{stretched[1]}，最多为 {most}",
        )  # fmt: skip


def longest(case: Case, context: float) -> int:
    """Tokens to which a model made for `context` can be stretched by scaling its positions; one made for more keeps its own limit."""
    most = case.constant("stretch.most").value
    return int(max(context, min(context * case.constant("stretch.times").value, most)))


def check_layout(case: Case) -> None:
    """The parallel degrees against the GPUs, the model and the batch."""
    r, shape = case.request, case.shape
    if shape is not None:
        _divides(case, "tensor_parallel", shape, "heads", "attention heads", "注意力头数")
        layers = int(shape["layers"].value) if shape.known("layers") else 0
        if layers and (r.pipeline_parallel or 1) > layers:
            refuse(
                "pipeline_parallel", r.pipeline_parallel, f"the model has {layers} layers, so at most {layers}",
                f"模型只有 {layers} 层，最多为 {layers}",
            )  # fmt: skip
    asked = case.asked
    _check_count(case, (asked.tensor_parallel or 1) * (asked.pipeline_parallel or 1) * (asked.context_parallel or 1))
    _check_count(case, case.model_parallel)
    if shape is not None:
        _check_experts(case, shape)
    context, length = r.context_parallel or 1, r.seq_len or 0
    if case.training and length % context:
        allowed = _divisors(length)
        refuse(
            "context_parallel", context, f"it must divide seq_len, {length}: {allowed}", f"应整除 seq_len {length}：{allowed}"
        )
    if case.training and (r.shard_degree or 1) > 1 and case.holders % (r.shard_degree or 1):
        refuse(
            "shard_degree", r.shard_degree, f"it must divide the {case.holders} GPUs that hold the same part: {_divisors(case.holders)}",
            f"应整除持有同一部分的 {case.holders} 张卡：{_divisors(case.holders)}",
        )  # fmt: skip
    _check_batch(case)


def _check_count(case: Case, unit: int) -> None:
    if case.gpu_count % unit:
        near = ", ".join(str(n) for n in (case.gpu_count // unit * unit, -(-case.gpu_count // unit) * unit) if n)
        refuse(
            "gpu_count", case.gpu_count, f"tensor × pipeline × context parallelism is {unit} and must divide it: {near}",
            f"应能被张量×流水线×上下文并行度之积 {unit} 整除：{near}",
        )  # fmt: skip


def _check_experts(case: Case, shape: Shape) -> None:
    expert = case.request.expert_parallel or 1
    if expert == 1:
        return
    if not shape.is_moe:
        refuse("expert_parallel", expert, "the model has no experts, so 1", "模型没有专家，只能为 1")
    _divides(case, "expert_parallel", shape, "experts", "experts", "专家数")
    ranks = case.gpu_count // (case.request.pipeline_parallel or 1)
    if ranks % expert:
        allowed = _divisors(ranks)
        refuse(
            "expert_parallel", expert, f"it must divide the {ranks} GPUs of a pipeline stage: {allowed}",
            f"应整除每个流水线阶段的 {ranks} 张卡：{allowed}",
        )  # fmt: skip


def _divides(case: Case, field: str, shape: Shape, of: str, en: str, zh: str) -> None:
    degree = getattr(case.request, field) or 1
    if shape.known(of) and shape[of].value % degree:
        count = int(shape[of].value)
        allowed = _divisors(count)
        refuse(field, degree, f"it must divide the {count} {en}: {allowed}", f"应整除{zh} {count}：{allowed}")


def _check_batch(case: Case) -> None:
    """A global batch holds a micro-batch, and one for every replica when the asker laid the job out."""
    r, asked = case.request, case.asked
    if not (case.training and r.global_batch_tokens):
        return
    laid_out = asked.tensor_parallel is not None or asked.pipeline_parallel is not None
    sequences = (r.micro_batch or 1) * (case.data_parallel if laid_out else 1)
    least = sequences * (r.seq_len or 1)
    if r.global_batch_tokens < least:
        refuse(
            "global_batch_tokens", r.global_batch_tokens,
            f"{sequences} sequences of {r.seq_len} tokens (micro_batch × replicas) are in flight at once, so at least {least}",
            f"同时在算的有 {sequences} 条长 {r.seq_len} 的序列（micro_batch × 副本数），至少应为 {least}",
        )  # fmt: skip


def _divisors(count: int) -> str:
    """The numbers that divide `count`, the smallest of them when there are many."""
    found = [n for n in range(1, min(count, 4096) + 1) if count % n == 0]
    return ", ".join(map(str, found[:SHOWN])) + (", …" if len(found) > SHOWN else "")


def refuse(field: str, value: Any, en: str, zh: str) -> NoReturn:
    """Raise InvalidInput: what was given for the field, and what is wrong with it or would be allowed."""
    said = f"{value:.12g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
    is_en, is_zh = ("is not given", "未给出") if value is None else (f"is {said}", f"为 {said}")
    raise InvalidInput(field, value, f"{field} {is_en}; {en}.", f"{field} {is_zh}，{zh}。")
