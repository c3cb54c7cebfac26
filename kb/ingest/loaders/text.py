"""Plain text and Markdown files in any of the encodings they come in; the one file that imports charset-normalizer."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from kb.ingest.loaders.raw import Raw, fault
from kb.ingest.script import commonness

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
HEAD = re.compile(r"^#{1,2}\s+(.+?)\s*#*\s*$", re.MULTILINE)
FRONT_MATTER = re.compile(r"\A(---|\+\+\+)\n(.*?)\n\1\s*\n", re.DOTALL)
FIELD = re.compile(r"^(title|url|source|date|published)\s*[:=]\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE | re.IGNORECASE)


def decode(data: bytes) -> tuple[str, str] | None:
    """(text, encoding), or None when the bytes are no text.

    Nothing is dropped: a byte that does not decode becomes U+FFFD. Order: byte order mark, UTF-8, UTF-16 by its zero bytes,
    UTF-8 with a few bad bytes, GB 18030 or Big5 (whichever reads as common characters), what charset-normalizer finds.
    """
    for mark, name in MARKS:
        if data.startswith(mark):
            return _if_text(data.decode(name, "replace"), name)
    for name, share in (("utf-16-le", data[1::2]), ("utf-16-be", data[::2])):
        if len(data) >= 4 and share.count(0) > 0.3 * len(share):
            return _if_text(data.decode(name, "replace"), name)
    loose = data.decode("utf-8", "replace")
    if loose.count("\ufffd") <= 0.02 * sum(c >= "\x80" for c in loose):
        return _if_text(loose, "utf-8")
    chinese = [(commonness(text), text, name) for name in ("gb18030", "big5hkscs") if (text := _strict(data, name))]
    if chinese and max(chinese)[0] >= 0.6:
        _, text, name = max(chinese)
        return _if_text(text, name)
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    return _if_text(str(best), best.encoding) if best else _if_text(loose, "utf-8")


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _if_text(text: str, encoding: str) -> tuple[str, str] | None:
    """Not text: more than one control character in fifty, or more than one lost one in five."""
    odd, lost = len(CONTROL.findall(text)), text.count("\ufffd")
    return None if odd > 0.02 * len(text) or lost > 0.2 * len(text) else (text, encoding)


def read_text(path: Path, data: bytes) -> Raw:
    """A .txt or .md file; front matter is taken off and read for title, url, date. Raises DocumentFault for what is no text."""
    decoded = decode(data)
    if decoded is None:
        raise fault(
            path,
            "this is not text (a binary file with a text name?). Export it as UTF-8 text, or give it its true suffix.",
            "不是文本（可能是改了扩展名的二进制文件）。请另存为 UTF-8 文本，或改回真实的扩展名。",
        )
    text = decoded[0].replace("\r\n", "\n") if path.suffix.lower() == ".md" else decoded[0]
    fields: dict[str, str] = {}
    if path.suffix.lower() == ".md" and (front := FRONT_MATTER.match(text)):
        fields = {m[1].lower(): m[2] for m in FIELD.finditer(front[2])}
        text = text[front.end() :]
    head = HEAD.search(text) if path.suffix.lower() == ".md" else None
    url = fields.get("url") or fields.get("source")
    return Raw(
        text,
        fields.get("title") or (head[1] if head else None),
        url if url and url.startswith("http") else None,
        fields.get("published") or fields.get("date"),
    )
