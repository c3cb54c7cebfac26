"""Text read in the wrong encoding: reversed where the reversal is strict and gives probable text."""

from __future__ import annotations

import re

from kb.ingest.repair.edits import Edit, substitute
from kb.ingest.script import HAN, commonness, is_common

_CP1252 = {bytes([b]).decode("cp1252"): b for b in range(0x80, 0xA0) if b not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}
_BYTE = {chr(b): b for b in range(0x80, 0x100)} | _CP1252


def _of(low: int, high: int) -> str:
    return "[" + "".join(re.escape(c) for c, b in _BYTE.items() if low <= b <= high) + "]"


_MORE = _of(0x80, 0xBF)
UTF8_AS_LATIN = re.compile(
    f"(?:{_of(0xC2, 0xDF)}{_MORE}|{_of(0xE0, 0xEF)}{_MORE}{_MORE}|{_of(0xF0, 0xF4)}{_MORE}{_MORE}{_MORE})+"
)
PLAUSIBLE = re.compile(
    r"[\u00a0-\u017f\u2000-\u206f\u20a0-\u20bf\u2100-\u22ff\u2500-\u27bf\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]+"
)
_OPENING = ("：", "（", "，", "；", "、", "。")
_PUNCTUATION = "，。：；？！、（）“”《》—…"
LINE = re.compile(r"[^\n]+")
FOREIGN = re.compile(r"[\u0080-\u07ff]")
WIDE = re.compile(r"[\u0800-\uffff]+")
GBK_RUN = re.compile(r"[\u20ac\u2e80-\ud7ff\ue000-\ufaff\ufe30-\uff5e]{3,}")
LATE_RUN = re.compile(r"(\ufffd|\?(?=[，。]))([^\x00-\x7f\ufffd]{3,})(\ufffd+|\??)")


def utf8_read_as_latin(text: str) -> list[Edit]:
    """On lines where every foreign character belongs to such a sequence."""

    def after(match: re.Match[str]) -> str | None:
        try:
            out = bytes(_BYTE[c] for c in match.group()).decode("utf-8")
        except UnicodeDecodeError:
            return None
        return out if PLAUSIBLE.fullmatch(out) else None

    edits = []
    for line in LINE.finditer(text):
        found = substitute(UTF8_AS_LATIN, line.group(), "mojibake", after)
        if found and sum(e.end - e.start for e in found) == sum(c in _BYTE for c in line.group()):
            edits += _moved(found, line.start())
    return edits


def _moved(edits: list[Edit], by: int) -> list[Edit]:
    return [Edit(by + e.start, by + e.end, e.after, e.kind) for e in edits]


def gbk_read_as_latin(text: str) -> list[Edit]:
    """Code points below 100 hex were single bytes, those below 800 hex two bytes of UTF-8: put back and read as GB 18030."""
    edits = []
    for line in LINE.finditer(text):
        at = line.start()
        for piece in re.split(f"({WIDE.pattern})", line.group()):  # what is in order already stands between
            if len(FOREIGN.findall(piece)) >= max(4, 0.2 * len(piece.replace(" ", ""))) and (new := _as_gb18030(piece)):
                edits.append(Edit(at, at + len(piece), new, "mojibake"))
            at += len(piece)
    return edits


def _as_gb18030(piece: str) -> str | None:
    raw = b"".join(bytes([ord(c)]) if ord(c) < 0x100 else c.encode("utf-8") for c in piece)
    try:
        out = raw.decode("gb18030")
    except UnicodeDecodeError:
        return None
    return out if len(HAN.findall(out)) >= 3 and commonness(out) >= 0.8 else None


def utf8_read_as_gbk(text: str) -> list[Edit]:
    """On lines that lost nothing: a run beside U+FFFD is left for its flag."""

    def after(match: re.Match[str]) -> str | None:
        try:
            out = match.group().encode("gb18030").decode("utf-8")
        except UnicodeError:
            return None
        return out if len(HAN.findall(out)) >= 2 and commonness(out) >= 0.6 else None

    edits = []
    for line in LINE.finditer(text):
        if "\ufffd" not in line.group():
            edits += _moved(substitute(GBK_RUN, line.group(), "mojibake", after), line.start())
    return edits


def _ordinary(text: str) -> float:
    """Share of common characters and Chinese punctuation among all."""
    return sum(is_common(c) or c in _PUNCTUATION for c in text) / max(1, len(text))


def gbk_read_one_byte_late(text: str) -> list[Edit]:
    """A run behind a lost byte is paired anew; of the characters at its two ends half is gone: they stay U+FFFD.

    A decoder that prints `?` at the far end has swallowed the byte behind as well: two U+FFFD stand for it.
    """
    edits = []
    for match in LATE_RUN.finditer(text):
        head, run, tail = match.groups()
        try:
            raw = run.encode("gbk")
            middle = raw[1:-1].decode("gbk")
        except UnicodeError:
            continue
        shows, would = _ordinary(run), _ordinary(middle)
        framed = "\ufffd" in head and "\ufffd" in tail and middle[:1] in _OPENING  # lost bytes on both sides, punctuation first
        if would > 0.75 and (would > shows + 0.2 or (framed and would >= shows)):
            swallowed = "?" in head + tail
            end = "\ufffd\ufffd" if tail == "?" else tail or "\ufffd"
            edits.append(Edit(*match.span(), "\ufffd" + middle + end, "lost_bytes" if swallowed else "misaligned_gbk"))
    return edits
