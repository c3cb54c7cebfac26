"""Tags, entities and escapes that stand in plain text, and look-alike letters in product names."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

from kb.ingest.repair.edits import Edit, outside, substitute
from kb.ingest.script import HAN

RUBY = re.compile(r"<(rt|rp)\b[^>]*>.{0,200}?</\1>", re.IGNORECASE | re.DOTALL)
POWER = re.compile(r"(?<=[\w)])<sup>\s*([-+−]?\d+)\s*</sup>", re.IGNORECASE)
BLOCK = "p|div|br|hr|h[1-6]|ul|ol|li|tr|table|tbody|thead|section|article|blockquote|header|footer"
INLINE = "a|b|i|u|s|em|strong|span|font|sup|sub|small|big|mark|code|ruby|rb|td|th|img|center|label"
TAG = re.compile(rf"</?(?:({BLOCK})|{INLINE})(?:\s[^<>]*)?/?>", re.IGNORECASE)
ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,20}|#\d{1,6}|#[xX][0-9A-Fa-f]{1,5});")
JSON_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4}){2,}")
PERCENT = re.compile(r"(?<![\w/=?&.:-])(?:%[0-9A-Fa-f]{2}){3,}(?![\w/=&])")
CODE = re.compile(r"(?s)```.*?```|`[^`\n]+`")
LOOK_ALIKE = dict(zip("АВЕКМНОРСТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEKMHOPCTXYABEZHIKMNOPTYX", strict=True))
NAME = re.compile(r"[A-Za-z0-9\u0370-\u04ff]+")


def drop_readings_and_mark_powers(text: str) -> list[Edit]:
    """Ruby readings go; a superscript number behind a word becomes ^n."""
    edits = substitute(RUBY, text, "ruby", "")
    return outside(CODE, text, edits + substitute(POWER, text, "superscript", lambda m: "^" + m[1].replace("−", "-")))


def drop_tags(text: str) -> list[Edit]:
    """Block tags become line breaks (a blank in a table row, nothing at an edge), inline tags vanish."""

    def after(match: re.Match[str]) -> str:
        line_start = text.rfind("\n", 0, match.start()) + 1
        if not match[1] or match.start() == line_start or match.end() == len(text) or text[match.end()] == "\n":
            return ""
        return " " if text.startswith("|", line_start) else "\n"

    return outside(CODE, text, substitute(TAG, text, "html_residue", after))


def unescape_entities(text: str) -> list[Edit]:
    """Named and numbered entities as the characters they stand for; one level of escaping at a time."""
    return outside(CODE, text, substitute(ENTITY, text, "html_residue", lambda m: html.unescape(m.group())))


def decode_escapes(text: str) -> list[Edit]:
    """Runs of JSON or percent escapes that decode to Chinese; text about escapes stays."""

    def json_run(match: re.Match[str]) -> str | None:
        units = [int(u, 16) for u in match.group().split("\\u")[1:]]
        raw = b"".join(u.to_bytes(2, "big") for u in units)
        return _chinese(raw, "utf-16-be")

    def percent_run(match: re.Match[str]) -> str | None:
        out = unquote(match.group(), errors="replace")
        return out if HAN.search(out) and "\ufffd" not in out else None

    edits = substitute(JSON_ESCAPES, text, "escapes", json_run) + substitute(PERCENT, text, "escapes", percent_run)
    return outside(CODE, text, edits)


def _chinese(raw: bytes, encoding: str) -> str | None:
    try:
        out = raw.decode(encoding)
    except UnicodeDecodeError:
        return None
    return out if HAN.search(out) else None


def fold_look_alikes(text: str) -> list[Edit]:
    """Cyrillic and Greek capitals inside a name of Latin letters and digits (А100)."""

    def after(match: re.Match[str]) -> str | None:
        word = match.group()
        foreign = [c for c in word if not c.isascii()]
        named = any(c.isdigit() for c in word) and all(c in LOOK_ALIKE for c in foreign)
        return "".join(LOOK_ALIKE.get(c, c) for c in word) if foreign and named else None

    return substitute(NAME, text, "homoglyph", after)
