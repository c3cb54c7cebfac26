"""Accelerators named in a text: which card, which memory, which form, and so which row."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.types.lexicon import Lexicon, Term
from kb.types.specs import Row, SpecBook
from kb.understanding.names.matching import Name

AFTER = re.compile(
    r"[ \-(]{0,2}(?:(?P<form>sxm\d?|pcie|nvl|oam)(?![a-z0-9])|hbm\d?e?(?![a-z0-9]"
    r"| ?(?:size|capacity|memory|bandwidth|bw|带宽|容量|大小|多|有))"
    r"|(?P<mem>\d{1,3})\s?(?P<unit>gib|gb|gigs?|g)(?![a-wyz0-9/]|x(?! ?\d)| ?(?:的)?(?:内存|记忆体|ram"
    r"|system|ddr|硬盘|ssd|nvme|ethernet|network|nics?|infiniband|roce|lan|switch|以太|网[卡络口]))\)?|(?P<bare>\d{2,3})(?![a-z0-9%*]|\.\d|\s?[x*]\s?\d"
    r"|\s?[张卡块台万亿千百个天小元]))"
)
BEFORE = re.compile(r"(?<![\d.])(\d{1,3})\s?(?:gb|gib|gigs?|g)\s?(?:的|版的?|显存的?|vram )?\s*$")
# The memory of a computer whose chip is named, with words for the computer between: `M2 MacBook Air with 16GB`, `16GB MacBook Air M2`.
COMPUTER = (
    r"(?:(?:macbooks?|imacs?|macs?|studio|mini|pro|air|laptops?|notebooks?|chips?|soc|processors?|computers?|machines?|with|which|that"
    r"|and|has|have|having|got|only|just|an?|the|my|of|unified|memory|ram)(?![a-z])"
    r"|笔记本|电脑|芯片|处理器|机器|主机|版本?|统一|内存|记忆体|显存|顶配|高配|低配|配了?|带|有|只|是|为|的|我)"
)
OF_COMPUTER = re.compile(
    rf"(?:[ ,(/\-]{{0,2}}{COMPUTER}){{0,6}}[ ,(/]{{0,2}}(?P<mem>\d{{1,4}})\s?(?:gib|gb|gigs?|g)(?![a-wyz0-9/])"
    r"(?!\s?(?:的)?\s?(?:ssd|nvme|硬盘|固态|storage|disk|gguf|file|文件|模型))"
)
TO_COMPUTER = re.compile(rf"(?<![\d.])(?P<mem>\d{{1,4}})\s?(?:gib|gb|gigs?|g)(?:[ ,(/-]{{0,2}}{COMPUTER}){{0,6}}[ (]{{0,2}}$")
BEFORE_FORM = re.compile(r"(?<![a-z])(sxm\d?|pcie|nvl)\s?(?:版本?|version of (?:the |an? )?)?的?\s*$")
INSIDE_MEMORY = re.compile(r"(?<![a-z\d.])(\d{1,3})\s?gb?(?![a-z0-9])")
BOARD = re.compile(r"sxm\d")
INSIDE_FORM = re.compile(r"(?<![a-z])(sxm\d?|pcie|nvl)(?![a-z])")
# A computer that is one piece, named by nothing but that.
PORTABLE = re.compile(r"笔记本|筆電|(?<![a-z])(?:laptops?|notebook(?: computer)?|macbooks?)(?![a-z])")
LAPTOP = "-laptop"  # which ends the id of the row of a card that has one of its own for laptops
OF_MEMORY = re.compile(r"-\d+gb$")
FORM_NAMES = {"sxm": "SXM", "pcie": "PCIe", "nvl": "NVL", "oam": "OAM"}


@dataclass(frozen=True, slots=True)
class Card:
    """A card at low[start:end]. `row` None: a known name without a row. `impossible`: the memory said is no variant's;
    `absent`: the board said (`H100 SXM6`) is none's."""

    start: int
    end: int
    term: Term
    row: str | None
    memory: float | None = None
    form: str | None = None
    assumed: str | None = None
    impossible: bool = False
    absent: bool = False
    weak: bool = False
    also: tuple[Term, ...] = ()

    @property
    def rest(self) -> tuple[str, ...]:
        """The other rows that fit what was said, when the row was a choice."""
        return tuple(r for r in self.term.rows if r != self.row) if self.assumed else ()


def read_card(name: Name, low: str, book: SpecBook) -> Card:
    """The card of an accelerator name, with the memory and form written around it."""
    term, start, end = name.term, name.start, name.end
    memory, form = _within(low[start:end])
    sizes = {m for row in term.rows if (r := book.row("accelerators", row)) and (m := r.number("memory_gb"))}
    if low[end : end + 1] == "s" and not low[end + 1 : end + 2].isalnum():
        end += 1
    boards = {(r.text("form_factor") or "").lower() for id in term.rows if (r := book.row("accelerators", id))}
    absent = False
    for _ in range(3):
        found = AFTER.match(low, end)
        if not found:
            break
        if found["form"] and not form:
            absent = found["form"][-1].isdigit() and not any(found["form"] in board for board in boards)
            form = found["form"][:3] if found["form"][:3] in FORM_NAMES else found["form"]
        elif found["mem"] and memory is None:
            memory = float(found["mem"])
        elif found["bare"]:
            if memory is not None or float(found["bare"]) not in sizes:
                break
            memory = float(found["bare"])
        elif found["form"] or found["mem"]:
            break
        end = found.end()
    if memory is None:
        before = BEFORE.search(low, max(0, start - 16), start)
        if before and float(before[1]) in sizes:
            memory, start = float(before[1]), before.start()
    shared = term.rows and (own := book.row("accelerators", term.rows[0])) is not None and is_unified(own)
    if memory is None and shared:
        if said := OF_COMPUTER.match(low, end):
            memory, end = float(said["mem"]), said.end()
        elif said := TO_COMPUTER.search(low, max(0, start - 48), start):
            memory, start = float(said["mem"]), said.start()
    said = BEFORE_FORM.search(low, max(0, start - 20), start) if not form else None
    if said:
        form = said[1][:3] if said[1][:3] in FORM_NAMES else said[1]
    row, assumed, impossible = choose(term, memory, form, low, name, book)
    if row and PORTABLE.search(low) and (own := _of_laptops(row, book)):
        row, assumed, impossible = own.id, None, memory is not None and not _close(own.number("memory_gb"), memory)
    return Card(
        start,
        end,
        term,
        row,
        memory,
        FORM_NAMES.get(form or "", form),
        assumed,
        impossible,
        absent,
        name.alias.weak,
        name.others,
    )


def _of_laptops(row: str, book: SpecBook) -> Row | None:
    """The row that a card has of its own for laptops, whatever memory the desktop's has."""
    own = f"{OF_MEMORY.sub('', row)}{LAPTOP}"
    return next((r for r in book.rows("accelerators") if r.id == own or r.id.startswith(f"{own}-")), None)


def _within(text: str) -> tuple[float | None, str | None]:
    memory, form = INSIDE_MEMORY.search(text), INSIDE_FORM.search(text)
    return (float(memory[1]) if memory else None), (
        form[1][:3] if form and form[1].startswith("sxm") else form[1] if form else None
    )


def choose(
    term: Term, memory: float | None, form: str | None, low: str, name: Name, book: SpecBook
) -> tuple[str | None, str | None, bool]:
    """(row, code of the reason when it was a choice, whether no variant has this memory)."""
    rows = [row for id in term.rows if (row := book.row("accelerators", id))]
    if not rows:
        return None, None, False
    written = key_of(low[name.start : name.end])
    exact = [r for r in rows if written in (key_of(r.id), key_of(r.name.partition(" (")[0]))]
    if (
        exact
        and (memory is not None or form or name.alias.relation == "variant")
        and (memory is None or _close(exact[0].number("memory_gb"), memory))
    ):
        return exact[0].id, None, False
    fitting = [r for r in rows if memory is None or _close(r.number("memory_gb"), memory)]
    impossible = not fitting
    fitting = fitting or rows
    if form:
        shaped = [r for r in fitting if form in key_of(r.id) or form in (r.text("form_factor") or "").lower()]
        plain = [r for r in shaped if form == "nvl" or "nvl" not in r.id]
        fitting = plain or shaped or fitting
        board = BOARD.search(low, name.start, name.end + 12)  # sxm2 is not sxm3
        fitting = [r for r in fitting if board and board[0] in key_of(r.name)] or fitting
    return fitting[0].id, (term.reason if len(fitting) > 1 else None), impossible and memory is not None


def shaped(row: Row, form: str | None) -> bool:
    """Whether a row has the form that was said; any, where none was."""
    return form is None or form.lower() in key_of(row.name) or form.lower() in (row.text("form_factor") or "").lower()


def _close(have: float | None, said: float) -> bool:
    return have is not None and abs(have - said) <= max(1.0, 0.02 * have)


def key_of(text: str) -> str:
    """A name without blanks, hyphens and case."""
    return re.sub(r"[\s\-_]+", "", text.lower())


class Variants:
    """The variants of cards: rows of one term that differ in memory or form. `term_of`: the term of each row."""

    def __init__(self, lexicon: Lexicon, book: SpecBook) -> None:
        self._book = book
        self.term_of = {r: t for t in lexicon.terms if t.category == "accelerator" for r in t.rows}

    def of_memory(self, row: str, memory: float) -> tuple[str, str] | None:
        """(name, row) of the same card as another row's with so many GB."""
        term = self.term_of.get(row)
        same = (
            r
            for r in (term.rows if term else ())
            if (found := self._book.row("accelerators", r)) and found.number("memory_gb") == memory
        )
        id = next(same, None)
        return (term.canonical, id) if term and id else None

    def of_form(self, row: str, form: str) -> tuple[str, str] | None:
        """(name, row) of the same card as another row's in a form (`nvl`), of as much memory where there are several."""
        term, had = self.term_of.get(row), self._book.row("accelerators", row)
        rows = [r for id in (term.rows if term else ()) if (r := self._book.row("accelerators", id))]
        same = [r for r in rows if form in r.id or form in (r.text("form_factor") or "").lower()]
        if not term or not had or not same or had in same:
            return None
        memory = had.number("memory_gb") or 0
        return term.canonical, min(same, key=lambda r: abs((r.number("memory_gb") or 0) - memory)).id


def is_unified(row: Row) -> bool:
    """Whether a chip shares its memory with the processor, which comes in several sizes: the table has the largest."""
    return "unified" in (row.text("memory_type") or "")
