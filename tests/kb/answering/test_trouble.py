"""Out of memory: what takes the memory and what saves most of it; figures heard elsewhere are held against the computed ones."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase

OUT_OF_MEMORY = {
    "en": "CUDA out of memory: full fine-tuning of Llama 2 7B on 4x A100 40GB",
    "zh": "CUDA out of memory，4 张 A100 40G 全参微调 Llama 2 7B 爆显存",
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_changes_are_listed_with_the_largest_saving_first(knowledge: KnowledgeBase, language: str) -> None:
    answer = knowledge.ask(OUT_OF_MEMORY[language])
    saved = [float(v.value) for v in answer.values if v.name == "memory_saved_per_gpu" and v.value is not None]
    left = {v.scope: v for v in answer.values if v.name == "memory_per_gpu" and v.scope}
    need = next(float(v.value) for v in answer.values if v.name == "memory_per_gpu" and not v.scope and v.value is not None)
    assert answer.table and len(answer.table.rows) >= 3
    told = [float(row[1].split()[0]) for row in answer.table.rows]
    assert told == sorted(told, reverse=True)
    assert all(abs(need - s - float(left[v].value)) < 0.01 for v, s in zip(left, saved, strict=True))


def test_what_is_set_already_is_not_recommended(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("CUDA out of memory: QLoRA of Llama 2 7B on one RTX 3060, micro batch size 1")
    scopes = {v.scope for v in answer.values if v.name == "memory_saved_per_gpu"}
    assert scopes and not {"workload=qlora", "micro_batch=1", "zero_stage=3"} & scopes


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("A blog says full fine-tuning of Llama 2 7B takes 20 GB in total. How much memory does it take?", "too low"),
        ("readme 写 Llama 2 7B 全参最少 20G，实际显存合计多少？", "偏低"),
    ],
)
def test_a_figure_that_is_too_low_is_put_right_first(knowledge: KnowledgeBase, question: str, says: str) -> None:
    first = knowledge.ask(question).text.split("\n")[0]
    assert says in first and "20" in first


def test_four_bits_in_training_are_read_as_qlora(knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask("OOM on a T4 when I train llama-3-8b in 4bit with sequence length 8192")
    assert "QLoRA" in answer.text and "pretraining" not in answer.text


def test_the_size_of_a_data_set_is_no_claim_about_memory(knowledge: KnowledgeBase) -> None:
    assert (
        "偏低" not in (text := knowledge.ask("训练 Llama 3 8B 用 8 张 A100 需要多少天，数据 15T").text) and "偏高" not in text
    )


def test_a_claim_in_terabytes_is_read_as_such(knowledge: KnowledgeBase) -> None:
    first = knowledge.ask(
        "A blog says full fine-tuning of Llama 2 7B takes 0.5 TB in total. How much memory does it take?"
    ).text
    assert "more than is needed" in first.split("\n")[0]


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("NVLink makes two 3090s one 48GB GPU, right?", "No"),
        ("两张4090能拼成48G用吗", "不能"),
        ("deepseek v3 只需要 37B 的显存对吗", "不能"),
        ("ZeRO-3 切激活吗", "不能"),
        ("does ZeRO-3 shard activations too?", "No"),
        ("RoCE 是走 TCP 的吧？", "不走"),
        ("int4 预训练 7B 要几张 4090", "不能"),
    ],
)
def test_a_wrong_belief_is_denied_in_the_first_word(knowledge: KnowledgeBase, question: str, begins: str) -> None:
    assert knowledge.ask(question).text.startswith(begins)


@pytest.mark.parametrize("question", ["NVLink makes two 3090s one 48GB GPU, right?", "deepseek v3 只需要 37B 的显存对吗"])
def test_nothing_follows_a_correction_that_was_all_that_was_asked(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.table is None and "QLoRA" not in answer.text and len(answer.text) < 400


def test_both_wrong_figures_of_a_card_are_put_right(knowledge: KnowledgeBase) -> None:
    text = knowledge.ask("我听说H100 96GB HBM2e，跑72B fp16两张够吧").text
    assert "80 GB 或 94 GB，不是 96 GB" in text and "HBM3，不是 HBM2e" in text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("训练突然 CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 71.20 GiB already allocated; 1.10 GiB free; "
         "76.80 GiB reserved in total by PyTorch)", ("5.6 GiB", "expandable_segments")),
        ("CUDA out of memory. Tried to allocate 3.00 GiB. 22.90 GiB is allocated by PyTorch, and 0.20 GiB is reserved by PyTorch but "
         "unallocated", ("no fragmentation", "22.9 GiB")),
        ("vLLM: max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (58768). what now?",
         ("58768 at most",)),
        ("vLLM 报 max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (40960)，怎么改",
         ("不能超过 40960",)),
        ("GPU 温度 88 度，频率掉到 1000MHz，怎么办", ("灰尘", "-pl")),
        ("clocks drop to 1200 MHz, SW Thermal Slowdown active. fix?", ("dust", "-pl")),
        ("8卡4090训练只有单卡2倍速度，为啥", ("NVLink", "PCIe")),
        ("ncclSystemError: Connect to 172.17.0.1<40123> failed, in docker on two nodes", ("NCCL_SOCKET_IFNAME", "--network host")),
        ("loss 变 NaN 了，fp16 训练", ("loss scale", "BF16")),
        ("OOM after 2000 steps, first steps fine", ("longest",)),
    ],
)  # fmt: skip
def test_the_first_paragraph_is_about_the_symptom(knowledge: KnowledgeBase, question: str, says: tuple[str, ...]) -> None:
    first = knowledge.ask(question).text.split("\n\n")[0]
    assert all(word in first for word in says)


@pytest.mark.parametrize("question", ["NCCL 报 unhandled system error 怎么查", "my fp16 loss goes nan"])
def test_no_figures_are_asked_for_where_memory_is_not_the_trouble(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "请补充" not in text and "Tell me" not in text


def test_a_closed_model_is_declined_as_not_published(knowledge: KnowledgeBase) -> None:
    for question in ("GPT-4o 有多少参数", "how much vram does Claude Opus 4 need?"):
        answer = knowledge.ask(question)
        assert answer.declined and answer.declined.reason == "not_published"
    other = knowledge.ask("RTX 6090 bandwidth")
    assert other.declined and other.declined.reason == "not_in_corpus"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("DeepSeek-V3 预训练用了多少 H800 小时，花了多少钱", ("266.4", "557.6")),
        ("what did it cost to train DeepSeek-V3?", ("5.576",)),
        ("how many GPU hours did Llama 3.1 70B take to train?", ("7.0 million",)),
    ],
)
def test_what_a_published_run_took_is_told(knowledge: KnowledgeBase, question: str, says: tuple[str, ...]) -> None:
    text = knowledge.ask(question).text
    assert all(word in text for word in says)


@pytest.mark.parametrize(
    "question",
    [
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB.\n"
        "flags: --per_device_train_batch_size 4 --max_seq_length 4096 --model Qwen2.5-7B, lora r=16. one 3090. what to turn down first?",
        "CUDA out of memory 了。\n参数：--per_device_train_batch_size 4 --max_seq_length 4096 --model Qwen2.5-7B，lora，一张 3090，"
        "先调哪个？",
    ],
)
def test_the_flags_of_the_command_are_of_the_run_that_failed(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    verdicts = [v.value for v in answer.values if v.name == "memory_per_gpu" and not v.scope]
    assert len(verdicts) == 1 and float(verdicts[0] or 0) > 21.5
    assert "micro_batch=1" in {v.scope for v in answer.values}
    assert not {"seq_len", "micro_batch"} & {a.slot for a in answer.assumptions}


@pytest.mark.parametrize(
    ("question", "fits"),
    [
        ("CUDA out of memory，24G 的卡微调 7B 的时候报的，咋回事", "够用，放得下"),
        ("CUDA out of memory while fine-tuning a 7B on a 24 GB card, why?", "Yes, it fits"),
    ],
)
def test_no_method_that_nobody_named_is_said_to_fit(knowledge: KnowledgeBase, question: str, fits: str) -> None:
    answer = knowledge.ask(question)
    assert fits not in answer.text and answer.verdict is None


@pytest.mark.parametrize(
    ("question", "not_answered"),
    [
        (
            "Training hangs after a while then\n\n[rank3]:[E ProcessGroupNCCL.cpp:563] Watchdog caught collective operation timeout: "
            "WorkNCCL(SeqNum=1841, OpType=ALLREDUCE) ran for 600421 milliseconds\n\n2 nodes x 8 A100. Where do I start looking?",
            "Not answered",
        ),
        (
            "训练卡住，然后\n[rank3]: Watchdog caught collective operation timeout: OpType=ALLREDUCE\n两台 8 卡 A100，从哪查起？",
            "未回答",
        ),
    ],
)
def test_a_line_of_a_log_is_no_question_of_its_own(knowledge: KnowledgeBase, question: str, not_answered: str) -> None:
    answer = knowledge.ask(question)
    assert "NCCL_DEBUG" in answer.text and not_answered not in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "vllm serve Qwen/Qwen2.5-32B-Instruct --max-model-len 131072 报 ValueError: The model's max seq len (131072) is larger than the "
        "maximum number of tokens that can be stored in KV cache，单卡 A100 80G，怎么解决",
        "vLLM says the model's max seq len is larger than the maximum number of tokens that can be stored in KV cache: Qwen2.5-32B on one "
        "A100 80GB, how do I fix it?",
    ],
)
def test_the_context_that_a_card_holds_is_computed(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    longest = [float(v.value or 0) for v in answer.values if v.name == "max_context_len"]
    assert longest and 30_000 < longest[0] < 45_000
    assert "--max-model-len" in answer.text


@pytest.mark.parametrize(
    ("question", "no"),
    [
        (
            "Mixtral 8x7B only activates 2 experts, so ~13B worth of VRAM, right? so a 16GB card in 8 bit does it?",
            "does not fit",
        ),
        ("Mixtral 8x7B 只激活 13B，显存按 13B 算对吧？那 16G 的卡 8bit 就够了吧", "放不下"),
    ],
)
def test_a_fit_that_follows_from_a_wrong_belief_is_computed_anew(knowledge: KnowledgeBase, question: str, no: str) -> None:
    answer = knowledge.ask(question)
    assert "46.7B" in answer.text and no in answer.text and answer.verdict == "does_not_fit"


def test_remedies_that_were_computed_are_not_followed_by_a_table_of_other_sizes(knowledge: KnowledgeBase) -> None:
    text = knowledge.ask("7B lora，24G 卡，bs4，长度 4096", history=[("user", "CUDA out of memory 怎么解决")]).text
    assert "改用 QLoRA" in text and "LLaMA-Factory" not in text


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("I get CUDA OOM during training, batch size is 1 and gradient checkpointing is enabled already. what else can I do?",
         ("- Micro-batch 1", "- Gradient checkpointing")),
        ("训练 OOM 了，batch size 已经是 1，梯度检查点也开了，还有什么办法", ("- 微批次", "- 梯度检查点")),
        ("4x 3090 LoRA on Qwen 7B still OOM, batch size already 1", ("- Micro-batch 1", "instead of full")),
        ("插了4张3090练qwen 7b的lora还是炸，bs都压到1了，还能从哪省", ("微批次（batch size）设为 1", "全参微调改为")),
        ("2 x 3090 qlora 32b oom at batch 1 with gradient checkpointing on", ("that gradient checkpointing is on", "the batch size")),
    ],
)  # fmt: skip
def test_what_was_done_already_is_not_advised(knowledge: KnowledgeBase, text: str, taken: tuple[str, ...]) -> None:
    answer = knowledge.ask(text).text
    assert not any(words in answer for words in taken)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("llama 3 8B full finetune, seq 8192, batch 1: CUDA OOM, tried to allocate 7.83 GiB", "8192 tokens × 128256"),
        ("qwen2.5-7b 微调 seq 4096 bs1 Tried to allocate 4.64 GiB 是什么", "4096 个 token × 词表 152064 项 × 8 字节"),
        ("qwen2.5-7b lora 长度4096 bs1 报错 tried to allocate 2.0 GiB", "约 3531 个 token（题中为 4096 个）"),
        ("mistral 7b lora, seq 8192, batch 1, OOM: Tried to allocate 1.30 GiB", "where 8192 were said"),
    ],
)
def test_a_block_that_is_nearly_the_logits_is_told_as_such(knowledge: KnowledgeBase, question: str, says: str) -> None:
    text = knowledge.ask(question).text
    assert says in text
    assert "most probably" in text or "多半" in text


def test_a_block_far_from_the_logits_is_not_taken_for_them(knowledge: KnowledgeBase) -> None:
    text = knowledge.ask("llama 3 8B full finetune, seq 8192, batch 1: CUDA OOM, tried to allocate 112 MiB").text
    assert "logits:" not in text and "most probably" not in text
