"""What routes share: how they reach the knowledge base and the settings, and the problem responses that they document."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request

from kb.settings import Settings
from service.schemas import ProblemDocument


def _knowledge_base(request: Request) -> Any:
    return request.app.state.knowledge_base


def _settings(request: Request) -> Settings:
    found: Settings = request.app.state.settings
    return found


Knowledge = Annotated[Any, Depends(_knowledge_base)]
Configured = Annotated[Settings, Depends(_settings)]


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: problem documents for these statuses."""
    schema = {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}
    return {s: {"description": "problem", "content": {"application/problem+json": {"schema": schema}}} for s in statuses}


BODY_PROBLEMS = problems(400, 413, 415, 422, 503)
