"""GET the spec tables, the corpus documents and the sizing rules."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from kb.types.document import Document
from kb.types.plain import plain
from kb.types.spec_query import as_csv, parameter, query
from kb.types.specs import Cell, Table
from service import messages as say
from service.door import Knowledge, problems
from service.errors import Problem
from service.schemas import Rules, Sources, SourceText, SpecRow, SpecTable, Tables

router = APIRouter(prefix="/v1", tags=["knowledge"])


@router.get("/specs", response_model=Tables)
def tables(kb: Knowledge) -> Response:
    """The spec tables and their columns."""
    return JSONResponse({"tables": [_summary(t) | {"rows": len(t.rows)} for t in kb.specs.tables.values()]})


@router.get("/specs/{table}", response_model=SpecTable, responses=problems(404, 422))
def table(
    table: str,
    request: Request,
    kb: Knowledge,
    sort: Annotated[str | None, Query(description="columns, separated by commas; a minus before one for descending")] = None,
    ids: Annotated[str | None, Query(description="rows to compare, separated by commas, in this order")] = None,
    format: Annotated[Literal["json", "csv"], Query(description="json, or csv as a file")] = "json",
) -> Response:
    """The rows of a table; a cell that is unknown or unsupported is null.

    Any other parameter is a condition on a column: `vendor=NVIDIA`, `memory_gb__gte=80`, `form_factor__contains=SXM`,
    `memory_gb__in=80,96`, `fp8_dense_tflops=unsupported`; `__gte`, `__lte`, `__gt`, `__lt`, `__ne`, `__contains`, `__in`.
    """
    found = _table(kb, table)
    conditions = [parameter(n, v, found) for n, v in request.query_params.multi_items() if n not in ("sort", "ids", "format")]
    chosen = query(found, conditions, sort, [i.strip() for i in (ids or "").split(",") if i.strip()])
    if format == "csv":
        named = {"Content-Disposition": f'attachment; filename="{found.name}.csv"'}
        return Response(as_csv(found, chosen), media_type="text/csv; charset=utf-8", headers=named)
    rows = [{c: cell.value for c, cell in r.cells.items()} | {"id": r.id, "name": r.name} for r in chosen]
    details = [{"name": c.name, "kind": c.kind, "unit": c.unit, "label": plain(c.label)} for c in found.columns]
    return JSONResponse(_summary(found) | {"column_details": details, "rows": [plain(row) for row in rows]})


@router.get("/specs/{table}/{row:path}", response_model=SpecRow, response_model_exclude_unset=True, responses=problems(404))
def row(table: str, row: str, kb: Knowledge) -> Response:
    """One row with unit, source and note of every cell."""
    found = _table(kb, table).rows.get(row)
    if found is None:
        raise Problem(404, *(text.format(table=table, row=row) for text in say.NO_ROW))
    cells = {name: _cell(cell) for name, cell in found.cells.items()}
    return JSONResponse({"id": found.id, "name": found.name, "table": table, "cells": cells})


@router.get("/sources", response_model=Sources)
def sources(kb: Knowledge) -> Response:
    """The documents of the corpus, without their text."""
    return JSONResponse({"sources": [_document(d) for d in kb.sources()]})


@router.get("/sources/{id:path}", response_model=SourceText, responses=problems(404))
def source(id: str, kb: Knowledge) -> Response:
    """A document with the cleaned text that citations point into."""
    found = kb.source(id)
    return JSONResponse(
        _document(found) | {"text": found.text, "explains": list(found.explains), "claims": plain(found.claims)}
    )


@router.get("/rules", response_model=Rules)
def rules(kb: Knowledge) -> Response:
    """The sizing rules: formula, inputs, units, citation, worked example."""
    return JSONResponse({"rules": plain(kb.rules())})


@router.get("/rules/{id}", response_model=dict[str, Any], responses=problems(404))
def rule(id: str, kb: Knowledge) -> Response:
    """One sizing rule."""
    return JSONResponse(plain(kb.rule(id)))


def _table(kb: Any, name: str) -> Table:
    found: Table | None = kb.specs.tables.get(name)
    if found is None:
        raise Problem(404, *(text.format(table=name) for text in say.NO_TABLE))
    return found


def _summary(table: Table) -> dict[str, Any]:
    return {"name": table.name, "label": plain(table.label), "columns": [c.name for c in table.columns]}


def _cell(cell: Cell) -> dict[str, Any]:
    out = {"value": plain(cell.value), "unit": cell.unit, "source": plain(cell.source), "text": cell.quote}
    if cell.status != "known":
        out["status"] = cell.status
    more = {"note": cell.note, "confidence": cell.confidence, "disagreement": plain(cell.disagreement)}
    return out | {name: value for name, value in more.items() if value}


def _document(document: Document) -> dict[str, Any]:
    named = ("id", "kind", "title", "url", "language", "collection", "topic", "published", "retrieved")
    return {name: value for name in named if (value := getattr(document, name)) is not None}
