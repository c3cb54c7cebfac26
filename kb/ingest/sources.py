"""The bibliography: corpus/sources.toml, one table per source, as values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.errors import CorpusFault
from kb.types.source import Source

REQUIRED = ("title", "url", "publisher", "retrieved")
OPTIONAL = ("published", "licence", "note")
DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")  # as far as it is known
ID = re.compile(r"[a-z0-9][a-z0-9.-]*")


def read_sources(path: Path) -> Mapping[str, Source]:
    """Sources by id; raises CorpusFault with all faults at once (missing or unknown keys, malformed ids, dates and addresses).

    `licence` and `note` are for editors; `note` is required where the address is unknown (`url = ""`).
    """
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CorpusFault((f"{path.name}: {error}",)) from error
    faults = tuple(f"{path.name}: [{id}] {fault}" for id, entry in entries.items() for fault in _faults(id, entry))
    if faults:
        raise CorpusFault(faults)
    return {id: _source(id, entry) for id, entry in entries.items()}


def _faults(id: str, entry: Any) -> Iterator[str]:
    if not ID.fullmatch(id):
        yield "an id consists of a-z, 0-9, '.' and '-'"
    if not isinstance(entry, dict):
        yield "is not a table"
        return
    for key in REQUIRED:
        if key not in entry:
            yield f"lacks {key}"
    for key, value in entry.items():
        if key not in REQUIRED + OPTIONAL:
            yield f"has an unknown key {key!r}"
        elif key in ("published", "retrieved") and not DATE.fullmatch(str(value)):
            yield f"{key} = {value!r} is no ISO date (2026, 2026-11 or 2026-11-30)"
        elif key not in ("published", "retrieved") and not isinstance(value, str):
            yield f"{key} is no text"
    url = entry.get("url")
    if url == "" and not entry.get("note"):
        yield "has no url and no note why"
    elif isinstance(url, str) and url and not url.startswith(("https://", "http://")):
        yield f"url = {url!r} is no web address"


def _source(id: str, entry: Mapping[str, Any]) -> Source:
    published = entry.get("published")
    return Source(
        id=id,
        kind="article",
        title=entry["title"],
        url=entry["url"],
        published=None if published is None else str(published),
        retrieved=str(entry["retrieved"]),
        publisher=entry["publisher"],
    )
