"""`schema.toml`: which tables there are, and what each of their columns may hold."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from kb.types.source import SourceKind
from kb.types.specs import Bilingual, Column

Complain = Callable[[str, str], None]
"""Reports a fault of the file at hand: the key, and what is wrong with it and allowed instead."""

KINDS = ("number", "text", "flag")
SOURCE_KINDS = ("spec", "model", "price")
COLUMN_KEYS = {"kind", "unit", "low", "high", "en", "zh", "refers", "among", "convention", "note"}


@dataclass(frozen=True, slots=True)
class TableSchema:
    """`refers`: columns that hold the id of a row of another table. `among`: what a text column may hold. `rising`: columns
    whose values never fall in this order. `required`: columns that every row gives. `complete`: columns of which every row gives
    the figure or says why there is none. `conventions`: columns that the table itself decides, and what that is called: their
    cells rest on it where they name no source of their own. `notes`: how cells follow from a source that does not print them."""

    name: str
    label: Bilingual
    source_kind: SourceKind
    columns: tuple[Column, ...]
    refers: Mapping[str, str]
    among: Mapping[str, tuple[str, ...]]
    rising: tuple[str, ...]
    required: tuple[str, ...]
    complete: tuple[str, ...]
    conventions: Mapping[str, str]
    notes: Mapping[str, str]


def read_toml(file: Path, complain: Complain) -> dict[str, Any]:
    """The file as a dict, or an empty one after a complaint."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        complain("", f"cannot be read: {error.strerror}")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        complain("", f"is not TOML: {error}")
    return {}


def read_schema(file: Path, complain: Complain) -> tuple[TableSchema, ...]:
    """All tables of the schema, in its order; a column that does not read is left out after a complaint."""
    return tuple(_table(name, raw, complain) for name, raw in read_toml(file, complain).items())


def bilingual(raw: Any, key: str, complain: Complain) -> Bilingual:
    """`{ en = "...", zh = "..." }`, both needed."""
    texts = raw if isinstance(raw, Mapping) else {}
    if any(not isinstance(texts.get(language), str) or not texts[language].strip() for language in ("en", "zh")):
        complain(key, "wants a text in both languages, { en = ..., zh = ... }")
    return Bilingual(str(texts.get("en", "")), str(texts.get("zh", "")))


def _table(name: str, raw: Mapping[str, Any], complain: Complain) -> TableSchema:
    columns = raw.get("columns", {})
    if (source_kind := raw.get("source_kind", "spec")) not in SOURCE_KINDS:
        complain(f"{name}.source_kind", f"is {source_kind!r}; allowed are {', '.join(SOURCE_KINDS)}")
    for key in ("rising", "required", "complete"):
        for column in raw.get(key, ()):
            if column not in columns:
                complain(f"{name}.{key}", f"names {column!r}, which is no column of the table")
    return TableSchema(
        name=name,
        label=bilingual(raw.get("label"), f"{name}.label", complain),
        source_kind=cast(SourceKind, source_kind),
        columns=tuple(_column(key, value, f"{name}.columns.{key}", complain) for key, value in columns.items()),
        refers={key: value["refers"] for key, value in columns.items() if "refers" in value},
        among={key: tuple(value["among"]) for key, value in columns.items() if "among" in value},
        rising=tuple(raw.get("rising", ())),
        required=tuple(raw.get("required", ())),
        complete=tuple(raw.get("complete", ())),
        conventions={key: value["convention"] for key, value in columns.items() if "convention" in value},
        notes={key: value["note"] for key, value in columns.items() if "note" in value},
    )


def _column(name: str, raw: Mapping[str, Any], key: str, complain: Complain) -> Column:
    if (kind := raw.get("kind")) not in KINDS:
        complain(f"{key}.kind", f"is {kind!r}; allowed are {', '.join(KINDS)}")
    if unknown := sorted(set(raw) - COLUMN_KEYS):
        complain(key, f"has the unknown keys {', '.join(unknown)}; allowed are {', '.join(sorted(COLUMN_KEYS))}")
    if kind != "number" and (misplaced := sorted({"unit", "low", "high"} & set(raw))):
        complain(key, f"has {', '.join(misplaced)}, which only a number has")
    if kind != "text" and "among" in raw:
        complain(key, "has among, which only a text has")
    label = bilingual(raw, key, complain)
    return Column(name, cast(Literal["number", "text", "flag"], kind), raw.get("unit"), label, raw.get("low"), raw.get("high"))
