"""How a model is trained or run, from the methods and tools that a clause names: sharding, offloading, recomputation, optimizer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from kb.understanding.found import Found
from kb.understanding.series import OPTIMIZERS

# Said of training whose every card holds a whole copy.
UNSHARDED = re.compile(
    r"(?:没有?|未|不)(?:配置?|用|开|上|启用) ?(?:deepspeed|zero|fsdp)|(?:no|without|w/o|not using) (?:deepspeed|zero|fsdp)"
    r"|(?:纯|普通|只用|plain|pure|just|only|vanilla) ?ddp"
)


OF_ACTIVATIONS = re.compile(r"(?:激活值?|activations?)的?\s?$")
ACTIVATIONS = re.compile(r"\s?(?:the |all )?(?:activations?|激活)")
SWITCHED_OFF = re.compile(
    r"(?:不开|没开|没有?|不用|不做|不使用|不启用|未启用|关掉?|关闭|无|(?<![a-z])(?:w/o|without|no|not using|disabled?))\s?"
    r"(?:(?:activation|gradient|grad|full|any|全|完全|激活|梯度)\s?){0,2}$"
)


AWAY = re.compile(
    r"offload\w*[^,.;?]{0,16}(?:adam|optimi[sz]er)|(?:adam|optimi[sz]er)[^,.;?]{0,16}offload|优化器(?:状态)?[^,。?]{0,8}(?:卸载|放到?(?:内存|cpu))"
    r"|卸载[^,。?]{0,4}优化器"
)


def read_methods(slots: dict[str, Any], here: Iterable[Found], low: str, clause: str) -> None:
    """Fill the fields that the methods `here` decide, in place; what is there already stays."""
    if UNSHARDED.search(clause):
        slots.setdefault("zero_stage", 0)
        here = [f for f in here if f.value != "fsdp"]
    for f in here:
        if f.quantity == "method" and f.value in ("zero1", "zero2", "zero3"):
            stage = int(str(f.value)[-1])
            slots.setdefault("zero_stage", stage)
        elif f.value == "offload" and (OF_ACTIVATIONS.search(low[: f.start]) or ACTIVATIONS.match(low[f.end :])):
            continue  # layer inputs wait in host memory, model states do not
        elif f.quantity == "method" and f.value in ("offload", "nvme_offload"):
            slots["offload"] = "nvme" if f.value == "nvme_offload" else "cpu"
        elif f.quantity == "method" and f.value == "fsdp":
            slots.setdefault("engine", "fsdp")
            slots.setdefault("zero_stage", 2 if "shard_grad_op" in clause else 3)
        elif f.quantity == "method" and f.value == "grad_ckpt":
            slots["recompute"] = "none" if SWITCHED_OFF.search(low, max(0, f.start - 24), f.start) else "full"
        elif f.quantity == "method" and f.value == "flash_attn":
            slots.setdefault("flash_attention", True)
        elif f.quantity == "method" and f.value == "sp":
            slots["sequence_parallel"] = True
        elif f.quantity == "tool":
            slots["engine"] = str(f.value).partition(":")[2]
        elif f.quantity == "optimizer" and f.value in OPTIMIZERS:
            slots.setdefault("optimizer", OPTIMIZERS[f.value])
    if AWAY.search(clause):
        slots.setdefault("offload", "cpu")
        if slots.get("workload") == "inference":
            slots.pop("workload")
        if "workload" not in slots:
            slots.setdefault("task", "train")  # only what is trained has an optimizer
    stages = sorted({int(str(f.value)[-1]) for f in here if f.value in ("zero1", "zero2", "zero3")} | set(_stage_list(clause)))
    if len(stages) > 1:
        slots["each"] = ("zero_stage", stages)
    if "recompute" not in slots and re.search(
        r"grad(?:ient)? (?:ckpt|checkpoint)|(?:full|activation) checkpointing|省显存的梯度", clause
    ):
        slots["recompute"] = "full"


def _stage_list(clause: str) -> list[int]:
    m = re.search(r"(?:zero|stage)[ -]?((?:[0-3][/、,和 ]{1,2}){1,3}[0-3])(?!\d)", clause)
    return [int(d) for d in (re.findall(r"\d", m[1]) if m else re.findall(r"(?<![a-z])stage ?([0-3])(?!\d)", clause))]
