"""A figure of memory that the question repeats from elsewhere, held against the computed one before anything else is said."""

from __future__ import annotations

from collections.abc import Sequence

from kb.answering.draft import Draft, Tools
from kb.answering.render import amount, value_text
from kb.answering.sizing.grounds import standing
from kb.types.answer import Value
from kb.types.question import Mention, Part, Understanding
from kb.types.source import Evidence
from kb.types.units import from_base
from kb.understanding.numbers.units import nominal_gb

APART = 1.2  # times: figures further apart than this do not agree
NEARLY = 1.06  # times: a size within it of so many bytes a parameter is that of the format
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
    w, (what, least), (_, most) = draft.wording, found[0], found[-1]
    low, high = min(claimed), max(claimed)
    verdict = (
        "too_low"
        if high * APART < float(least.value or 0)
        else "too_high"
        if low > APART * float(most.value or 0)
        else "agrees"
        if len(found) == 1
        else ""
    )
    if not verdict or (verdict != "agrees" and part.slots.get("checkpoint_why")):  # what is there is no claim
        return False
    figure = _as_written(reading)
    draft.composer.values.append(Value("claimed", None, None, figure))
    draft.composer.say(w(f"claimed:{verdict}", figure=figure, what=what, need=value_text(least, w)), *stands)
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
    return [nominal_gb(float(m.value), m.unit) * (1e9 / 2**30) for m in _stated(reading)]


def _stated(reading: Understanding) -> list[Mention]:
    return [m for m in reading.mentions if m.quantity == "memory" and m.slot is None and isinstance(m.value, int | float)]


def _as_written(reading: Understanding) -> str:
    """The figures as the question wrote them."""
    return "–".join(dict.fromkeys(m.text for m in _stated(reading)))
