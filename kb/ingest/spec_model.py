"""A model's config.json -> a row of corpus/specs/models, by the keys and types of corpus/specs/architectures.toml."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from kb.errors import InvalidInput

NEEDED = ("layers", "hidden", "heads", "vocab")
OF_EXPERTS = (
    "moe_experts",
    "moe_top_k",
    "moe_shared_experts",
    "moe_expert_ffn",
    "moe_shared_expert_ffn",
    "dense_first_layers",
)
LOCAL = ("sliding", "chunked", "linear")  # how layer_types begins where a layer does not attend to all tokens
HUB = "https://huggingface.co/"
# What a configuration calls the number format of its weights, and how the table does.
DTYPES = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}
QUANTIZED = ("mxfp4", "fp8")  # as they stand in quant_method or format


def columns_of_config(text: str, architectures: Path) -> dict[str, Any]:
    """The columns that a config.json states or that its type implies, without parameter counts.

    Raises InvalidInput for text that is no such file, a type that is not in `architectures`, or a shape with a part missing."""
    config = _config(text)
    rules = tomllib.loads(architectures.read_text(encoding="utf-8"))
    kind, types = str(config.get("model_type", "")), rules["types"]
    if kind not in types:
        raise InvalidInput(
            "model_type",
            kind,
            f"cannot count the parameters of the architecture {kind!r}: known are {', '.join(types)}. Write the row by hand.",
            f"无法推算架构“{kind}”的参数量：已知的有 {'、'.join(types)}。请手工填写该行。",
        )
    columns: dict[str, Any] = {c: v for c, keys in rules["keys"].items() if (v := _count(config, keys)) is not None}
    if lacking := [c for c in NEEDED if not columns.get(c)]:
        keys = [" / ".join(rules["keys"][c]) for c in lacking]
        raise InvalidInput(
            lacking[0], None, f"the configuration does not say {', '.join(keys)}", f"配置中缺少 {'、'.join(keys)}"
        )
    heads = columns["heads"]
    columns.setdefault("kv_heads", heads)
    columns.setdefault("head_dim", columns["hidden"] // heads)
    if "kv_lora_rank" in columns:  # what the configuration calls head_dim is at most a part of it
        columns["head_dim"] = columns.get("qk_nope_head_dim", 0) + columns.get("qk_rope_head_dim", 0)
    columns.setdefault("ffn", 4 * columns["hidden"])
    tied = config.get("tie_word_embeddings")
    columns |= {"gated_mlp": types[kind]["gated"], "tied_embeddings": types[kind]["tied"] if tied is None else bool(tied)}
    columns |= _partial_attention(config, columns["layers"])
    columns["attention"] = _attention(columns)
    if published := _precision(config):
        columns["published_precision"] = published
    return _experts(columns)


def beside_projections(text: str, columns: Mapping[str, Any]) -> int:
    """Weights that the count from the columns leaves out in a hybrid of gated DeltaNet and full attention, all of them active.

    Linear layers: decay and write gate of each value head, the short convolution, bias and rate of the decay, the norm of the output.
    Full ones: the norms of queries and keys. With a shared expert: its gate in every layer. 0 where there are no linear layers.
    Source: Qwen3NextForCausalLM in huggingface/transformers."""
    config = _config(text)
    if "linear_value_width" not in columns:
        return 0
    heads, hidden, layers, full = (
        config["linear_num_value_heads"],
        columns["hidden"],
        columns["layers"],
        columns["full_attention_layers"],
    )
    mixed = 2 * columns["linear_key_width"] + columns["linear_value_width"]
    linear = 2 * hidden * heads + config.get("linear_conv_kernel_dim", 4) * mixed + 2 * heads + config["linear_value_head_dim"]
    gates = layers * hidden if columns.get("moe_shared_experts") else 0
    return int((layers - full) * linear + full * 2 * columns["head_dim"] + gates)


def named(text: str, name: str | None) -> tuple[str, str, str]:
    """Id, name and address of a model: the name given, else what the configuration calls itself; raises InvalidInput."""
    path = str(_config(text).get("_name_or_path") or "")
    shown = name or path.rstrip("/").rpartition("/")[2]
    id = re.sub(r"[^a-z0-9.]+", "-", shown.casefold()).strip("-.")
    if not id:
        raise InvalidInput(
            "name", name, "the configuration does not name the model: give --name", "配置中没有模型名称：请给出 --name"
        )
    return id, shown, f"{HUB}{path}" if re.fullmatch(r"[\w.-]+/[\w.-]+", path) else ""


def row_text(id: str, name: str, url: str, columns: Mapping[str, Any], retrieved: date) -> str:
    """The TOML file of a row."""
    lines = [f"id = {_toml(id)}", f"name = {_toml(name)}", "", *(f"{c} = {_toml(v)}" for c, v in columns.items()), ""]
    source = {"title": f"config.json of {url.removeprefix(HUB) or name}", "url": url}
    lines += ["[source]", *(f"{k} = {_toml(v)}" for k, v in source.items()), f"retrieved = {retrieved.isoformat()}"]
    return "\n".join([*lines, 'confidence = "publisher configuration; parameters computed from the shape"', ""])


def _config(text: str) -> Mapping[str, Any]:
    try:
        config = json.loads(text)
    except ValueError as error:
        raise InvalidInput("file", None, f"this is not JSON: {error}", f"不是 JSON：{error}") from error
    if not isinstance(config, dict):
        raise InvalidInput("file", None, "a config.json holds one JSON object", "config.json 应为一个 JSON 对象")
    inner = config.get("text_config")  # of a model that also sees pictures
    return {**config, **inner} if isinstance(inner, dict) else config


def _count(config: Mapping[str, Any], keys: list[str]) -> int | None:
    value = next((config[k] for k in keys if config.get(k) is not None), None)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidInput(keys[0], value, f"{keys[0]} is {value!r}; wants a count", f"{keys[0]} 为 {value!r}，应为计数")
    return value


def _precision(config: Mapping[str, Any]) -> str | None:
    """The format in which the publisher stores the weights; None when the configuration names none that the table has."""
    if isinstance(quantized := config.get("quantization_config"), Mapping):
        named = f"{quantized.get('quant_method')} {quantized.get('format')}"
        return next((q for q in QUANTIZED if q in named), None) or _compressed(quantized.get("config_groups"))
    return DTYPES.get(str(config.get("dtype") or config.get("torch_dtype")))


def _compressed(groups: Any) -> str | None:
    """The format of weights that are stored by group, as compressed-tensors writes it; None when groups differ."""
    stored = [group.get("weights") or {} for group in groups.values()] if isinstance(groups, Mapping) else []
    formats = {f"{'fp' if weights.get('type') == 'float' else 'int'}{weights.get('num_bits')}" for weights in stored}
    return next(iter(formats)) if len(formats) == 1 and formats <= {"int4", "int8", "fp8", "fp4"} else None


def _partial_attention(config: Mapping[str, Any], layers: int) -> dict[str, Any]:
    """What is said of layers without full attention: they see a window, or keep a state instead of a growing cache."""
    kinds, every = config.get("layer_types"), config.get("full_attention_interval") or config.get("sliding_window_pattern")
    if isinstance(kinds, list):
        full = sum(not str(kind).startswith(LOCAL) for kind in kinds)
    elif isinstance(every, int) and every > 0:
        full = layers // every
    else:
        full = layers
    if full == layers:
        return {}
    found: dict[str, Any] = {"full_attention_layers": full}
    found |= {
        f"linear_{part}_width": config[count] * config[width]
        for part in ("key", "value")
        if (count := f"linear_num_{part}_heads") in config and (width := f"linear_{part}_head_dim") in config
    }
    if "linear_key_width" in found:
        return found | {"attention_gate": bool(config.get("attn_output_gate", True))}
    window = config.get("sliding_window")
    return found | {"sliding_window": window} if isinstance(window, int) else found


def _attention(columns: Mapping[str, Any]) -> str:
    full, layers, kv = columns.get("full_attention_layers"), columns["layers"], columns["kv_heads"]
    if "linear_key_width" in columns:
        return f"hybrid: {layers - full} linear + {full} full-attention layers"
    kind = "MLA" if "kv_lora_rank" in columns else "MHA" if kv == columns["heads"] else "MQA" if kv == 1 else "GQA"
    return kind if full is None else f"{kind}; sliding window in {layers - full} of {layers} layers"


def _experts(columns: dict[str, Any]) -> dict[str, Any]:
    """A dense model has no columns of experts; without dense layers the width is that of an expert."""
    if columns.get("moe_experts", 0) < 2:
        return {c: v for c, v in columns.items() if c not in OF_EXPERTS}
    columns.setdefault("moe_shared_experts", 1 if columns.get("moe_shared_expert_ffn") else 0)
    columns.setdefault("dense_first_layers", 0)
    columns.setdefault("moe_expert_ffn", columns["ffn"])
    return columns | ({} if columns["dense_first_layers"] else {"ffn": 0})


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
