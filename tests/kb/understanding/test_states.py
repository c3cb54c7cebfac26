"""Estimators of sharding count model states alone, of one card."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    "text",
    [
        "DeepSpeed's old zero-2 estimator: 2.85B params on 8 GPUs. with 2 B/param replicated and 14-16 B/param sharded, GB per GPU?",
        "zero2 估算：3B 参数 8 卡，每参数2字节复制、16字节切分，每卡多少",
        "3B ZeRO-2 on 4 GPUs: 2 bytes replicated, 14 sharded. per-GPU?",
        "只算模型状态，7B zero2 8卡每卡多少",
        "zero-3 model states only for 13B on 16 gpus, per gpu",
        "7B, zero1, 4 GPUs, only weights+grads+optimizer, per GPU GB?",
        "estimate_zero2_model_states_mem_needs for 1.3B on 4 GPUs",
        "estimate_zero3_model_states_mem_needs_all_live 7B 8 卡",
    ],
)
def test_states_of_a_sharded_run_are_those_of_one_card(reader: Reader, text: str) -> None:
    part = reader.read(text).parts[-1]
    assert part.wanted == ("model_states_per_gpu", "model_states") and not part.asks_verdict


@pytest.mark.parametrize(
    "text",
    ["7B zero2 8卡，每卡多少显存", "13B full fine-tuning with zero-3 on 16 GPUs, memory per GPU?", "model states of a 7B?"],
)
def test_other_memory_is_not(reader: Reader, text: str) -> None:
    assert reader.read(text).parts[0].wanted != ("model_states_per_gpu", "model_states")
