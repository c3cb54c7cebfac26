"""Models that preference training and reinforcement learning hold beside the one they train: reference, critic, reward, rollouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kb.sizing.case import Case
from kb.sizing.elementwise import least
from kb.sizing.plans import serving
from kb.sizing.rules import memory, post_training
from kb.sizing.shape import Shape
from kb.types.derivation import Given, Node

FROZEN = ("reference_models", "reward_models")
Share = Callable[[Case, Node, bool, bool], Node]


@dataclass(frozen=True, slots=True)
class Beside:
    """`whole` by value name over all GPUs, `parts` what the fullest GPU holds; `per_gpu` all of it but the cache."""

    whole: dict[str, Node]
    parts: dict[str, Node]
    per_gpu: Node


def beside(case: Case, shape: Shape, states: Node, states_per_gpu: Node, share: Share) -> Beside:
    """What stands beside a model of `states`: frozen models are shared out as its weights are, the critic as it is, and the engine's
    weights over the GPUs of a server."""
    wide, whole, parts = case.constant("weight_element.bf16"), dict[str, Node](), dict[str, Node]()
    sharded = (case.request.zero_stage or 0) >= 3
    for role in FROZEN:
        whole[role] = post_training.frozen(parameters=shape["parameters"], element=wide, models=count(case, role))
        parts[role] = share(case, whole[role], sharded, True)
    critics, engines = count(case, "critics"), count(case, "rollout_engines")
    whole["critics"] = post_training.critic(model_states=states, models=critics)
    parts["critics"] = post_training.critic(model_states=states_per_gpu, models=critics)
    whole["rollout_engines"] = post_training.engine(parameters=shape["parameters"], element=wide, models=engines)
    width = least(case.sharded_over, case.linked_gpus) if sharded else 1
    parts["rollout_engines"] = memory.share(
        total=whole["rollout_engines"], shards=Given("shards", 1.0 * width, "1"),
        tensor_parallel=case.field("tensor_parallel"), pipeline_parallel=case.field("pipeline_parallel"),
    )  # fmt: skip
    per_gpu = post_training.beside(**parts)
    if engines.value:
        parts["rollout_cache"] = serving.generated(case, case.field("seq_len"), case.constant("rollout_answers"))
        whole["rollout_cache"] = memory.total(per_gpu=parts["rollout_cache"], gpu_count=case.field("gpu_count"))
    return Beside({n: node for n, node in whole.items() if node.value}, parts, per_gpu)


def count(case: Case, role: str) -> Node:
    """How many models of a role there are: as said, as adapters leave them, or as the method has them."""
    if getattr(case.request, role) is not None:
        return case.field(role)
    ids = (f"held.adapted.{role}" if case.adapted else "", f"held.{case.request.post_training}.{role}")
    usual = next((case.constant(id) for id in ids if id in case.assumptions.constants), None)
    return usual or Given(role, 0.0, "1")
