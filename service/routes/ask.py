"""POST /v1/ask and its stream, /v1/understand; kept answers and conversations."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse, format_sse_event

from kb.types.plain import plain
from service import messages as say
from service.door import BODY_PROBLEMS, Configured, Knowledge, problems
from service.errors import Problem, problem_of
from service.requests import AskRequest, Turn, UnderstandRequest
from service.schemas import Answer, Understanding
from service.security import loopback_caller
from service.wire import StrictRoute, checked_question

router = APIRouter(prefix="/v1", tags=["answers"], route_class=StrictRoute)
log = logging.getLogger("sizewright.service")
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "the answer, or its events"}
}


def _turns(history: list[Turn]) -> tuple[tuple[str, str], ...]:
    return tuple((turn.role, turn.content) for turn in history)


@router.post("/ask", response_model=Answer, response_model_exclude_unset=True, responses=BODY_PROBLEMS | EVENTS)
def ask(body: AskRequest, request: Request, kb: Knowledge, settings: Configured) -> Response:
    """Answer a question with citations; as server-sent events with `stream` or `Accept: text/event-stream`."""
    checked_question(body.question, settings.max_question)
    if body.stream or "text/event-stream" in request.headers.get("accept", ""):
        return EventSourceResponse(_events(body, request, kb), headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
    return JSONResponse(_answer(body, kb))


def _answer(body: AskRequest, kb: Any) -> dict[str, Any]:
    answer: dict[str, Any] = plain(
        kb.ask(
            body.question,
            conversation_id=body.conversation_id,
            history=_turns(body.history),
            language=body.language,
            top_k=body.top_k,
            filters=body.filters.lists() if body.filters else None,
        )
    )
    return answer


def _events(body: AskRequest, request: Request, kb: Any) -> Iterator[bytes]:
    """`understanding`, `citation` (one each), `delta`, `answer`, `done`; or `error` with a problem document."""
    yield format_sse_event(comment="asked")  # bytes at once, for proxies
    try:
        answer = _answer(body, kb)
        yield _event("understanding", answer["understanding"])
        for citation in answer["citations"]:
            yield _event("citation", citation)
        for piece in re.findall(r".*?(?:[。！？\n]|[.!?]\s|$)", answer["text"], re.DOTALL):
            if piece:
                yield _event("delta", {"text": piece})
        yield _event("answer", answer)
        yield _event("done", {"id": answer["id"]})
    except Exception as error:
        log.exception("request %s failed", request.state.request_id)
        yield _event("error", problem_of(request, error))


def _event(name: str, data: Any) -> bytes:
    return format_sse_event(event=name, data_str=json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


@router.post("/understand", response_model=Understanding, responses=BODY_PROBLEMS)
def understand(body: UnderstandRequest, kb: Knowledge, settings: Configured) -> Response:
    """How the question is read: language, intents, slots and where each came from."""
    checked_question(body.question, settings.max_question)
    return JSONResponse(plain(kb.understand(body.question, history=_turns(body.history))))


@router.get("/answers/{id}", response_model=Answer, responses=problems(404))
def kept_answer(id: str, request: Request, kb: Knowledge) -> Response:
    """An answer while it is kept."""
    answer = kb.answer(id) if loopback_caller(request) else None
    if answer is None:
        raise Problem(404, *say.NO_ANSWER)
    return JSONResponse(plain(answer))


@router.delete("/conversations/{id}", status_code=204, responses=problems(404))
def forget(id: str, request: Request, kb: Knowledge) -> Response:
    """Forget a conversation."""
    if not (loopback_caller(request) and kb.forget(id)):
        raise Problem(404, *say.NO_CONVERSATION)
    return Response(status_code=204)
