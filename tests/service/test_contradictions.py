"""What cannot be sized is a problem document over HTTP, in the language of the caller."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kb import KnowledgeBase
from kb.settings import Settings
from service import schemas
from service.app import create_app

CARD = {"memory_gb": 80, "memory_bandwidth_gb_s": 3350, "bf16_dense_tflops": 989}
SHAPE = {"parameters": 8e9, "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "context": 8192}
TRAINED = {"workload": "full_finetune", "model": SHAPE, "gpu": CARD}


@pytest.fixture(scope="module")
def whole(home: Path, embedder: Any) -> Iterator[TestClient]:
    with TestClient(create_app(KnowledgeBase.open(home, embedder=embedder), Settings()), client=("127.0.0.1", 1)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"model": SHAPE, "gpu": CARD, "gpu_count": 0}, "gpu_count"),
        ({"model": {"parameters": -7e9}}, "model.parameters"),
        ({"model": {"parameters": 1e30}}, "model.parameters"),
        ({"model": {**SHAPE, "kv_heads": 64}}, "model.kv_heads"),
        ({"model": {**SHAPE, "active_parameters": 9e9}}, "model.active_parameters"),
        ({"model": {**SHAPE, "experts": 8, "top_k": 9}}, "model.top_k"),
        ({"model": {"parameters": 3e8, "attention": "encoder"}}, "model.attention"),
        ({**TRAINED, "gpu_count": 6, "tensor_parallel": 6}, "tensor_parallel"),
        ({**TRAINED, "gpu_count": 64, "pipeline_parallel": 64}, "pipeline_parallel"),
        ({**TRAINED, "gpu_count": 6, "tensor_parallel": 4}, "gpu_count"),
        ({**TRAINED, "gpu_count": 3, "context_parallel": 3, "seq_len": 4096}, "context_parallel"),
        ({**TRAINED, "gpu_count": 8, "expert_parallel": 4}, "expert_parallel"),
        ({**TRAINED, "seq_len": 1_000_000}, "seq_len"),
        ({"model": SHAPE, "context_len": 1_000_000}, "context_len"),
        ({**TRAINED, "workload": "lora", "lora_rank": 9999}, "lora_rank"),
        ({**TRAINED, "seq_len": 4096, "micro_batch": 8, "global_batch_tokens": 4096}, "global_batch_tokens"),
        ({"model": SHAPE, "gpu": CARD, "gpu_memory_utilization": 1.5}, "gpu_memory_utilization"),
        ({"model": SHAPE, "days": 0}, "days"),
        ({"model": SHAPE, "budget": -1}, "budget"),
    ],
)
def test_a_problem_names_the_field_in_both_languages(whole: TestClient, body: dict[str, Any], field: str) -> None:
    details = []
    for language in ("en", "zh-CN"):
        reply = whole.post("/v1/size", json=body, headers={"Accept-Language": language})
        assert reply.status_code == 422 and reply.headers["content-type"] == "application/problem+json", reply.text
        problem = reply.json()
        schemas.ProblemDocument.model_validate(problem)
        assert field in {fault["field"] for fault in problem["errors"]}
        assert any(fault["pointer"] == "/" + field.replace(".", "/") for fault in problem["errors"])
        details.append(problem["detail"])
    assert details[0] != details[1] and any("\u4e00" <= c <= "\u9fff" for c in details[1])


@pytest.mark.parametrize("body", [b'{"model": {"parameters": NaN}}', b'{"gpu_count": Infinity, "model": {"parameters": 7e9}}'])
def test_what_is_no_number_is_a_problem(whole: TestClient, body: bytes) -> None:
    reply = whole.post("/v1/size", content=body, headers={"Content-Type": "application/json"})
    assert reply.status_code == 400 and reply.headers["content-type"] == "application/problem+json"


def test_a_model_of_another_kind_is_a_problem_that_says_what_is_sized(whole: TestClient) -> None:
    for name in ("bge-reranker-large", "flux.1-dev", "bert-base-uncased"):
        reply = whole.post("/v1/size", json={"model": name}, headers={"Accept-Language": "en"})
        assert reply.status_code == 422, name
        assert reply.json()["errors"][0]["field"] == "model" and "decoder" in reply.json()["detail"]
