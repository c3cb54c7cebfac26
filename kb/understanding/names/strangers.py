"""Names that are well formed but in no table: recognised as unknown, so that none is taken for its neighbour (H300, Llama 9 70B).

The forms come from the lexicon: the letters before the digits of the chips it knows, the words before a chip's number, the families
of models. What a known name covers is no stranger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kb.types.lexicon import Lexicon
from kb.understanding.names.matching import Name, Words, squeeze
from kb.understanding.text.fold import level

CODE = re.compile(r"([a-z]{1,4})(\d{2,4})([a-z]{0,2})")
FAMILY = re.compile(r"([a-z一-鿿][a-z一-鿿 .\-]*?[a-z一-鿿])(?:[ \-]?v?\d{1,3}(?:\.\d{1,2})?)?")
EDITION = r"(?:[ -]?(?:ti|super|ada|xtx?|laptop|d)(?![a-z0-9]))?"
MODEL_EDITION = r"(?:[ -](?:pro|ultra|max|turbo|mini|flash|plus|air|lite|opus|sonnet)(?![a-z0-9]))?"
SIZE = r"\d{1,2}x\d{1,3}b|\d{1,4}(?:\.\d{1,2})?b(?:-a\d{1,3}(?:\.\d)?b)?"
# A number of something stands behind a name without belonging to it: llama 7b, qwen 2 cards.
COUNTED = (
    r"(?!\.?\d)(?![bmtk%](?![a-z])|\s?(?:[张块卡台个颗人天路次层步x*×%]|[万千百亿]|bits?|gpus?|cards?"
    r"|tokens?|tok|gb|gib|g(?![a-z])|users?|nodes?"
    r"|times|of|个|\ue000|b(?![a-z])))"
)
ARTICLE = re.compile(r"(?:[张块卡双俩x*]|(?<![a-z])(?:a|an|my|one|two|three|four|dual|single|on|the|have|got|rtx|gtx))\s?$")
# What stands behind a maker and is no card: processors, number formats, memory, generations.
PROCESSOR = (
    r"(?!(?:fp|bf|tf|int|nf|q|iq|w|sm|cc|ddr|hbm|gen|mig)\d|[xv]\d{1,2}(?!\d))"
    r"(?!i[3579](?!\d)|e[357](?!\d)|[rn][579](?!\d)|n\d{2,3}(?!\d))"
)


@dataclass(frozen=True, slots=True)
class Stranger:
    """An unknown name at low[start:end]; `kind` accelerator or model. `full` ends behind the size written with a model's name."""

    start: int
    end: int
    kind: str
    full: int
    sure: bool


class Strangers:
    """Finds unknown names by their forms."""

    def __init__(self, lexicon: Lexicon) -> None:
        words = lexicon.words
        prefixes = _either(level(p) for p in words.get("chip_prefixes", ()))
        makers = _either(
            {level(e.partition("=")[0]) for e in words.get("makers", ())} | set(map(level, words.get("makers_en", ())))
        )
        self._sure = re.compile(
            rf"(?<![a-z0-9])(?:(?:{prefixes})[ -]?(?:[a-z]{{0,2}}\d{{3,8}}[a-z]{{0,2}}|v\d{{1,2}}[a-z]?){EDITION}"
            rf"|(?:gaudi|tpu)[ -]?\d{{1,2}}{COUNTED}"
            rf"|(?:{makers})[ ]?(?:的)?{PROCESSOR}[a-z]{{1,3}}\d{{1,4}}[a-z]{{0,2}}{EDITION})(?![a-z0-9])"
        )
        self._prefix = re.compile(rf"(?:{prefixes}|{makers}) ?(?:的 ?)?")
        short, long = _stems(lexicon)
        single = f"[{''.join(sorted(short))}]" if short else "(?!)"
        self._coded = re.compile(
            rf"(?<![a-z0-9#/_.$¥€\-])(?:{single}[1-9][05]?00[a-z]?|(?:{long})[ -]?[1-9]\d{{2}}(?!g)[a-z]?)(?![a-z0-9])(?![-_./]\d)"
        )
        self._numbered = re.compile(r"(?<![\d.a-z$¥€#\-])[1-9]0[5-9]0(?:\s?(?:ti|super|xt)(?![a-z]))?(?=s?(?![\da-z.]))")
        self._model = re.compile(
            rf"(?<![a-z0-9])(?:{_families(lexicon)})[ \-_]?(?:[vrk] ?)?\d{{1,2}}(?:\.\d{{1,2}})?{COUNTED}{MODEL_EDITION}(?![a-z0-9])"
        )
        self._size = re.compile(rf"[ \-_:(]{{0,2}}(?:{SIZE})(?![a-z0-9])")
        self._beginnings = frozenset(
            key[:i]
            for term in lexicon.terms
            for alias in (term.aliases if term.category == "model" else ())
            for key in [squeeze(level(alias.text))[0]]
            for i in range(3, len(key) + 1)
        )
        self._announced = Words(words.get("announced", ())).pattern
        self._devices = Words(words.get("devices", ())).pattern
        self.hints = Words((*words.get("hints", ()), *words.get("field", ())))

    def find(self, low: str, names: Sequence[Name]) -> list[Stranger]:
        """Unknown names in a folded text, left to right; those not `sure` need a word of the field beside them."""
        text = low[:4000]
        out = [Stranger(*m.span(), "accelerator", m.end(), True) for m in self._sure.finditer(text)]
        out += [Stranger(*m.span(), "accelerator", m.end(), False) for m in self._announced.finditer(text)]
        out += [Stranger(*m.span(), "accelerator", m.end(), True) for m in self._devices.finditer(text)]
        out += [Stranger(*m.span(), "accelerator", m.end(), False) for m in self._coded.finditer(text)]
        out += [
            Stranger(*m.span(), "accelerator", m.end(), False)
            for m in self._numbered.finditer(text)
            if ARTICLE.search(text, max(0, m.start() - 8), m.start())
        ]
        for m in self._model.finditer(text):
            if squeeze(m.group())[0] in self._beginnings:
                continue
            size = self._size.match(text, m.end())
            out.append(Stranger(*m.span(), "model", size.end() if size else m.end(), size is not None))
        out.sort(key=lambda s: (s.start, -s.end))
        kept: list[Stranger] = []
        for s in out:
            known = any(n.start <= s.start and s.end <= n.end + _sized(n, s, text) for n in names) or any(
                s.start < n.start and s.end <= n.end and self._prefix.fullmatch(text, s.start, n.start) for n in names
            )  # a maker or series, be it a wrong one, in front of a name that is known: RTX 7900 XTX
            if not known and not (kept and s.start < kept[-1].end):
                kept.append(s)
        return kept


def _sized(n: Name, s: Stranger, text: str) -> int:
    """What may follow a known name without making another of it: the memory of a card (`RTX 3060 12`), an s."""
    return (
        s.end - n.end
        if n.start == s.start and re.fullmatch(r"s?|[ -]?\d{1,2}[gt]?", text[n.end : s.end]) and s.kind == "accelerator"
        else 0
    )


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(w) for w in sorted(set(words), key=lambda w: (-len(w), w)) if w) or "(?!)"


def _stems(lexicon: Lexicon) -> tuple[set[str], str]:
    """(single letters, longer groups of letters) before the digits of known chips."""
    single, longer = set[str](), set[str]()
    for term in lexicon.terms:
        for alias in term.aliases if term.category == "accelerator" else ():
            m = CODE.fullmatch(re.sub(r"[ \-]", "", level(alias.text)))
            if m:
                (single if len(m[1]) == 1 else longer).add(m[1])
    return single, _either(longer)


def _families(lexicon: Lexicon) -> str:
    """The families of models, as words that a version may follow."""
    stems = set[str]()
    for term in lexicon.terms:
        for alias in term.aliases if term.category == "model" else ():
            m = FAMILY.fullmatch(level(alias.text)) if not alias.weak and alias.relation == "same" else None
            if m and len(m[1]) >= (3 if m[1].isascii() else 2):
                stems.add(re.sub(r"[ \-](?:v|r|k)$", "", m[1]))
    return (
        "|".join(
            re.escape(s).replace(r"\ ", "[ -]?").replace(r"\-", "[ -]?") for s in sorted(stems, key=lambda s: (-len(s), s))
        )
        or "(?!)"
    )
