"""A run that ran out of memory: with the loss that trainers have, by what was said of it, and of the memory that ran out."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


def _need(knowledge: KnowledgeBase, question: str) -> float:
    answer = knowledge.ask(question)
    return next(float(v.value) for v in answer.values if v.name == "memory_per_gpu" and not v.scope and v.value is not None)


@pytest.mark.parametrize(
    ("failed", "fused"),
    [
        ("LoRA of Llama 3.1 8B on a 4090, batch 1, cutoff_len 4096, OOMs. where can I still save?", "with liger, "),
        ("单卡 4090 lora qwen2.5-7b 长度 4096 bs1 oom 怎么省", "开了 liger，"),
    ],
)
def test_the_plain_loss_is_what_ran_out_unless_another_is_said(knowledge: KnowledgeBase, failed: str, fused: str) -> None:
    plain, saved = knowledge.ask(failed), _need(knowledge, fused + failed)
    assert _need(knowledge, failed) > saved + 4
    rows = {v.scope: v for v in plain.values if v.name == "memory_per_gpu" and v.scope}
    assert float(rows["fused_loss=True"].value or 0) == pytest.approx(saved, abs=0.1)
    assert not plain.text.startswith(("Yes", "够用"))


def test_the_longer_of_two_lengths_is_wanted_and_what_ran_tells_the_loss(knowledge: KnowledgeBase) -> None:
    for question in (
        "8xA100 80G, Qwen2.5 7B full fine-tune: 32k works, 64k OOMs. How do I get to 64k?",
        "8 卡 A100 80G 全参微调 Qwen2.5 7B，最长只到 32k，再长就爆，能拉到 64k 吗",
    ):
        answer = knowledge.ask(question)
        assert not any(v.scope and v.scope.startswith("seq_len") for v in answer.values), "it is the length that is wanted"
        assert _need(knowledge, question) < 60, "the plain loss would not have held 32k"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("T4 colab, unsloth llama-3-8b 4bit with 18000 ctx: tried to allocate 9.47 GiB. what is that", "18000 tokens × 128256"),
        ("爆显存：llama 3 8b qlora 长度 16000，tried to allocate 8 GiB，这块是什么", "16000 个 token × 词表 128256"),
    ],
)
def test_a_block_as_large_as_the_logits_is_named_first(knowledge: KnowledgeBase, question: str, said: str) -> None:
    assert said in knowledge.ask(question).text.split("\n")[0]


@pytest.mark.parametrize(
    ("question", "first", "then"),
    [
        ("4060ti 16gb, 8B 4bit unsloth goes OOM when I unset both fp16 and bf16", "no mixed precision", "Apart from that"),
        ("Qwen2.5-VL 7B 推理在 4090 上爆显存", "图", "仅文本部分"),
    ],
)
def test_the_cause_that_was_told_stands_before_the_estimate(
    knowledge: KnowledgeBase, question: str, first: str, then: str
) -> None:
    text = knowledge.ask(question).text
    assert first in text.split("\n")[0] and text.find(then) > 0 and text.find(first) < text.find(then)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("loading Qwen2.5 32B gets killed (-9), 32GB RAM, one 4090", "more than the 32 GB"),
        ("加载 70B 的时候进程被 killed 了，机器 64G 内存，卡是两张 A100 80G", "超过现有的 64 GB"),
        ("vllm pod OOMKilled 137 on k8s, model is 70b awq", "takes 34.6 GiB"),
        ("Kaggle 双 T4 合并 7B LoRA 时 RAM 爆了怎么办", "13 GiB"),
    ],
)
def test_memory_of_the_host_is_no_memory_of_a_gpu(knowledge: KnowledgeBase, question: str, says: str) -> None:
    text = knowledge.ask(question).text
    assert says in text.split("\n")[0] and "ZeRO-3 or FSDP" not in text and "微批次" not in text


def test_an_engine_that_fills_a_card_is_told_once(knowledge: KnowledgeBase) -> None:
    for question in (
        "vLLM shows 75 GB used for a 7B model on my A100 80GB, is it because of max_model_len?",
        "A100 80G 上 vllm 跑 7B 占了 75G 显存，是泄漏吗，还是 max_model_len 太大",
    ):
        answer = knowledge.ask(question)
        assert "gpu_memory_utilization" in answer.text.split("\n")[0] and answer.verdict is None
        assert answer.text.count("73.2 GiB") == 1


def test_a_model_with_images_is_counted_without_them_and_that_is_said(knowledge: KnowledgeBase) -> None:
    assert "image encoder" in knowledge.ask("Qwen2.5-VL 7B on a 4090, does it fit?").text
    assert "图像编码器" not in knowledge.ask("Qwen2.5 7B 推理，4090 够吗").text


def test_what_the_host_ran_out_of_memory_with_may_be_told_later(knowledge: KnowledgeBase) -> None:
    killed = "vllm pod OOMKilled exit 137 on k8s but nvidia-smi shows plenty free"
    assert "34.6 GiB" in knowledge.ask("limit is 32Gi n model is 70b awq", history=[("user", killed)]).text.split("\n")[0]


def test_memory_that_is_feared_to_run_out_is_a_question_of_fit(knowledge: KnowledgeBase) -> None:
    assert knowledge.ask("Will a 7B LoRA OOM on a 24GB card at 4096 tokens?").text.startswith("Yes, it fits")


@pytest.mark.parametrize(
    ("question", "length"), [("OOM at 4096, qlora 13b on 3060 12G", 4096), ("lora 8b on 4090 OOMs at 8192", 8192)]
)
def test_the_length_at_which_it_ran_out_is_the_length(knowledge: KnowledgeBase, question: str, length: int) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "does_not_fit"
    assert f"{length // 2}" in answer.text, "half of it is a remedy"
