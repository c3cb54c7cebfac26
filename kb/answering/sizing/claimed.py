"""A figure of memory that the question repeats from elsewhere, held against the computed one before anything else is said."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, size_name, value_text
from kb.answering.sizing.grounds import standing
from kb.answering.tables.specs import cell_evidence
from kb.types.answer import Value
from kb.types.question import Mention, Part, Understanding
from kb.types.source import Evidence
from kb.types.units import from_base
from kb.understanding.numbers.units import nominal_gb
from kb.understanding.premises.told import EXPECTED, is_doubted, own_view, told_of

APART = 1.2  # times: figures further apart than this do not agree
NEARLY = 1.06  # times: a size within it of so many bytes a parameter is that of the format
TOTAL = "params_total"
FORMATS = ("fp32", "bf16")  # of saved weights, whose sizes are mistaken for one another
UNRELATED = 30  # times: a figure that much larger is the size of something else, of a data set say


def correct(
    part: Part, reading: Understanding, computed: Sequence[tuple[str, Value]], stands: Sequence[Evidence], draft: Draft
) -> bool:
    """Say whether the claimed figure agrees with what was computed, given as (what it is of, value in GiB), least first."""
    claimed = _claimed(part, reading)
    found = [(what, v) for what, v in computed if isinstance(v.value, int | float) and v.unit == "GiB"]
    if not claimed or not found or min(claimed) > UNRELATED * float(found[-1][1].value or 0):
        return False
    near = [f for f in found if all(1 / APART <= c / float(f[1].value or 1) <= APART for c in claimed)]
    if near and len(found) > 1:  # the method that the figure is of
        found = [min(near, key=lambda f: abs(math.log(claimed[0] / float(f[1].value or 1))))]
    if part.slots.get("checkpoint_why"):  # what is there is no claim
        claimed = [c for c in claimed if _judge([c], found) == "agrees"]
    verdicts = {_judge([c], found) for c in claimed}
    if len(verdicts) > 1 and "agrees" in verdicts:  # of several figures the one that is right is named
        claimed = [c for c in claimed if _judge([c], found) == "agrees"]
    verdict = _judge(claimed, found) if claimed else ""
    if not verdict:
        return False
    w, (what, least) = draft.wording, found[0]
    figure = _as_written(part, reading, claimed)
    draft.composer.values.append(Value("claimed", None, None, figure))
    seen, doubted = own_view(draft.composer.question) == verdict, is_doubted(draft.composer.question)
    key = f"claimed:{verdict}:seen" if seen else f"claimed:{verdict}:doubted" if doubted else f"claimed:{verdict}"
    draft.composer.say(w(key, figure=figure, what=what, need=value_text(least, w)), *stands)
    return True


def _judge(claimed: Sequence[float], found: Sequence[tuple[str, Value]]) -> str:
    """How figures stand to what was computed, least first: below all of it, above all of it, or in agreement; empty where that is open."""
    least, most = (float(found[i][1].value or 0) for i in (0, -1))
    if max(claimed) * APART < least:
        return "too_low"
    if min(claimed) > APART * most:
        return "too_high"
    return "agrees" if len(found) == 1 else ""


def of_parameters(slots: Mapping[str, Any], reading: Understanding, draft: Draft, tools: Tools) -> bool:
    """Put right a number of parameters that others tell of a named model; False where none is told, or it is the model's."""
    row = tools.book.row("models", str(slots.get("model") or ""))
    total = row.number(TOTAL) if row else None
    if row is None or not total or not told_of(draft.composer.question):
        return False
    own = [total, row.number("params_active") or total]
    figures = [m for m in reading.mentions if m.quantity == "parameters" and isinstance(m.value, int | float)]
    wrong = [m for m in figures if m.text not in row.name and all(abs(float(m.value) / n - 1) > NEARLY - 1 for n in own)]
    if len(wrong) != 1:
        return False
    key = "too_high" if float(wrong[0].value) > total else "too_low"
    words = draft.wording("claimed:size", name=row.name, value=size_name(total), claimed=wrong[0].text)
    lead = draft.wording("claimed:size:seen") if own_view(draft.composer.question) == key else ""
    draft.composer.values.append(Value(TOTAL, total, None, size_name(total)))
    draft.composer.say(lead + words, cell_evidence(row, TOTAL))
    return True


def by_format(part: Part, draft: Draft, tools: Tools, among: Sequence[str] = FORMATS) -> bool:
    """Say which format a stated size of so many parameters is, and what another takes; False where it is none of `among`."""
    slots, w = part.slots, draft.wording
    count, size = slots.get("parameters"), slots.get("size_gb")
    if not count or not size or slots.get("gpu"):
        return False
    sizes = {
        f: tools.size({"parameters": count, "quantization": f, "workload": "inference"}, ("weights",), w.language)
        for f in FORMATS
    }
    weights = {f: from_base(r.steps["weights"].value, "GB") for f, r in sizes.items()}
    is_one = [f for f in FORMATS if 1 / NEARLY < float(size) / weights[f] < NEARLY]
    if not set(is_one) & set(among):
        return False
    texts = {f: amount(gb, "GB", w) for f, gb in weights.items()}
    draft.composer.values += [Value("weights", gb, "GB", texts[f], scope=f"quantization={f}") for f, gb in weights.items()]
    stated = amount(float(size), "GB", w)
    draft.composer.values.append(Value("size", float(size), "GB", stated))
    words = w(f"by_format:{is_one[0]}", size=stated, **texts)
    draft.composer.say(words, *(e for r in sizes.values() for e in standing(r, "weights", tools=tools)))
    return True


def _claimed(part: Part, reading: Understanding) -> list[float]:
    """The memory figures that the question states and that describe neither its GPUs nor its host, in GiB."""
    if not part.slots.get("size_gb") or part.slots.get("bandwidth_gb_s") or part.slots.get("disk_gb_s"):
        return []
    return [nominal_gb(float(m.value), m.unit) * (1e9 / 2**30) for m in _stated(part, reading)]


def _stated(part: Part, reading: Understanding) -> list[Mention]:
    """Mentions of memory that are that of nothing the part has."""
    figures = (m for m in reading.mentions if m.quantity == "memory" and isinstance(m.value, int | float))
    stated = [m for m in figures if m.slot is None or m.slot not in part.slots]
    shown = [m for m in stated if not EXPECTED.search(reading.question.lower(), 0, m.start)]
    return shown or stated


def _as_written(part: Part, reading: Understanding, kept: Sequence[float]) -> str:
    """The figures that were kept, as the question wrote them."""
    told = (m for m in _stated(part, reading) if nominal_gb(float(m.value), m.unit) * (1e9 / 2**30) in kept)
    return "–".join(dict.fromkeys(m.text for m in told))
