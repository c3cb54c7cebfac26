"""POST /v1/size: the figures of a configuration, with their derivation; POST /v1/plan: which configurations, and why not others."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from kb.types.plain import plain
from service.door import BODY_PROBLEMS, Knowledge
from service.errors import prefers_chinese
from service.requests import PlanRequest, SizingRequest
from service.schemas import PlanResult, SizingResult
from service.wire import QuickJson, StrictRoute

router = APIRouter(prefix="/v1", tags=["sizing"], route_class=StrictRoute)


@router.post("/size", response_model=SizingResult, responses=BODY_PROBLEMS)
def size(body: SizingRequest, request: Request, kb: Knowledge) -> Response:
    """Memory, time, throughput and cost by the sizing rules; texts in the language of Accept-Language."""
    return QuickJson(plain(kb.size(body.said(), _language(request))))


@router.post("/plan", response_model=PlanResult, responses=BODY_PROBLEMS)
def plan(body: PlanRequest, request: Request, kb: Knowledge) -> Response:
    """The best hardware and layouts within the limits; texts in the language of Accept-Language."""
    return QuickJson(plain(kb.plan(body.said(), _language(request))))


def _language(request: Request) -> str:
    return "zh" if prefers_chinese(request) else "en"
