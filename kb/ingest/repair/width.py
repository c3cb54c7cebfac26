"""Widths, blanks, invisible characters, ligatures."""

from __future__ import annotations

import re
import unicodedata

from kb.ingest.repair.edits import Edit, outside, substitute

SPECIAL = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
INVISIBLE = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u00ad\x00-\x08\x0e-\x1f\x7f-\x9f]+")
JOINER = re.compile(r"(?<![\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u0600-\u0dff])[\u200c\u200d]+")
LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
BLANK_RUN = re.compile(rf"(?<![ \t{SPECIAL}])[ \t{SPECIAL}]*[{SPECIAL}][ \t{SPECIAL}]*")
EMPTY_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")
FULL_WIDTH = re.compile(r"[Ａ-Ｚａ-ｚ０-９％＋－．／＿＝＠＃＆＊＜＞]+")
LIGATURE = re.compile(r"[\ufb00-\ufb06]")
BROKEN_WORD = re.compile(r"(?<=[a-z])\ufffe(?=[a-z])")
SPACED = re.compile(r"(?m)^[\u3400-\u9fff，。、；：？！](?: [\u3400-\u9fff，。、；：？！]){3,}$")
FENCE = re.compile(r"(?ms)^```.*?^```")


def fold_line_ends(text: str) -> list[Edit]:
    """Every kind of line end becomes a line feed."""
    return substitute(LINE_END, text, "width_space", "\n")


def drop_invisible(text: str) -> list[Edit]:
    """Control and zero-width characters vanish; joiners stay in emoji and in scripts that need them."""
    edits = substitute(INVISIBLE, text, "width_space", "") + substitute(JOINER, text, "width_space", "")
    return edits + substitute(BROKEN_WORD, text, "pdf_text", "")


def fold_width(text: str) -> list[Edit]:
    """Full-width letters, digits and signs to ASCII; special blanks to one blank, at line start to none; code stays."""

    def blank(match: re.Match[str]) -> str:
        return "" if match.start() == 0 or text[match.start() - 1] == "\n" else " "

    edits = outside(FENCE, text, substitute(BLANK_RUN, text, "width_space", blank))
    edits += substitute(FULL_WIDTH, text, "width_space", lambda m: unicodedata.normalize("NFKC", m.group()))
    edits += substitute(LIGATURE, text, "pdf_text", lambda m: unicodedata.normalize("NFKC", m.group()))
    return edits + substitute(SPACED, text, "width_space", lambda m: m.group().replace(" ", ""))


def fold_empty_lines(text: str) -> list[Edit]:
    """Several empty lines become one; code stays."""
    return outside(FENCE, text, substitute(EMPTY_LINES, text, "width_space", "\n\n"))


def compose_characters(text: str) -> list[Edit]:
    """Canonical composition (NFC), an edit a cluster."""
    if unicodedata.is_normalized("NFC", text):
        return []
    edits, start = [], 0
    for at in range(1, len(text) + 1):
        if at < len(text) and (unicodedata.combining(text[at]) or "\u1160" <= text[at] <= "\u11ff"):
            continue
        cluster = text[start:at]
        if (new := unicodedata.normalize("NFC", cluster)) != cluster:
            edits.append(Edit(start, at, new, "nfc"))
        start = at
    return edits
