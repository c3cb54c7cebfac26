"""What stands below the figures of a sizing answer: the defaults that entered, the calculation, and what may be asked next."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import replace

from kb.answering.draft import Draft, Tools
from kb.answering.sizing.grounds import entitled, plainly, standing
from kb.answering.sizing.lines import apart
from kb.answering.wording import Wording
from kb.types.answer import Assumed
from kb.types.derivation import Assumption, Fact, Step, walk
from kb.types.sizing import ModelShape, SizingResult
from kb.types.source import CellLocator

RESERVED = "memory_reserved_per_gpu"  # by an engine when it starts, whatever it needs
RESERVES = "reserves."  # of an engine: the names of these assumptions
LINES = 6  # of the calculation that are written out
SHAPE = {f.name for f in dataclasses.fields(ModelShape)} - {"parameters", "active_parameters"}
# Values that are about GPU memory: of these a verdict on GPU memory may be given.
STATES = {"model_states", "model_states_per_gpu"}
GPU_MEMORY = {"memory_total", "memory_per_gpu", "weights", "kv_cache", *STATES, "max_context_len", "max_concurrency"}
SPEEDS = {"decode_tokens_per_second", "decode_tokens_per_second_per_request", "decode_ceiling"}
CACHE = {"kv_cache", "kv_cache_per_token"}
# Defaults that a reader wants to see although no step of the calculation bears their name.
STATED = {"precision", "quantization", "optimizer", "recompute", "zero_stage", "shard_degree", "gpu_count"}
STATED |= {"tensor_parallel", "pipeline_parallel", "expert_parallel"}
PACE = {"precision", "quantization", "gpu_count", "shard_degree", "gpus_per_network_port"}  # what sets the pace of a job
PACED = {*SPEEDS, "training_time", "tokens_per_second", "mfu", "time_to_first_token"}
FILES = {"checkpoint_size", "load_time", "storage"}
# Of a whole job, however it is spread; of these what is never recomputed.
WHOLE = {"weights", "model_states", "gradients", "optimizer_states", "bytes_per_parameter", *CACHE}
PLACING = {"gpu_count", "zero_stage", "shard_degree", "tensor_parallel", "pipeline_parallel", "expert_parallel"}
ON_ONE = {*WHOLE, *GPU_MEMORY, *SPEEDS, "activations", "time_to_first_token"}  # of which nobody wonders that one card is meant
KEPT = {*WHOLE, "model_states_per_gpu"}  # whatever is recomputed
FORMATS = {"precision", "quantization"}
OF_TIME_ALONE = "cluster."  # rules that go by hours, cards and prices, whatever they compute
SIXTEEN_BITS = ("fp16", "bf16")
LONG = 32_768  # tokens of the context that is proposed


def state_assumed(result: SizingResult, said: Iterable[str], draft: Draft, tools: Tools) -> None:
    """One line with the defaults that entered what was said; each stays in the answer's assumptions with its reason."""
    w, composer = draft.wording, draft.composer
    under = {n.slot: n for n in walk(*(result.steps[n] for n in said if n in result.steps)) if isinstance(n, Assumption)}
    known = {a.slot for a in draft.assumptions}
    fresh = [_used(a, under) for a in result.assumptions if a.slot not in known and a.value is not None]
    stated = STATED if {*GPU_MEMORY, "gpu_count"} & set(said) else STATED & PACE if PACED & set(said) else frozenset()
    stated = stated or (PACE - {"gpu_count"} if FILES & set(said) else stated)
    housed = {"gpus_per_node"} if result.request.servers else frozenset[str]()  # by which servers became GPUs
    kernel = {"flash_attention"} if "activations" in said else frozenset[str]()  # without which scores are kept
    fresh = [a for a in fresh if a.slot in under or a.slot in stated or a.slot in housed or a.slot in kernel]
    draft.assumptions += fresh
    idle = _idle(result, set(said))
    fresh = [a for a in fresh if a.slot in under or a.slot in housed or a.slot not in idle]
    fresh = [a for a in fresh if a.slot != "gpu_count" or a.value != 1 or not set(said) <= ON_ONE]
    if not fresh:
        return
    evidence = [entitled(e, result, tools) for a in fresh if a.slot in under and (e := under[a.slot].evidence)]
    shown = [w("assumption", slot=w.name(a.slot), value=_chosen(a, w)) for a in fresh if a.slot not in SHAPE]
    shown += [w("shape")] if any(a.slot in SHAPE for a in fresh) else []
    composer.known += [f"{a.value}" for a in fresh] + [_chosen(a, w) for a in fresh]
    composer.break_paragraph()
    composer.say(w("assumptions", list=w.join(shown)), *(evidence or standing(result, next(iter(said)), tools=tools)))


def _idle(result: SizingResult, said: set[str]) -> set[str]:
    """Slots of which a default plays no part in what was said, although it does in what else could be."""
    said = {n for n in said if n in result.steps}
    idle = set[str]()
    if said <= WHOLE:
        idle |= PLACING
    if said <= KEPT:
        idle |= {"recompute"}
    if said <= CACHE:
        idle |= FORMATS  # the weights' format is not the cache's
    if all(n.rule.startswith(OF_TIME_ALONE) for n in walk(*(result.steps[n] for n in said)) if isinstance(n, Step)):
        idle |= FORMATS
    if result.request.precision in SIXTEEN_BITS and "precision" not in {a.slot for a in result.assumptions}:
        idle |= {"quantization"}  # the format was said
    return idle


def calculate(result: SizingResult, said: Iterable[str], draft: Draft, tools: Tools, of: str = "") -> None:
    """The calculation: the steps nearest to what was said, in the order of the derivation, each once in an answer. `of`: by what it is
    told apart from other calculations of the answer."""
    line_of = dict(
        zip(map(id, (n for n in walk(*result.steps.values()) if isinstance(n, Step))), result.derivation, strict=True)
    )
    level = [n for name in result.steps if name in said and isinstance(n := result.steps[name], Step)]
    cells = [n.evidence.locator for n in walk(*level) if isinstance(n, Fact)]
    draft.carded |= {c.column for c in cells if isinstance(c, CellLocator) and c.table == "accelerators"}
    near: dict[int, Step] = {}
    while level and len(near) < LINES:
        level = [_telling(step) for step in level]
        for step in level[: LINES - len(near)]:
            near.setdefault(id(step), step)
        level = [n for s in level for _, n in s.inputs if isinstance(n, Step) and n.value and id(n) not in near]
    chosen = [(line, near[key]) for key, line in line_of.items() if key in near]
    if not chosen:
        return
    w, composer = draft.wording, draft.composer
    composer.known += [line.text for line, _ in chosen]
    told = {text: step for line, step in reversed(chosen) if not composer.said(text := w.spelled(line.text))}
    if told:
        composer.break_paragraph()
        rule = entitled(list(told.values())[-1].evidence, result, tools)
        composer.say(w("arithmetic_of", of=of), rule) if of else composer.note(w("arithmetic"))
    for text, step in reversed(told.items()):
        facts = [n.evidence for _, n in step.inputs if isinstance(n, Fact)]
        composer.point(text, *(entitled(e, result, tools) for e in (step.evidence, *facts)))
    draft.derivation += apart([line for line, _ in chosen], {line.id for line in draft.derivation})


def _telling(step: Step) -> Step:
    """The step, or where it leaves its one computed input as it is (shared by one GPU, times one), that input."""
    computed = [n for _, n in step.inputs if isinstance(n, Step)]
    return _telling(computed[0]) if len(computed) == 1 and computed[0].value == step.value else step


def suggest(result: SizingResult, said: Iterable[str], draft: Draft) -> None:
    """Questions that come next after one about memory; none that was just answered."""
    w, asked, about = draft.wording, result.request, set(said)
    if not about & (GPU_MEMORY | SPEEDS):
        return
    placed = {"memory_per_gpu", "memory_total", *STATES}
    further = [w("follow:qlora")] if asked.workload in ("full_finetune", "lora") and about & placed else []
    further += [w("follow:context")] if asked.workload == "inference" and (asked.context_len or 0) < LONG else []
    open_count = result.verdict in (None, "does_not_fit") and "gpu_count" not in {v.name for v in result.values}
    further += [w("follow:count")] if about & placed and open_count else []
    draft.follow_ups += [f for f in further if f not in draft.follow_ups]


def _used(assumed: Assumed, under: Mapping[str, Assumption]) -> Assumed:
    """A default as the figures that were told have it: what an engine reserves is no cautious share of the memory."""
    node = under.get(assumed.slot)
    return replace(assumed, value=node.value) if node and node.name.startswith(RESERVES) else assumed


def _chosen(assumed: Assumed, w: Wording) -> str:
    """The value of a default as the reader sees it."""
    said = plainly(assumed.value, w)
    return w(f"plan_recompute:{said}") if assumed.slot == "recompute" else w.spelled(said)
