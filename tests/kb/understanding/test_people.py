"""People are counted: as those who may use a service, or as those who do at the same time."""

from __future__ import annotations

import pytest

from kb.understanding import Reader


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("60 employees llama 70b fp8 how many h100", 60),
        ("200 students, llama 3 8b fp16, how many L40S", 200),
        ("serve qwen3 32b fp8 to a team of 25 on 2x L40S, ok?", 25),
        ("a 40-person lab wants llama 70b in fp8, how many A100", 40),
        ("5k employees, llama 3.3 70b, how many h100", 5000),
        ("llama 3 8b in bf16 with vllm, 8 people sending photos, vram?", 8),
        ("60个员工用llama 70b fp8 要几张h100", 60),
        ("三百名同事 qwen2.5-32b int8 要几张 4090", 300),
        ("实验室20个学生 想部署qwen2.5-72b int4 两张a100 80g够吗", 20),
        ("日均 2 万次请求的 7B 要几张 4090", None),
        ("一个学生模型 1.5B 要多少显存", None),
        ("8位量化的 7B 要多少显存", None),
        ("3人月的项目，7B 推理要几张 4090", None),
        ("distil into 2 student models of 1B, memory?", None),
    ],
)
def test_people_who_may_use_it(reader: Reader, text: str, people: int | None) -> None:
    found = reader.read(text).slots
    assert found.get("people") == people and "concurrency" not in found


@pytest.mark.parametrize(
    ("text", "at_once"),
    [
        ("30 devs at the same time on llama 3 8b, one h100 enough?", 30),
        ("company of 500, 10% concurrent, llama 3.3 70b fp8, how many H100?", 50),
        ("300名员工，10%同时在线，70B int8 要几张 A100", 30),
        ("50个学生同时用 7B，要几张 4090", 50),
        ("80 employees, 12 at once, 70b fp8, how many H100", 12),
        ("50 sessions on a L40S with llama 3 8b, fits?", 50),
    ],
)
def test_people_at_the_same_time(reader: Reader, text: str, at_once: int) -> None:
    assert reader.read(text).slots["concurrency"] == at_once


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("為 200 個使用者部署 gpt-oss-120b，H100 80GB 要幾張？", 200),
        ("兩百個使用者 qwen3-32b 幾張H100", 200),
        ("50 位用户用 qwen3-32b 要几张 L40S", 50),
        ("三十位访客同时用 qwen3-14b 4090 几张", 30),
        ("qwen3-14b for 40 visitors at the same time, how many 4090", 40),
    ],
)
def test_users_by_any_word_are_users(reader: Reader, text: str, count: int) -> None:
    assert reader.read(text).parts[0].slots["concurrency"] == count


@pytest.mark.parametrize(
    ("text", "users"),
    [
        ("32B chatbot, 20k DAU, how many H100s?", 20000),
        ("32B 的客服，日活 2 万，要几张卡", 20000),
        ("日活两千的 App 跑 14B 要几张 4090", 2000),
        ("app with 20,000 daily active users, 8b model, which gpu and how many?", 20000),
        ("2 million MAU, 8B chatbot, how many L40S", 2_000_000),
        ("月活50万，32B模型，几张A100", 500_000),
    ],
)
def test_users_by_the_day_or_the_month(reader: Reader, text: str, users: int) -> None:
    slots = reader.read(text).slots
    assert slots.get("active_users") == users
    assert "people" not in slots
