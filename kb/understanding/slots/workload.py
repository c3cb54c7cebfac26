"""Whether a model is trained, tuned or run, and by which method, from the words of a clause."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kb.understanding.found import Found
from kb.understanding.slots.methods import denied

WORKLOADS = {
    "full_ft": "full_finetune",
    "lora": "lora",
    "dora": "lora",
    "qlora": "qlora",
    "pretrain": "pretrain",
    "continued_pretrain": "pretrain",
    "peft": "lora",
    "p_tuning": "lora",
    "prefix_tuning": "lora",
    "adapter": "lora",
}
LIKE_LORA = frozenset({"p_tuning", "prefix_tuning", "adapter"})  # whose base is frozen and whose own parameters are few, too
PLAIN_TRAINING = {
    "sft": "finetune",
    "dpo": "finetune",
    "rlhf": "finetune",
    "ppo": "finetune",
    "grpo": "finetune",
    "orpo": "finetune",
    "finetune": "finetune",
}
FULL = re.compile(
    r"(?:动|训练|更新)?(?:全部|所有)参数|全部参数|(?<![a-z])full(?=[ -](?:ft|fine|tun|parameter|training"
    r"|instead)|\s*$|\s*[?,.;])(?!\s?\ue002)|(?<![a-z])full (?:ft|tune)|finetuning_type: full"
    r"|(?:不[用做要]|(?<![a-z])(?:without|no|not|w/o)(?: using)?) ?lora(?![a-z])"
)
# `full` beside the model or the cards, where a clause speaks of training: `finetune 7b full on 4x A100`, `GRPO full 7b`.
FULL_OF = re.compile(
    r"(?<![a-z-])full (?=\d{1,4}(?:\.\d{1,2})?b(?![a-z])|\ue002|(?:on|with|w/|using)(?![a-z]))"
    r"|(?<![a-z])(?:tuning|tune|tunes?|training|sft|dpo|grpo|ppo) (?:is |in )?full(?![a-z])"
)
PRETRAIN = re.compile(
    r"(?<![a-z_])pre-?train(?:ing|ed)?(?![a-z])|从头训|从零训|预训练|from scratch|基座训练|(?<![a-z])chinchilla"
)
SERVE = re.compile(
    r"推理|推论|部署|问答|客服|聊天|助手|(?<![a-z])rag(?![a-z])"
    r"|起服务|起不来|起得来|起(?=个?模型|\ue002)|上线|跑得?动|能跑|跑(?=\s?(?:\d{1,9}(?:\.\d{1,9})?\s?b"
    r"|[一二三四五六七八九十百]+亿|个|一个|\ue002|得|起来|本地|大模型|模型|llm|多大))|本地跑|加载"
    r"|(?<![a-z])(?:infer(?:ence)?|serv(?:e|ing|ed)|deploy(?:ed|ing|ment)?|host(?:ing)?(?! (?:ram|memory|cpu))|run(?:ning|s)?"
    r"|chat(?:bot)?|assistants?|copilot|agents?)(?![a-z])"
)
SERVE_HINT = re.compile(
    r"(?<![a-z])(?:tok(?:en)?s?/s|t/s|ttft|tok/s)(?![a-z])|首字|每秒几个|蹦几个字|kv ?cache|kv缓存"
    r"|(?<![a-z])kv(?![a-z])|并发|decode|decoding"
)
TUNE = re.compile(
    r"微调|精调|调优(?=\s?\d|\s?\ue002)|炼(?!丹)|(?<![a-z])(?:fine-?tun(?:e|ed|ing)|sft|tuning|finetune)(?![a-z])"
)
# Which stretches the context of a model by tuning all of it.
STRETCH = re.compile(r"(?<![a-z])yarn(?=(?:ed|ing)? (?:a |an |the )?(?:\d|\ue002))")
TRAIN = re.compile(
    r"训练|训(?=完|得|多大|一个|\d|\s)|炼丹|(?<![a-z_])(?:train(?:ed|ing|s)?|mfu)(?![a-z_])|练(?=\d|\ue002|一个|\s?\ue002)|增训"
)
SIDE_BY_SIDE = re.compile(
    r"(?<!q)lora.{0,24}(?:vs|versus|compared|对比|还是|或|和|与|跟|or|and|、|/|,).{0,12}qlora|qlora.{0,12}(?:vs|versus|compared|对比|还是|或|和|与|跟|or|and|、|/|,).{0,12}(?<!q)lora"
)


def workload_of(
    clause: str,
    masked: str,
    here: Sequence[Found],
    flagged: Mapping[str, Any],
    before: Mapping[str, Any],
    low: str,
) -> dict[str, Any]:
    """The slots `workload`, `workloads` or `task` of a clause; `before` are those already known, `flagged` those that flags set."""
    methods = [f.value for f in here if f.quantity == "method" and not denied(f, low)]
    named = [WORKLOADS[m] for m in methods if m in WORKLOADS]
    if FULL.search(masked) or "finetuning_type: full" in clause or STRETCH.search(masked):
        named.append("full_finetune")
    if PRETRAIN.search(clause) and "pretrain" not in named:
        named.append("pretrain")
    if "workload" in flagged:
        return {"workload": flagged["workload"]}
    tune = TUNE.search(masked) or any(m in PLAIN_TRAINING for m in methods)
    if not named and FULL_OF.search(masked) and (tune or any(f.quantity == "optimizer" for f in here) or TRAIN.search(masked)):
        named.append("full_finetune")
    kinds = list(dict.fromkeys(named))
    if "qlora" in kinds and "lora" in kinds and not SIDE_BY_SIDE.search(clause):
        kinds.remove("lora")
    if kinds == ["pretrain", "full_finetune"] or kinds == ["full_finetune", "pretrain"]:
        kinds = [kinds[0]]
    if len(kinds) == 1:
        return {"workload": kinds[0]}
    if len(kinds) > 1:
        return {"workload": kinds[0], "workloads": kinds}
    tools = [str(f.value).partition(":")[0] for f in here if f.quantity == "tool"]
    serve = bool(SERVE.search(masked)) or "serve" in tools
    train = (
        TRAIN.search(masked)
        or any(m in ("zero1", "zero2", "zero3", "grad_ckpt", "grad_accum", "fsdp") for m in methods)
        or "train" in tools
        or any(f.quantity == "tokens" and not f.extra.get("per") and (f.value or 0) >= 1e8 for f in here)
    )
    if tune:
        return {"task": "finetune"} | (
            {"workloads": ["inference"]} if serve and re.search(r"推理|inference|infer|部署|serv", clause) else {}
        )
    if serve and not (train and not re.search(r"推理|推论|部署|inference|serv", clause)):
        return {"workload": "inference"}
    if train:
        return {"task": "train"}
    if SERVE_HINT.search(masked) and not {"workload", "task"} & before.keys():
        return {"workload": "inference"}
    return {}
