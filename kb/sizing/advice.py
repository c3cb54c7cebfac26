"""The verdict, and what to say beside the figures: warnings, and changes that would make it fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb.sizing import changes as changing
from kb.sizing import fit as fitting
from kb.sizing import hosted
from kb.sizing.case import Case
from kb.sizing.compromises import compromises, fewer_bits, most_cards
from kb.sizing.contradictions import LOW_PRECISION
from kb.sizing.defaults import bare_eight_bits, replicable
from kb.sizing.fit import Fit
from kb.sizing.plans import wires
from kb.sizing.plans.hybrid import described, splits_experts
from kb.sizing.show import amount, shown
from kb.types.answer import Verdict
from kb.types.derivation import Node
from kb.types.specs import Bilingual
from kb.types.units import from_base

LONG = 32_768  # tokens of a sequence that is worth splitting
TIGHT = 0.9  # of the host's memory: what else runs there wants the rest


@dataclass(frozen=True, slots=True)
class Advice:
    """`extra` is for programs: the change that would fit, the verdict on one GPU, the share that older versions of an engine reserve."""

    verdict: Verdict | None = None
    warnings: tuple[Bilingual, ...] = ()
    options: tuple[Bilingual, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def advise(
    case: Case, fitted: Fit | None, steps: Mapping[str, Node], currency: str = "", sizes: Callable[[], Sequence[float]] = tuple
) -> Advice:
    """Verdict with margin; for what is tight or does not fit, the cheapest change and the number of GPUs that would hold it, as far as
    a machine takes more of them. `sizes`: of the memory of cards there are, in bytes."""
    warnings = [
        *_formats(case),
        *_stretched(case),
        *_load(case, steps),
        *_network(case, steps),
        *_budget(case, steps, currency),
    ]
    extra: dict[str, Any] = _otherwise(fitted) if fitted else {}
    if fitted is None or fitted.available is None:
        return Advice(warnings=tuple(warnings), extra=extra)
    decided = fitting.verdict(case, fitted.ratio)
    extra["filled"] = fitted.ratio
    if hosted.judged(case):
        return _with_states_on_host(fitted, steps, warnings, extra)
    if "memory_reserved_per_gpu" in steps and (older := case.assumptions.constants.get(f"reserved_before.{case.engine}")):
        extra["reserved_before"] = older.value
    options: list[Bilingual] = []
    if case.asked.gpu_count is None and case.gpu_count > 1:
        extra["verdict_on_one"] = _on_one(fitted)
        if extra["verdict_on_one"] == "does_not_fit" and "gpus_for_load" not in steps:
            n = case.gpu_count
            options.append(Bilingual(f"One such GPU does not hold it, {n} do.", f"单张同型号显卡放不下，{n} 张可以。"))
        extra |= _with_split_sequences(case)
    if "filled" in steps and splits_experts(case, fitted.ratio):
        ratio = steps["filled"].value
        extra |= {"filled": ratio, "experts_on_host": True}
        decided = "fits_with_conditions" if ratio <= 1 else "does_not_fit"
        warnings.append(_with_experts(steps))
        return _beside_host(fitted, steps, warnings, extra) if described(case) else Advice(decided, tuple(warnings), (), extra)
    if "gpu_layers" in steps and steps["gpu_layers"].value:
        decided = "fits_with_conditions"
        warnings.append(_partly(case, steps))
    if "gpu_layers" in steps and described(case):
        return _beside_host(fitted, steps, warnings, extra)
    if decided == "fits" and bare_eight_bits(case) and case.asked.precision is None:
        kept = fitting.fit(case.but(precision="bf16"), case.gpu_count)
        if fitting.verdict(case, kept.ratio) == "does_not_fit":
            decided, extra["bare_weights"] = "fits_with_conditions", True
            need = amount(*shown(kept.found.per_gpu.value, "B"))
            options.append(
                Bilingual(
                    f"With 32-bit master weights it needs {need} per GPU and does not fit.",
                    f"若保留 32 位主权重，单卡需要 {need}，放不下。",
                )
            )
            return Advice(decided, tuple(warnings), tuple(options), extra)
    if decided != "fits":
        change = changing.cheapest(fitted, 1.0 if decided == "does_not_fit" else case.constant("fits.below").value)
        if change:
            fields, words, after = change
            options.append(changing.option(words, after))
            extra["change"] = fields
        elif decided == "does_not_fit" and case.chip and case.chip.personal:
            options += compromises(fitted, sizes)
    if decided == "does_not_fit" and case.asked.gpu_count is not None:
        larger = fitting.smallest(_free(case))
        if larger and case.gpu_count < larger.case.gpu_count <= most_cards(case):
            options.append(changing.more(case, larger))
            extra["gpu_count"] = larger.case.gpu_count
    return Advice(decided, tuple(warnings), tuple(options), extra)


def _beside_host(fitted: Fit, steps: Mapping[str, Node], warnings: Sequence[Bilingual], extra: dict[str, Any]) -> Advice:
    """Verdict on GPUs and the host's memory together; where they do not hold it, the most bits a weight with which they would."""
    filled = steps["host_ram"].value / fitted.case.field("host_ram_gb").value
    extra |= {"host_filled": filled}
    held = extra["filled"] <= 1 if "experts_on_host" in extra else True
    if held and filled <= 1:
        return Advice("fits_with_conditions", tuple(warnings), tuple(fewer_bits(fitted)) if filled > TIGHT else (), extra)
    return Advice("does_not_fit", (), tuple(fewer_bits(fitted)), extra)


def _with_split_sequences(case: Case) -> dict[str, tuple[int, int]]:
    """The fewer GPUs that hold a long sequence of tuning split over several of them, and over how many, where each holds one as it is."""
    if not case.training or (case.request.seq_len or 0) < LONG or case.degree("context_parallel") > 1:
        return {}
    split = fitting.splitting(_free(case))
    if split is None or split.case.gpu_count >= case.gpu_count:
        return {}
    return {"split": (split.case.gpu_count, split.case.degree("context_parallel"))}


def _with_states_on_host(
    fitted: Fit, steps: Mapping[str, Node], warnings: Sequence[Bilingual], extra: dict[str, Any]
) -> Advice:
    """Verdict on GPUs and a host that holds states of training; what a GPU takes without offloading (GiB), and the cheapest change with
    which nothing need be offloaded."""
    case, filled = fitted.case, hosted.share(fitted.case, steps)
    plain = fitting.fit(_free(case.but(offload="none")), case.gpu_count)
    extra |= {"host_filled": filled, "states_on_host": True, "plain": from_base(plain.found.per_gpu.value, "GiB")}
    held, easy = (
        fitted.ratio <= 1 and filled <= 1,
        case.asked.offload is not None and filled * case.constant("offload.slack").value <= 1,
    )
    decided: Verdict = "does_not_fit" if not held else fitting.verdict(case, fitted.ratio) if easy else "fits_with_conditions"
    change = changing.cheapest(plain, 1.0)
    return Advice(decided, tuple(warnings), (changing.option(*change[1:]),) if change else (), extra)


def _otherwise(fitted: Fit) -> dict[str, float]:
    """What a GPU takes (GiB) with the other of two layouts: sharded where each holds the whole model; whole where a fine-tune is sharded
    because nobody said how and no GPU holds it."""
    case = fitted.case
    if not case.training or case.holders == 1 or case.request.zero_stage not in (0, 3):
        return {}
    name, stage = ("sharded", 3) if case.request.zero_stage == 0 else ("replicated", 0)
    if stage == 0 and not replicable(_free(case)):
        return {}
    after = fitting.fit(_free(case).but(zero_stage=stage), case.gpu_count)
    if stage == 0 and after.available and after.ratio <= 1:
        return {}
    return {name: from_base(after.found.per_gpu.value, "GiB")}


def _free(case: Case) -> Case:
    """The case with the layout that the asker did not fix left open."""
    asked = case.asked
    return case.but(gpu_count=None, recompute=asked.recompute, **{n: getattr(asked, n) for n in fitting.OPEN})


def _on_one(fitted: Fit) -> Verdict | None:
    case, asked = fitted.case, fitted.case.asked
    if any(getattr(asked, n) not in (None, 1) for n in ("tensor_parallel", "pipeline_parallel", "context_parallel")):
        return None
    alone = fitted.alone if fitted.alone is not None else fitting.fit(_free(case), 1).ratio
    return fitting.verdict(case, alone)


def _formats(case: Case) -> list[Bilingual]:
    """Low-precision formats that the hardware stores but cannot compute in."""
    if case.chip is None:
        return []
    out = []
    for slot in ("precision", "quantization"):
        kind = getattr(case.request, slot)
        if kind in LOW_PRECISION and kind in case.chip.unsupported and case.chip.name:
            out.append(
                Bilingual(
                    f"{case.chip.name} does not compute in {kind}: values are stored so and widened to 16 bits.",
                    f"{case.chip.name} 不支持 {kind} 计算：只能以 {kind} 存储，计算时转为 16 位。",
                )
            )
    if "bf16" in case.chip.unsupported and case.chip.name and case.request.precision in ("bf16", "pure_bf16"):
        out.append(Bilingual(f"{case.chip.name} has no bf16; use fp16.", f"{case.chip.name} 不支持 bf16，请用 fp16。"))
    return out


def _stretched(case: Case) -> list[Bilingual]:
    """A sequence longer than the model was made for."""
    if case.shape is None or not case.shape.known("context"):
        return []
    length = (case.request.seq_len if case.training else case.request.context_len) or 0
    if length <= case.shape["context"].value:
        return []
    made_for = f"{case.shape['context'].value:.0f}"
    return [
        Bilingual(
            f"{length} tokens are beyond the {made_for} that the model was made for: its positions have to be scaled, with fine-tuning.",
            f"{length} 个 token 超出模型原有的上下文 {made_for}：需缩放位置编码并微调。",
        )
    ]


def _partly(case: Case, steps: Mapping[str, Node]) -> Bilingual:
    """Some layers on the GPUs, the others in host memory."""
    assert case.shape is not None
    some, every, engine = int(steps["gpu_layers"].value), round(case.shape["layers"].value), case.request.engine
    return Bilingual(
        f"{some} of {every} layers go onto the GPUs as {engine} counts them, the others stay in host memory, whose bandwidth then sets "
        "the speed.",
        f"按 {engine} 的算法，{every} 层中有 {some} 层可放在显卡上，其余留在主机内存，速度取决于内存带宽。",
    )


def _with_experts(steps: Mapping[str, Node]) -> Bilingual:
    """Experts in host memory, the rest on the GPUs."""
    held = amount(*shown(steps["host_ram"].value, "B"))
    return Bilingual(
        f"The experts, {held}, stand in host memory and are computed by the processor; its memory bandwidth sets the speed.",
        f"专家权重 {held} 放在主机内存并由 CPU 计算，速度取决于内存带宽。",
    )


def _load(case: Case, steps: Mapping[str, Node]) -> list[Bilingual]:
    """GPUs that do not carry the load that was stated."""
    needed = steps.get("gpus_for_load")
    if needed is None or needed.value <= case.gpu_count:
        return []
    n = int(needed.value)
    return [Bilingual(f"The load takes about {n} GPUs of this kind.", f"该负载约需同型号显卡 {n} 张。")]


def _network(case: Case, steps: Mapping[str, Node]) -> list[Bilingual]:
    """A link that is slower than the traffic of a step."""
    needed, link, rate = steps.get("network_bandwidth"), wires.network_said(case), case.request.network_gbps
    if link is None or needed is None or needed.value <= link.value:
        return []
    name = case.request.interconnect or f"{rate:g} Gbit/s"
    has, takes = amount(*shown(link.value, "B/s")), amount(*shown(needed.value, "B/s"))
    return [
        Bilingual(
            f"{name} carries {has} per GPU one way, and hiding the traffic of a step takes {takes}: steps take longer.",
            f"{name} 单卡单向为 {has}，而掩盖每步通信需 {takes}：每步耗时变长。",
        )
    ]


def _budget(case: Case, steps: Mapping[str, Node], currency: str) -> list[Bilingual]:
    """Whether the budget covers what the run costs."""
    cost, budget = steps.get("cost"), case.request.budget
    if cost is None or budget is None:
        return []
    takes, there = (amount(*shown(v, "money", currency)) for v in (cost.value, budget))
    if cost.value <= budget:
        return [Bilingual(f"The budget of {there} covers the {takes} it costs.", f"预算 {there} 足够，费用为 {takes}。")]
    return [Bilingual(f"It costs {takes}, more than the budget of {there}.", f"费用 {takes} 超出预算 {there}。")]
