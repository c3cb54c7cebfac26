"""What was measured, held against what is to be expected."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "verdict", "share"),
    [
        ("H100标称900，我测p2p单向380正常吗", "正常", 380 / 450),
        ("I measured 850 GB/s memory bandwidth on my 4090, normal?", "Normal", 850 / 1008),
        ("4090实测显存带宽只有500GB/s，是不是太低了", "偏低", 500 / 1008),
        ("our A100 p2p test shows 500 GB/s one-way over nvlink, is that expected?", "The 500 GB/s", 500 / 300),
    ],
)
def test_a_bandwidth_is_held_against_the_nominal_one(
    knowledge: KnowledgeBase, question: str, verdict: str, share: float
) -> None:
    answer = knowledge.ask(question)
    assert answer.text.startswith(verdict)
    assert next(v.value for v in answer.values if v.name == "share") == pytest.approx(share)


@pytest.mark.parametrize(
    ("question", "name", "verdict"),
    [
        ("llama 3.1 8b fp16 on a 4090 gives me 45 tokens/s, is that normal?", "decode_tokens_per_second", "Normal"),
        ("llama 3.1 8b fp16 on a 4090 gives me only 5 tokens/s, too slow?", "decode_tokens_per_second", "Low"),
        ("3090跑qwen2.5 14b int4 每秒才10个token 是不是慢了", "decode_tokens_per_second", "偏低"),
        ("单机8卡A100训练7B MFU只有15%，正常吗", "mfu", "偏低"),
        ("qlora 7B 用了28G显存 合理吗", "memory_per_gpu", "偏高"),
        ("TTFT of 20 s for an 8B on an A100 with a 500-token prompt, is that normal?", "time_to_first_token", "High"),
    ],
)
def test_a_figure_of_a_job_is_held_against_the_computed_interval(
    knowledge: KnowledgeBase, question: str, name: str, verdict: str
) -> None:
    answer = knowledge.ask(question)
    assert answer.text.startswith(verdict)
    value = next(v for v in answer.values if v.name == name)
    said = next(v.value for v in answer.values if v.name == "measured")
    assert isinstance(said, float | int) and value.low is not None and value.high is not None
    assert (value.low <= said <= value.high) == (verdict in ("Normal", "正常"))


def test_whether_a_need_is_normal_is_no_measurement(knowledge: KnowledgeBase) -> None:
    assert not [v for v in knowledge.ask("is 24GB low for a 70B?").values if v.name == "measured"]


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("62 ms TTFT for 8B fp16 on a 4090, is that normal?", "That depends on the length of the prompt"),
        ("4090 跑 8B，首 token 60ms 正常吗", "要看提示词有多长"),
    ],
)
def test_a_time_to_the_first_token_of_an_unknown_prompt_is_not_judged(
    knowledge: KnowledgeBase, question: str, lead: str
) -> None:
    answer = knowledge.ask(question)
    assert answer.text.startswith(lead) and "share" not in {v.name for v in answer.values}
    short = next(v for v in answer.values if v.name == "time_to_first_token_least")
    assert 0.037 < float(short.value or 0) < 0.08 and short.text in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "8B 在 A5000 上 8 个 input tokens，TTFT 62ms normal 吗",
        "TTFT of 62 ms for an 8B on an A5000 with an 8-token prompt, is that normal?",
    ],
)
def test_a_server_takes_its_time_whatever_the_prompt(knowledge: KnowledgeBase, question: str) -> None:
    assert knowledge.ask(question).text.startswith(("Normal", "正常"))


@pytest.mark.parametrize(
    "question",
    ["vllm uses 74GB of my A100 80GB for a 7B model, normal?", "vLLM 在 A100 80GB 上跑 7B 占用 74GB 显存，正常吗"],
)
def test_memory_that_an_engine_reserves_is_what_is_expected_of_it(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert ("High" not in text and "偏高" not in text) and "0.9 " not in text


@pytest.mark.parametrize(
    "question",
    ["an 8B should be 16GB but vllm ate my entire H100. leak?", "vLLM 跑 Llama 3 8B 把 H100 显存吃满了，是不是内存泄漏"],
)
def test_a_reservation_is_told_with_its_own_share_and_is_no_trouble(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    told = {a.slot: a.value for a in answer.assumptions}
    assert told["gpu_memory_utilization"] == 0.92
    assert not any(
        said in answer.text for said in ("the run differs", "实际运行与下面的假设不同", "4-bit weights", "权重量化为 4 位")
    )


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("my training on 8xA100 gives 2500 tok/s/gpu for 7B, is that good?", "Low"),
        ("getting 45 tok/s with llama 8b on a 4090, is that ok?", "Normal"),
        ("we see 35% MFU for 13B on 64 H100, is that good?", "Low"),
        ("70B 64 张 H100 训练 MFU 35%，这个水平怎么样", "偏低"),
        ("4090 跑 8B 45 token/s 算快吗", "正常"),
    ],
)
def test_whether_a_measured_speed_is_good_is_judged_in_plain_words_too(
    knowledge: KnowledgeBase, question: str, key: str
) -> None:
    answer = knowledge.ask(question)
    assert answer.text.startswith(key) and answer.verdict is None


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("RTX 4090 跑 8B 怎么样", "fits"),
        ("H20 推理 70B 效果如何", "fits_with_conditions"),
        ("need 45 tok/s with llama 8b for one user, 4090 ok?", "fits"),
        ("M3 Max 64GB 跑 qwen 32B 多少 token/s", "fits_with_conditions"),
        ("how many tokens/s does a 32B make on an M3 Max 64GB?", "fits_with_conditions"),
    ],
)
def test_how_well_a_card_runs_a_model_begins_with_whether_it_holds_it(
    knowledge: KnowledgeBase, question: str, verdict: str
) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == verdict
    assert answer.text.count("权重改用") <= 1


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("70B Q4 on two 3090s gives 9 tokens per second. Is that all they can do?", "Low: the 9 tokens/s"),
        ("my 4090 does 60 tok/s on an 8B Q4 model, what should it do?", "Low: the 60 tokens/s"),
        ("70b q4 on two 3090s, 9 tokens per second, how can i speed it up", "Low: the 9 tokens/s"),
        ("70B Q4 用两张3090跑只有9 tok/s，是不是哪里有问题", "偏低：实测 9 token/s"),
        ("3090 x2 70B Q4 9 token/s，怎么提速", "偏低：实测 9 token/s"),
    ],
)
def test_a_speed_told_of_a_model_on_a_card_is_judged_however_it_is_put(
    knowledge: KnowledgeBase, question: str, lead: str
) -> None:
    assert knowledge.ask(question).text.startswith(lead)


@pytest.mark.parametrize(
    "question",
    [
        "can two 3090s reach 20 tok/s with 70b q4?",
        "70B Q4 要跑到20 tok/s，两张3090够吗",
        "8B fp16 on a 4090 at 50 tok/s, how many users can it serve?",
    ],
)
def test_a_speed_that_is_to_be_reached_was_not_measured(knowledge: KnowledgeBase, question: str) -> None:
    assert not [v for v in knowledge.ask(question).values if v.name == "measured"]
