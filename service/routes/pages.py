"""The demo page, the widget and the API documentation: files of service/widget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from service.security import PAGE_HEADERS

FOLDER = Path(__file__).parent.parent / "widget"
router = APIRouter(include_in_schema=False)
REVALIDATED = {"Cache-Control": "no-cache"}  # so that files of two versions never meet in one page


class Files(StaticFiles):
    """The files of the folder, asked for anew each time and mostly answered with 304."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update(REVALIDATED)
        return response


files = Files(directory=FOLDER)


@router.get("/")
def demo() -> FileResponse:
    return FileResponse(FOLDER / "demo.html", headers=PAGE_HEADERS)


@router.get("/docs")
def docs() -> FileResponse:
    return FileResponse(FOLDER / "docs.html", headers=PAGE_HEADERS)


@router.get("/widget.js")
def widget() -> FileResponse:
    return FileResponse(FOLDER / "widget.js", media_type="text/javascript", headers=REVALIDATED)
