"""A batch of documents that is worked off: its tokens, the pace that a time asks for, and the pace that GPUs have."""

from __future__ import annotations

from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import GpuSecond, Ratio, Second, Token, TokenPerSecond


@rule("batch.tokens", cites=("pope-2022#sec. 2",), label=Bilingual("tokens of the batch", "整批 token 数"))
def tokens(*, documents: Ratio, prompt: Token, output: Token) -> Token:
    """Every document is read once and answered once."""
    return documents * (prompt + output)


@rule("batch.rate", cites=("pope-2022#sec. 2",), label=Bilingual("pace that the time asks for", "按期完成所需速度"))
def rate(*, tokens: Token, time: Second) -> TokenPerSecond:
    """Tokens read and written over the time that there is."""
    return tokens / time


@rule("batch.pace", cites=("pope-2022#sec. 2",), label=Bilingual("pace of one replica", "单个副本的处理速度"))
def pace(*, prompt: Token, output: Token, prefill: TokenPerSecond, decode: TokenPerSecond) -> TokenPerSecond:
    """Prompts are read at one speed and answers written at another, all sequences together; nothing waits for arrivals."""
    return (prompt + output) / (prompt / prefill + output / decode)


@rule("batch.on_gpus", cites=("pope-2022#sec. 2",), label=Bilingual("pace of all GPUs", "全部显卡的处理速度"))
def on_gpus(*, pace: TokenPerSecond, gpu_count: Ratio, replica: Ratio) -> TokenPerSecond:
    """Replicas share the documents out among themselves."""
    return pace * gpu_count / replica


@rule("batch.time", cites=("pope-2022#sec. 2",), label=Bilingual("time for the batch", "整批耗时"))
def time(*, tokens: Token, pace: TokenPerSecond) -> Second:
    """Tokens read and written over the pace."""
    return tokens / pace


@rule("batch.gpu_time", cites=("pope-2022#sec. 2",), label=Bilingual("GPU-hours of the batch", "整批卡时"))
def gpu_time(*, time: Second, gpu_count: Ratio) -> GpuSecond:
    """The time, on every GPU."""
    return time * gpu_count
