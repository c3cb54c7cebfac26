"""`corpus/assumptions/`: dated, cited choices, and the works that rules cite.

Each entry is a table with `value` (a number, with its base `unit`, or a word), `source` (a key of `sources.toml`), `as_of`, `reason.en` and
`reason.zh`, and `slot` when a request field replaces it. Its id is the path of keys that leads to it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.errors import CorpusFault
from kb.types.assumptions import Assumptions, Choice
from kb.types.derivation import Assumption
from kb.types.source import Evidence, RuleLocator, Source
from kb.types.specs import Bilingual
from kb.types.units import SCALE

BASE_UNITS = {unit for _, unit in SCALE.values()} | {"FLOP/token", "FLOP/J", "money", "money/s", "money/J"}
KEYS = {"value", "unit", "slot", "source", "as_of", "reason"}


def read_assumptions(folder: Path) -> Assumptions:
    """All files of the folder; raises CorpusFault with everything that is wrong in them."""
    faults: list[str] = []
    tables = {path: _load(path, faults) for path in sorted(folder.glob("*.toml"))}
    sources = {
        key: Source(key, "rule", str(t.get("title", "")), str(t.get("url", "")), t.get("published"), t.get("retrieved"))
        for path, table in tables.items()
        if path.name == "sources.toml"
        for key, t in table.items()
    }
    faults += [
        f"sources.toml [{key}]: title and an http(s) url are needed"
        for key, s in sources.items()
        if not (s.title and s.url.startswith("http"))
    ]
    constants: dict[str, Assumption] = {}
    choices: dict[str, Choice] = {}
    for path, table in tables.items():
        if path.name == "sources.toml":
            continue
        for id, entry in _entries(table, ""):
            problem = _problem(entry, sources) or (f"{id} is defined twice" if id in constants or id in choices else None)
            if problem:
                faults.append(f"{path.name} [{id}]: {problem}")
                continue
            reason, value, slot = Bilingual(entry["reason"]["en"], entry["reason"]["zh"]), entry["value"], entry.get("slot", "")
            evidence = Evidence(sources[entry["source"]], RuleLocator(f"assumptions.{id}"), reason.en)
            if isinstance(value, str):
                choices[id] = Choice(slot, value, reason, evidence)
            else:
                constants[id] = Assumption(id, float(value), entry["unit"], slot, reason, evidence)
    if not tables:
        faults.append(f"{folder}: no assumptions here")
    if faults:
        raise CorpusFault(tuple(faults))
    return Assumptions(constants, choices, sources)


def _load(path: Path, faults: list[str]) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        faults.append(f"{path.name}: {error}")
        return {}


def _entries(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for key, value in table.items():
        if isinstance(value, dict) and "value" in value:
            yield prefix + key, value
        elif isinstance(value, dict):
            yield from _entries(value, f"{prefix}{key}.")
        else:
            yield prefix + key, {}


def _problem(entry: Mapping[str, Any], sources: Mapping[str, Source]) -> str | None:
    if unknown := entry.keys() - KEYS:
        return f"unknown key {sorted(unknown)[0]!r}"
    value, reason = entry.get("value"), entry.get("reason")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return "value is a number or a word"
    if not isinstance(value, str) and entry.get("unit") not in BASE_UNITS:
        return f"unit {entry.get('unit')!r} is not a base unit"
    if not isinstance(reason, dict) or not reason.get("en") or not reason.get("zh"):
        return "reason.en and reason.zh are needed"
    if entry.get("source") not in sources:
        return f"source {entry.get('source')!r} is not in sources.toml"
    return None if isinstance(entry.get("as_of"), str) else "as_of says when the value was chosen"
