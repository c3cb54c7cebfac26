"""The `[source]`, `[sources.<column>]` and `[disagreement.<column>]` tables of an entity's file."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any

from kb.ingest.sources import DATE
from kb.ingest.spec_schema import Complain, bilingual
from kb.types.source import Source, SourceKind
from kb.types.specs import Disagreement, Dissent

SOURCE_KEYS = {"title", "url", "published", "retrieved", "confidence", "note"}
DISAGREEMENT_KEYS = {"taken", "others", "why"}
OTHER_KEYS = {"value", "source", "url", "published"}


def source_of(
    raw: Any, kind: SourceKind, key: str, complain: Complain, fallback: Any = None
) -> tuple[Source, str | None, str | None]:
    """Source, confidence and note. A cell's own table takes from the row's `fallback` what it leaves out; with a title of its
    own only the day of retrieval and the confidence."""
    own = _mapping(raw, key, SOURCE_KEYS, complain)
    inherited = fallback if isinstance(fallback, Mapping) else {}
    shared = ("retrieved", "confidence") if "title" in own else tuple(SOURCE_KEYS - {"note"})
    full = {name: inherited[name] for name in shared if name in inherited} | dict(own)
    if not isinstance(full.get("title"), str) or not full["title"].strip():
        complain(f"{key}.title", "is missing: every fact has a source")
    if not isinstance(full.get("url", "" if fallback else None), str):
        complain(f"{key}.url", 'is missing; write url = "" when there is none')
    if "retrieved" not in full:
        complain(f"{key}.retrieved", "is missing: the day the source was consulted")
    source = Source(
        id=slug(str(full.get("title", ""))),
        kind=kind,
        title=str(full.get("title", "")),
        url=str(full.get("url", "")),
        published=_date(full.get("published"), f"{key}.published", complain),
        retrieved=_date(full.get("retrieved"), f"{key}.retrieved", complain),
    )
    return source, full.get("confidence"), full.get("note")


def disagreement_of(raw: Any, source: Source, quote: str, key: str, complain: Complain) -> Disagreement | None:
    """`taken` must be the cell as printed; each of `others` is { value, source, url?, published? }."""
    table = _mapping(raw, key, DISAGREEMENT_KEYS, complain)
    if table.get("taken") != quote:
        complain(f"{key}.taken", f"is {table.get('taken')!r}; it must be the cell, {quote!r}")
    why = bilingual(table.get("why"), f"{key}.why", complain)
    others = table.get("others")
    if not isinstance(others, list) or not others:
        complain(f"{key}.others", 'wants at least one { value = "...", source = "..." }')
        return None
    dissents = []
    for i, raw_other in enumerate(others):
        other = _mapping(raw_other, f"{key}.others[{i}]", OTHER_KEYS, complain)
        if not isinstance(other.get("value"), str) or not isinstance(other.get("source"), str):
            complain(f"{key}.others[{i}]", "wants a value and a source, both texts")
        published = _date(other.get("published"), f"{key}.others[{i}].published", complain)
        title = str(other.get("source", ""))
        if title == source.title:
            complain(
                f"{key}.others[{i}].source", f"is {title!r}, on which the cell itself rests; name what the cell was taken from"
            )
        its = Source(slug(title), source.kind, title, str(other.get("url", "")), published, source.retrieved)
        dissents.append(Dissent(str(other.get("value", "")), its))
    return Disagreement(str(table.get("taken", "")), tuple(dissents), why)


def slug(title: str) -> str:
    """The id of a source: its title in lower case, words joined by hyphens."""
    return "-".join(re.findall(r"\w+", title.casefold()))


def _mapping(raw: Any, key: str, allowed: set[str], complain: Complain) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        complain(key, "is missing" if raw is None else "wants a table")
        return {}
    if unknown := sorted(raw.keys() - allowed):
        complain(key, f"has the unknown keys {', '.join(unknown)}; allowed are {', '.join(sorted(allowed))}")
    return raw


def _date(raw: Any, key: str, complain: Complain) -> str | None:
    if raw is None or isinstance(raw, datetime.date):
        return raw.isoformat() if raw else None
    if isinstance(raw, str) and DATE.fullmatch(raw):
        return raw
    complain(key, f'is {raw!r}; wants a date, 2026-11-30, or "2026-11" or "2026"')
    return None
