"""Liveness, readiness, counters."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from service.door import Knowledge
from service.schemas import Readiness

router = APIRouter(tags=["health"])
COUNTERS = {
    "requests": "Answers handed to the language model, by what came of it.",
    "sentences": "Sentences of the language model, by the check they failed; rephrased: heard.",
}


@router.get("/healthz", response_model=dict[str, str])
def healthz() -> Response:
    """The process answers."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz", response_model=Readiness, responses={503: {"model": Readiness, "description": "not ready yet"}})
def readyz(kb: Knowledge) -> Response:
    """Index and model are loaded."""
    checks = dict(kb.ready())
    ready = all(checks.values())
    body = {"status": "ready" if ready else "starting", "checks": checks, "versions": dict(kb.versions)}
    return JSONResponse(body, status_code=200 if ready else 503, headers={"Cache-Control": "no-store"})


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(kb: Knowledge) -> Response:
    """Counters of this process in the Prometheus text format."""
    counts = kb.counts()
    lines: list[str] = []
    for kind, says in COUNTERS.items():
        name = f"kb_llm_{kind}_total"
        lines += [f"# HELP {name} {says}", f"# TYPE {name} counter"]
        lines += [f'{name}{{outcome="{outcome}"}} {n}' for (of, outcome), n in sorted(counts.items()) if of == kind]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")
