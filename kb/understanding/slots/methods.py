"""How a model is trained or run, from the methods and tools that a clause names: sharding, offloading, recomputation, optimizer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kb.understanding.found import Found
from kb.understanding.slots.series import OPTIMIZERS

# Said of training whose every card holds a whole copy.
UNSHARDED = re.compile(
    r"(?:没有?|未|不)(?:配置?|用|开|上|启用) ?(?:deepspeed|zero|fsdp)|(?:no|without|w/o|not using) (?:deepspeed|zero|fsdp)"
    r"|(?:纯|普通|只用|plain|pure|just|only|vanilla) ?ddp"
)


REPLICATED = re.compile(r"(?<![a-z])ddp(?![a-z])|distributed ?data ?parallel|分布式数据并行")
# Launchers and plain data parallelism: of adapters they mean the same, of a whole model they may go with any sharding.
LAUNCHED = re.compile(
    r"(?<![a-z])torchrun(?![a-z])|accelerate launch|torch\.distributed\.(?:launch|run)(?![a-z])"
    r"|(?<!sharded )(?<![a-z])data[ -]parallel(?:ism)?(?![a-z])|(?<!分片)数据并行(?!度)"
)
_OR, _SHARDED = r"(?:(?<![a-z])(?:or|vs\.?|versus)(?![a-z])|[/、]|还是|或)", r"(?:zero|fsdp|deepspeed|分片)"
_APART = rf"[^,，。;?]{{0,12}}?{_OR}[^,，。;?]{{0,12}}?"
WHOLE_OR_SHARDED = re.compile(f"ddp{_APART}{_SHARDED}|{_SHARDED}{_APART}ddp")
SHARDING = frozenset({"zero1", "zero2", "zero3", "fsdp"})
ADAPTERS = ("lora", "qlora")

OF_ACTIVATIONS = re.compile(r"(?:激活值?|activations?)的?\s?$")
ACTIVATIONS = re.compile(r"\s?(?:the |all )?(?:activations?|激活)")
SWITCHED_OFF = re.compile(
    r"(?:不(?:开启?|用|做|使用|启用|走|靠|依靠|考虑|需要|想|要|带|配|允许|能)?|没(?:开|有|用)?|未(?:启用|开|用)?|禁用|禁止|关掉?|关闭|无需?|避免|别"
    r"|(?<![a-z])(?:w/o|without|no|not?(?: using| use)?|(?:do|does|did)(?:n['’]?t| not)(?: use| want| need)?|never|avoid(?:ing)?"
    r"|disabl(?:e|ed|ing)|instead of|rather than))\s?(?:(?:activation|gradient|grad|full|any|the|use|using|cpu|ram|nvme|optimi[sz]er|zero"
    r"|host|memory|全|完全|激活|梯度|任何|做|用|把|内存|优化器|状态)[ -]?){0,3}$"
)
OFF = re.compile(
    r"\s?(?:is |are |was |being )?(?:disabled|turned off|off(?![a-z])|=\s?(?:false|off|none|no)(?![a-z])"
    r"|(?:是)?(?:关闭?|禁用)(?:的|了|着)?)"
)


def denied(f: Found, low: str) -> bool:
    """Whether a method is said to be left out."""
    return SWITCHED_OFF.search(low, max(0, f.start - 40), f.start) is not None or OFF.match(low, f.end) is not None


AWAY = re.compile(
    r"offload\w*[^,.;?]{0,16}(?:adam|optimi[sz]er)|(?:adam|optimi[sz]er)[^,.;?]{0,16}offload|优化器(?:状态)?[^,。?]{0,8}(?:卸载|放到?(?:内存|cpu))"
    r"|卸载[^,。?]{0,4}优化器"
)

CHOICE = re.compile(
    r"zero[- ]?3[^,，。;?]{0,16}(?:(?<![a-z])(?:or|vs|versus)(?![a-z])|还是)[^,，。;?]{0,12}(?:3d|tp|pp|tensor|pipeline|张量|流水)"
    r"|(?:3d|tp|pp)[^,，。;?]{0,16}(?:(?<![a-z])(?:or|vs|versus)(?![a-z])|还是)[^,，。;?]{0,12}zero"
)


# Recomputation in part, in whole, or not, by the words that are no term: `selective recompute`, 不开ckpt, `no grad ckpt`.
SELECTIVE = re.compile(
    r"(?<![a-z])selective(?:ly)? (?:activation )?"
    r"(?:re-?comput\w*|(?:grad(?:ient)? )?checkpoint\w*|ckpt)|选择性的?(?:激活)?(?:重计算|重算|检查点)"
    r"|recomput\w* selective"
)
RECOMPUTED = re.compile(
    r"grad(?:ient)? (?:ckpt|checkpoint)|(?:full|activation) (?:checkpointing|recompute)|省显存的梯度"
    r"|(?:开|启用|打开)了?\s?(?:ckpt|checkpointing)|(?:ckpt|checkpointing|梯度检查点)\s?(?:已经?|都|也)?\s?(?:开了?|打开|启用)"
    r"|(?<![a-z])checkpointing(?:'s| is| was)? ?(?:already |also |now )?(?:on|enabled|active|turned on|switched on|set)(?![a-z])"
    r"|(?<![a-z])(?:enabled|turned on|switched on|with|using|already use) checkpointing(?![a-z])"
    r"|(?<![a-z])checkpointing (?:and|\+|,) (?:bs|batch|micro)[^,.?;]{0,16} already(?![a-z])"
)
UNSAVED = re.compile(
    r"(?:不|没|未|别)(?:要|用|开|启用|做)?\s?(?:开|用)?\s?(?:grad(?:ient)?[ -]?|梯度)?(?:ckpt|checkpoint(?:ing)?(?![a-z]))"
    r"(?!\s?(?:文件|保存))"
    r"|关(?:掉|闭)?\s?(?:grad(?:ient)?[ -]?|梯度)?ckpt"
    r"|(?<![a-z])(?:no|without|w/o|not using)\s?(?:(?:grad(?:ient)?|activation)[ -]?)?(?:ckpt|checkpointing|recompute)(?![a-z])"
)


ON_DRIVES = re.compile(r"nvme|ssd|硬盘|固态")


def _replicated(slots: Mapping[str, Any], here: Sequence[Found], low: str, clause: str) -> bool:
    """Whether every card is said to hold a whole copy: as plain data parallelism does, which is not beside a sharding or a degree."""
    if {f.value for f in here} & SHARDING or any(f.value == "dp" and denied(f, low) for f in here):
        return False
    if REPLICATED.search(clause):
        return True
    split = {"tensor_parallel", "pipeline_parallel", "data_parallel"} & slots.keys()
    return slots.get("workload") in ADAPTERS and not split and LAUNCHED.search(clause) is not None


def read_methods(slots: dict[str, Any], here: Sequence[Found], low: str, clause: str, workload: str | None = None) -> None:
    """Fill the fields that the methods `here` decide, in place; what is there already stays. `workload`: that of clauses before."""
    if WHOLE_OR_SHARDED.search(clause):
        here = [f for f in here if f.value not in SHARDING]  # it is what is to be chosen
    elif UNSHARDED.search(clause):
        slots.setdefault("zero_stage", 0)
        here = [f for f in here if f.value != "fsdp"]
    elif _replicated({"workload": workload, **slots}, here, low, clause):
        slots.setdefault("zero_stage", 0)
    for f in here:
        match f.quantity, f.value:
            case "method", "zero1" | "zero2" | "zero3" if not CHOICE.search(clause):  # else it is what is to be chosen
                slots.setdefault("zero_stage", int(f.value[-1]))
            case "method", "offload" if OF_ACTIVATIONS.search(low[: f.start]) or ACTIVATIONS.match(low[f.end :]):
                pass  # layer inputs wait in host memory, model states do not
            case "method", "offload" | "nvme_offload":
                drives = f.value == "nvme_offload" or ON_DRIVES.search(low[max(0, f.start - 12) : f.end + 16])
                slots["offload"] = "none" if denied(f, low) else "nvme" if drives else "cpu"
            case "method", "fsdp":
                slots.setdefault("engine", "fsdp")
                slots.setdefault("zero_stage", 2 if "shard_grad_op" in clause else 3)
            case "method", "grad_ckpt":
                slots["recompute"] = "none" if denied(f, low) else "selective" if SELECTIVE.search(clause) else "full"
            case "method", "flash_attn":
                slots.setdefault("flash_attention", True)
            case "method", "sp":
                slots["sequence_parallel"] = True
            case "tool", _:
                slots["engine"] = str(f.value).partition(":")[2]
            case "optimizer", _ if f.value in OPTIMIZERS:
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
    if "recompute" not in slots and UNSAVED.search(clause):
        slots["recompute"] = "none"
    elif "recompute" not in slots and (RECOMPUTED.search(clause) or SELECTIVE.search(clause)):
        slots["recompute"] = "selective" if SELECTIVE.search(clause) else "full"


def _stage_list(clause: str) -> list[int]:
    m = re.search(r"(?:zero|stage)[ -]?((?:[0-3][/、,和 ]{1,2}){1,3}[0-3])(?!\d)", clause)
    return [int(d) for d in (re.findall(r"\d", m[1]) if m else re.findall(r"(?<![a-z])stage ?([0-3])(?!\d)", clause))]
