"""Preference training and reinforcement learning: the method, and which models stand beside the trained one by what is said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kb.understanding.found import Found
from kb.understanding.slots.methods import denied

METHODS = {"dpo": "dpo", "ppo": "ppo", "rlhf": "ppo", "grpo": "grpo"}
NONE = (
    r"(?:(?<![a-z])(?:no|without|w/o|drop(?:ping)?|skip(?:ping)?|remov(?:e|ing))(?: an?| the)?(?: separate)?"
    r"|不(?:要|用|需要|加载|带|含|常驻)|没有?|无需?|去掉|省掉|丢掉|免)了?\s?"
)
REFERENCE, CRITIC = (
    r"(?:ref(?:erence)?(?![a-z])(?: (?:model|policy))?|参考模型)",
    r"(?:critic|value (?:model|network|head)|价值(?:模型|网络))",
)
REWARD = r"(?:reward(?: model)?(?![a-z])|(?<![a-z])rm(?![a-z])|奖励模型)"
ELSEWHERE = (
    r"(?:(?:on |用|放?在)?\s?(?:separate|other|different|dedicated|another|their own|its own|单独|另外|别的|其他|独立)的?"
    r"[^,，.。;?]{0,12}(?:gpus?|cards?|nodes?|servers?|machines?|卡|机器|节点|服务器))"
)
ENGINE = r"(?:(?<![a-z])(?:vllm|sglang|rollouts?|generation)(?![a-z])|生成引擎|推理引擎)"
SAID: tuple[tuple[str, int, re.Pattern[str]], ...] = (
    ("reference_models", 0, re.compile(
        rf"{NONE}{REFERENCE}|precompute[_ ]ref|reference[ -]free|beta\s?=\s?0(?!\.\d*[1-9])|{NONE}kl(?![a-z])")),
    ("reference_models", 1, re.compile(rf"{REFERENCE}|(?<![a-z])kl(?![a-z])")),
    ("critics", 0, re.compile(NONE + CRITIC)),
    ("critics", 1, re.compile(CRITIC)),
    ("reward_models", 0, re.compile(rf"{NONE}{REWARD}|rule[- ]based|verifiable|reward functions?|规则(?:打分|奖励)|奖励函数")),
    ("reward_models", 1, re.compile(REWARD)),
    ("rollout_engines", 0, re.compile(rf"{ENGINE}[^,，.。;?]{{0,24}}{ELSEWHERE}|vllm_mode\W{{1,4}}server|{NONE}{ENGINE}")),
    ("rollout_engines", 1, re.compile(ENGINE)),
)  # fmt: skip
# A reference of its own: beside adapters the word alone means the frozen base, which is the reference.
APART = re.compile(
    rf"(?:(?<![a-z])(?:separate|own|second|extra|additional|full|another|bigger|larger)|单独|独立|另外?|额外|再|完整)"
    rf"[^,，.。;?]{{0,12}}{REFERENCE}"
)
ADAPTED = re.compile(r"(?<![a-z])q?lora(?![a-z])|(?<![a-z])(?:peft|adapters?)(?![a-z])|适配器")
OF = {
    "dpo": frozenset({"reference_models"}),
    "ppo": frozenset({"reference_models", "critics", "reward_models", "rollout_engines"}),
    "grpo": frozenset({"reference_models", "reward_models", "rollout_engines"}),
}


def held_by(here: Sequence[Found], low: str, clause: str, before: Mapping[str, Any]) -> dict[str, Any]:
    """The method, and the number of models of each role where the clause says it of a method that it, or the text before, names."""
    named = [str(f.value) for f in here if f.quantity == "method" and not denied(f, low)]
    method = next((METHODS[n] for n in named if n in METHODS), None)
    out: dict[str, Any] = {"post_training": method} if method else {}
    if not method and "sft" in named and before.get("post_training"):
        return {"post_training": None}
    method = method or before.get("post_training")
    for role, count, pattern in SAID if method else ():
        if role in OF[str(method)] and role not in out and pattern.search(clause):
            out[role] = count
    if out.get("reference_models") and _adapted(clause, before) and not APART.search(clause):
        del out["reference_models"]
    return out


def _adapted(clause: str, before: Mapping[str, Any]) -> bool:
    return ADAPTED.search(clause) is not None or before.get("workload") in ("lora", "qlora")
