"""create_app(knowledge_base, settings): routes, error documents, pages. Nothing happens at import."""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.openapi.utils import get_openapi

from kb.settings import Settings
from service import errors
from service.routes import ask, browse, health, pages, search, size
from service.schemas import ProblemDocument
from service.wire import Envelope

VERSION = "0.1.0"
SUMMARY = (
    "Cited answers to questions about hardware for training, fine-tuning and serving large language models, "
    "in Chinese and English."
)
EXPOSED = ["X-Request-ID", "Retry-After", "ETag"]
log = logging.getLogger("sizewright.service")


def create_app(knowledge_base: Any, settings: Settings) -> FastAPI:
    """The application over an opened knowledge base; its model is loaded in the background from the start."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        threading.Thread(target=_warm, args=(knowledge_base,), name="warm", daemon=True).start()
        yield

    app = FastAPI(title="Sizewright", version=VERSION, description=SUMMARY, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.knowledge_base, app.state.settings = knowledge_base, settings
    app.add_middleware(Envelope)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(settings.origins), allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Content-Type", "Accept-Language", "X-Request-ID"], expose_headers=EXPOSED,
        )  # fmt: skip
    errors.install(app)
    for part in (ask, search, size, browse, health, pages):
        app.include_router(part.router)
    app.mount("/widget", pages.files, name="widget")
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _warm(knowledge_base: Any) -> None:
    """Load the model; what has been loaded by then stays, so that no collection of garbage needs to walk through it again."""
    try:
        knowledge_base.warm()
    except Exception:
        log.exception("the model could not be loaded; /readyz says so")
    gc.collect()
    gc.freeze()


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The API document, with the problem schema that error responses refer to."""
    if not app.openapi_schema:
        found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        schemas = found.setdefault("components", {}).setdefault("schemas", {})
        problem = ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas |= problem.pop("$defs") | {ProblemDocument.__name__: problem}
        app.openapi_schema = found
    return app.openapi_schema
