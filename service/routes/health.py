"""Liveness and readiness."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from service.door import Knowledge
from service.schemas import Readiness

router = APIRouter(tags=["health"])


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
