"""Whether a sentence says what another says, in other small words: what a rephrased sentence has to pass before it is heard.

Figures with their units, names, words that turn the sense (no, only, at most, if, about, two) and all other words are the same, in the
same order: a lost "full" or "per GPU" makes another claim, and length does not fall with activations. Small words that claim nothing come
and go, and one of a group that means the same may stand for another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from kb.answering.wording.neutral import NEUTRAL, SAME, TURNS
from kb.index.lexical import stemmed
from kb.ingest.script import converter

Check = Literal["markup", "figures", "names", "sense", "words", "order"]
LONGER = 3  # times as long as the sentence: no rephrasing
TOKEN = re.compile(
    r"(?P<figure>\d+(?:\.\d+)?)(?:[ -]?(?P<unit>%|°C|[A-Za-z]+(?:/[A-Za-z]+)*|[\u3400-\u9fff]))?"
    r"|(?P<word>[A-Za-z][A-Za-z0-9]*(?:[._/+'’-][A-Za-z0-9]+)*\+*)|(?P<han>[\u3400-\u9fff])"
    r"|(?P<turn>[\ue000-\ue0ff])|(?P<same>[\ue100-\ue1ff])|(?P<sign>[<>≤≥≈~±×÷$¥€=→])"
)
STARTS = re.compile(r"(?:^|[.!?:;。！？：；\n])[\s\"'“‘(（*-]*$")
MARKUP = ("`", "|", "<", ">", "](", "://", "www.", "#", "*", "“", '"', "\n", "!", "?", "@", "\\")


class Token(NamedTuple):
    """`hard` tokens are figures, names and turns; `key` is what is compared, `name` what it would be as a name."""

    hard: Check | None
    key: str
    name: str = ""


def unfaithful(said: str, meant: str) -> Check | None:
    """The first check that `said` fails as a rephrasing of `meant`; None when it says the same."""
    said, meant = _plain(said), _plain(meant)
    if len(said) > LONGER * len(meant):
        return "words"
    if any(said.count(m) > meant.count(m) for m in MARKUP) or not all(_known(c) or c in meant for c in said):
        return "markup"
    ours, theirs = _read(said), _read(meant)
    names = {t.name for t in (*ours, *theirs) if t.hard == "names"}
    ours, theirs = (tuple(Token("names", t.name) if t.name in names else t for t in side) for side in (ours, theirs))
    for check in ("figures", "names", "sense"):
        if _keys(ours, check) != _keys(theirs, check):
            return check
    if sorted(_keys(ours, None)) != sorted(_keys(theirs, None)):
        return "words"
    return None if [t.key for t in ours] == [t.key for t in theirs] else "order"


def _keys(tokens: Iterable[Token], hard: Check | None) -> list[str]:
    return [t.key for t in tokens if t.hard == hard]


def _plain(text: str) -> str:
    flat = str(converter("t2s").convert(unicodedata.normalize("NFKC", text)))
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", flat)


def _known(char: str) -> bool:
    """Whether the reading below sees a character, or may pass over it."""
    return char.isascii() or "\u3400" <= char <= "\u9fff" or char in "，。；：、（）—–‘’”≤≥≈±×÷"


@cache
def _phrases() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of the small words: in English whole words (not parts of all-reduce or max_len), in Chinese anywhere."""
    groups = [*((f"t{i}", g) for i, g in enumerate(TURNS)), *((f"s{i}", g) for i, g in enumerate(SAME)), ("n0", NEUTRAL)]
    pairs = [(name, p) for name, group in groups for p in re.split(r"\|(?![^(]*\))", group)]
    pairs.sort(key=lambda pair: -len(re.sub(r"\(\?[!=].*?\)", "", pair[1])))
    english, chinese = ([p for p in pairs if bool(re.match(r"[\u3400-\u9fff]", p[1])) is han] for han in (False, True))
    words = "|".join(f"(?P<{n}_{i}>{p})" for i, (n, p) in enumerate(english))
    return (
        re.compile(rf"(?<![\w./+-])(?:{words})(?![\w/+-]|\.\w)", re.IGNORECASE),
        re.compile("|".join(f"(?P<{n}_{i}>{p})" for i, (n, p) in enumerate(chinese))),
    )


def _small(match: re.Match[str]) -> str:
    """A small word as one character of its group, at its length, so that places stay."""
    found = match.group()
    if len(found) > 1 and found.isupper():
        return found  # IT, OR, US: a name
    kind, _, rest = (match.lastgroup or "").partition("_")
    base = {"t": 0xE000, "s": 0xE100}.get(kind[0])
    return (chr(base + int(kind[1:])) if base and rest else " ").ljust(len(found))


@lru_cache(maxsize=256)
def _read(text: str) -> tuple[Token, ...]:
    flat = text
    for pattern in _phrases():
        flat = pattern.sub(_small, flat)
    chinese = any("\u3400" <= c <= "\u9fff" for c in text)
    out: list[Token] = []
    for m in TOKEN.finditer(flat):
        word = re.sub(r"['’]s$|(?<=[A-Z0-9])s$", "", m.group("word") or "")
        if m.group("figure"):
            unit = m.group("unit") or ""
            out.append(
                Token("figures", f"{float(m.group('figure'))} {stemmed(unit) if unit.islower() else unit.removesuffix('s')}")
            )
        elif word:
            titled = word[0].isupper() and not STARTS.search(text[max(0, m.start() - 8) : m.start()])
            named = chinese or titled or any(c.isdigit() or c.isupper() for c in word[1:])
            out.append(Token("names" if named else None, stemmed(word.lower()), word.casefold()))
        else:
            out.append(Token("sense" if m.group("turn") or m.group("sign") else None, m.group()))
    return tuple(out)
