"""Statements the spec tables contradict: a link, a number format or a memory size that a card does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kb.types.question import Premise
from kb.types.specs import SpecBook
from kb.understanding.asks import FORMAT_COLUMNS
from kb.understanding.found import Found

LINK_CLAIMED = re.compile(
    r"(?:上|插上?|接|连|加|装|用|开|走|with|over|via|have|has|is)\s?(?:了)?\s?nv-?link|nv-?link(?:'?e?d| ready)|nv-?link\s?(?:桥(?:接器)?)?(?:后|之后|带宽|速度|连|合|池|pool|bandwidth|speed|了|以后)|pool(?:ed|ing|s)? .{0,20}nv-?link|nv-?link .{0,20}pool"
)
LINK_ASKED = re.compile(
    r"(?:带不带|有没有|支不支持|能不能|是否|支持|有|能插?|带).{0,3}nv-?link.{0,3}(?:吗|么|[?？]|$)|(?:does|do|is|has|have|which|list|support).{0,30}nv-?link|哪(?:个|些).{0,8}nv-?link"
)
FORMAT_ASKED = re.compile(
    r"支持.{0,8}吗|支不支持|能不能|是否支持|(?:does|do|is|can) .{0,30}support|哪些|which|能开吗|吗\s*[?？]?\s*$"
)
FORMAT_USED = re.compile(r"开|用|跑|训|怎么|enable|using|use|with|in|train|run|加速")
HAS = re.compile(r"\s?(?:card )?(?:has|have|with|is|only has|有|是|只有|的?显存(?:是|有|为)?|显存)\s?(?:only )?$")
MODDED = re.compile(r"魔改|modded|modified|改装|改版")


def premises_of(low: str, found: Sequence[Found], book: SpecBook) -> tuple[Premise, ...]:
    """Premises of a whole question."""
    cards = [
        (f, row)
        for f in found
        if f.quantity == "gpu" and f.extra.get("row") and (row := book.row("accelerators", f.extra["row"]))
    ]
    out: list[Premise] = []
    if LINK_CLAIMED.search(low) and not LINK_ASKED.search(low):
        for _, row in cards[:2]:
            cell = row.cells.get("interconnect_gb_s")
            if cell and cell.status == "unsupported":
                out.append(Premise("interconnect", "accelerators", row.id, "interconnect_gb_s", "NVLink"))
    if not FORMAT_ASKED.search(low):
        for f in found:
            column = FORMAT_COLUMNS.get(str(f.value)) if f.quantity == "precision" else None
            if (
                column is None
                or not FORMAT_USED.search(low)
                or re.search(r"(?:不支持|没有|no |doesn't|lacks?)\s?$", low[max(0, f.start - 10) : f.start])
            ):
                continue
            if re.search(r"kv|权重|weights|checkpoint|量化", low[max(0, f.start - 8) : f.end + 10]) or column not in (
                "fp8_dense_tflops",
                "bf16_dense_tflops",
                "fp4_dense_tflops",
            ):
                continue
            out += _unsupported(cards, column, str(f.value))
    out += _memory(low, found, book)
    return tuple(dict.fromkeys(out))


def _unsupported(cards: Iterable[tuple[Found, object]], column: str, claimed: str) -> list[Premise]:
    rows = [row for _, row in cards]
    if len(rows) != 1:
        return []
    cell = rows[0].cells.get(column)  # type: ignore[attr-defined]
    return [Premise("format", "accelerators", rows[0].id, column, claimed)] if cell and cell.status == "unsupported" else []  # type: ignore[attr-defined]


def _memory(low: str, found: Sequence[Found], book: SpecBook) -> list[Premise]:
    out = []
    for f in found:
        if f.quantity == "gpu" and f.extra.get("own_memory") and not MODDED.search(low):
            out.append(Premise("memory", "accelerators", f.extra["row"], "memory_gb", f"{f.extra['mem_gb']:g} GB"))
    for a, b in zip(found, found[1:], strict=False):
        if (
            a.quantity == "gpu"
            and a.extra.get("row")
            and b.quantity == "memory"
            and b.value
            and HAS.fullmatch(low[a.end : b.start])
            and b.extra.get("role") in ("vram", "unspecified")
        ):
            row = book.row("accelerators", a.extra["row"])
            have = row.number("memory_gb") if row else None
            said = b.value * {"TB": 1000.0, "MB": 1e-3}.get(b.unit or "", 1.0)
            if have and abs(have - said) > 0.06 * have and said < 2000 and said not in (a.extra.get("sizes") or ()):
                out.append(Premise("memory", "accelerators", a.extra["row"], "memory_gb", f"{said:g} GB"))
    return out
