"""Number formats as request fields: of weights, of the cache, of training; and the schemes of quantization."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kb.understanding.found import Found

KV_NEAR = re.compile(
    r"(?:kv[ _-]?cache[ _-]?dtype|cache[ _-]type[ _-][kv]|-ct[kv])\s?[:=]?\s?\"?(?:fp8_)?$"
    r"|kv[ _-]?(?:cache|缓存)?\s?(?:用|为|是|量化(?:成|为)?|改成|in|at|=|:|quantized to)?\s?$"
)
KV_AFTER = re.compile(r"\s?(?:的)?\s?kv(?![a-z])")
PURE = re.compile(
    r"纯\s?bf16|pure[ _-]?bf16|不(?:留|保留|要|存)\s?(?:fp32|主)|no fp32 (?:master|copy)|without (?:fp32 )?master"
)
MASTER = re.compile(
    r"(?:保留|带|有|加|用|with|keep(?:ing|s)?|plus|and)\s?(?:an? )?(?:fp32|float32|32[- ]?(?:bit|位))"
    r"\s?(?:的)?\s?(?:master|copy of the weights|主权重|主副本)"
)
RATED = re.compile(
    r"\s?(?:tensor(?: core)?s?)?\s?(?:的)?\s?(?:dense|稠密|稀疏"
    r"|sparse)?\s?(?:tensor(?: core)?s?)?\s?(?:的)?\s?(?:算力|tflops|flops|tops|性能|峰值|figure"
    r"|throughput|compute|capable|support)"
)
EIGHT_BITS, BESIDE = frozenset({"int8", "8bit"}), 3  # characters between a scheme and its bits: gptq-int8, 8-bit GPTQ
OF_EMA = re.compile(
    r"\s?(?:的)?\s?(?:(?:shadow|copy of the) )?(?:ema(?![a-z])|指数(?:滑动|移动)平均|滑动平均|exponential moving)"
)
EMA_BEFORE = re.compile(
    r"(?:(?<![a-z])ema(?: (?:weights?|copy|model|shadow|params?))?|滑动平均|移动平均)(?:权重|副本|参数|模型)?\s?"
    r"(?:(?:is |kept |stored |held )?(?:in|as|at)|用|为|是|存成?|保?存为|[(（])?\s?$"
)
LLAMA_CPP = {"2": "q2_k", "3": "q3_k_m", "4": "q4_k_m", "5": "q5_k_m", "6": "q6_k", "8": "q8_0"}
AS_WRITTEN = frozenset(
    ["q2_k", "q3_k_s", "q3_k_m", "q3_k_l", "iq4_xs", "q4_0", "q4_k_s", "q4_k_m", "q5_0", "q5_k_s", "q5_k_m", "q6_k", "q8_0"]
)


def read_formats(slots: dict[str, Any], formats: Sequence[Found], low: str, serving: bool) -> None:
    """Fill the fields of number formats, in place; what is there already stays. `serving`: a format is then that of the weights."""
    for f in formats:
        around, after = low[max(0, f.start - 24) : f.start], low[f.end : f.end + 16]
        value = str(f.value)
        if KV_NEAR.search(around) or KV_AFTER.match(after):
            slots.setdefault("kv_precision", {"8bit": "int8", "4bit": "int4"}.get(value, value))
            continue
        if OF_EMA.match(after) or EMA_BEFORE.search(around):
            continue  # that of the copy, in which nothing is trained
        if RATED.match(after) and not re.match(r"\s?(?:compute)", after):
            continue
        quantized = value in ("4bit", "8bit", "int4", "int8", "nf4", "fp4", "2bit", "3bit", "5bit", "6bit")
        if value == "mixed":
            slots.setdefault("precision", "bf16")
        elif quantized or (serving and value != "tf32"):
            written = str(f.extra.get("written", ""))
            name = (
                LLAMA_CPP.get(value[0], value)
                if written.startswith(("q", "iq"))
                else {"4bit": "int4", "8bit": "int8", "2bit": "q2_k", "3bit": "q3_k_m", "5bit": "q5_k_m", "6bit": "q6_k"}.get(
                    value, value
                )
            )
            if written in AS_WRITTEN:
                name = written
            slots.setdefault("quantization", name)
            if not quantized:
                slots.setdefault("precision", name)
        else:
            slots.setdefault("precision", value)
    if PURE.search(low):
        slots["precision"] = "pure_bf16"
    elif MASTER.search(low):
        slots["precision"] = "bf16"  # whose master weights they are
    spoken = list(dict.fromkeys(str(f.value) for f in formats))
    if len(spoken) > 1:
        slots["formats"] = spoken


def read_schemes(slots: dict[str, Any], here: Sequence[Found]) -> None:
    """Fill in the scheme by which weights are quantized, in place: to four bits, unless eight are said beside it."""
    for f in here:
        if f.quantity == "method" and f.value in ("awq", "gptq"):
            beside = (p for p in here if p.quantity == "precision" and max(p.start - f.end, f.start - p.end) <= BESIDE)
            slots["quantization"] = next(("int8" for p in beside if p.value in EIGHT_BITS), f"{f.value}-int4")
