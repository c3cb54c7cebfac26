"""What the text must touch, must not say, and in which language; and the verdict."""

from __future__ import annotations

import re
import unicodedata

from eval.cases import Case
from eval.measures.score import Library, Plain, Score

HAN = re.compile(r"[\u3400-\u9fff]")
LETTER = re.compile(r"[^\W\d_]")
SHORT = 8  # letters: too few to tell a language by


def fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def mentions(case: Case, answer: Plain, library: Library | None) -> list[Score]:
    """The share of groups of synonyms that the text hits, against `at_least` (all, when not said)."""
    text = fold(answer["text"])
    out = []
    for expected in (e for e in case.expect if e["kind"] == "mentions"):
        missed = [group[0] for group in expected["terms"] if not any(_stands(fold(term), text) for term in group)]
        needed = expected.get("at_least", len(expected["terms"]))
        hit = len(expected["terms"]) - len(missed)
        out.append(Score("mentions", min(1.0, hit / needed), f"not touched: {', '.join(missed)}" if hit < needed else ""))
    return out


def _stands(term: str, text: str) -> bool:
    """As a word of its own, when it starts or ends with a Latin letter or digit (plural s allowed)."""
    before = r"(?<![a-z0-9])" if term[:1].isascii() and term[:1].isalnum() else ""
    after = r"s?(?![a-z0-9])" if term[-1:].isascii() and term[-1:].isalnum() else ""
    return re.search(before + re.escape(term) + after, text) is not None


def forbids(case: Case, answer: Plain, library: Library | None) -> list[Score]:
    text = fold(answer["text"])
    out = []
    for expected in (e for e in case.expect if e["kind"] == "forbids"):
        said = [s for s in expected["strings"] if fold(s) in text]
        out.append(Score("forbids", float(not said), f"says {', '.join(said)}" if said else ""))
    return out


def verdict(case: Case, answer: Plain, library: Library | None) -> list[Score]:
    given = answer["verdict"]
    expected = (e["any_of"] for e in case.expect if e["kind"] == "verdict")
    return [Score("verdict", float(given in any_of), "" if given in any_of else f"{given} given") for any_of in expected]


def language(case: Case, answer: Plain, library: Library | None) -> Score | None:
    """The answer is written in the language of the question (or the one the case names); open for mixed questions."""
    wanted = next((e["is"] for e in case.expect if e["kind"] == "language"), case.language)
    letters = LETTER.findall(answer["text"])
    if wanted == "mixed" or len(letters) < SHORT:
        return None
    chinese = len(HAN.findall(answer["text"])) / len(letters)
    right = chinese < 0.05 if wanted == "en" else chinese > 0.15
    return Score("language", float(right), "" if right else f"{chinese:.0%} Chinese characters")
