"""Entities of a text: cards, models, systems; with their sizes, rows, and names that no table has."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb.types.lexicon import Lexicon, Term
from kb.types.specs import SpecBook
from kb.understanding.names.cards import Card, read_cards
from kb.understanding.names.matching import Name, Names, Words
from kb.understanding.names.strangers import Stranger, Strangers
from kb.understanding.numbers.counts import BOX, CARD, MODEL, OTHER

SIZE_AFTER = re.compile(
    r"[ \-_]{0,2}(?:的|满血版?|instruct|chat|base|hf|vl"
    r"|v\d\.\d)?(?:[ \-_(]{0,2}|:)(?P<size>\d{1,2}\s?[x*]\s?\d{1,3}b"
    r"|\d{1,4}(?:\.\d{1,2})?b(?:-a\d{1,3}(?:\.\d)?b)?|\d{1,4}(?:\.\d{1,2})?t|\d{1,4}m)(?![a-z0-9])"
)
SIZE_BEFORE = re.compile(r"(?<![\d.a-z])(?P<size>\d{1,4}(?:\.\d{1,2})?b)[ \-_]{0,2}(?:的|parameter )?[ ]?$")
AROUND = frozenset({"interconnect", "cpu", "storage"})
DIGIT, RATE = re.compile(r"\d"), re.compile(r"\d\s?g")
PRODUCTS = frozenset({"accelerator", "interconnect", "cpu", "storage"})
# A bare number before a unit of money, or behind its sign, is no card.
PRICED = re.compile(
    r"\s?(?:元|块(?!\s?(?:卡|显卡|gpu|加速卡))|刀|美元|美金|欧元|人民币|rmb|usd|dollars?|bucks?|瓦|w(?![a-z])|步|条|tokens?)"
)
PRICE = re.compile(r"(?:[$¥€£]|预算|(?<![a-z])budget(?: of| is)?)\s?[:=]?\s?$")
HAN = re.compile(r"[一-鿿]")
ONE = re.compile(r"(?<![a-z0-9])(?:an?|one|1|single|this|each|per) (?:nvidia |tesla )?$")
OWNER = re.compile(r"(?:-[a-z]{1,8})?/")
TYPICAL = 7.5e9  # parameters of the size of a family that people mean when they say none
FIELD_NAMES = frozenset({"precision", "method", "optimizer", "tool"})


@dataclass(frozen=True, slots=True)
class Model:
    """A model at low[start:end] (its size, when written beside it, at `size_span`). `value`: its name; `row`: its row."""

    start: int
    end: int
    term: Term
    value: str
    row: str | None
    size: str | None = None
    size_span: tuple[int, int] | None = None
    assumed: str | None = None


@dataclass(frozen=True, slots=True)
class Entities:
    """Everything named in a text. `masked`: the text with names overwritten by private characters of the same length."""

    cards: tuple[Card, ...]
    models: tuple[Model, ...]
    systems: tuple[tuple[Name, str | None], ...]
    names: tuple[Name, ...]
    others: tuple[tuple[str, str, int, int], ...]
    unknown: tuple[Stranger, ...]
    low: str
    cased: str
    field: bool


class EntityReader:
    """Finds entities; knows what is the field's and what is everyday life."""

    def __init__(self, lexicon: Lexicon, book: SpecBook) -> None:
        self.book, self.names = book, Names(lexicon)
        words = lexicon.words
        self.foreign, self.field = Words(words.get("foreign", ())), Words(words.get("field", ()))
        self.brands, self.hints = Words(words.get("brands", ())), Words(words.get("hints", ()))
        self.strangers = Strangers(lexicon)
        self.families = tuple(t for t in lexicon.terms if t.category == "model")
        self.rows_by_term = {t.canonical: t for t in lexicon.terms if t.category == "accelerator"}
        self.term_of_row = {r: t for t in lexicon.terms if t.category == "accelerator" for r in t.rows}

    def read(self, low: str, cased: str, hinted: bool = False) -> Entities:
        """The entities of a folded text; `hinted`: the conversation so far was of the field."""
        names = [self._plural(n, low, cased) for n in self.names.find(low)]
        strangers = self.strangers.find(low, names)
        strange = self.foreign.first(low) is not None
        hint = self._hint(low, names, hinted, strange) or (not strange and any(s.sure for s in strangers))
        if not (hint or (not strange and self.strangers.hints.first(low))):
            strangers = []
        names = [n for n in names if not any(s.start < n.end and n.start < s.full + _board(n) for s in strangers)]
        kept = [n for n in names if self._believable(n, low, names, strange, hint)]
        strong = [n for n in kept if n.term.category == "model" and not n.alias.weak]
        kept = [
            n
            for n in kept
            if not (
                n.alias.weak
                and n.term.category == "model"
                and any(abs(n.start - s.end) < 12 or abs(s.start - n.end) < 4 for s in strong[:20])
            )
        ]
        kept = [n for i, n in enumerate(kept) if not self._is_owner(n, kept[i + 1 :], low)]
        cards = [c for n in kept if n.term.category == "accelerator" for c in read_cards(n, low, self.book)]
        systems = tuple((n, n.term.rows[0] if n.term.rows else None) for n in kept if n.term.category == "system")
        models = self._models([n for n in kept if n.term.category == "model"], low)
        unknown = self._unknown(low, cards, models, strangers)
        masked = self._masked(low, cards, models, systems, kept, unknown)
        field = hint or bool(cards or models or systems or unknown)
        return Entities(
            tuple(cards),
            tuple(models),
            systems,
            tuple(kept),
            tuple((c, f"{n.term.code}", n.start, n.end) for n in kept if (c := n.term.category) in FIELD_NAMES),
            tuple(unknown),
            _overlay(low, masked),
            _overlay(cased, masked),
            field and not (strange and not hint),
        )

    def _plural(self, n: Name, low: str, cased: str) -> Name:
        """Several of a card (`8 V100s`) where the words also name another one (V100S) that is the rarer of the two."""
        if (
            n.term.category != "accelerator"
            or cased[n.end - 1 : n.end] != "s"
            or HAN.search(low)
            or ONE.search(low, 0, n.start)
        ):
            return n
        stem = low[n.start : n.end - 1]
        card = next((c for c in self.names.find(stem) if (c.start, c.end) == (0, len(stem))), None)
        if card is None or card.term.category != "accelerator" or len(card.term.rows) <= len(n.term.rows):
            return n
        return replace(card, start=n.start, end=n.end - 1)

    def _hint(self, low: str, names: Sequence[Name], hinted: bool, strange: bool) -> bool:
        """Whether anything but the doubtful names themselves speaks of the field; beside everyday words one hint is not enough."""
        sized = not strange and re.search(r"(?<![\d.])\d{1,4}(?:\.\d)?b(?![a-z0-9])", low)
        if hinted or sized or (self.field.count(low[:4000]) > 1 if strange else self.field.first(low)):
            return True
        if any(not n.alias.weak and (n.term.category not in ("accelerator", "model") or not strange) for n in names):
            return True
        products = [n for n in names if n.term.category in PRODUCTS]
        return not strange and (len({n.term.canonical for n in products}) > 1 or bool(products and self.hints.first(low)))

    def _believable(self, n: Name, low: str, names: Sequence[Name], strange: bool, hint: bool) -> bool:
        category = n.term.category
        if n.alias.text.isdigit() and (PRICED.match(low, n.end) or PRICE.search(low, max(0, n.start - 12), n.start)):
            return False
        if category not in ("accelerator", "model", "system"):
            return not n.alias.weak or (hint and n.end - n.start > 2)
        if strange and not hint:
            return False
        if not n.alias.weak:
            return not (strange and category == "accelerator" and not hint)
        rest = (low[: n.start] + low[n.end :]).strip(" ?？!。.的呢")
        if not rest:
            return category == "accelerator" or not low.isascii() or len(rest) == 0
        near = low[max(0, n.start - 8) : n.start] + " " + low[n.end : n.end + 10]
        counted = re.search(
            r"[张块卡台双俩两x*]\s?$|\d\s?[张块卡x*]?\s?$|(?:dual|two|three|four|five|six|seven|eight|single|one"
            r"|pair of|couple of|dozen|quad)\s?$|\d\s?gb?\s?(?:的)?\s?$",
            low[max(0, n.start - 8) : n.start],
        )
        beside = re.match(
            r"s?\s?(?:双卡|[x*]\s?\d|\d{1,3}\s?g|(?:老|旧|新)?卡|(?:has|with|有|是)\s?\d{1,3}\s?g|显卡|的?显存|ti|super|gpu|card)",
            low[n.end : n.end + 10],
        )
        branded = self.brands.first(near) is not None
        if category == "model":
            return (hint and (not low.isascii() or n.end - n.start > 1)) or bool(SIZE_AFTER.match(low, n.end))
        return bool(counted and not strange) or bool(beside) or branded or hint

    @staticmethod
    def _is_owner(n: Name, following: Sequence[Name], low: str) -> bool:
        """The organisation in front of a repository name: Qwen/Qwen2-7B."""
        return (
            n.term.category == "model"
            and OWNER.match(low, n.end) is not None
            and bool(following)
            and following[0].start <= n.end + 14
            and following[0].term.category == "model"
        )

    def _models(self, names: Sequence[Name], low: str) -> list[Model]:
        out: list[Model] = []
        for n in names:
            inside = re.search(r"\d{1,2}x\d{1,3}b|\d{1,4}(?:\.\d)?b(?:-a\d{1,3}b)?$", low[n.start : n.end])
            after, before = SIZE_AFTER.match(low, n.end), SIZE_BEFORE.search(low, max(0, n.start - 12), n.start)
            size, span, start, end = None, None, n.start, n.end
            if after:
                size, span, end = after["size"], after.span("size"), after.end()
            elif inside:
                size, span = inside.group(), (n.start + inside.start(), n.start + inside.end())
            elif before and not (out and out[-1].end > before.start()):
                size, span = before["size"], before.span("size")
            if out and span and any(m.size_span == span for m in out):
                size, span, end = None, None, n.end
            size = re.sub(r"\s", "", size).replace("*", "x") if size else None
            own = inside is not None and not after and n.term.rows and size not in n.term.members  # part of the very name
            value, row, assumed = self.member(n.term, None if own else size)
            out.append(Model(start, end, n.term, value, row, size, span, assumed))
        return out

    def member(self, term: Term, size: str | None) -> tuple[str, str | None, str | None]:
        """(name, row, reason code) of a family and a size as written."""
        if size and size in term.member_names:
            return term.member_names[size], term.members.get(size), None
        if size is None:
            if term.rows:
                return term.canonical, term.rows[0], term.reason
            only = set(term.members.values())
            return term.canonical, only.pop() if len(only) == 1 else None, None
        row = term.members.get(size) or _nearest(term, size, self.book)
        if row is None and not term.rows:
            for other in self._versions(term):
                if (found := other.members.get(size)) is not None:
                    return f"{term.canonical}-{size.upper()}", found, "closest_version_of_family"
        name = term.canonical
        if term.sized and not name.lower().endswith(size):
            name = f"{name}-{size.upper().replace('X', 'x')}"
        return name, row or (term.rows[0] if term.rows and self._agrees(term.rows[0], size) else None), None

    def _versions(self, term: Term) -> list[Term]:
        """Other versions of a family, the newest first (of Llama-3 the 3.x, of a family without version all)."""
        base = term.canonical.lower().rstrip("-").replace("-", " ")
        dotted = base[-1:].isdigit()
        pattern = re.compile(re.escape(base) + (r"\.\d{1,9}" if dotted else r"[- ]?\d{1,9}(?:\.\d{1,9})?") + r"$")
        found = [t for t in self.families if t is not term and pattern.match(t.canonical.lower().replace("-", " "))]
        return sorted(found, key=lambda t: float(re.findall(r"\d{1,9}(?:\.\d{1,9})?", t.canonical)[-1]), reverse=True)

    def member_of(self, family: str, parameters: float) -> str | None:
        """The row of a family's member of about so many parameters."""
        fitting = [t for t in self.families if t.canonical == family or family.startswith(t.canonical + "-")]
        if not fitting:
            return None
        return self.member(max(fitting, key=lambda t: len(t.canonical)), f"{parameters / 1e9:g}b")[1]

    def usual(self, family: str) -> tuple[str, ...]:
        """The rows of a family named without a size, the one meant first: of its newest version that has one about TYPICAL."""
        term = next((t for t in self.families if t.canonical == family), None)
        if term is None:
            return ()
        first: tuple[str, ...] = ()
        newer = self._versions(term)
        for version in (term, *newer) if term.canonical[-1].isdigit() else (*newer, term):
            sizes = {
                id: row.number("params_total")
                for id in dict.fromkeys(version.members.values())
                if (row := self.book.row("models", id))
            }
            near = sorted((abs(math.log(n / TYPICAL)), id) for id, n in sizes.items() if n)
            if len(near) > 1:
                rows = tuple(id for _, id in near)
                if near[0][0] < math.log(2):
                    return rows
                first = first or rows
        return first

    def variant(self, row: str, memory: float) -> tuple[str, str] | None:
        """(name, row) of the same card as another row's with so many GB."""
        term = self.term_of_row.get(row)
        same = (
            r
            for r in (term.rows if term else ())
            if (found := self.book.row("accelerators", r)) and found.number("memory_gb") == memory
        )
        id = next(same, None)
        return (term.canonical, id) if term and id else None

    def shaped(self, row: str, form: str) -> tuple[str, str] | None:
        """(name, row) of the same card as another row's in a form (`nvl`), of as much memory where there are several."""
        term, had = self.term_of_row.get(row), self.book.row("accelerators", row)
        rows = [r for id in (term.rows if term else ()) if (r := self.book.row("accelerators", id))]
        same = [r for r in rows if form in r.id or form in (r.text("form_factor") or "").lower()]
        if not term or not had or not same or had in same:
            return None
        memory = had.number("memory_gb") or 0
        return term.canonical, min(same, key=lambda r: abs((r.number("memory_gb") or 0) - memory)).id

    def of_layout(self, layout: str) -> str | None:
        """The row of an expert layout (`8x7b`) that one family has."""
        rows = {r for t in self.families for r in (*t.rows, *t.members.values()) if r.endswith(f"-{layout}")}
        return rows.pop() if len(rows) == 1 else None

    def sibling(self, row: str, parameters: float) -> str | None:
        """The row of about so many parameters in the family of another row."""
        term = next((t for t in self.families if row in t.members.values() and len(t.members) > 1), None)
        return _nearest(term, f"{parameters / 1e9:g}b", self.book) if term else None

    def _agrees(self, row: str, size: str) -> bool:
        if "x" in size:
            return size in row
        found = self.book.row("models", row)
        total = found.number("params_total") if found else None
        number = size_value(size)
        return total is None or number is None or abs(number - total) <= 0.08 * total

    def _unknown(
        self, low: str, cards: Sequence[Card], models: Sequence[Model], strangers: Sequence[Stranger]
    ) -> list[Stranger]:
        """Names that are well formed but in no table; of a known family a size that no member has."""
        out = list(strangers)
        out += [Stranger(c.start, c.end, "accelerator", c.end, True) for c in cards if c.row is None]
        for m in models:
            if m.row is None and (
                (m.size is not None and (m.term.sized or m.term.rows)) or (not m.term.members and not m.term.sized)
            ):
                name_end = m.size_span[0] if m.size_span and m.size_span[0] >= m.start else m.end
                out.append(Stranger(m.start, name_end, "model", max(m.end, m.size_span[1] if m.size_span else 0), True))
        return sorted(out, key=lambda s: s.start)

    def _masked(
        self,
        low: str,
        cards: Sequence[Card],
        models: Sequence[Model],
        systems: Sequence[tuple[Name, str | None]],
        names: Sequence[Name],
        unknown: Sequence[Stranger],
    ) -> list[tuple[int, int, str]]:
        spans = [
            (n.start, n.end, OTHER)
            for n in names
            if n.term.category in (*FIELD_NAMES, *AROUND)
            and DIGIT.search(low, n.start, n.end)
            and not RATE.search(low, n.start, n.end)
        ]
        spans += [(s.start, s.end, CARD if s.kind == "accelerator" else MODEL) for s in unknown]
        spans += [(c.start, c.end, CARD) for c in cards] + [(n.start, n.end, BOX) for n, _ in systems]
        for m in models:
            name_end = m.end if m.size_span is None or m.size_span[0] < m.start else m.size_span[0]
            spans.append((m.start, name_end, MODEL))
        return spans


def _board(n: Name) -> int:
    """A board or rack behind an unknown chip is of that chip: GB400 NVL72."""
    return 2 if n.term.category == "system" else 0


def _nearest(term: Term, size: str, book: SpecBook) -> str | None:
    """A member whose exact count of parameters rounds to the size said (bloom 7.1b as 7b, qwen3-235b without -a22b)."""
    wanted = size_value(size)
    if wanted is None:
        return None
    for label, row in term.members.items():
        if label.split("-")[0] == size or (size_value(label) is not None and abs(size_value(label) - wanted) <= 0.035 * wanted):  # type: ignore[operator]
            return row
    return None


def size_value(size: str) -> float | None:
    """7b -> 7e9, 350m -> 3.5e8, 235b-a22b -> 2.35e11; None for an expert layout."""
    m = re.match(r"(\d{1,9}(?:\.\d{1,9})?)([bmt])(?!\d)", size)
    return float(m[1]) * {"b": 1e9, "m": 1e6, "t": 1e12}[m[2]] if m else None


def _overlay(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    if not spans:
        return text
    chars = list(text)
    for start, end, mark in spans:
        chars[start:end] = [mark] * (end - start)
    return "".join(chars)
