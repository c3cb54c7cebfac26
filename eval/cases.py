"""Cases and their loader: one JSON object a line; the schema is told in eval/README.md."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.errors import SizewrightError

SETS = Path(__file__).parent / "sets"
LANGUAGES = ("zh", "zh-Hant", "en", "mixed")

# What each kind of expectation must and may say.
EXPECTATIONS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "value": (frozenset({"name", "unit"}), frozenset({"value", "tolerance", "low", "high", "scope"})),
    "cell": (frozenset({"table", "row", "column"}), frozenset()),
    "mentions": (frozenset({"terms"}), frozenset({"at_least"})),
    "forbids": (frozenset({"strings"}), frozenset()),
    "verdict": (frozenset({"any_of"}), frozenset()),
    "declined": (frozenset(), frozenset({"reasons"})),
    "answered": (frozenset(), frozenset()),
    "asks": (frozenset({"slots"}), frozenset()),
    "language": (frozenset({"is"}), frozenset()),
}


class SetFault(SizewrightError):
    """A question set does not read: all faults of the file at once."""

    def __init__(self, path: Path, faults: tuple[str, ...]) -> None:
        listing = "\n".join(f"  - {f}" for f in faults)
        super().__init__(f"{path} has {len(faults)} fault(s):\n{listing}", f"{path} 有 {len(faults)} 处错误：\n{listing}")
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the user turns before it, and what must hold of the answer: all of `expect`. `basis` says why."""

    id: str
    category: str
    language: str
    question: str
    expect: tuple[Mapping[str, Any], ...]
    history: tuple[str, ...] = ()
    basis: str = ""
    pair: str | None = None  # cases of one pair ask the same in two languages


@dataclass(frozen=True, slots=True)
class CaseSet:
    name: str
    path: Path
    checksum: str
    cases: tuple[Case, ...]


def find_set(name: str) -> Path:
    """A file by its path, or the development part of a set of ours by its name; raises SetFault."""
    if (path := Path(name)).is_file():
        return path
    if (path := SETS / name / "dev.jsonl").is_file():
        return path
    known = ", ".join(sorted(p.parent.name for p in SETS.glob("*/dev.jsonl")))
    raise SetFault(Path(name), (f"no such set or file; sets: {known}",))


def load(path: Path) -> CaseSet:
    """The cases of a file; raises SetFault with every fault of every line."""
    data = path.read_bytes()
    cases, faults = [], []
    for number, line in enumerate(data.decode("utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except json.JSONDecodeError as error:
            faults.append(f"line {number}: no JSON: {error}")
            continue
        wrong = _faults(fields)
        faults += [f"line {number} ({fields.get('id')}): {fault}" for fault in wrong]
        if not wrong:
            cases.append(Case(**{**fields, "expect": tuple(fields["expect"]), "history": tuple(fields.get("history", ()))}))
    faults += [f"{id}: the id stands {n} times" for id, n in Counter(c.id for c in cases).items() if n > 1]
    if faults or not cases:
        raise SetFault(path, tuple(faults) or ("no cases",))
    name = path.parent.name if path.stem == "dev" else path.stem
    return CaseSet(name, path, hashlib.sha256(data).hexdigest()[:16], tuple(cases))


def _faults(fields: dict[str, Any]) -> list[str]:
    allowed = set(Case.__dataclass_fields__)
    out = [f"unknown field {key}" for key in fields if key not in allowed]
    out += [f"no {key}" for key in ("id", "category", "language", "question", "expect") if not fields.get(key)]
    if fields.get("language") not in LANGUAGES:
        out.append(f"language must be one of {', '.join(LANGUAGES)}")
    for expected in fields.get("expect") or ():
        kind = expected.get("kind")
        if kind not in EXPECTATIONS:
            out.append(f"unknown expectation {kind}")
            continue
        must, may = EXPECTATIONS[kind]
        given = set(expected) - {"kind"}
        out += [f"{kind} needs {key}" for key in sorted(must - given)]
        out += [f"{kind} knows no {key}" for key in sorted(given - must - may)]
        if kind == "value" and ("value" in given) == bool(given & {"low", "high"}):
            out.append("value needs either value or low and high")
    return out
