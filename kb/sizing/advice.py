"""The verdict, and what to say beside the figures: warnings, and changes that would make it fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.sizing import fit as fitting
from kb.sizing.case import Case
from kb.sizing.fit import Fit
from kb.types.answer import Verdict
from kb.types.specs import Bilingual

FORMAT_OF = {"fp8": "fp8", "fp4": "fp4"}


@dataclass(frozen=True, slots=True)
class Advice:
    """`extra` is for programs: the change that would fit, the verdict on one GPU."""

    verdict: Verdict | None = None
    warnings: tuple[Bilingual, ...] = ()
    options: tuple[Bilingual, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def advise(case: Case, fitted: Fit | None) -> Advice:
    """Verdict with margin; for what is tight or does not fit, the cheapest change and the number of GPUs that would hold it."""
    warnings = [*_formats(case), *_stretched(case)]
    if fitted is None or fitted.available is None:
        return Advice(warnings=tuple(warnings))
    decided = fitting.verdict(case, fitted.ratio)
    extra: dict[str, Any] = {"filled": fitted.ratio}
    options: list[Bilingual] = []
    if case.asked.gpu_count is None and case.gpu_count > 1:
        extra["verdict_on_one"] = _on_one(case)
    if decided != "fits":
        change = fitting.cheapest(fitted, 1.0 if decided == "does_not_fit" else case.constant("fits.below").value)
        if change:
            fields, words, after = change
            options.append(fitting.option(words, after))
            extra["change"] = fields
            if decided == "does_not_fit" and "quantization" in fields and case.asked.quantization is None and not case.training:
                decided = "fits_with_conditions"
                warnings.append(
                    Bilingual(f"In 16 bits it does not fit; it does with {words.en}.", f"16 位权重放不下；{words.zh}后可以。")
                )
    if decided == "does_not_fit" and case.asked.gpu_count is not None:
        larger = fitting.smallest(_free(case))
        if larger and larger.case.gpu_count > case.gpu_count:
            options.append(fitting.more(case, larger))
            extra["gpu_count"] = larger.case.gpu_count
    return Advice(decided, tuple(warnings), tuple(options), extra)


def _free(case: Case) -> Case:
    """The case with the layout that the asker did not fix left open."""
    asked = case.asked
    return case.but(
        gpu_count=None, tensor_parallel=asked.tensor_parallel, pipeline_parallel=asked.pipeline_parallel, zero_stage=asked.zero_stage,
        sequence_parallel=asked.sequence_parallel,
    )  # fmt: skip


def _on_one(case: Case) -> Verdict | None:
    asked = case.asked
    if any(getattr(asked, n) not in (None, 1) for n in ("tensor_parallel", "pipeline_parallel", "context_parallel")):
        return None
    return fitting.verdict(case, fitting.fit(_free(case), 1).ratio)


def _formats(case: Case) -> list[Bilingual]:
    """Low-precision formats that the hardware stores but cannot compute in."""
    if case.chip is None:
        return []
    out = []
    for slot in ("precision", "quantization"):
        kind = FORMAT_OF.get(getattr(case.request, slot) or "")
        if kind and kind in case.chip.unsupported and case.chip.name:
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
