"""corpus/terms/*.toml and the names in the spec tables -> the lexicon.

A term file has `category`, optionally `table`, and `[[term]]` entries: `canonical`, `code`, `label`, `rows`, `reason`, `members`,
`member_names`, `sized`, and the names by relation and language (`same`, `weak`, `variant`, `related`). A file without
`category` holds lists of words, and under `[reasons]` the sentence in both languages for each `reason`. A spec row joins the
term whose name its own begins with, or founds a new one, so that a new chip or model needs no entry here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from kb.errors import CorpusFault
from kb.ingest.spec_schema import bilingual
from kb.types.lexicon import Alias, Lexicon, Relation, Term
from kb.types.specs import Bilingual, Row, SpecBook

CATEGORY_OF = {
    "accelerators": "accelerator",
    "models": "model",
    "systems": "system",
    "interconnects": "interconnect",
    "cpus": "cpu",
    "storage_and_memory": "storage",
}
TERM_KEYS = {
    "canonical",
    "code",
    "label",
    "rows",
    "reason",
    "members",
    "member_names",
    "sized",
    "same",
    "weak",
    "variant",
    "related",
}
SIZE = re.compile(r"(?<![a-z0-9.])(\d+x\d+b|\d+(?:\.\d+)?b(?:-a\d+(?:\.\d+)?b)?|\d+m)(?![a-z0-9])", re.I)
FORM = re.compile(r"\s+(?:\d+\s?GB|SXM\d?|PCIe|NVL|OAM|HBM\w+)\b", re.I)
ASIDE = re.compile(r"\s*\([^)]*\)")


def read_terms(path: Path, book: SpecBook) -> Lexicon:
    """The lexicon of the folder `path` over the rows of `book`; raises CorpusFault with every fault found."""
    faults: list[str] = []
    terms: dict[tuple[str, str], Term] = {}
    words: dict[str, tuple[str, ...]] = {}
    reasons: dict[str, Bilingual] = {}
    for file in sorted(path.glob("*.toml")):
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            faults.append(f"{file.name}: {error}")
            continue
        if "category" not in data:
            words |= {key: tuple(map(str, value)) for key, value in data.items() if isinstance(value, list)}
            for code, text in data.get("reasons", {}).items():
                reasons[code] = bilingual(text, f"reasons.{code}", partial(_complain, faults, file.name))
            continue
        for entry in data.get("term", []):
            term = _term(file.name, data, entry, book, faults)
            if (term.category, term.canonical) in terms:
                faults.append(f"{file.name}: {term.canonical} stands twice")
            terms[term.category, term.canonical] = term
    faults += [
        f"{t.canonical}: no sentence for the reason {t.reason}"
        for t in terms.values()
        if reasons and t.reason and t.reason not in reasons
    ]
    if not faults:
        _join_rows(terms, book, words.get("brands", ()))
        faults += _collisions(terms.values(), frozenset(map(_fold, words.get("shared", ()))))
    if faults:
        raise CorpusFault(tuple(faults))
    return Lexicon(tuple(terms.values()), words, reasons)


def _complain(faults: list[str], file: str, key: str, what: str) -> None:
    faults.append(f"{file}: {key}: {what}")


def _collisions(terms: Iterable[Term], shared: frozenset[str]) -> list[str]:
    """A name means one thing: of the terms that have it all but one hold it `weak`, unless the list `shared` says it is of both."""
    owners: dict[str, Term] = {}
    faults = []
    for term in terms:
        for name in dict.fromkeys(_fold(a.text) for a in term.aliases if a.relation == "same" and not a.weak):
            first = owners.setdefault(name, term)
            if first is not term and name not in shared:
                faults.append(f"{name}: means {first.canonical} ({first.category}) and {term.canonical} ({term.category})")
    return faults


def _term(name: str, data: Mapping[str, Any], entry: Mapping[str, Any], book: SpecBook, faults: list[str]) -> Term:
    canonical, table = str(entry.get("canonical", "")), data.get("table")
    faults += [f"{name}: {canonical}: unknown key {key}" for key in entry.keys() - TERM_KEYS]
    if not canonical:
        faults.append(f"{name}: a term without a canonical name")
    named = [*entry.get("rows", []), *entry.get("members", {}).values()]
    if table is not None and table in book.tables:
        faults += [f"{name}: {canonical}: no row {row} in {table}" for row in named if not book.row(table, row)]
    label = entry.get("label", {})
    return Term(
        category=data["category"],
        canonical=canonical,
        code=entry.get("code", canonical),
        label=Bilingual(label.get("en", canonical), label.get("zh", canonical)),
        aliases=(Alias(canonical, "en", weak=canonical in entry.get("weak", {}).get("en", [])), *_aliases(entry)),
        table=table,
        rows=tuple(entry.get("rows", [])),
        reason=entry.get("reason"),
        members=dict(entry.get("members", {})),
        member_names=dict(entry.get("member_names", {})),
        sized=entry.get("sized", True),
    )


def _aliases(entry: Mapping[str, Any]) -> Iterator[Alias]:
    relations: tuple[tuple[str, Relation, bool], ...] = (
        ("same", "same", False),
        ("weak", "same", True),
        ("variant", "variant", False),
        ("related", "related", False),
    )
    languages: tuple[Literal["en", "zh"], ...] = ("en", "zh")
    for key, relation, weak in relations:
        for language in languages:
            for text in entry.get(key, {}).get(language, []):
                if text != entry.get("canonical"):
                    yield Alias(text, language, relation, weak)


def _fold(text: str) -> str:
    return re.sub(r"[\s\-_]+", "", text).lower()


def _join_rows(terms: dict[tuple[str, str], Term], book: SpecBook, brands: tuple[str, ...]) -> None:
    """Give every accelerator, model, system, link, processor and drive its term."""
    for table, category in CATEGORY_OF.items():
        own = {key: term for key, term in terms.items() if key[0] == category}
        claimed = {row: key for key, term in own.items() for row in (*term.members.values(), *term.rows)}
        known = {_fold(a.text): key for key, term in own.items() for a in term.aliases if a.relation == "same"}
        for row in book.rows(table):
            base, short, size = _base(row, brands)
            key = (claimed.get(row.id) if table == "accelerators" else None) or known.get(_fold(base))
            key = key or claimed.get(row.id) or known.get(_fold(short))
            if key is None:
                key = (category, base)
                names = (Alias(base, "en"), *([Alias(short, "en")] if short != base else []))
                terms[key] = Term(category, base, base, Bilingual(base, base), names, table)
                known |= {_fold(base): key, _fold(short): key}
            term = terms[key]
            if size and row.id not in term.members.values() and row.id not in term.rows:
                term = replace(term, members={size.lower(): row.id} | dict(term.members))
            elif row.id not in claimed:
                term = replace(term, rows=(*term.rows, row.id))
            extra = tuple(Alias(t, "en", "variant") for t in _own_names(row, size) if _fold(t) not in known)
            known |= {_fold(a.text): key for a in extra}
            terms[key] = replace(term, table=table, aliases=term.aliases + extra)


def _bare(name: str) -> str:
    return ASIDE.sub("", name.split(" / ")[0]).strip()


def _base(row: Row, brands: tuple[str, ...]) -> tuple[str, str, str | None]:
    """A row's family name, the same without its maker, and a model's size: `A100 SXM4 80GB` -> A100; `Qwen2.5 72B` -> Qwen2.5, 72B."""
    name = _bare(row.name)
    if row.table == "models":
        found = SIZE.search(name)
        if found and found.start() > 0:
            return (base := name[: found.start()].strip(" -")), base, found.group(1)
        return name, name, None
    name = FORM.sub("", name).strip() or name
    short = name
    while (cut := short.partition(" "))[0] in brands and len(cut[2]) > 3:
        short = cut[2]
    return name, short, None


def _own_names(row: Row, size: str | None) -> Iterator[str]:
    if size is None:
        yield row.id
        yield _bare(row.name)
