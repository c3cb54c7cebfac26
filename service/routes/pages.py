"""The demo page, the widget and the API documentation: files of service/widget."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from service.security import PAGE_HEADERS

FOLDER = Path(__file__).parent.parent / "widget"
router = APIRouter(include_in_schema=False)
files = StaticFiles(directory=FOLDER)


@router.get("/")
def demo() -> FileResponse:
    return FileResponse(FOLDER / "demo.html", headers=PAGE_HEADERS)


@router.get("/docs")
def docs() -> FileResponse:
    return FileResponse(FOLDER / "docs.html", headers=PAGE_HEADERS)


@router.get("/widget.js")
def widget() -> FileResponse:
    return FileResponse(FOLDER / "widget.js", media_type="text/javascript", headers={"Cache-Control": "no-cache"})
