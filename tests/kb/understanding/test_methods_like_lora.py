"""Methods that freeze the model and train a few parameters of their own are sized like LoRA."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    "text",
    [
        "prompt tuning of a 13B: how much memory?",
        "prefix tuning llama3 8b 显存",
        "7B p-tuning 要多少显存",
        "chatglm3-6b ptuning v2 on a 16GB card?",
        "IA3 fine-tuning of Llama 3 8B memory",
        "13B 软提示微调 显存",
    ],
)
def test_a_method_with_a_frozen_base_is_like_lora(reader: Reader, text: str) -> None:
    assert reader.read(text).slots["workload"] == "lora"
