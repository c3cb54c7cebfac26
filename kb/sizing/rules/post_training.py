"""Models that post-training holds beside the one it trains. Bytes throughout."""

from __future__ import annotations

from kb.sizing.rule import rule
from kb.types.specs import Bilingual
from kb.types.units import Byte, Ratio


@rule("post_training.frozen", cites=("deepspeed-chat", "trl-dpo"), label=Bilingual("frozen models", "冻结的模型"))
def frozen(*, parameters: Ratio, element: Byte, models: Ratio) -> Byte:
    """Models as large as the trained one that are only asked: weights, no gradients."""
    return parameters * element * models


@rule("post_training.critic", cites=("deepspeed-chat",), label=Bilingual("critic in training", "训练中的 critic"))
def critic(*, model_states: Byte, models: Ratio) -> Byte:
    """A critic as large as the policy is trained like it: weights, gradients, optimizer states."""
    return model_states * models


@rule("post_training.engine", cites=("trl-grpo",), label=Bilingual("weights of the generation engine", "生成引擎的权重"))
def engine(*, parameters: Ratio, element: Byte, models: Ratio) -> Byte:
    """A copy of the weights from which answers are generated."""
    return parameters * element * models


@rule("post_training.pairs", cites=("trl-dpo",), label=Bilingual("tokens of a micro-batch of pairs", "微批次 token 数（成对）"))
def pairs(*, samples: Ratio, answers: Ratio, length: Ratio) -> Ratio:
    """Every sample holds several answers, each as long."""
    return samples * answers * length


@rule(
    "post_training.beside",
    cites=("deepspeed-chat", "trl-grpo"),
    label=Bilingual("models beside the trained one, per GPU", "训练模型之外的模型（单卡）"),
)
def beside(*, reference_models: Byte, critics: Byte, reward_models: Byte, rollout_engines: Byte) -> Byte:
    """What is held for the method, of which more GPUs take less each."""
    return reference_models + critics + reward_models + rollout_engines


@rule(
    "post_training.divisible",
    cites=("zero-2020#sec. 5",),
    label=Bilingual("states of all models, per GPU", "全部模型的状态（单卡）"),
)
def divisible(*, states: Byte, beside: Byte) -> Byte:
    """What sharding divides."""
    return states + beside


@rule("post_training.together", cites=("zero-2020#sec. 3", "deepspeed-chat"), label=Bilingual("memory per GPU", "单卡显存"))
def together(*, held: Byte, beside: Byte, rollout_cache: Byte) -> Byte:
    """What the fullest GPU holds with all models of the method, before fragmentation."""
    return held + beside + rollout_cache
