"""Figures that a question claims of named cards, held against their rows: a bandwidth, a rate of computing, a type of memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.types.question import Premise
from kb.types.specs import Row, SpecBook
from kb.understanding.asks.columns import FORMAT_COLUMNS
from kb.understanding.found import Found

TABLE = "accelerators"
NEAR = 0.06  # share by which a claimed figure may miss the true one
MEMORY = re.compile(r"(?:显存|内存)?带宽|bandwidth|memory speed")
LINK = re.compile(r"nv-?link|互联|互连|卡间|interconnect")
RATE = re.compile(
    r"(?:has|have|does|is|delivers|offers|reaches|gives|有|是|能到|达到|可达|就有|的)?\s?(?:about|around|roughly|大约|约)?\s?"
    r"(?<![a-z\d.])(?P<said>(?P<figure>\d{1,5}(?:\.\d{1,3})?)\s?(?P<unit>[tp])(?:era|eta)?-?flops?(?:/s)?)"
)
FORMAT = re.compile(r"(?<![a-z])(bf16|fp16|tf32|fp8|fp4)(?!\d)")
SHORT_FORMAT = re.compile(r"(?<![a-z\d])(bf16|fp16|tf32|fp32|fp8|fp4)(?!\d)")
SPARSE = re.compile(r"spars|稀疏")
KIND = re.compile(r"(?<![a-z])(hbm\de?|gddr\dx?)(?![a-z\d])")
ASKED = re.compile(r"还是|是不是|什么|哪|(?<![a-z])(?:or|which|what|does|is it)(?![a-z])")
STATED = re.compile(
    r"吧|对吗|是吗|听说|据说|既然|因为|反正|也有|(?<![a-z])(?:right|correct|since|because|given|heard|also has|too)(?![a-z])"
)


# A figure as it is said for short, of a card whose rate, bandwidth or link is named beside it: `fp32 989T 对吗`, `NVLink 900G`.
SHORT = re.compile(
    r"(?<![a-z\d.])(?P<figure>\d{1,5}(?:\.\d{1,2})?)\s?(?P<unit>[tpg])(?:era|iga)?(?:flops|b)?(?:/s|ps)?(?![a-z\d/])"
)
CONFIRMED = re.compile(
    r"对吗|对吧|对么|对不对|是吗|是吧|没错吧|是不是|[吧]\s*[?。!]?\s*$|(?<![a-z])(?:right|correct|true|yes)\s*\?|n'?t it\s*\?"
)
TAKEN_DOWN = re.compile(  # measured, which is held against the rate elsewhere
    r"测|跑出|只有|才(?=\s?\d)|(?<![a-z])(?:measur\w+|benchmark\w*|getting|gets?|got|seeing|see|only|tops out)(?![a-z])"
)
SCALES = {"tflops": {"t": 1.0, "p": 1000.0}, "gb_s": {"g": 1.0, "t": 1000.0}, "gb": {"g": 1.0}}


def claimed_of(low: str, column: str) -> tuple[float, str] | None:
    """(the figure that a text states of a column and asks to confirm, in the column's unit; as it is written), or None."""
    kind = "tflops" if column in FORMAT_COLUMNS.values() else next((k for k in ("gb_s", "gb") if column.endswith(f"_{k}")), "")
    if not kind or not CONFIRMED.search(low) or TAKEN_DOWN.search(low):
        return None
    found = [m for m in SHORT.finditer(low) if m["unit"] in SCALES[kind]]
    if len(found) != 1:
        return None
    return float(found[0]["figure"]) * SCALES[kind][found[0]["unit"]], found[0].group().upper()


def claims_of(low: str, found: Sequence[Found], book: SpecBook) -> list[Premise]:
    """Claims of a text that the rows of the cards contradict."""
    cards = [(f, row) for f in found if f.quantity == "gpu" and (row := book.row(TABLE, str(f.extra.get("row"))))]
    return [*_kinds(low, cards), *_bandwidths(low, cards, found), *(list(_rates(low, cards)) or _for_short(low, cards))]


def _for_short(low: str, cards: Sequence[tuple[Found, Row]]) -> Iterator[Premise]:
    """A figure said for short of the only card named, beside the one format, bandwidth or link that it is of."""
    formats = list(dict.fromkeys(m[1] for m in SHORT_FORMAT.finditer(low)))
    linked, of_memory = LINK.search(low) is not None, MEMORY.search(low) is not None
    if len(cards) != 1 or len(formats) + linked + of_memory != 1:
        return
    column = FORMAT_COLUMNS[formats[0]] if formats else "interconnect_gb_s" if linked else "memory_bandwidth_gb_s"
    row, told = cards[0][1], claimed_of(low, column)
    held = row.number(column)
    factor = row.number("sparsity_factor") or 1.0
    true = _ways(held * (factor if formats and SPARSE.search(low) else 1.0), linked) if held else ()
    if not told or not held or any(abs(told[0] / t - 1) <= NEAR for t in true):
        return
    doubled = (
        formats and formats[0] != "fp32" and abs(told[0] / (2 * held) - 1) <= NEAR and (row.number("sparsity_factor") or 0) > 1
    )
    yield Premise("sparse" if doubled else "bandwidth" if not formats else "rate", TABLE, row.id, column, told[1])


def _kinds(low: str, cards: Sequence[tuple[Found, Row]]) -> Iterator[Premise]:
    for f, row in cards:
        said, held = KIND.search(low, f.start, f.end + 16), row.text("memory_type")
        if said and held and said[1] != held.lower() and not ASKED.search(low, f.start, said.end() + 16):
            yield Premise("memory_type", TABLE, row.id, "memory_type", said[1].upper().replace("E", "e"))


def _bandwidths(low: str, cards: Sequence[tuple[Found, Row]], found: Sequence[Found]) -> Iterator[Premise]:
    """A bandwidth that is stated, not asked for, of the only card named."""
    rates = [f for f in found if f.quantity == "bandwidth" and f.value and f.unit in ("GB/s", "TB/s")]
    if len(cards) != 1 or len(rates) != 1 or not STATED.search(low):
        return
    ((_, row),), (rate,) = cards, rates
    around = low[max(0, rate.start - 20) : rate.end + 20]
    linked = LINK.search(around) is not None
    of_memory = MEMORY.search(around) or rate.unit == "TB/s"  # no link is told in these
    column = "interconnect_gb_s" if linked else "memory_bandwidth_gb_s" if of_memory else None
    held = row.number(column) if column else None
    said = float(rate.value or 0) * (1000 if rate.unit == "TB/s" else 1)
    if column and held and all(abs(said / way - 1) > NEAR for way in _ways(held, linked)):
        yield Premise("bandwidth", TABLE, row.id, column, f"{rate.value:g} {rate.unit}")


def _ways(held: float, linked: bool) -> tuple[float, ...]:
    """The figures under which what a row holds is told: of a link for both directions, or for one."""
    return (held, held / 2) if linked else (held,)


def _rates(low: str, cards: Sequence[tuple[Found, Row]]) -> Iterator[Premise]:
    """The rate that is stated for a format right after a card: another than the dense one, often the one with sparsity."""
    for f, row in cards:
        rate = RATE.search(low, f.end, f.end + 40)
        format_ = FORMAT.search(low, f.end, rate.end() + 20) if rate else None
        if not rate or not format_ or SPARSE.search(low, f.end, rate.end() + 24) or ASKED.search(low, f.start, format_.end()):
            continue
        column = FORMAT_COLUMNS[format_[1]]
        held = row.number(column)
        said = float(rate["figure"]) * (1000 if rate["unit"] == "p" else 1)
        if held and abs(said / held - 1) > NEAR:
            claimed = f"{rate['figure']} {rate['unit'].upper()}FLOPS"
            yield Premise("sparse" if abs(said / (2 * held) - 1) <= NEAR else "rate", TABLE, row.id, column, claimed)
