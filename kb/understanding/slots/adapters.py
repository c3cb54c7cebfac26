"""Which matrices of a model adapters stand on: `on q,v`, `q_proj v_proj`, 所有线性层, attention only."""

from __future__ import annotations

import re

OF_ADAPTERS = re.compile(r"lora|adapter|适配器|peft|(?<![a-z])(?:r|rank)\s?=|target_modules|lora_target")
_ONE = r"(?:[qkvo]|gate|up|down)(?:_proj)?"
LISTED = re.compile(rf"(?<![a-z_])({_ONE}(?:[\"' ]{{0,2}}(?:[,、/+&和与]|and)[\"' ]{{0,2}}(?:and )?{_ONE}){{1,6}})(?![a-z_])")
JOINED = re.compile(r"(?<![a-z_])(?:qkvo?|qv|wq ?(?:[,、/+&和与]|and) ?wv)(?![a-z_])")
MODULE = re.compile(_ONE)
ON = r"(?:(?<![a-z])(?:on|to|only|just|targeting|adapting)(?: all| the| every){0,2} |(?:加|挂|放|用|作用)(?:到|于)?在?|只|仅|给)\s?"
BLOCKS = (
    ("all", re.compile(r"all[ -]linear|(?:every|all)(?: the)? (?:linear|matri|projection|module|target)"
                       r"|(?:所有|全部)(?:的)?(?:线性|投影|矩阵|目标)"
                       r"|(?:lora_target|target_modules)\W{1,4}all")),
    ("attention", re.compile(rf"{ON}(?:attention|attn|注意力)|attention[ -]only|(?:attention|attn) (?:projections|layers) only")),
    ("mlp", re.compile(rf"{ON}(?:mlp|ffn|feed-?forward|前馈)|(?:mlp|ffn)[ -]only")),
)  # fmt: skip


def targets_of(clause: str, low: str) -> str | None:
    """What `lora_targets` of a request is to be, where the question `low` is about adapters."""
    if not OF_ADAPTERS.search(low):
        return None
    if listed := LISTED.search(clause):
        return ",".join(dict.fromkeys(m.group().removesuffix("_proj") for m in MODULE.finditer(listed[1])))
    if joined := JOINED.search(clause):
        return ",".join(c for c in joined.group() if c in "qkvo")
    return next((name for name, pattern in BLOCKS if pattern.search(clause)), None)
