"""Whatever is wrong, the reply is a problem document that names what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.settings import Settings
from service.app import create_app
from service.schemas import ProblemDocument
from tests.service.fake_knowledge import FakeKnowledgeBase

JSON = {"Content-Type": "application/json"}
POSTS = ("/v1/ask", "/v1/search", "/v1/size", "/v1/plan", "/v1/understand")


def check_problem(reply: Any, status: int) -> dict[str, Any]:
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = reply.json()
    ProblemDocument.model_validate(body)
    assert body["status"] == status and body["instance"].endswith(reply.headers["x-request-id"])
    return body


@pytest.mark.parametrize("question", ["", "   ", "\u3000\n\t", "\u200b"])
def test_an_empty_question_is_refused_in_both_languages(client: Any, question: str) -> None:
    body = check_problem(client.post("/v1/ask", json={"question": question}), 422)
    assert "question is empty" in body["detail"] and "问题为空" in body["detail"]
    assert body["errors"][0]["pointer"] == "/question"


def test_a_question_that_is_too_long_is_refused_with_the_limit(client: Any) -> None:
    body = check_problem(client.post("/v1/ask", json={"question": "a" * 4001}), 422)
    assert "too long" in body["detail"] and "4000" in body["detail"]
    body = check_problem(client.post("/v1/ask", json={"question": "长" * 4001}), 422)
    assert "过长" in body["detail"] and "4000" in body["detail"]


@pytest.mark.parametrize(
    ("path", "request_body", "field"),
    [
        ("/v1/ask", {}, "question"),
        ("/v1/ask", {"question": 7}, "question"),
        ("/v1/ask", {"question": "x", "topk": 3}, "topk"),
        ("/v1/ask", {"question": "x", "top_k": 0}, "top_k"),
        ("/v1/ask", {"question": "x", "top_k": "3"}, "top_k"),
        ("/v1/ask", {"question": "x", "language": "fr"}, "language"),
        ("/v1/ask", {"question": "x", "history": [{"role": "system", "content": "y"}]}, "history.0.role"),
        ("/v1/ask", {"question": "x", "conversation_id": "../.."}, "conversation_id"),
        ("/v1/search", {"query": "x", "mode": "magic"}, "mode"),
        ("/v1/size", {"gpu_count": 0}, "gpu_count"),
        ("/v1/size", {"gpu_count": True}, "gpu_count"),
        ("/v1/size", {"gpu_count": 1.5}, "gpu_count"),
        ("/v1/size", {"zero_stage": 4}, "zero_stage"),
        ("/v1/size", {"mfu": 1.2}, "mfu"),
        ("/v1/size", {"workload": "dance"}, "workload"),
        ("/v1/size", {"gpu": "no-such"}, "gpu"),
        ("/v1/plan", {"max_gpus": 0}, "max_gpus"),
        ("/v1/plan", {"max_days": -1}, "max_days"),
        ("/v1/plan", {"objective": "beauty"}, "objective"),
        ("/v1/plan", {"gpus": []}, "gpus"),
        ("/v1/plan", {"gpus": ["no-such"]}, "gpus"),
    ],
)
def test_bad_input_names_the_field(client: Any, path: str, request_body: dict[str, Any], field: str) -> None:
    body = check_problem(client.post(path, json=request_body), 422)
    assert any(fault["field"].startswith(field) for fault in body["errors"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"nope", 400),
        (b'{"question": NaN}', 400),
        (b'{"question": Infinity}', 400),
        (b'{"question": 1e999}', 400),
        (b'{"question": "\xff\xfe"}', 400),
        (b'{"question": "\\ud800"}', 400),
        (b'{"\\ud800": 1}', 400),
        (b"[" * 100_000, 413),
        (b"[" * 20_000, 400),
        (b'{"question":' + b"[" * 50 + b"]" * 50 + b"}", 400),
        (b"1" * 5000, 400),
        (b"[]", 422),
        (b"null", 422),
        (b'"text"', 422),
    ],
)
def test_a_body_that_is_no_proper_json_is_refused(client: Any, body: bytes, status: int) -> None:
    for path in POSTS:
        check_problem(client.post(path, content=body, headers=JSON), status)


def test_a_body_of_ten_megabytes_is_refused_with_the_limit(client: Any) -> None:
    body = check_problem(client.post("/v1/ask", content=b'{"question": "' + b"a" * 10_000_000 + b'"}', headers=JSON), 413)
    assert "65536" in body["detail"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
def test_another_content_type_is_refused(client: Any, kind: str) -> None:
    check_problem(client.post("/v1/ask", content=b'{"question": "x"}', headers={"Content-Type": kind}), 415)


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/v1/specs/none",
        "/v1/specs/accelerators/none",
        "/v1/sources/none",
        "/v1/rules/none",
        "/v1/answers/none",
        "/widget/none.js",
    ],
)
def test_what_is_not_there_is_a_problem_too(client: Any, path: str) -> None:
    check_problem(client.get(path), 404)


def test_a_method_that_is_not_taken_is_a_problem_that_says_which_are(client: Any) -> None:
    reply = client.get("/v1/ask")
    check_problem(reply, 405)
    assert reply.headers["allow"] == "POST"


def test_an_unforeseen_failure_leaks_nothing(client: Any) -> None:
    body = check_problem(client.post("/v1/ask", json={"question": "boom"}), 500)
    assert "secret" not in json.dumps(body)


def test_details_follow_accept_language_and_without_it_the_question(client: Any) -> None:
    english = client.post("/v1/ask", json={"question": "no-such"}).json()
    chinese = client.post("/v1/ask", json={"question": "no-such 的显存"}).json()
    asked = client.post("/v1/ask", json={"question": "no-such"}, headers={"Accept-Language": "en;q=0.4, zh-CN"}).json()
    assert "no entry" in english["detail"] and "表中没有" in chinese["detail"] and "表中没有" in asked["detail"]


def test_kept_answers_are_for_callers_on_this_machine(knowledge: Any) -> None:
    answer = knowledge.ask("H100 memory")
    far = TestClient(create_app(knowledge, Settings()), client=("192.0.2.1", 1))
    check_problem(far.get(f"/v1/answers/{answer.id}"), 404)
    check_problem(far.delete(f"/v1/conversations/{answer.conversation_id}"), 404)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
NAMES = st.sampled_from(
    [
        "question",
        "query",
        "history",
        "top_k",
        "filters",
        "language",
        "stream",
        "model",
        "gpu",
        "gpu_count",
        "tokens",
        "mode",
        "mfu",
    ]
)
FUZZED = TestClient(create_app(FakeKnowledgeBase(), Settings()), client=("127.0.0.1", 1), raise_server_exceptions=False)


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(path=st.sampled_from(POSTS), body=st.dictionaries(NAMES, VALUES, max_size=5) | VALUES)
def test_no_json_yields_a_server_error(path: str, body: Any) -> None:
    reply = FUZZED.post(path, content=json.dumps(body).encode(), headers=JSON)
    assert reply.status_code < 500


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(path=st.sampled_from(POSTS), body=st.binary(max_size=200))
def test_no_bytes_yield_a_server_error(path: str, body: bytes) -> None:
    reply = FUZZED.post(path, content=body, headers=JSON)
    assert reply.status_code < 500
    if reply.status_code >= 400:
        check_problem(reply, reply.status_code)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(max_size=50))
def test_no_accept_language_yields_a_server_error(text: str) -> None:
    header = text.encode("utf-8").replace(b"\n", b"").replace(b"\r", b"").replace(b"\0", b"")
    assert FUZZED.get("/nowhere", headers={"Accept-Language": header}).status_code == 404
