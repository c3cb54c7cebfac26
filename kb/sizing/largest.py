"""Models of the table as large as would fit, so that a number of parameters has a face."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from kb.types.derivation import Node, Step
from kb.types.specs import Bilingual, Row, SpecBook

MOST = 3  # models named for each format
FOUR_BITS = "weight_element.nf4-dq"
Holds = Callable[[Row, str | None], bool]  # whether the cards hold a model, in the format asked for or in another


def examples(book: SpecBook, steps: Mapping[str, Node], four_bits: float, holds: Holds) -> tuple[Bilingual, ...]:
    """What fits beside `max_parameters`: models of that size that the cards hold and, when the format was left open, those in four bits."""
    found = steps.get("max_parameters")
    if not isinstance(found, Step):
        return ()
    each = dict(found.inputs)["each"]
    out = [_named(book, found.value, None, holds, Bilingual("For example", "例如"))]
    if getattr(each, "slot", "") == "quantization" and each.value > four_bits:
        most = found.value * each.value / four_bits
        out.append(
            _named(
                book,
                most,
                "nf4-dq",
                holds,
                Bilingual(
                    f"With 4-bit weights up to about {most / 1e9:.3g}B, for example", f"4 位量化约可到 {most / 1e9:.3g}B，例如"
                ),
            )
        )
    return tuple(b for b in out if b)


def _named(book: SpecBook, most: float, format: str | None, holds: Holds, opening: Bilingual) -> Bilingual | None:
    """The largest models of at most so many parameters that the cards hold, the newer first among equals, one of each size."""
    sized: dict[float, Row] = {}
    for row in sorted(book.rows("models"), key=lambda r: r.number("release_year") or 0):
        if (total := row.number("params_total")) and total <= most:
            sized[round(total / 1e9, 1)] = row
    held = (sized[size] for size in sorted(sized, reverse=True) if holds(sized[size], format))
    names = [row.name for row in islice(held, MOST)]
    if not names:
        return None
    return Bilingual(f"{opening.en} {', '.join(names)}.", f"{opening.zh}{'、'.join(names)}。")
