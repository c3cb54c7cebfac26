"""Buses of several lanes: the rates of another width than the row's, and which of two is the faster one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.answering.draft import Draft
from kb.answering.render import amount, number
from kb.answering.tables.specs import cell_evidence
from kb.types.answer import Value
from kb.types.specs import Column, Row

WIDTH = re.compile(r"x(\d+)$")  # a row of a bus names its width
ONE_WAY = "gb_s_per_direction"


def narrower(row: Row, lanes: Sequence[int], columns: Sequence[Column], draft: Draft) -> None:
    """The rates of a row in `columns` with other numbers of lanes than its own: in proportion."""
    w, width = draft.wording, WIDTH.search(row.name)
    rates = [(c, held) for c in columns if c.unit == "GB/s" and (held := row.number(c.name))]
    for lane in [n for n in lanes if width and n != int(width[1])]:
        scaled = [(c, *_rate(row, held, lane)) for c, held in rates]
        values = [Value(c.name, rate, c.unit, amount(rate, "GB/s", w), scope=name) for c, rate, name in scaled]
        draft.composer.values += values
        facts = [w("fact", label=c.label.of(w.language), value=v.text) for (c, _), v in zip(rates, values, strict=True)]
        if facts:
            words = w("lanes", name=scaled[0][2], facts=w.join(facts))
            draft.composer.say(words, *(cell_evidence(row, c.name) for c, _ in rates))


def faster(rows: Sequence[Row], lanes: Sequence[int], draft: Draft) -> bool:
    """Which of two buses is the faster one with the lanes that were said of them, or of both; False where every width is its row's."""
    w, each = draft.wording, tuple(lanes) * len(rows) if len(lanes) == 1 else tuple(lanes)
    held = [r.number(ONE_WAY) if WIDTH.search(r.name) else None for r in rows]
    if (
        len(rows) != 2
        or len(each) != 2
        or not all(held)
        or all(r.name.endswith(f"x{n}") for r, n in zip(rows, each, strict=True))
    ):
        return False
    scaled = [_rate(r, v or 0.0, n) for r, v, n in zip(rows, held, each, strict=True)]
    (most, first), (less, other) = sorted(scaled, key=lambda pair: -pair[0])
    values = [
        Value(ONE_WAY, rate, "GB/s", amount(rate, "GB/s", w), scope=name) for rate, name in ((most, first), (less, other))
    ]
    draft.composer.values += [*values, Value("ratio", most / less, "1", number(most / less), scope=f"{first}/{other}")]
    alike = most / less < 1.01
    blanks = {"name": first, "other": other, "value": values[0].text, "less": values[1].text, "times": number(most / less)}
    draft.composer.say(w("lanes:alike" if alike else "lanes:faster", **blanks), *(cell_evidence(r, ONE_WAY) for r in rows))
    return True


def _rate(row: Row, held: float, lanes: int) -> tuple[float, str]:
    """(rate, name) of a row's bus with so many lanes."""
    width = WIDTH.search(row.name)
    return held * lanes / int(width[1] if width else lanes), WIDTH.sub(f"x{lanes}", row.name)
