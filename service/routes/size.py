"""POST /v1/size: the figures of a configuration, with their derivation."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from kb.types.plain import plain
from service.door import BODY_PROBLEMS, Knowledge
from service.errors import prefers_chinese
from service.requests import SizingRequest
from service.schemas import SizingResult
from service.wire import StrictRoute

router = APIRouter(prefix="/v1", tags=["sizing"], route_class=StrictRoute)


@router.post("/size", response_model=SizingResult, responses=BODY_PROBLEMS)
def size(body: SizingRequest, request: Request, kb: Knowledge) -> Response:
    """Memory, time, throughput and cost by the sizing rules; texts in the language of Accept-Language."""
    language = "zh" if prefers_chinese(request) else "en"
    return JSONResponse(plain(kb.size(body.model_dump(exclude_unset=True, exclude_none=True), language)))
