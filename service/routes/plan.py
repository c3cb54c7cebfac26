"""POST /v1/plan: which hardware and layout, ranked, and why others are left out."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from kb.types.plain import plain
from service.door import BODY_PROBLEMS, Knowledge
from service.errors import prefers_chinese
from service.requests import PlanRequest
from service.schemas import PlanResult
from service.wire import StrictRoute

router = APIRouter(prefix="/v1", tags=["sizing"], route_class=StrictRoute)


@router.post("/plan", response_model=PlanResult, responses=BODY_PROBLEMS)
def plan(body: PlanRequest, request: Request, kb: Knowledge) -> Response:
    """The best hardware and layouts within the limits; texts in the language of Accept-Language."""
    language = "zh" if prefers_chinese(request) else "en"
    return JSONResponse(plain(kb.plan(body.model_dump(exclude_unset=True, exclude_none=True), language)))
