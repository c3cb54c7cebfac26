"""A question that one section answers gets that section, and its first sentence takes a side."""

from __future__ import annotations

import re

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("32 GPUs on 25GbE, scaling is bad, what network speed do I need?", "200 to 400 Gb/s"),
        ("64卡训练用10G网，扩展性差，网速要多少", "200 到 400 Gb/s"),
        ("RoCE or InfiniBand for 32 nodes, limited budget?", "RoCE where the budget is small"),
        ("roce跟ib到底选哪个 预算有限 32台", "选 RoCE"),
        ("NVMe or SATA SSD for training data?", "NVMe for model files"),
        ("训练数据放NVMe还是SATA固态", "SATA 固态硬盘就够"),
        ("two 4090 machines over 1 GbE, 70B q4: PP or TP?", "Pipeline, not tensor parallelism"),
        ("两台4090千兆网跑70B，用pp还是tp", "用流水线"),
        ("which is better for two GPUs in one box, data parallel or tensor parallel?", "data parallelism"),
        ("is TP over 2 nodes with InfiniBand NDR OK for a 405B?", "best avoided"),
        ("where can I get a free GPU to fine-tune a 7B", "Colab"),
        ("哪里能免费白嫖显卡微调7B", "Colab"),
        ("what is the best GPU for AI?", "No card is the best for everything"),
        ("哪个显卡最适合做AI", "没有哪张卡样样最好"),
        ("is an i5 enough for one 3090 or do I need an i9", "Yes for one card"),
        ("单卡4090配r5 7600够不够", "一张卡够用"),
        ("两台机器IB 100G比25G以太网还慢，为什么", "RDMA"),
        ("RuntimeError: peer access is not supported between these two devices, two 4090s", "no direct path"),
        ("zero3 加载模型时就OOM，还没开始训练", "完整的模型"),
        ("merged model is twice as large as the original, 28gb instead of 14 for a 7b", "FP32"),
        ("全参后保存的模型比原来大一倍，8.29B原本16.6G", "33.2 GB"),
    ],
)
def test_the_first_paragraph_answers(knowledge: KnowledgeBase, question: str, lead: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "passages" and lead in answer.text.split("\n\n")[0]


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("LoRA还是QLoRA，4090微调8B", "选 LoRA 微调"),
        ("lora or qlora for 8B on a 4090", "LoRA fine-tuning: both fit"),
        ("lora or qlora for 32B on a single 3090", "QLoRA fine-tuning: LoRA fine-tuning does not fit"),
    ],
)
def test_of_two_methods_one_is_taken(knowledge: KnowledgeBase, question: str, lead: str) -> None:
    assert knowledge.ask(question).text.startswith(lead)


@pytest.mark.parametrize(
    "question",
    [
        "nvlink桥有必要买吗，两张3090 vllm张量并行",
        "3090 nvlink桥对推理有用吗",
        "is nvlink bridge worth it for two 3090 inference",
    ],
)
def test_whether_a_bridge_is_worth_it_is_told_by_the_use(knowledge: KnowledgeBase, question: str) -> None:
    first = knowledge.ask(question).text.split("\n")[0]
    assert re.search(r"推理\w*不需要|for inference \w+ not", first.partition("[")[0])
