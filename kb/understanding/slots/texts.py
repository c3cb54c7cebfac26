"""Lengths of text told in characters or words (2万字, `20,000 words`), as tokens: a character is counted as one, a word as four thirds."""

from __future__ import annotations

import re
from typing import Any

from kb.understanding.numbers.numerals import scan

TOKENS_OF = {"zh": 1.0, "en": 4 / 3, "letters": 1 / 4}  # as the constants `text.*` of corpus/assumptions have them
NUMBER = r"(?<![\d.a-z$¥])(?:\d{1,3}(?:,\d{3})+|\d{1,7}(?:\.\d{1,2})?\s?[万千百wk]?|[一二两三四五六七八九十百千万]{1,6})"
NO_RATE = r"(?!\s?(?:/|每|per |a |an )\s?(?:s|秒|分|m))"
TEXT = re.compile(
    rf"(?P<n>{NUMBER})\s?(?:(?:多|来)?个?(?P<zh>(?:汉|中文)?字(?!节|典|体|幕|段|母)符?)"
    r"|(?P<en>(?:english )?words?(?![a-z]))|(?P<letters>(?:english )?(?:characters?|chars?|letters)(?![a-z])))" + NO_RATE
)
RATE_BEFORE = re.compile(r"(?:每(?:秒|分钟?)|per (?:second|minute))[^,，。;?\d]{0,6}$")
OUT = re.compile(
    r"(?:输出|生成|写|回复|回答|(?<![a-z])(?:output|generat\w+|write|writing|repl\w+|answers?)(?: of| an?)?)[^,，。;?\d]{0,6}$"
)
OUT_AFTER = re.compile(r"\s?的?\s?(?:输出|回复|回答|(?:of )?(?:output|answers?|repl\w+)(?![a-z]))(?![^,，。;?]{0,4}\d)")
IN = re.compile(r"(?:输入|提示词?|读|喂|(?<![a-z])(?:input|prompt|read(?:ing)?)(?: of| an?)?)[^,，。;?\d]{0,6}$")


def tokens_of(kind: str, number: str) -> int | None:
    """Tokens of so many characters or words; None where it is no number."""
    written = number.strip()
    scale = {"w": 1e4, "k": 1e3}.get(written[-1], 1.0)
    found = scan(written.rstrip("wk").strip())
    return round(found[0].value * scale * TOKENS_OF[kind]) if len(found) == 1 and found[0].value else None


def read_texts(clause: str, training: bool) -> dict[str, Any]:
    """The slots of a text's length; `tokens_of_text` says how it was written and what it was counted as."""
    slots = dict[str, Any]()
    for m in TEXT.finditer(clause):
        kind = next(k for k in TOKENS_OF if m[k])
        tokens = tokens_of(kind, m["n"])
        if not tokens or tokens < 16 or RATE_BEFORE.search(clause, 0, m.start()):
            continue
        out = OUT.search(clause, 0, m.start()) or OUT_AFTER.match(clause, m.end())
        slot = (
            "seq_len"
            if training
            else "output_tokens"
            if out
            else "prompt_tokens"
            if IN.search(clause, 0, m.start())
            else "context_len"
        )
        slots.setdefault(slot, tokens)
        slots.setdefault("tokens_of_text", (kind, m.group().strip(), tokens))
    if "output_tokens" in slots or "prompt_tokens" in slots:
        slots.setdefault("context_len", slots.get("prompt_tokens", 0) + slots.get("output_tokens", 0))
    return slots
