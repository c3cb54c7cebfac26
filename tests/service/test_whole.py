"""The service over the shipped corpus: no stand-in but the embedder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kb import KnowledgeBase
from kb.settings import LanguageModel, Settings
from service import schemas
from service.app import create_app


@pytest.fixture(scope="module")
def whole(home: Path, embedder: Any) -> Iterator[TestClient]:
    with TestClient(create_app(KnowledgeBase.open(home, embedder=embedder), Settings()), client=("127.0.0.1", 1)) as opened:
        yield opened


@pytest.mark.parametrize(
    "question", ["H100 的显存是多少？", "How much memory does full fine-tuning of a 7B model need?", "今天天气怎么样？"]
)
def test_answers_are_what_the_schema_says_and_their_citations_can_be_followed(whole: TestClient, question: str) -> None:
    answer = whole.post("/v1/ask", json={"question": question}).json()
    schemas.Answer.model_validate(answer)
    for citation in answer["citations"]:
        locator = citation["locator"]
        if "start" in locator:
            text = whole.get(f"/v1/sources/{citation['source']['id']}").json()["text"]
            assert text[locator["start"] : locator["end"]] == citation["quote"]
        elif "row" in locator:
            row = whole.get(f"/v1/specs/{locator['table']}/{locator['row']}")
            assert locator["column"] in row.json()["cells"]
    assert whole.get(f"/v1/answers/{answer['id']}").json() == answer


def test_an_answer_says_that_its_language_model_was_down_and_the_metric_counts_it(home: Path, embedder: Any) -> None:
    base = KnowledgeBase.open(home, embedder=embedder, llm=LanguageModel("http://127.0.0.1:9/v1", "absent", "", 1))
    with TestClient(create_app(base, Settings())) as client:
        answer = client.post("/v1/ask", json={"question": "H100 的显存是多少？"}).json()
        schemas.Answer.model_validate(answer)
        assert answer["phrased"] == {"model": "absent", "rephrased": 0, "dropped": 0, "fallback": "unreachable"}
        assert 'kb_llm_requests_total{outcome="unreachable"} 1' in client.get("/metrics").text.splitlines()


def test_sizing_results_are_what_the_schema_says(whole: TestClient) -> None:
    request = {"workload": "full_finetune", "model": {"parameters": 7e9}, "gpu": {"memory_gb": 80}, "gpu_count": 8}
    reply = whole.post("/v1/size", json=request)
    assert reply.status_code == 200, reply.text
    schemas.SizingResult.model_validate(reply.json())


def test_a_request_that_comes_back_can_be_sent_as_it_is(whole: TestClient) -> None:
    request = {"parameters": 7e9, "memory_gb": 80, "gpu_count": 1, "hours_per_day": 12, "power_kw": 10, "days": 2}
    first = whole.post("/v1/size", json=request).json()
    again = whole.post("/v1/size", json=first["request"])
    assert again.status_code == 200, again.text
    assert again.json()["values"] == first["values"]


def test_plans_are_what_the_schema_says_and_size_answers_their_options_with_the_same_figures(whole: TestClient) -> None:
    request = {
        "workload": "lora",
        "model": {"parameters": 7e9},
        "gpus": ["h100-sxm5-80gb", "l40s"],
        "max_gpus": 4,
        "tokens": 1e8,
    }
    reply = whole.post("/v1/plan", json=request)
    assert reply.status_code == 200, reply.text
    schemas.PlanResult.model_validate(reply.json())
    option = reply.json()["options"][0]
    sized = whole.post("/v1/size", json=option["request"]).json()
    assert (sized["verdict"], sized["values"]) == (option["verdict"], option["values"])


def test_everything_that_is_listed_can_be_read(whole: TestClient) -> None:
    for table in whole.get("/v1/specs").json()["tables"]:
        body = whole.get(f"/v1/specs/{table['name']}").json()
        schemas.SpecTable.model_validate(body)
        for row in body["rows"][:3]:
            schemas.SpecRow.model_validate(whole.get(f"/v1/specs/{table['name']}/{row['id']}").json())
    for source in whole.get("/v1/sources").json()["sources"][:20]:
        schemas.SourceText.model_validate(whole.get(f"/v1/sources/{source['id']}").json())
    for rule in whole.get("/v1/rules").json()["rules"]:
        assert whole.get(f"/v1/rules/{rule['id']}").json()["id"] == rule["id"]


def test_search_finds_passages_of_the_corpus(whole: TestClient) -> None:
    body = whole.post("/v1/search", json={"query": "KV cache", "top_k": 3}).json()
    schemas.Hits.model_validate(body)
    assert len(body["hits"]) == 3
