"""Fine-tuning as libraries run it: their loss, what they move to the host, how they start kernels, what quantized weights cost."""

import pytest

from kb.types.plain import plain

LONG = {"workload": "lora", "model": "dense-8b", "gpu": "big-80gb", "gpu_count": 1, "seq_len": 8192}
SHORT = LONG | {"seq_len": 128, "global_batch_tokens": 1024}
FULL = {"workload": "full_finetune", "model": "dense-8b", "gpu": "big-80gb", "gpu_count": 8, "seq_len": 4096}


def test_a_library_that_keeps_all_logits_needs_more_memory_unless_its_loss_is_fused(value) -> None:
    usual, plain = value("memory_per_gpu", **LONG), value("memory_per_gpu", **LONG, engine="LLaMA-Factory")
    assert plain > usual + 128256 * 8192 * 8 / 2**30
    assert value("memory_per_gpu", **LONG, engine="trl", fused_loss=True) == pytest.approx(usual)
    assert value("memory_per_gpu", **LONG, fused_loss=False) == pytest.approx(plain)


def test_pretraining_keeps_all_logits_unless_its_loss_is_fused(value) -> None:
    asked = {**FULL, "workload": "pretrain"}
    assert value("memory_per_gpu", **asked, fused_loss=True) < value("memory_per_gpu", **asked)


def test_who_keeps_activations_keeps_logits_too_unless_the_loss_is_fused(value) -> None:
    """The defaults of one library: neither recomputed nor fused."""
    kept = LONG | {"recompute": "none"}
    assert value("memory_per_gpu", **kept) == pytest.approx(value("memory_per_gpu", **kept, fused_loss=False))
    assert value("memory_per_gpu", **kept) > value("memory_per_gpu", **kept, fused_loss=True) + 128256 * 8192 * 8 / 2**30
    assert value("memory_per_gpu", **LONG) == pytest.approx(value("memory_per_gpu", **LONG, fused_loss=True))


def test_a_frozen_layer_keeps_the_inputs_of_its_adapters_only(value) -> None:
    """By hand, elements per token of a layer: fp32 inputs of two norms, Q, K, V, attention output, three maps and the inputs of
    adapted projections, of which that of the output projection is there already."""
    asked = LONG | {"recompute": "none", "fused_loss": True}
    block = 4 * 4096 + 2 * 4096 + 2 * 1024 + 3 * 14336
    logits = 8192 * 128256 * 1.5
    for targets, inputs in (("q,v", 4096), ("attention", 4096), ("mlp", 4096 + 14336), ("all", 2 * 4096 + 14336)):
        kept = 8192 * 2 * 32 * (block + inputs) + logits
        assert value("activations", **asked, lora_targets=targets) == pytest.approx(kept / 2**30)
    full = value("activations", **{**asked, "workload": "full_finetune"})
    assert full == pytest.approx((8192 * 2 * 32 * (block + 4 * 4096 + 14336) + logits) / 2**30)


def test_layer_inputs_that_wait_in_host_memory_take_none_of_the_gpu(value) -> None:
    asked = {**LONG, "micro_batch": 4}
    kept, moved = (value("memory_per_gpu", **asked, activation_offload=away) for away in (False, True))
    assert kept - moved > 25 * 4 * 8192 * 4096 * 2 / 2**30
    assert value("memory_per_gpu", **asked, engine="unsloth") == pytest.approx(moved)
    assert value("memory_per_gpu", **asked, engine="unsloth", activation_offload=False) == pytest.approx(kept)


def test_a_short_micro_batch_in_a_library_waits_for_its_kernels(value) -> None:
    """The same tokens in more, smaller micro-batches take longer; what splits models starts kernels faster."""
    speed = value("tokens_per_second_per_gpu", **SHORT)
    assert speed < 0.7 * value("tokens_per_second_per_gpu", **SHORT, micro_batch=8)
    two = {**SHORT, "gpu_count": 2, "seq_len": 64, "recompute": "full"}
    split, alone = (value("step_time", **two, tensor_parallel=n) for n in (2, 1))
    assert split < alone
    assert speed < value("tokens_per_second_per_gpu", **SHORT, lora_targets="q,v")
    assert speed < value("tokens_per_second_per_gpu", **SHORT, recompute="none")


def test_quantized_weights_are_widened_in_every_micro_batch(value) -> None:
    """QLoRA is the slower the shorter the micro-batch; never faster than LoRA."""
    loss = [
        value("step_time", **(LONG | {"workload": "qlora", "seq_len": n, "global_batch_tokens": 2**16}))
        / value("step_time", **(LONG | {"seq_len": n, "global_batch_tokens": 2**16}))
        for n in (1024, 8192)
    ]
    assert loss[0] > loss[1] > 1


def test_offloading_costs_time_and_more_on_disk_than_in_memory(value) -> None:
    asked = {**FULL, "zero_stage": 3}
    here, host, disk = (value("step_time", **asked, offload=where) for where in ("none", "cpu", "nvme"))
    assert here < host < disk
    assert value("step_time", **FULL, zero_stage=2, offload="cpu") < host
    assert value("step_time", **{**asked, "gpu_count": 16}, offload="cpu") < host


def test_adapters_have_next_to_no_states_to_update_on_the_host(value) -> None:
    asked = {**FULL, "workload": "lora"}
    here, host = (value("step_time", **asked, zero_stage=2, offload=where) for where in ("none", "cpu"))
    assert host == pytest.approx(here)
    here, host = (value("step_time", **asked, zero_stage=3, offload=where) for where in ("none", "cpu"))
    assert host > here  # the frozen weights wait on the host, too


def test_what_loses_nothing_is_advised_before_another_method(sized) -> None:
    """A fused loss where all logits are kept, inputs on the host where they fill the card: not a quantized model."""
    asked = {"workload": "lora", "model": "dense-8b", "gpu": "desk-24gb", "gpu_count": 1}
    assert sized(**asked, seq_len=8192, engine="peft").extra["change"] == {"fused_loss": True}
    assert sized(**asked, seq_len=16384).extra["change"] == {"recompute": "full", "activation_offload": True}


def test_a_batch_of_few_sequences_is_split_among_more_gpus_than_it_feeds_replicas(sized) -> None:
    """Nothing computes an eighth of a sequence: eight sequences on 64 GPUs are eight replicas of eight GPUs each."""
    asked = {"workload": "lora", "model": "dense-70b", "gpu": "big-80gb", "gpu_count": 64, "seq_len": 8192}
    few, many = (sized(**asked, global_batch_tokens=n * 8192) for n in (8, 64))
    assert few.request.tensor_parallel == 8 and many.request.tensor_parallel == 1
    steps = [next(v.value for v in result.values if v.name == "step_time") for result in (few, many)]
    assert steps[0] > 1.2 * steps[1] / 8  # what the eight exchange costs time
    again = sized(**{k: v for k, v in plain(few.request).items() if v is not None})
    assert again.values == few.values
    longer = sized(**{**asked, "gpu_count": 128}, global_batch_tokens=8 * 8192).request
    assert (longer.tensor_parallel, longer.context_parallel) == (8, 2)
    assert sized(**asked, global_batch_tokens=8 * 8192, zero_stage=3).request.tensor_parallel == 1  # said: states are sharded
