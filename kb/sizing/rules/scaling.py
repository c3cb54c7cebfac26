"""How large a model and how many tokens a budget of compute is best spent on."""

from __future__ import annotations

from kb.sizing.elementwise import greatest
from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Flop, FlopPerSecond, FlopPerToken, GpuSecond, Ratio, Token


@rule(
    "scaling.optimal_tokens", cites=("hoffmann-2022#sec. 3",), label=Bilingual("compute-optimal tokens", "计算最优的 token 数")
)
def optimal_tokens(*, parameters: Ratio, ratio: Token) -> Token:
    """Model and data grow alike: so many tokens for every parameter."""
    return parameters * ratio


@rule("scaling.compute", cites=("narayanan-2021#eq. 4",), label=Bilingual("compute of the GPU time", "卡时对应的计算量"))
def compute(*, gpu_time: GpuSecond, peak: FlopPerSecond, mfu: Ratio) -> Flop:
    """What the GPUs compute in their time at the utilization."""
    return gpu_time * peak * mfu


@rule(
    "scaling.optimal_parameters",
    cites=("hoffmann-2022#sec. 3", "kaplan-2020#sec. 2.1"),
    label=Bilingual("compute-optimal parameters", "计算最优的参数量"),
)
def optimal_parameters(*, compute: Flop, work: FlopPerToken, ratio: Token) -> Ratio:
    """The model whose training on `ratio` tokens for every parameter takes the compute."""
    return (compute / (work * ratio)) ** 0.5  # type: ignore[no-any-return]


@rule(
    "scaling.batch",
    cites=("deepseek-llm-2024#sec. 3.1",),
    label=Bilingual("tokens of a step for so much compute", "与计算量相称的每步 token 数"),
)
def batch(*, usual: Token, compute: Flop, reference: Flop, reached: Token, growing: Ratio) -> Token:
    """The batch that trains best grows with the compute of the whole run: `reached` at the reference; never less than `usual`."""
    return greatest(reached * (compute / reference) ** growing, usual)
