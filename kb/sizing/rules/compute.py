"""Floating-point work of training, prefill and decode, and the time it takes."""

from __future__ import annotations

from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Flop, FlopPerSecond, FlopPerToken, Ratio, Second, Token, TokenPerSecond


@rule("compute.per_token", cites=("kaplan-2020#sec. 2.1",), label=Bilingual("work per token", "每个 token 的计算量"))
def per_token(*, parameters: Ratio, work: FlopPerToken) -> FlopPerToken:
    """`work` per parameter: forward and backward 6, frozen weights 4, forward alone 2."""
    return parameters * work


@rule(
    "compute.attention_per_token",
    cites=("mfu-2022#appendix B", "narayanan-2021#appendix A"),
    label=Bilingual("attention work per token", "每个 token 的注意力计算量"),
)
def attention_per_token(*, layers: Ratio, heads: Ratio, width: Ratio, length: Ratio, work: FlopPerToken) -> FlopPerToken:
    """Scores and their use, the causal half only, heads of `width`: `work` 6 in training, 2 in a forward pass."""
    return work * layers * heads * width * length


@rule(
    "compute.model_work",
    cites=("mfu-2022#appendix B",),
    label=Bilingual("work per token with attention", "含注意力的每 token 计算量"),
)
def model_work(*, matrices: FlopPerToken, attention: FlopPerToken) -> FlopPerToken:
    """Matrix products and attention scores."""
    return matrices + attention


@rule("compute.training", cites=("kaplan-2020#sec. 2.1",), label=Bilingual("training work", "训练总计算量"))
def training(*, per_token: FlopPerToken, tokens: Token) -> Flop:
    """Model FLOPs of the whole run; recomputation is not counted."""
    return per_token * tokens


@rule("compute.achieved", cites=("mfu-2022#sec. 4.1",), label=Bilingual("achieved compute per GPU", "单卡实际算力"))
def achieved(*, peak: FlopPerSecond, mfu: Ratio) -> FlopPerSecond:
    """The fraction of the dense 16-bit peak that does useful work."""
    return peak * mfu


@rule(
    "compute.tokens_per_second_per_gpu",
    cites=("mfu-2022#appendix B",),
    label=Bilingual("training speed per GPU", "单卡训练速度"),
)
def tokens_per_second_per_gpu(*, achieved: FlopPerSecond, per_token: FlopPerToken) -> TokenPerSecond:
    """How many tokens one GPU trains on in a second."""
    return achieved / per_token


@rule("compute.tokens_per_second", cites=("mfu-2022#appendix B",), label=Bilingual("training speed", "训练速度"))
def tokens_per_second(*, per_gpu: TokenPerSecond, gpu_count: Ratio) -> TokenPerSecond:
    """All GPUs together."""
    return per_gpu * gpu_count


@rule("compute.run_time", cites=("narayanan-2021#eq. 4",), label=Bilingual("training time", "训练时间"))
def run_time(*, tokens: Token, speed: TokenPerSecond) -> Second:
    """Tokens over the speed of all GPUs."""
    return tokens / speed


@rule("compute.step_time", cites=("mfu-2022#appendix B",), label=Bilingual("time per step", "单步时间"))
def step_time(*, batch: Token, tokens_per_second: TokenPerSecond) -> Second:
    """Tokens of the global batch over the speed of all GPUs."""
    return batch / tokens_per_second


@rule(
    "compute.hfu", cites=("korthikanti-2022#sec. 6.3",), label=Bilingual("hardware FLOPs utilization", "硬件算力利用率（HFU）")
)
def hfu(*, mfu: Ratio, recomputation: Ratio) -> Ratio:
    """Recomputation is work for the hardware, though not for the model."""
    return mfu * recomputation


@rule("compute.implied_mfu", cites=("mfu-2022#sec. 4.1",), label=Bilingual("implied MFU", "折合的 MFU"))
def implied_mfu(*, work: Flop, gpu_count: Ratio, peak: FlopPerSecond, time: Second) -> Ratio:
    """The utilization at which the run takes the stated time."""
    return work / (gpu_count * peak * time)


@rule("compute.required_speed", cites=("narayanan-2021#eq. 4",), label=Bilingual("required training speed", "所需训练速度"))
def required_speed(*, tokens: Token, time: Second) -> TokenPerSecond:
    """Tokens over the time allowed."""
    return tokens / time


@rule(
    "compute.required_speed_per_gpu",
    cites=("narayanan-2021#eq. 4",),
    label=Bilingual("required training speed per GPU", "单卡所需训练速度"),
)
def required_speed_per_gpu(*, tokens: Token, time: Second, gpu_count: Ratio) -> TokenPerSecond:
    """Tokens over the time allowed, for each GPU."""
    return tokens / (time * gpu_count)


@rule("compute.tokens_of_samples", cites=("mfu-2022#appendix B",), label=Bilingual("tokens per second", "每秒 token 数"))
def tokens_of_samples(*, samples: Ratio, length: Token, time: Second) -> TokenPerSecond:
    """Samples done in the time, each of so many tokens."""
    return samples * length / time
