"""Statements the spec tables contradict: a link, a number format, a memory size or a figure that a card does not have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from kb.types.question import Premise
from kb.types.specs import Bilingual, Row, SpecBook
from kb.understanding.asks.columns import FORMAT_COLUMNS
from kb.understanding.found import Found
from kb.understanding.names.cards import is_unified
from kb.understanding.numbers.units import nominal_gb
from kb.understanding.premises.beliefs import beliefs_of
from kb.understanding.premises.claims import claims_of
from kb.understanding.slots.details import DEGREE
from kb.understanding.slots.flags import read_flags
from kb.understanding.slots.known import tells_model
from kb.understanding.slots.resources import SUPPOSED

LINK_CLAIMED = re.compile(
    r"(?:上|插上?|接|连|加|装|用|开|走|with|over|via|have|has|is)\s?(?:了)?\s?nv-?link|nv-?link(?:'?e?d"
    r"| ready)|nv-?link\s?(?:桥(?:接器)?)?(?:后|之后|带宽|速度|连|合|池|pool|bandwidth|speed|了|以后)"
    r"|pool(?:ed|ing|s)? .{0,20}nv-?link|nv-?link .{0,20}pool"
)
LINK_HELD = re.compile(r"(?<!没)有\s?nv-?link\s?[,，。;]")
LINK_GIVEN = re.compile(
    r"(?:既然|因为|由于|反正|考虑到)[^,，。?]{0,24}?(?:支持|有|带|能用)\s?nv-?link"
    r"|(?<![a-z])(?:since|because|given(?: that)?|seeing that|now that|considering)(?![a-z])[^,.?]{0,40}?"
    r"(?:has|have|supports?|got|comes? with|do|does) nv-?link"
)
LINK_ASKED = re.compile(
    r"(?:带不带|有没有|支不支持|能不能|是否|支持|有|能插?|带).{0,3}nv-?link.{0,3}(?:吗|么|[?？]|$)|(?:does"
    r"|do|is|has|have|which|list|support).{0,30}nv-?link|哪(?:个|些).{0,8}nv-?link"
)
FORMAT_ASKED = re.compile(
    r"支持.{0,8}吗|支不支持|能不能|是否支持|(?:does|do|is|can) .{0,30}support|哪些|which|能开吗|吗\s*[?？]?\s*$"
)
FORMAT_USED = re.compile(r"开|用|跑|训|怎么|enable|using|use|with|in|train|run|加速")
LINK_COLUMN = "interconnect_gb_s"
COMPUTED_IN = {f: FORMAT_COLUMNS[f] for f in ("bf16", "fp8", "fp4", "tf32")}
DENIED = re.compile(r"(?:不支持|没有|no |doesn't|lacks?)\s?$")
OF_WEIGHTS = re.compile(r"kv|权重|weights|checkpoint|量化")
HAS = re.compile(
    r"\s?(?:card )?(?:has|have|had|with|w/|is|were|only has|as(?: if it (?:had|were))?|有|是|只有|的?显存(?:是|有|为)?|显存"
    r"|(?:的?显存)?(?:当成|当作|当做|看成|视为|算作|算成|按))\s?(?:only |an? )?$"
)
MULTIPLE = Bilingual("a multiple of {}", "{} 的倍数")
POOL_WORDS = Bilingual("one pool over several cards", "多卡合并后的容量")
POOLED = re.compile(
    r"nv-?link.{0,40}(?:合(?:并|成|在一起|一)|拼成|当(?:成|作|做)?(?:一|\d)|变成一|叠加|共享显存|显存池|pool"
    r"|as one(?=\s*(?:gpu|card|big|large|pool|device|$|[?,.]))|act as a single"
    r"|one (?:big|large|single|\d{2,3} ?gb) (?:gpu|card|pool)|single \d{2,3} ?gb|combine|merge)|(?:合并|叠加|pool(?:ing|s|ed)?"
    r"|combin(?:e|es|ing)|merg(?:e|es|ing))"
    r".{0,40}nv-?link"
    r"|(?:nv-?link|(?<![a-z])sli(?![a-z])|桥接)[^。.]{0,24}(?:变成?|得到|等于|凑成?|gives?|makes?|become|=)"
    r"[^。.]{0,8}\d{2,3} ?g(?![a-z]*/)"
    r"|(?:两|双|[2-8]|几|多)\s?(?:张|块|卡)[^,。?]{0,16}(?:能|可以|会|就)?(?:拼|合并|合|凑|当|变)(?:成|作|为|在一起|起来)[^,。?]{0,8}"
    r"(?:\d{2,3} ?g|一(?:张|块|个))"
    r"|显存(?:能|会|可以)?(?:合并|叠加|合在一起|相加)(?:吗|么|成|使用|用)"
    r"|(?:two|both|2|several|multiple)\s?(?:x )?[^.?]{0,24}(?:into|as|become|combine to|act (?:as|like)|works? (?:as|like)"
    r"|behaves? like|look like|seen as)"
    r" (?:a |one )(?:single |big |large )?(?:\d{2,3} ?gb )?(?:gpu|card|pool|device)"
    r"|(?:two|both|[2-8])\s?(?:x )?[^.?]{0,24}automatically[^.?]{0,24}\d{2,3} ?gb"
    r"|(?:两|双|[2-8])\s?(?:张|块|卡)[^,。?]{0,16}自动[^,。?]{0,8}\d{2,3} ?g"
)
MODDED = re.compile(r"魔改|modded|modified|改装|改版")


# Beliefs whose correction is the answer to the question that holds them.
ANSWERING = frozenset({
    "pool", "active", "bandwidth", "given_link", "sharded_activations", "lora_base", "scaling", "threads", "reserved",
    "ram_for_vram", "roce", "kernel", "memory", "memory_also", "rate", "sparse",
})  # fmt: skip
OF_A_SIZE = frozenset({"memory", "memory_also"})  # of the memory of a card, which another question may only suppose
CONFIRMING = re.compile(
    r"对吗|对吧|对不对|是吗|是不是|是这样|没错吧|[吧吗么嘛]\s*[?。!]?\s*$|还是[^,，。?]{0,12}算"
    r"|(?<![a-z])(?:right|correct|true|yes)\s*\?"
    r"|n'?t (?:it|they|that)\s*\?|^\W*(?:so |and |but )?(?:does|do|is|are|can|will|would|since|because)(?![a-z])"
)
A_MODEL = re.compile(r"\d{1,4}(?:\.\d)?b(?![a-z\d])|模型|(?<![a-z])models?(?![a-z])|llama|qwen|deepseek|mixtral")
HOW_MUCH = re.compile(r"多少|几|多大|(?<![a-z])(?:how|which|what)(?![a-z])")


def settles(premises: Sequence[Premise], clause: str) -> bool:
    """Whether putting these right answers a clause: it only wants to hear that it is so."""
    if any(p.kind == "given_link" for p in premises):
        return not A_MODEL.search(clause)  # what is asked of the cards alone supposes the link
    if any(p.kind in OF_A_SIZE for p in premises) and A_MODEL.search(clause):
        return False
    if any(p.kind == "scaling" for p in premises) and not HOW_MUCH.search(clause):
        return True  # why it is not so is told with it
    return any(p.kind in ANSWERING for p in premises) and bool(CONFIRMING.search(clause)) and not HOW_MUCH.search(clause)


def premises_of(
    low: str, masked: str, found: Sequence[Found], slots: Mapping[str, Any], book: SpecBook, language: str = "en"
) -> tuple[Premise, ...]:
    """Premises of a whole question; where it names no card, the card of the conversation (`slots`) is meant."""
    named = list(dict.fromkeys(f.extra["row"] for f in found if f.quantity == "gpu" and f.extra.get("row")))
    rows = [row for id in named or [str(slots.get("gpu"))] if (row := book.row("accelerators", id))]
    out: list[Premise] = []
    given = bool(LINK_GIVEN.search(low))
    if not given and (LINK_CLAIMED.search(low) or LINK_HELD.search(low)) and not LINK_ASKED.search(low):
        out += [
            Premise("interconnect", "accelerators", r.id, LINK_COLUMN, "NVLink") for r in rows[:2] if _lacks(r, LINK_COLUMN)
        ]
    if len(rows) == 1 and FORMAT_USED.search(low) and not FORMAT_ASKED.search(low) and not _serves(slots):
        for f in found:
            column = COMPUTED_IN.get(str(f.value)) if f.quantity == "precision" else None
            denied = DENIED.search(low, max(0, f.start - 10), f.start) or OF_WEIGHTS.search(
                low, max(0, f.start - 8), f.end + 10
            )
            if column and _lacks(rows[0], column) and not denied:
                out.append(Premise("format", "accelerators", rows[0].id, column, str(f.value).upper()))
    out += _memory(low, found, book)
    # a degree said turns ago is not put right again, unless the turn says nothing new ("what do I use instead?")
    spoken = DEGREE["tensor_parallel"].search(low) is not None or read_flags(low)[0].get("tensor_parallel") or not found
    slots = slots if spoken else {k: v for k, v in slots.items() if k != "tensor_parallel"}
    out += _parallel(slots, book, language)
    out += claims_of(low, found, book)
    if POOLED.search(low):
        pooled = [Premise("pool", "accelerators", r.id, "memory_gb", POOL_WORDS.of(language)) for r in rows[:1]]
        out = [*(pooled or [Premise("pool", "", "", "", "")]), *out]
    if given:
        out = [*(Premise("given_link", r.table, r.id, LINK_COLUMN, "NVLink") for r in rows[:2] if _lacks(r, LINK_COLUMN)), *out]
    spoken = rows if named else [row for id in slots.get("gpus", ()) if (row := book.row("accelerators", id))] or rows
    out += beliefs_of(low, masked, found, slots, book.row("models", str(slots.get("model"))), spoken)
    return tuple(dict.fromkeys(out))


def _of_memory(card: Mapping[str, Any], claimed: str, book: SpecBook) -> Premise:
    """That a card has so much memory, with its variants of other sizes."""
    rows = [row for id in card.get("variants", ()) if id != card["row"] and (row := book.row("accelerators", id))]
    sized = {row.number("memory_gb") for row in rows}
    kind = "memory_also" if nominal_gb(float(claimed.split()[0]), "GB") in sized else "memory"
    return Premise(kind, "accelerators", str(card["row"]), "memory_gb", claimed, tuple(row.id for row in rows))


def _parallel(slots: Mapping[str, Any], book: SpecBook, language: str) -> list[Premise]:
    """Tensor parallelism splits attention heads evenly: a degree that does not divide them cannot be."""
    degree, row = slots.get("tensor_parallel"), book.row("models", str(slots.get("model")))
    heads = row.number("heads") if row else None
    if not row or not heads or not isinstance(degree, int) or degree < 2 or heads % degree == 0:
        return []
    return [Premise("parallel", "models", row.id, "heads", MULTIPLE.of(language).format(degree))]


def _lacks(row: Row, column: str) -> bool:
    cell = row.cells.get(column)
    return cell is not None and cell.status == "unsupported"


def _serves(slots: Mapping[str, Any]) -> bool:
    """Weights of a format may be served on cards that cannot compute in it."""
    return slots.get("workload") == "inference" and tells_model(slots)


def _memory(low: str, found: Sequence[Found], book: SpecBook) -> list[Premise]:
    out: list[Premise] = []
    if SUPPOSED.search(low):
        return out  # a card that there is not, as everybody knows
    for f in found:
        if f.quantity == "gpu" and f.extra.get("absent"):
            out.append(Premise("variant", "accelerators", f.extra["row"], "form_factor", str(f.extra["absent"])))
        elif f.quantity == "gpu" and f.extra.get("own_memory") and not MODDED.search(low):
            row = book.row("accelerators", f.extra["row"])
            if row and is_unified(row) and f.extra["mem_gb"] < (row.number("memory_gb") or 0):
                continue
            out.append(_of_memory(f.extra, f"{f.extra['mem_gb']:g} GB", book))
    for a, b in pairwise(found):
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
            if row and have and is_unified(row) and nominal_gb(b.value, b.unit) < have:
                continue
            said = nominal_gb(b.value, b.unit)
            others = [r.number("memory_gb") for id in a.extra.get("variants", ()) if (r := book.row("accelerators", id))]
            if have and abs(have - said) > 0.06 * have and said < 2000 and (said not in others or CONFIRMING.search(low)):
                out.append(_of_memory(a.extra, f"{said:g} GB", book))
    return out
