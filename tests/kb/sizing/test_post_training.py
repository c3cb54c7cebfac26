"""Preference training and reinforcement learning hold more than the model they train: the figures of the methods' own documents."""

import pytest

from kb.sizing.request import from_mapping

FULL = {"workload": "full_finetune", "model": {"parameters": 7e9}}
GIGABYTE = 2**30 / 1e9
BESIDE = ("reference_models", "critics", "reward_models", "rollout_engines")


def held(sized, **asked) -> dict[str, float]:
    """GB of the trained model's states and of each model beside it."""
    found = {v.name: v.value * GIGABYTE for v in sized(**asked).values if v.name in ("model_states", *BESIDE)}
    return dict.fromkeys(BESIDE, 0.0) | found


def test_dpo_holds_a_frozen_reference_in_16_bits(sized) -> None:
    """18 bytes per parameter instead of 16."""
    assert sum(held(sized, **FULL, post_training="dpo").values()) == pytest.approx(18 * 7)
    assert sum(held(sized, **FULL, post_training="dpo", reference_models=0).values()) == pytest.approx(16 * 7)


def test_ppo_holds_four_models_of_which_two_are_trained(sized) -> None:
    """36 bytes per parameter: 252 GB at 7B."""
    found = held(sized, **FULL, post_training="ppo")
    assert found["critics"] == pytest.approx(16 * 7)
    assert sum(found.values()) == pytest.approx(252)


def test_the_breakdown_still_sums_to_the_memory_of_a_gpu(sized) -> None:
    for method in ("dpo", "ppo", "grpo"):
        for count in (1, 4, 16):
            result = sized(**FULL, post_training=method, gpu="big-80gb", gpu_count=count)
            whole = next(v.value for v in result.values if v.name == "memory_per_gpu")
            assert sum(c.value for c in result.breakdown) == pytest.approx(whole)


def test_every_pair_of_dpo_is_two_sequences(value) -> None:
    one, pair = (value("activations", **FULL, post_training=m, gpu_count=1, recompute="none") for m in (None, "dpo"))
    assert pair == pytest.approx(2 * one)


def test_adapters_are_their_own_reference(sized) -> None:
    lora = {**FULL, "workload": "lora", "post_training": "dpo"}
    assert held(sized, **lora)["reference_models"] == 0
    assert held(sized, **lora, reference_models=1)["reference_models"] == pytest.approx(14)


def test_grpo_generates_from_a_copy_of_the_weights_unless_on_other_gpus(sized, value) -> None:
    grpo = {**FULL, "post_training": "grpo"}
    here, elsewhere = held(sized, **grpo), held(sized, **grpo, rollout_engines=0)
    assert here["rollout_engines"] == pytest.approx(14) and elsewhere["rollout_engines"] == 0
    assert value("memory_total", **grpo) > value("memory_total", **grpo, rollout_engines=0) + 14 / GIGABYTE
    assert value("rollout_cache", **grpo, seq_len=4096) == pytest.approx(2 * value("rollout_cache", **grpo, seq_len=2048))


@pytest.mark.parametrize(("count", "verdicts"), [(1, {"does_not_fit"}), (2, {"fits", "fits_with_conditions"})])
def test_grpo_of_7b_takes_the_two_cards_of_80_gb_that_verl_lists(sized, count: int, verdicts: set[str]) -> None:
    assert sized(**FULL, post_training="grpo", gpu="big-80gb", gpu_count=count).verdict in verdicts


def test_no_time_is_computed_of_a_method_with_a_pace_of_its_own(sized) -> None:
    named = {v.name for v in sized(**FULL, post_training="grpo", gpu="big-80gb", gpu_count=8, tokens=1e9).values}
    assert not named & {"training_time", "tokens_per_second", "gpu_hours"}
    assert from_mapping({**FULL, "post_training": "ppo"}).post_training == "ppo"
