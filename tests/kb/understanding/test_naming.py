"""Names that a question asks to have explained, and names that it sets against one another."""

from __future__ import annotations

import pytest

from kb.understanding import Reader
from kb.understanding.asks.naming import contrasted, defined


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("PagedAttention vs FlashAttention 傻傻分不清 到底干嘛的", ("PagedAttention", "FlashAttention")),
        ("AWQ、GPTQ、GGUF 這幾種量化格式差在哪，該用哪個？", ("AWQ", "GPTQ", "GGUF")),
        ("RoCE v2 与 InfiniBand 用于大模型训练时各有什么优缺点？", ("RoCE v2", "InfiniBand")),
        ("请问数据并行和张量并行之间有什么区别", ("数据并行", "张量并行")),
        ("prefill和decode什么区别", ("prefill", "decode")),
        ("difference between tensor and expert parallelism", ("tensor parallelism", "expert parallelism")),
        ("What is the difference between GGUF, AWQ and GPTQ?", ("GGUF", "AWQ", "GPTQ")),
        ("how do FSDP and DeepSpeed differ?", ("FSDP", "DeepSpeed")),
        ("tp vs pp, which one without nvlink?", ("tp", "pp")),
        ("what is the difference", ()),
        ("8 张 4090 和 4 张 A100 训练 7B 要多久", ()),
        ("Llama 3 70B on 2x A100 or 4x L40S?", ()),
    ],
)
def test_what_is_set_against_what(question: str, names: tuple[str, ...]) -> None:
    assert contrasted(question) == names


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("GQA是什么", "GQA"),
        ("什么是 KV cache，占多少显存", "KV cache"),
        ("TPOT是什么意思", "TPOT"),
        ("what does disaggregated prefill mean and when is it worth it", "disaggregated prefill"),
        ("What is expert parallelism, and which links does it need?", "expert parallelism"),
        ("what is the best gpu", ""),
        ("what does it mean", ""),
        ("70B 要多少显存", ""),
    ],
)
def test_what_is_to_be_explained(question: str, name: str) -> None:
    assert defined(question) == name


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("mac mini m4 16gb, llama 8b q4, how fast?", "apple-m4"),
        ("M3 16GB 能跑 8B q4 吗", "apple-m3"),
        ("一台 Mac mini M4 Pro（64GB 统一内存）能运行 72B 的 4bit 量化版吗？", "apple-m4-pro"),
        ("bge-m3 embedding模型吃多少显存啊 跟qwen3-8b挤一张24g行不", None),
        ("my laptop with a 4070 (8 gb), biggest qlora?", "rtx-4070-laptop"),
        ("笔记本4070 8G能微调多大模型", "rtx-4070-laptop"),
        ("laptop with 4080 12gb, run 14b q4?", "rtx-4080-laptop"),
        ("desktop with a 4070, biggest qlora?", "rtx-4070"),
    ],
)
def test_a_chip_is_that_of_the_machine_it_is_in(reader: Reader, text: str, row: str | None) -> None:
    assert reader.read(text).slots.get("gpu") == row
