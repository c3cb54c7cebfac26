"""What a sum buys: cards with a launch price on file of which as few as hold the job cost no more, the fastest first.

One card and two of another are told apart by what they do and cost, not by their number: any desktop machine holds a pair.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from kb.errors import InvalidInput
from kb.sizing import chip as chips
from kb.sizing.size import size
from kb.types.assumptions import Assumptions
from kb.types.derivation import Assumption
from kb.types.planning import Purchase
from kb.types.sizing import GpuFigures, SizingRequest
from kb.types.specs import Row, SpecBook

LAUNCH = "msrp_usd"
COUNTS = (1, 2, 4, 8)  # of cards in one machine
PAIR = 2  # cards that any desktop machine holds
SPEED = {True: "decode_tokens_per_second", False: "tokens_per_second"}  # by whether the model runs or is trained
PACES = {True: "memory_bandwidth_gb_s", False: "bf16_dense_tflops"}  # without which it is not known
ALIKE = 0.85  # of the highest speed: what is estimated does not tell them apart
SPENT = 0.9  # of the sum, beyond which nothing is left for the machine around the cards
KINDS = 8  # cards that are compared
LENIENT = 0.9  # of what a job takes on one GPU, below which so many are not tried
ANY = GpuFigures(memory_gb=1e6)
HOLDING = ("fits", "fits_with_conditions")
RATES = "exchange."  # what a US dollar costs, by currency


def rate_of(currency: str, assumptions: Assumptions) -> Assumption | None:
    """What a US dollar costs in the currency; None when no rate is on file."""
    return assumptions.constants.get(RATES + currency.lower())


def purchases(
    request: SizingRequest, limit: float, book: SpecBook, assumptions: Assumptions, language: str, *, cheapest: bool = False
) -> tuple[Purchase, ...]:
    """Of cards as few as hold the job and cost at most `limit` US dollars: those with room to spare first, then those that leave a
    tenth of the sum for the machine around them, then the fewest, a pair being as good as one, then the cheapest of those about as
    fast as the fastest, then the others; `cheapest`: one alone, that of the lowest price, a pair at most where a pair does it.

    Raises InvalidInput for a job that cannot be.
    """
    runs = request.workload == "inference"
    pace = PACES[runs]
    priced = [r for r in book.rows("accelerators") if r.number(LAUNCH) and r.number(pace) and chips.from_row(r).peak("bf16")]
    least = LENIENT * _needed(dataclasses.replace(request, gpu=ANY, gpu_count=1), book, assumptions)
    tries = [
        (r, counts)
        for r in priced
        if (counts := [n for n in COUNTS if n * _price(r) <= limit and n * (r.number("memory_gb") or 0) * 1e9 >= least])
    ]
    if cheapest:
        tries.sort(key=lambda t: (t[1][0] > PAIR, t[1][0] * _price(t[0]), t[0].id))
    else:
        tries.sort(key=lambda t: (max(t[1][0], PAIR), -_widest(t[1]) * (t[0].number(pace) or 0), t[0].id))
    found: list[Purchase] = []
    for row, counts in tries:
        held = (p for n in counts if (p := _placed(row, n, request, book, assumptions, language)))
        if one := _fewest(held):
            found.append(one)
        if len(found) == (1 if cheapest else KINDS):
            break
    return _ranked(found, SPEED[runs], limit)


def _needed(request: SizingRequest, book: SpecBook, assumptions: Assumptions) -> float:
    """Bytes of the whole job on one GPU that holds it."""
    steps = size(request, book, assumptions, ("memory_total",)).steps
    return steps["memory_total"].value if "memory_total" in steps else 0.0


def _placed(
    row: Row, count: int, request: SizingRequest, book: SpecBook, assumptions: Assumptions, language: str
) -> Purchase | None:
    """So many of a card, where they hold the job; tuning that is tight on each of them is tried with its states sharded over them."""
    wanted, runs = (SPEED[request.workload == "inference"],), request.workload == "inference"
    made = dataclasses.replace(request, gpu=row.id, gpu_count=count)
    try:
        result = size(made, book, assumptions, wanted, language=language)
        if count > 1 and not runs and result.verdict == "fits_with_conditions" and request.zero_stage is None:
            sharded = size(dataclasses.replace(made, zero_stage=3), book, assumptions, wanted, language=language)
            result = sharded if sharded.verdict == "fits" else result
    except InvalidInput:
        return None  # so many do not divide the model
    return Purchase(row.id, count, count * _price(row), result) if result.verdict in HOLDING else None


def _fewest(held: Iterator[Purchase]) -> Purchase | None:
    """Of the numbers of one card that hold a job the smallest; a pair with room to spare is as good as one card that is tight."""
    one = next(held, None)
    if one is None or one.count >= PAIR or one.result.verdict == "fits":
        return one
    two = next(held, None)
    return two if two and two.count <= PAIR and two.result.verdict == "fits" else one


def _widest(counts: Sequence[int]) -> int:
    """The most cards of a pair at most, else the fewest that there may be."""
    return max((n for n in counts if n <= PAIR), default=counts[0])


def _price(row: Row) -> float:
    return row.number(LAUNCH) or 0.0


def _ranked(found: Sequence[Purchase], speed: str, limit: float) -> tuple[Purchase, ...]:
    paces = {p.gpu: next((float(v.value or 0) for v in p.result.values if v.name == speed), 0.0) for p in found}
    rank = {p.gpu: (p.result.verdict != "fits", p.price > SPENT * limit, max(p.count, PAIR)) for p in found}
    out = sorted(found, key=lambda p: (*rank[p.gpu], -paces[p.gpu], p.price))
    if not out:
        return ()
    alike = [p for p in out if rank[p.gpu] == rank[out[0].gpu]]
    first = min((p for p in alike if paces[p.gpu] >= ALIKE * paces[out[0].gpu]), key=lambda p: (p.price, -paces[p.gpu]))
    return (first, *(p for p in out if p is not first))
