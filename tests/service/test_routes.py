"""Every route gives what the contract of the wire says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service import schemas


def ask(client: Any, question: str, **more: Any) -> dict[str, Any]:
    reply = client.post("/v1/ask", json={"question": question} | more)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@pytest.mark.parametrize("question", ["H100 显存多大", "Does Llama 3 70B fit on 4 H100?", "what is a KV cache", "明天天气如何"])
def test_an_answer_is_what_the_schema_says(client: Any, question: str) -> None:
    body = ask(client, question)
    schemas.Answer.model_validate(body)
    assert body["question"] == question


def test_the_language_of_an_answer_can_be_chosen(client: Any) -> None:
    assert ask(client, "H100 memory", language="zh")["language"] == "zh"


def test_history_filters_and_conversation_are_taken(client: Any) -> None:
    body = ask(
        client,
        "and its memory?",
        conversation_id="conv_1",
        history=[{"role": "user", "content": "H100?"}, {"role": "assistant", "content": "…"}],
        filters={"kind": "spec", "language": ["zh", "en"]},
        top_k=3,
    )
    assert body["conversation_id"] == "conv_1"
    assert body["understanding"]["is_follow_up"]


@pytest.mark.parametrize("way", [{"json": {"stream": True}}, {"headers": {"Accept": "text/event-stream"}}])
def test_a_stream_tells_the_same_answer_in_events(client: Any, way: dict[str, Any]) -> None:
    body = {"question": "Does it fit on 4 H100?"} | way.get("json", {})
    reply = client.post("/v1/ask", json=body, headers=way.get("headers", {}))
    assert reply.headers["content-type"].startswith("text/event-stream")
    found = events(reply.text)
    names = [name for name, _ in found]
    assert names[0] == "understanding" and names[-2:] == ["answer", "done"]
    answer = dict(found)["answer"]
    assert [data for name, data in found if name == "citation"] == answer["citations"]
    assert "".join(data["text"] for name, data in found if name == "delta") == answer["text"]


def test_a_failure_in_a_stream_is_an_error_event_that_leaks_nothing(client: Any) -> None:
    reply = client.post("/v1/ask", json={"question": "boom", "stream": True})
    name, problem = events(reply.text)[-1]
    assert name == "error" and problem["status"] == 500 and "secret" not in reply.text


def test_search_gives_passages_with_scores(client: Any) -> None:
    body = client.post("/v1/search", json={"query": "KV cache", "top_k": 5, "mode": "hybrid"}).json()
    schemas.Hits.model_validate(body)
    assert body["hits"][0]["scores"] == {"dense": 0.8, "lexical": 7.5}


def test_understand_gives_slots_and_where_they_came_from(client: Any) -> None:
    question = "一张 H100 够吗"
    body = client.post("/v1/understand", json={"question": question}).json()
    schemas.Understanding.model_validate(body)
    mention = body["mentions"][0]
    assert question[mention["start"] : mention["end"]] == mention["text"]


def test_size_gives_a_result_in_the_language_of_the_caller(client: Any) -> None:
    request = {"workload": "inference", "model": {"parameters": 70e9, "layers": 80.0}, "gpu": "h100-sxm", "gpu_count": 4}
    english = client.post("/v1/size", json=request, headers={"Accept-Language": "en"}).json()
    chinese = client.post("/v1/size", json=request, headers={"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5"}).json()
    schemas.SizingResult.model_validate(english)
    assert english["assumptions"][0]["reason"] != chinese["assumptions"][0]["reason"]


def test_plan_gives_options_and_reasons_in_the_language_of_the_caller(client: Any) -> None:
    request = {"model": "llama3-8b", "tokens": 1e12, "gpus": ["h100-sxm"], "max_days": 30, "prices": {"h100-sxm": 2.5}}
    english = client.post("/v1/plan", json=request, headers={"Accept-Language": "en"}).json()
    chinese = client.post("/v1/plan", json=request, headers={"Accept-Language": "zh"}).json()
    schemas.PlanResult.model_validate(english)
    assert english["rejected"][0]["text"] != chinese["rejected"][0]["text"]


def test_spec_tables_can_be_browsed_down_to_the_cell(client: Any) -> None:
    tables = client.get("/v1/specs").json()
    schemas.Tables.model_validate(tables)
    table = client.get("/v1/specs/accelerators").json()
    schemas.SpecTable.model_validate(table)
    assert table["columns"] == tables["tables"][0]["columns"]
    assert table["rows"][0] == {
        "id": "h100-sxm",
        "name": "H100 SXM",
        "vendor": "NVIDIA",
        "memory_gb": 80,
        "fp8_dense_tflops": None,
    }
    row = client.get("/v1/specs/accelerators/h100-sxm").json()
    schemas.SpecRow.model_validate(row)
    assert row["cells"]["memory_gb"]["value"] == 80 and row["cells"]["memory_gb"]["note"] == "HBM3"
    assert row["cells"]["fp8_dense_tflops"]["value"] is None
    assert row["cells"]["fp8_dense_tflops"]["status"] == "unsupported"


def test_spec_tables_are_filtered_sorted_compared_and_exported(client: Any) -> None:
    table = "/v1/specs/accelerators"
    found = client.get(table, params={"memory_gb__gte": 80, "vendor": "nvidia", "sort": "-memory_gb", "ids": "h100-sxm"}).json()
    assert [r["id"] for r in found["rows"]] == ["h100-sxm"]
    assert client.get(table, params={"memory_gb__gt": 80}).json()["rows"] == []
    export = client.get(table, params={"format": "csv"})
    assert export.headers["content-type"].startswith("text/csv")
    assert export.text.splitlines() == ["id,name,vendor,memory_gb,fp8_dense_tflops", "h100-sxm,H100 SXM,NVIDIA,80,unsupported"]


def test_a_condition_on_no_column_names_the_columns_there_are(client: Any) -> None:
    refused = client.get("/v1/specs/accelerators", params={"memry": 1})
    assert refused.status_code == 422 and "memory_gb" in refused.json()["detail"]
    assert client.get("/v1/specs/accelerators", params={"ids": "none"}).status_code == 404


def test_sources_are_listed_without_text_and_read_with_it(client: Any) -> None:
    listed = client.get("/v1/sources").json()["sources"]
    assert "text" not in listed[0]
    for path in (listed[0]["id"], listed[0]["id"].replace("/", "%2F")):
        whole = client.get(f"/v1/sources/{path}").json()
        schemas.SourceText.model_validate(whole)
        assert whole["text"].startswith("# KV cache")


def test_rules_can_be_read(client: Any) -> None:
    listed = client.get("/v1/rules").json()["rules"]
    assert client.get(f"/v1/rules/{listed[0]['id']}").json() == listed[0]


def test_an_answer_is_kept_until_its_conversation_is_forgotten(client: Any) -> None:
    answer = ask(client, "H100 memory")
    assert client.get(f"/v1/answers/{answer['id']}").json() == answer
    assert client.delete(f"/v1/conversations/{answer['conversation_id']}").status_code == 204
    assert client.get(f"/v1/answers/{answer['id']}").status_code == 404
    assert client.delete(f"/v1/conversations/{answer['conversation_id']}").status_code == 404


def test_health_tells_whether_it_lives_and_whether_it_is_ready(client: Any, knowledge: Any) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    knowledge.warm()
    assert client.get("/readyz").json()["status"] == "ready"
    knowledge.warmed = False
    reply = client.get("/readyz")
    assert reply.status_code == 503 and reply.json()["checks"] == {"index": True, "model": False}
    knowledge.warm()


def test_counters_are_in_the_format_that_prometheus_reads(client: Any) -> None:
    reply = client.get("/metrics")
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = reply.text.splitlines()
    assert 'kb_llm_requests_total{outcome="slow"} 2' in lines and 'kb_llm_sentences_total{outcome="names"} 1' in lines
    assert [line.split()[1:3] for line in lines if line.startswith("# TYPE")] == [
        ["TYPE", "kb_llm_requests_total"],
        ["TYPE", "kb_llm_sentences_total"],
    ]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html"),
        ("/docs", "text/html"),
        ("/widget.js", "text/javascript"),
        ("/widget/strings.json", "application/json"),
        ("/widget/demo.css", "text/css"),
        ("/openapi.json", "application/json"),
    ],
)
def test_pages_and_their_files_are_served(client: Any, path: str, kind: str) -> None:
    reply = client.get(path)
    assert reply.status_code == 200 and reply.headers["content-type"].startswith(kind)
    assert reply.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/widget.js", "/widget/markdown.js", "/widget/strings.json"])
def test_files_of_two_versions_never_meet_in_one_page(client: Any, path: str) -> None:
    reply = client.get(path)
    assert reply.headers["cache-control"] == "no-cache"


def test_pages_allow_no_foreign_and_no_inline_code(client: Any) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "require-trusted-types-for 'script'" in policy and "unsafe" not in policy


def test_a_well_formed_request_id_is_kept_and_another_is_replaced(client: Any) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": "abcdef-123456"}).headers["x-request-id"] == "abcdef-123456"
    assert client.get("/healthz", headers={"X-Request-ID": "a b"}).headers["x-request-id"] != "a b"


def test_other_origins_may_not_read_unless_they_are_allowed(client: Any) -> None:
    assert "access-control-allow-origin" not in client.get("/healthz", headers={"Origin": "https://example.com"}).headers
