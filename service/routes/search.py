"""POST /v1/search: ranked passages with their scores."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from service.door import BODY_PROBLEMS, Configured, Knowledge
from service.requests import SearchRequest
from service.schemas import Hits
from service.wire import StrictRoute, checked_question

router = APIRouter(prefix="/v1", tags=["search"], route_class=StrictRoute)


@router.post("/search", response_model=Hits, responses=BODY_PROBLEMS)
def search(body: SearchRequest, kb: Knowledge, settings: Configured) -> Response:
    """Passages nearest to a query, by meaning, by words, or by both."""
    query = checked_question(body.query, settings.max_question, "query")
    hits = kb.search(query, body.top_k, mode=body.mode, filters=body.filters.lists() if body.filters else None)
    return JSONResponse({"hits": [kb.hit(hit) for hit in hits]})
