"""Entities of a text: cards, models, systems; with their sizes, rows, and names that no table has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb.types.lexicon import Lexicon, Term
from kb.types.specs import SpecBook
from kb.understanding.names.cards import Card, Variants, key_of
from kb.understanding.names.families import Families
from kb.understanding.names.matching import Name, Names, Words
from kb.understanding.names.speakers import speaks
from kb.understanding.names.strangers import Stranger, Strangers
from kb.understanding.names.variants import read_cards
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
    r"\s?(?:元|块(?!\s?(?:卡|显卡|gpu|加速卡))|刀|美元|美金|欧元|人民币|rmb|usd|dollars?|bucks?|瓦|w(?![a-z])|步|条|次|个?(?:汉|中文)?字|词|人(?!工)|用户|(?:words?|char\w*)(?![a-z])"
    r"|tokens?(?![a-z])(?!\s?(?:/|per |a |每)\s?(?:s|m|秒|分)))"
)
PRICE = re.compile(r"(?:[$¥€£]|预算|[日月年]租金?|租金|押金|月供|(?<![a-z])budget(?: of| is)?)\s?[:=]?\s?$")
HAN = re.compile(r"[一-鿿]")
ONE = re.compile(r"(?<![a-z0-9])(?:an?|one|1|single|this|each|per) (?:nvidia |tesla )?$")
OWNER = re.compile(r"(?:-[a-z]{1,8})?/")
MEMORY_BEHIND = re.compile(r"[ \-(]{0,2}(\d{2,4})\s?gb?(?![a-z0-9/])")
# What is asked of nothing but a card.
SUBJECT = re.compile(
    r"\W*(?:(?:can you |please )?tell me (?:all |everything |more |something )?about|what(?: does| has|'s| is| are)"
    r"|info(?:rmation)? (?:on|about)"
    r"|details (?:of|on|about)|介绍(?:一下|下)?|说说|讲讲) (?:on |in )?(?:the |an? |your )?(?:nvidia |tesla )?\ue000+"
    r"(?: ?(?:have|got|offer|capable of|good for|specs?|card|gpu))*\W*$"
)
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
        self.families, self.variants = Families(lexicon, book), Variants(lexicon, book)

    def read(self, low: str, cased: str, hinted: bool = False) -> Entities:
        """The entities of a folded text; `hinted`: the conversation so far was of the field."""
        names = [self._plural(n, low, cased) for n in self.names.find(low)]
        strangers = [s for s in self.strangers.find(low, names) if not (s.kind == "model" and speaks(low, s.start, s.end))]
        names = [n for n in names if not (n.term.category == "model" and speaks(low, n.start, n.end))]
        strange = self.foreign.first(low) is not None
        hint = self._hint(low, names, hinted, strange) or (not strange and any(s.sure for s in strangers))
        if not (hint or (not strange and self.strangers.hints.first(low))):
            strangers = []
        names = [n for n in names if not any(s.start < n.end and n.start < s.full + _board(n) for s in strangers)]
        kept = [n for n in names if self._believable(n, low, strange, hint)]
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
        systems = tuple(
            (n, self._exact("systems", n, low) or next(iter(n.term.rows), None)) for n in kept if n.term.category == "system"
        )
        models = self._models([n for n in kept if n.term.category == "model"], low)
        unknown = self._unknown(cards, models, strangers)
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

    def _believable(self, n: Name, low: str, strange: bool, hint: bool) -> bool:
        category = n.term.category
        if n.alias.text.isdigit() and (PRICED.match(low, n.end) or PRICE.search(low, max(0, n.start - 12), n.start)):
            return False
        if category not in ("accelerator", "model", "system"):
            return not n.alias.weak or (hint and n.end - n.start > 2)
        if strange and not hint:
            return False
        if not n.alias.weak:
            return not (strange and category == "accelerator" and not hint)
        if n.alias.text[0].isalpha() and re.search(r"[a-z0-9]-$", low[max(0, n.start - 2) : n.start]):
            return False  # the end of another name: bge-m3
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
        if category == "accelerator" and not strange and SUBJECT.match(f"{low[: n.start]}\ue000{low[n.end :]}"):
            return True
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
            value, row, assumed = self.families.member(n.term, None if own else size)
            if assumed and size is None and (exact := self._exact("models", n, low)):
                row, assumed = exact, None
            out.append(Model(start, end, n.term, value, row, size, span, assumed))
        return out

    def _exact(self, table: str, n: Name, low: str) -> str | None:
        """The row of a name that is written as the row's own name, with its memory where that tells the rows apart (`DGX A100 320GB`)."""
        written = key_of(low[n.start : n.end])
        memory = MEMORY_BEHIND.match(low, n.end)
        keys = (written, f"{written}{memory[1]}gb" if memory else written)
        named = {id: key_of(row.name.partition(" (")[0]) for id in n.term.rows if (row := self.book.row(table, id))}
        return next((id for key in reversed(keys) for id, name in named.items() if name == key), None)

    def _unknown(self, cards: Sequence[Card], models: Sequence[Model], strangers: Sequence[Stranger]) -> list[Stranger]:
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


def _overlay(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    if not spans:
        return text
    chars = list(text)
    for start, end, mark in spans:
        chars[start:end] = [mark] * (end - start)
    return "".join(chars)
