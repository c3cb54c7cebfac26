"""From entities, counts and quantities to mentions in order of appearance."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kb.types.specs import SpecBook
from kb.understanding.found import Found
from kb.understanding.names.entities import Entities, EntityReader
from kb.understanding.names.families import size_value
from kb.understanding.numbers.counts import BOX, Count, read_counts
from kb.understanding.numbers.quantities import Quantities

SPOKEN_METHODS = frozenset({"inference", "finetune", "quantize", "distill", "grad_accum"})
QUANT = re.compile(
    r"(?<![a-z0-9])(?:i?q(?P<q>[2-8])(?:_[k01](?:_[sml])?)?|w(?P<w>[248]|16)a(?P<a>8|16|4)|(?P<kq>mxfp4|nvfp4))(?![a-z0-9])"
)
TABLED = frozenset({"interconnect", "cpu", "storage"})
SCHEMES = frozenset({"awq", "gptq", "gguf"})


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was found, in the order of appearance, with the entities it came from."""

    entities: Entities
    counts: tuple[Count, ...]
    found: tuple[Found, ...]


def read_mentions(low: str, cased: str, reader: EntityReader, book: SpecBook, hinted: bool = False) -> Reading:
    """Everything the quantities schema names, over a folded text."""
    entities = reader.read(low, cased, hinted)
    counts = read_counts(entities.low)
    found: list[Found] = []
    found += _cards(entities, reader, book, cased)
    found += _models(entities, book)
    found += [
        Found(s.start, s.end, "unknown", cased[s.start : s.full], s.kind, {"full": s.full}, quiet=True)
        for s in entities.unknown
    ]
    formats = list(_precisions(entities, low))
    found += formats
    taken = [(f.start, f.end) for f in formats] + [(c.start, c.end) for c in counts if c.end > c.start]
    sizes = [(f.start, f.end) for f in found if f.quantity == "parameters"]
    quantities = Quantities(entities.cased, entities.low, entities.field, taken + sizes).read()
    found += [f for f in quantities if not (f.quantity == "precision" and any(s <= f.start < e for s, e in taken))]
    found += _counted(counts, entities, book, found)
    found += _methods(entities)
    found.sort(key=lambda f: (f.start, f.end))
    return Reading(entities, tuple(counts), tuple(found))


def _cards(entities: Entities, reader: EntityReader, book: SpecBook, cased: str) -> Iterable[Found]:
    for card in entities.cards:
        extra: dict[str, Any] = {
            k: v for k, v in (("mem_gb", card.memory), ("form", card.form), ("row", card.row)) if v is not None
        }
        if len(card.term.rows) > 1:
            extra["variants"] = card.term.rows
        if card.impossible:
            extra["own_memory"] = True
        if card.absent:
            extra["absent"] = cased[card.start : card.end]
        yield Found(card.start, card.end, "gpu", card.term.canonical, None, extra)
    for name, row in entities.systems:
        system = book.row("systems", row) if row else None
        chip = system.text("accelerator_id") if system else None
        term = reader.variants.term_of.get(chip or "")
        if term:
            yield Found(name.start, name.end, "gpu", term.canonical, None, {"row": chip, "system": row})


def _models(entities: Entities, book: SpecBook) -> Iterable[Found]:
    for model in entities.models:
        yield Found(model.start, model.end, "model", model.value, None, {"row": model.row} if model.row else {})
        if not model.size or not model.size_span:
            continue
        start, end = model.size_span
        m = re.fullmatch(r"(\d{1,9})x(\d{1,9}(?:\.\d{1,9})?)b", model.size)
        active = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)b-a(\d{1,9}(?:\.\d{1,9})?)b", model.size)
        if m:
            yield Found(start, end, "parameters", None, "params", {"moe": [int(m[1]), float(m[2]) * 1e9]})
        elif active:
            cut = start + model.size.index("-")
            yield Found(start, cut, "parameters", float(active[1]) * 1e9, "params", {"role": "total"})
            yield Found(cut + 1, end, "parameters", float(active[2]) * 1e9, "params", {"role": "active"})
        elif (value := size_value(model.size)) is not None:
            row = book.row("models", model.row) if model.row else None
            moe = row is not None and (row.number("params_active") or 0) < 0.9 * (row.number("params_total") or 0)
            yield Found(start, end, "parameters", value, "params", {"role": "total"} if moe else {})


def _precisions(entities: Entities, low: str) -> Iterable[Found]:
    covered: list[tuple[int, int]] = []
    for m in QUANT.finditer(low):
        if any(c.start <= m.start() < c.end for c in entities.cards):
            continue
        value = f"{m['q']}bit" if m["q"] else f"int{m['w']}" if m["w"] and m["w"] != "16" else "fp4" if m["kq"] else "fp16"
        extra = {"written": m.group().lower()}
        covered.append(m.span())
        yield Found(m.start(), m.end(), "precision", value, None, extra)
    for category, code, start, end in entities.others:
        if category == "precision" and not any(s <= start < e for s, e in covered):
            if code in SCHEMES:
                yield Found(start, end, "method", code)
            else:
                yield Found(start, end, "precision", code)
        elif category == "method" and code == "mixed":
            yield Found(start, end, "precision", "mixed")


def _methods(entities: Entities) -> Iterable[Found]:
    for category, code, start, end in entities.others:
        if category == "method" and code != "mixed":
            yield Found(start, end, "method", code, quiet=code in SPOKEN_METHODS)
        elif category in ("optimizer", "tool"):
            yield Found(start, end, category, code, quiet=True)
    for name in entities.names:
        if name.term.category in TABLED and name.term.rows:
            yield Found(name.start, name.end, "row", name.term.rows[0], name.term.table, quiet=True)


def _counted(counts: Iterable[Count], entities: Entities, book: SpecBook, found: list[Found]) -> Iterable[Found]:
    for count in counts:
        extra = {
            k: v
            for k, v in (
                ("nodes", count.nodes),
                ("per_node", count.each),
                ("range", list(count.range) if count.range else None),
            )
            if v is not None
        }
        if count.approx:
            extra["approx"] = True
        if count.kind == "nodes":
            if not any(f.start < count.end and count.start < f.end for f in found):
                yield Found(count.start, count.end, "node_count", count.value, "nodes", extra)
        elif count.kind == "box":
            name, row = next(((n, r) for n, r in entities.systems if n.start == count.box), (None, None))
            system = book.row("systems", row) if row else None
            each = system.number("accelerator_count") if system else None
            if not each or name is None or count.nodes is None:
                continue
            written = count.end > count.start and entities.low[count.start] != BOX
            start, end = (count.start, max(count.end, name.start)) if written else (name.start, name.end)
            yield Found(
                start, end, "gpu_count", count.nodes * each, "gpus", {"nodes": count.nodes, "per_node": each}, quiet=not written
            )
        else:
            yield Found(count.start, count.end, "gpu_count", count.value, "gpus", extra)
