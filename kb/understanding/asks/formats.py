"""Formats that qualify weights and a cache, which a question for the whole memory does not ask for."""

from __future__ import annotations

import re

# The formats of weights and cache, which are not what is asked: `FP8 权重，BF16 KV，要多少显存`.
FORMAT = r"(?:bf16|fp16|fp8|int8|int4|fp4|nf4|q[48](?:_[0k]\w*)?|[48]-?bit|[48] ?位)"
OF_BOTH = re.compile(
    rf"{FORMAT} ?(?:的)?(?:weights?|权重)|{FORMAT} ?(?:的)?kv(?: ?cache|缓存)?(?![a-z])|(?:weights?|权重) ?(?:in|用|是|为) ?{FORMAT}"
    rf"|kv(?: ?cache|缓存)? ?(?:in|at|用|是|为) ?{FORMAT}(?=[^?？]*(?:总共|一共|合计|in all|in total|altogether|total))"
)
HOW_MUCH_IN_ALL = re.compile(
    r"多少显存|显存(?:要|需要|总共|一共)?多少|要多大显存"
    r"|how much (?:vram|(?:gpu )?memory)|总共|一共|合计|in total|in all|altogether"
)


def without_formats(clause: str) -> str:
    """A clause that asks how much memory something takes, without the formats of its parts."""
    return OF_BOTH.sub(" ", clause) if OF_BOTH.search(clause) and HOW_MUCH_IN_ALL.search(clause) else clause
