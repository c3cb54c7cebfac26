"""The defaults that entered what was said, in one line beneath the figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kb.answering.draft import Draft, Tools
from kb.answering.render import number
from kb.answering.sizing.grounds import entitled, plainly, standing
from kb.answering.sizing.groups import CACHE, GPU_MEMORY, PACED, RESERVES, SHAPE, SPEEDS
from kb.answering.wording import Wording
from kb.types.answer import Assumed
from kb.types.derivation import Assumption, Step, walk
from kb.types.sizing import SizingResult

# Defaults of how a job is spread and held.
STATED = {"engine", "precision", "quantization", "optimizer", "recompute", "zero_stage", "shard_degree", "gpu_count"}
STATED |= {"tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel"}
PACE = {
    "precision",
    "quantization",
    "gpu_count",
    "zero_stage",
    "shard_degree",
    "gpus_per_network_port",
}  # what sets the pace of a job
FILES = {"checkpoint_size", "load_time", "storage"}
# Of a whole job, however it is spread; of these what is never recomputed.
WHOLE = {"weights", "model_states", "gradients", "optimizer_states", "bytes_per_parameter", *CACHE}
PLACING = {
    "gpu_count",
    "zero_stage",
    "shard_degree",
    "tensor_parallel",
    "pipeline_parallel",
    "context_parallel",
    "expert_parallel",
}
ON_ONE = {*WHOLE, *GPU_MEMORY, *SPEEDS, "activations", "time_to_first_token"}  # of which nobody wonders that one card is meant
KEPT = {*WHOLE, "model_states_per_gpu"}  # whatever is recomputed
ADAPTER = {"adapter", "checkpoint_size", "trainable_parameters"}
FORMATS = {"precision", "quantization"}
OF_A_STEP = "step.time"  # the rule that a layout enters
OF_TIME_ALONE = "cluster."  # rules that go by hours, cards and prices, whatever they compute
PLAIN = "12"  # bytes that a loss takes which keeps every vocabulary score
SIXTEEN_BITS = ("fp16", "bf16")


def state_assumed(result: SizingResult, said: Iterable[str], draft: Draft, tools: Tools) -> None:
    """One line with the defaults that entered what was said; each stays in the answer's assumptions with its reason."""
    w, composer, about = draft.wording, draft.composer, set(said)
    under = {n.slot: n for n in walk(*(result.steps[n] for n in said if n in result.steps)) if isinstance(n, Assumption)}
    wanted = {*under, *_shown_with(result, about)} - {a.slot for a in draft.assumptions}
    entered = [_used(a, under) for a in result.assumptions if a.slot in wanted and a.value is not None]
    draft.assumptions += entered
    idle = _idle(result, about) - under.keys() | (
        FORMATS if "max_parameters" in about else set()
    )  # which is told with its format
    lone = about <= ON_ONE
    told = [a for a in entered if a.slot not in idle and not (lone and a.slot == "gpu_count" and a.value == 1)]
    if not told:
        return
    evidence = [entitled(e, result, tools) for a in told if a.slot in under and (e := under[a.slot].evidence)]
    shown = [w("assumption", slot=w.name(a.slot), value=_chosen(a, w, result)) for a in told if a.slot not in SHAPE]
    shown += [w("shape")] if any(a.slot in SHAPE for a in told) else []
    composer.known += [f"{a.value}" for a in told] + [_chosen(a, w, result) for a in told]
    composer.break_paragraph()
    composer.say(w("assumptions", list=w.join(shown)), *(evidence or standing(result, next(iter(said)), tools=tools)))


def _shown_with(result: SizingResult, said: set[str]) -> set[str]:
    """Slots of defaults that a reader wants to see beside what was said, although no step of its calculation bears their name."""
    shown = set[str]()
    if said & {*GPU_MEMORY, "gpu_count"}:
        shown |= STATED
    elif said & PACED:
        shown |= STATED & PACE
        shown -= set() if _stepped(result, said) else PLACING - {"gpu_count"}
    elif said & FILES:
        shown |= PACE - {"gpu_count"}
    if result.request.servers:
        shown |= {"gpus_per_node"}  # by which servers became GPUs
    if "activations" in said:
        shown |= {"flash_attention"}  # without which scores are kept
    return shown


def _stepped(result: SizingResult, said: set[str]) -> bool:
    """Whether the time of a step on the layout stands behind what was said, not a utilization or a time that was stated."""
    under = walk(*(result.steps[n] for n in said if n in result.steps))
    return any(isinstance(n, Step) and n.rule == OF_A_STEP for n in under)


def _idle(result: SizingResult, said: set[str]) -> set[str]:
    """Slots of which a default plays no part in what was said, although it does in what else could be."""
    said = {n for n in said if n in result.steps}
    idle = set[str]()
    if said <= WHOLE:
        idle |= PLACING
    if said <= KEPT:
        idle |= {"recompute"}
    if said <= CACHE or said <= ADAPTER:
        idle |= FORMATS  # the weights' format is not the cache's, and of an adapter both widths are told
    if all(n.rule.startswith(OF_TIME_ALONE) for n in walk(*(result.steps[n] for n in said)) if isinstance(n, Step)):
        idle |= FORMATS
    if result.request.precision in SIXTEEN_BITS and "precision" not in {a.slot for a in result.assumptions}:
        idle |= {"quantization"}  # the format was said
    return idle


def _used(assumed: Assumed, under: Mapping[str, Assumption]) -> Assumed:
    """A default as the figures that were told have it: what an engine reserves is no cautious share of the memory."""
    node = under.get(assumed.slot)
    return replace(assumed, value=node.value) if node and node.name.startswith(RESERVES) else assumed


def _chosen(assumed: Assumed, w: Wording, result: SizingResult) -> str:
    """The value of a default as the reader sees it; of people those who are served at once."""
    said, adapted = plainly(assumed.value, w), result.request.workload in ("lora", "qlora")
    people = result.request.people if result.request.workload == "inference" else None
    if adapted is False and (active := result.request.active_users) and assumed.slot == "concurrency" and not people:
        return w("of_active", at_once=said, people=number(active))
    if people and assumed.slot == "concurrency":
        return w("of_people" if assumed.value != people else "of_all_people", at_once=said, people=number(people))
    if assumed.slot == "fused_loss":
        return w("loss:plain" if said.startswith(PLAIN) else "loss:fused", bytes=w.spelled(said))
    if assumed.slot == "reference_models" and adapted and not assumed.value:
        return w("reference:base")
    if assumed.slot == "zero_stage" and not assumed.value:
        return w("whole_on_each")
    return w(f"plan_recompute:{said}") if assumed.slot == "recompute" else w.spelled(said)
