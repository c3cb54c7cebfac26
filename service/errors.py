"""Errors as RFC 9457 problem documents, in the language of the caller; one table from exception class to status."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

from kb import errors as kb_errors
from service.messages import FALLBACK, FIELD_MESSAGES, TITLES

# exception class -> status; the first that fits
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (kb_errors.UnknownEntity, 404),
    (kb_errors.InvalidInput, 422),
    (kb_errors.DocumentFault, 422),
    (kb_errors.IndexMissing, 503),
    (kb_errors.CorpusFault, 503),
)


FIELD = re.compile(r"(?!(?:str|int|float|bool)$)[a-z][a-z0-9_]*|\d+")
OTHER_KIND = {"string_type", "model_type", "model_attributes_type", "dict_type"}


class Problem(HTTPException):
    """A refusal by the service itself; `field` is the part of the body that is wrong."""

    def __init__(self, status: int, en: str, zh: str, field: str | None = None) -> None:
        super().__init__(status, en)
        self.en, self.zh, self.field = en, zh, field


class ProblemResponse(JSONResponse):
    media_type = "application/problem+json"


def prefers_chinese(request: Request) -> bool:
    """By Accept-Language; without one, by the question that was sent."""
    ranked: list[tuple[float, str]] = []
    for item in request.headers.get("accept-language", "").split(","):
        tag, _, weight = item.strip().partition(";q=")
        if tag and tag != "*":
            ranked.append((float(weight) if re.fullmatch(r"[01](\.\d+)?", weight) else float(not weight), tag.lower()))
    if ranked:
        return max(ranked, key=lambda r: r[0])[1].startswith("zh")
    asked = getattr(request.state, "asked", "")
    return bool(re.search(r"[\u4e00-\u9fff]", asked))


def problem(request: Request, status: int, detail: str, errors: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
    """A problem document; `errors` name the faulty fields."""
    slug, en, zh = _title(status)
    body: dict[str, Any] = {
        "type": f"urn:sizewright:problem:{slug}",
        "title": zh if prefers_chinese(request) else en,
        "status": status,
        "detail": detail,
        "instance": f"urn:sizewright:request:{getattr(request.state, 'request_id', 'unknown')}",
    }
    return body | ({"errors": list(errors)} if errors else {})


def problem_of(request: Request, error: Exception) -> dict[str, Any]:
    """The problem document of an exception; of an unforeseen one it tells nothing but that it happened."""
    chinese = prefers_chinese(request)
    if isinstance(error, Problem | kb_errors.SizewrightError):
        detail = error.zh if chinese else error.en
        field = getattr(error, "field", None) if isinstance(error, Problem | kb_errors.InvalidInput) else None
        status = error.status_code if isinstance(error, Problem) else _status(request, error)
        return problem(request, status, detail, [_fault(field, detail)] if field else [])
    if isinstance(error, RequestValidationError):
        faults = [_fault(_path(e["loc"]), _message(e, chinese)) for e in _fitting(error.errors())[:20]]
        return problem(request, 422, "; ".join(f"{f['field']}: {f['detail']}" for f in faults[:3]), faults)
    if isinstance(error, StarletteHTTPException):
        _, en, zh = _title(error.status_code)
        return problem(request, error.status_code, f"{zh if chinese else en} ({request.method} {request.url.path})")
    return problem(request, 500, FALLBACK[2] if chinese else FALLBACK[1])


def _title(status: int) -> tuple[str, str, str]:
    """Slug, English title, Chinese title."""
    if status in TITLES or status >= 500:
        return TITLES.get(status, FALLBACK)
    phrase = HTTPStatus(status).phrase
    return phrase.lower().replace(" ", "-"), phrase, phrase


def _status(request: Request, error: Exception) -> int:
    if isinstance(error, kb_errors.UnknownEntity) and request.method == "POST":
        return 422  # the resource is there; a name in its body is not
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


def _path(loc: Sequence[str | int]) -> str:
    """The field by its outside name, without the branches of a choice that the schema library puts in between."""
    inner = [str(part) for part in loc if part not in ("body", "query", "path", "header")]
    return ".".join(p for i, p in enumerate(inner) if i == 0 or FIELD.fullmatch(p)) or "body"


def _fitting(errors: Sequence[Any]) -> list[Any]:
    """Without the complaint that a value is not of the other kind which its field may have, when it is of the kind complained of."""
    fields = [_path(e["loc"]).partition(".")[0] for e in errors]
    return [e for e, f in zip(errors, fields, strict=True) if e["type"] not in OTHER_KIND or fields.count(f) == 1] or list(
        errors
    )


def _fault(field: str, detail: str) -> dict[str, str]:
    parts = [] if field == "body" else field.split(".")
    return {"pointer": "".join("/" + p.replace("~", "~0").replace("/", "~1") for p in parts), "field": field, "detail": detail}


def _message(error: Mapping[str, Any], chinese: bool) -> str:
    texts = FIELD_MESSAGES.get(error["type"])
    return texts[chinese].format_map(error.get("ctx") or {}) if texts else str(error["msg"])


async def answer_problem(request: Request, error: Exception) -> ProblemResponse:
    body = problem_of(request, error)
    headers = dict(getattr(error, "headers", None) or {})
    headers["X-Request-ID"] = getattr(request.state, "request_id", "unknown")
    if body["status"] == 503:
        headers["Retry-After"] = "5"
    return ProblemResponse(body, status_code=body["status"], headers=headers)


def install(app: FastAPI) -> None:
    for kind in (StarletteHTTPException, RequestValidationError, kb_errors.SizewrightError, Exception):
        app.add_exception_handler(kind, answer_problem)
