"""Logs and complaints show what is wrong, with the figures they state; plain questions show nothing."""

from __future__ import annotations

import pytest

from kb.understanding import Reader
from kb.understanding.symptoms import symptoms_of
from kb.understanding.text.clauses import clauses
from kb.understanding.text.fold import fold

OLD_LOG = (
    "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 79.15 GiB total capacity; 71.20 GiB already allocated; 1.10 GiB free; "
    "76.80 GiB reserved in total by PyTorch)"
)
NEW_LOG = (
    "CUDA out of memory. Tried to allocate 64.00 MiB. Of the allocated memory 22.90 GiB is allocated by PyTorch, and 210.00 MiB is "
    "reserved by PyTorch but unallocated."
)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (OLD_LOG, ["fragmented"]),
        ("训练跑到第300步突然 " + OLD_LOG, ["fragmented", "late_oom"]),
        (NEW_LOG, ["used_up"]),
        ("Tried to allocate 2.00 GiB (20.11 GiB already allocated; 1.2 GiB free; 21.5 GiB reserved)", ["used_up"]),
        ("训练中途 watchdog caught collective operation timeout", ["nccl_timeout"]),
        ("NCCL 超时了，两台机器", ["nccl_timeout"]),
        ("CUDA out of memory 怎么办", ["oom"]),
        ("OOM after 2000 steps, first steps fine", ["late_oom"]),
        ("训练到一半显存溢出，跑了几小时才炸", ["late_oom"]),
        ("The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (58768)",
         ["context_too_long"]),
        ("GPU 温度 88 度，频率掉到 1000MHz", ["thermal"]),
        ("clocks drop to 1200 MHz, SW Thermal Slowdown active", ["thermal"]),
        ("loss 跑着跑着变 NaN 了，fp16 训练", ["nan"]),
        ("my fp16 loss goes nan", ["nan"]),
        ("NCCL error: unhandled system error", ["nccl_system"]),
        ("ncclSystemError: socketStartConnect: Connect to 172.17.0.1<40123> failed", ["docker_bridge"]),
        ("4 nodes only give 1.3x of one node", ["nodes_slow"]),
        ("多机训练很慢", ["nodes_slow"]),
        ("8卡4090训练只有单卡2倍速度", ["cards_slow"]),
        ("怎么判断是算力瓶颈还是带宽瓶颈", ["bound"]),
        ("is my job compute-bound or memory-bound?", ["bound"]),
    ],
)  # fmt: skip
def test_what_a_text_shows(text: str, kinds: list[str]) -> None:
    assert [s.kind for s in symptoms_of(fold(text).low)] == kinds


def test_the_figures_of_a_log_are_read() -> None:
    (old,), (new,) = symptoms_of(fold(OLD_LOG).low), symptoms_of(fold(NEW_LOG).low)
    assert old.figures["unallocated"] == 5.6 and old.figures["requested"] == 2
    assert new.figures["unallocated"] == 0.205


@pytest.mark.parametrize(
    "text",
    [
        "8 张 H100 训 7B 1T tokens 多久", "70B QLoRA 要多少显存", "H100 和 A100 带宽差多少", "vLLM 部署 7B 的 max-model-len 设多少",
        "4 nodes of 8 H100, how fast is 70B training?", "GPU 的温度上限是多少", "what is NCCL?",
    ],
)  # fmt: skip
def test_a_plain_question_shows_nothing(text: str) -> None:
    assert symptoms_of(fold(text).low) == ()


def test_a_log_with_a_question_is_one_question_about_it(reader: Reader) -> None:
    log = (
        "The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (58768).\n"
    )
    understood = reader.read(log + "llama 3.1 8b on a 4090. what --max-model-len should i use?")
    assert [p.intent for p in understood.parts] == ["troubleshoot"]


def test_a_figure_asked_for_besides_stays_a_question(reader: Reader) -> None:
    understood = reader.read("GPU 过热降频怎么办？H100 的带宽是多少？")
    assert [p.intent for p in understood.parts] == ["troubleshoot", "lookup"]


@pytest.mark.parametrize(
    "text",
    [
        "SGLang 启动报错 “Not enough memory. Please try to increase --mem-fraction-static”，应如何处理？",
        'sglang stops with "Not enough memory. Please try to increase --mem-fraction-static" at start, what to do?',
    ],
)
def test_a_quoted_message_is_one_thing_whatever_it_says(text: str) -> None:
    assert len(clauses(text.lower())) == 1
