"""Requests as they arrive: size, encoding and JSON are checked before anything looks inside."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import orjson
from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service import messages as say
from service.errors import Problem

MAX_DEPTH = 32  # of a JSON body
DISCARD_FACTOR = 64  # a body over the limit is read and dropped up to this many times the limit, so that the client sees why


class StrictRequest(Request):
    """A request whose JSON body is bounded, UTF-8, finite, shallow, and free of unpaired surrogates."""

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            limit, size, chunks = self.app.state.settings.max_body, 0, []
            async for chunk in self.stream():
                size += len(chunk)
                if size <= limit:
                    chunks.append(chunk)
                elif size > DISCARD_FACTOR * limit:
                    break
            if size > limit:
                raise Problem(413, *(text.format(limit=limit) for text in say.LARGE_BODY))
            self._body = b"".join(chunks)
        return self._body

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = parse(await self.body())
            asked = self._json.get("question", self._json.get("query")) if isinstance(self._json, dict) else None
            self.state.asked = asked if isinstance(asked, str) else ""
        return self._json


class StrictRoute(APIRoute):
    """A route that takes a StrictRequest; its body must say that it is JSON."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if self.body_field is not None:
                await strict.body()
                kind = strict.headers.get("content-type", "").split(";")[0].strip().lower()
                if not re.fullmatch(r"application/([\w.-]+\+)?json", kind):
                    raise Problem(415, *say.NOT_JSON)
                await strict.json()
            return await inner(strict)

        return handler


class QuickJson(Response):
    """Plain structures as JSON, for documents so large that writing them would take as long as making them."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return orjson.dumps(content)


def parse(body: bytes, max_depth: int = MAX_DEPTH) -> Any:
    """Strict JSON; raises Problem (400) saying what is wrong."""

    def refuse(_: str) -> Any:
        raise Problem(400, *say.NOT_FINITE)

    try:
        found = json.loads(body.decode("utf-8"), parse_constant=refuse)
    except UnicodeDecodeError as error:
        raise Problem(400, *say.NOT_UTF8) from error
    except RecursionError as error:
        raise Problem(400, *(text.format(limit=max_depth) for text in say.TOO_DEEP)) from error
    except ValueError as error:
        raise Problem(400, *(text.format(why=str(error)[:100]) for text in say.BAD_JSON)) from error
    pending = [(found, 1)]
    while pending:
        item, depth = pending.pop()
        if depth > max_depth:
            raise Problem(400, *(text.format(limit=max_depth) for text in say.TOO_DEEP))
        if isinstance(item, dict):
            pending += [(part, depth + 1) for pair in item.items() for part in pair]
        elif isinstance(item, list):
            pending += [(part, depth + 1) for part in item]
        elif isinstance(item, float) and not math.isfinite(item):
            raise Problem(400, *say.NOT_FINITE)
        elif isinstance(item, str) and any("\ud800" <= char <= "\udfff" for char in item):
            raise Problem(400, *say.SURROGATE)
    return found


def checked_question(text: str, limit: int, field: str = "question") -> str:
    """The question, if it says anything and is not longer than `limit` characters; else raises Problem (422)."""
    if not any(unicodedata.category(char)[0] not in "ZC" for char in text):
        raise Problem(422, *say.EMPTY_QUESTION, field)
    if len(text) > limit:
        en, zh = (words.format(length=len(text), limit=limit) for words in say.LONG_QUESTION)
        raise Problem(422, en, zh, field)
    return text


class Envelope:
    """Gives every request an id, taken from X-Request-ID when that is well formed, and every response its standing headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        sent = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
        request_id = sent if re.fullmatch(r"[A-Za-z0-9_-]{8,64}", sent) else uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                standing = {
                    b"x-request-id": request_id.encode(),
                    b"x-content-type-options": b"nosniff",
                    b"referrer-policy": b"no-referrer",
                }
                message["headers"] = [*message["headers"], *((k, v) for k, v in standing.items() if k not in present)]
            await send(message)

        await self.app(scope, receive, send_with_headers)
