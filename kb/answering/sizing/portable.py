"""Whether a laptop that is not described runs a model: by the largest laptop GPU on file, and which of its maker's models take less."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.answering.draft import Draft, Tools
from kb.answering.render import value_text
from kb.answering.sizing.fields import fields_of
from kb.answering.sizing.grounds import model_name, named, standing
from kb.answering.sizing.groups import GPU_MEMORY
from kb.answering.tables.specs import cell_evidence
from kb.errors import InvalidInput
from kb.types.answer import Value
from kb.types.question import Part, Understanding
from kb.types.sizing import SizingResult
from kb.types.specs import Row
from kb.understanding.slots.known import tells_card, tells_model

KIND, CAPACITY = "laptop GPU", "memory_gb"
UNIFIED = 128.0  # GB of memory that processor and GPU of a laptop share, at most
LINE = re.compile(r"[A-Za-z]+")  # with which the names of a maker's models begin
LEANEST = "int4"  # the weights in which a laptop runs what it can
FEW = 8  # smaller models shown
TOTAL = "memory_total"


def asked(part: Part) -> bool:
    """Whether it is asked of a laptop of which neither card nor memory is told."""
    slots = part.slots
    told = tells_card(slots) or slots.get("host_ram_gb") or slots.get("size_gb")
    runs = slots.get("workload") in (None, "inference") and not slots.get("task")
    return bool(slots.get("laptop") and tells_model(slots) and runs and not told) and set(part.wanted) <= GPU_MEMORY


def respond(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """The verdict by the largest laptop GPU, what smaller models take, and the question which laptop it is."""
    laptops = [r for r in tools.book.rows("accelerators") if r.text("kind") == KIND and r.number(CAPACITY)]
    found = _sized({**part.slots}, part, reading, tools)
    if not laptops or found is None:
        return False
    w, composer, (result, need) = draft.wording, draft.composer, found
    largest = max(laptops, key=lambda r: (r.number(CAPACITY) or 0, r.id))
    has = largest.number(CAPACITY) or 0.0
    bytes_ = float(need.value or 0) * 2**30
    key = "laptop_may" if bytes_ <= has * 1e9 else "laptop_unified" if bytes_ <= UNIFIED * 1e9 else "laptop_no"
    text = value_text(replace(need, low=None, high=None), w)
    model, format = model_name(part.slots, tools), str(result.request.quantization or LEANEST)
    capacity = w.spelled(largest.cells[CAPACITY].quote)
    composer.values += [replace(need, text=text), Value(CAPACITY, has, "GB", capacity, scope=largest.id)]
    composer.known += [model, largest.name, format]
    words = w(key, model=model, format=format, need=text, name=largest.name, has=capacity)
    composer.say(words, *standing(result, TOTAL, tools=tools), *named(part.slots, tools), cell_evidence(largest, CAPACITY))
    draft.verdict = draft.verdict or ("does_not_fit" if key == "laptop_no" else "fits_with_conditions")
    draft.settle("sizing")
    if key != "laptop_may":
        _smaller(part, reading, draft, tools)
    composer.break_paragraph()
    composer.note(w("ask_laptop"))
    return True


def _sized(slots: dict[str, object], part: Part, reading: Understanding, tools: Tools) -> tuple[SizingResult, Value] | None:
    """A model as it runs, in the fewest bits where no precision is said, and what it takes in all."""
    fields = {"quantization": LEANEST, **fields_of(slots, "inference", part)}
    try:
        result = tools.size(fields, (TOTAL,), reading.language)
    except InvalidInput:
        return None
    total = next((v for v in result.values if v.name == TOTAL), None)
    return (result, total) if total else None


def _smaller(part: Part, reading: Understanding, draft: Draft, tools: Tools) -> None:
    """Smaller models of the same maker, with what they take in the same bits."""
    row = tools.book.row("models", str(part.slots.get("model") or ""))
    line = LINE.match(row.name) if row else None
    if row is None or line is None:
        return
    w, composer = draft.wording, draft.composer
    size = row.number("params_total") or 0.0
    alike = [r for r in tools.book.rows("models") if r.name.startswith(line[0]) and 0 < _size(r) < size / 4]
    rows = []
    for other in sorted(alike, key=_size)[:FEW]:
        if (found := _sized({"model": other.id}, part, reading, tools)) is None:
            continue
        result, need = found
        text = value_text(replace(need, low=None, high=None), w)
        composer.values.append(replace(need, text=text, scope=other.id))
        composer.known.append(other.name)
        rows.append(([other.name, text], [*standing(result, TOTAL, tools=tools), cell_evidence(other, "params_total")]))
    if rows:
        composer.note(w("laptop_smaller"))
        composer.tabulate([w.name("model"), w.name(TOTAL)], rows, w("source"))


def _size(row: Row) -> float:
    return row.number("params_total") or 0.0
