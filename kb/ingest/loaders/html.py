"""Web pages; the one file that imports trafilatura and lxml."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

from kb.errors import DocumentFault
from kb.ingest.loaders.raw import Raw, fault
from kb.ingest.loaders.text import decode

DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{3,20})""", re.IGNORECASE)
SKIPPED = ("script", "style", "noscript", "template", "nav", "footer", "form", "button", "rt", "rp")
EXPONENT = re.compile(r"[-+−]?\d+")


def read_html(path: Path, data: bytes) -> Raw:
    """The article of the page as Markdown with its tables; the text of the whole body when no article stands out.

    Raises DocumentFault when the page holds no text.
    """
    from lxml import etree  # type: ignore[import-untyped]

    source = _source(data)
    try:
        tree = _tree(source)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise _empty(path) from error
    if tree is None:
        raise _empty(path)
    _settle_marks(tree)
    text, found = _article(tree)
    if len(text.strip()) < 20:
        text = _all_text(tree)
    if not text.strip():
        raise _empty(path)
    return Raw(text, found.get("title") or _title(tree), found.get("url"), found.get("date"))


def _empty(path: Path) -> DocumentFault:
    return fault(
        path,
        "the page holds no text (perhaps a script draws it). Save it from the browser as a complete page, or as text.",
        "页面中没有文字（可能由脚本生成）。请在浏览器中另存为完整网页，或另存为文本。",
    )


def _source(data: bytes) -> str:
    """The declared charset when it decodes, else what the bytes say."""
    declared = DECLARED.search(data[:4096])
    if declared and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = declared[1].decode("ascii").lower()
        try:
            return data.decode({"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs"}.get(name, name))
        except (LookupError, UnicodeDecodeError):
            pass
    decoded = decode(data)
    return decoded[0] if decoded else data.decode("utf-8", "replace")


def _tree(source: str) -> Any:
    from lxml import html

    source = re.sub(r"\A\s*<\?xml[^>]*\?>", "", source).replace("\x00", "")
    return html.document_fromstring(source) if source.strip() else None


def _settle_marks(tree: Any) -> None:
    """Ruby readings go, a superscript number becomes ^n: every extractor would run them into the text."""
    for element in list(tree.iter("rt", "rp")):
        element.drop_tree()
    for element in tree.iter("sup"):
        inner = "".join(element.itertext()).strip()
        if EXPONENT.fullmatch(inner):
            for child in list(element):
                child.drop_tree()
            element.text = "^" + inner.replace("−", "-")
    for element in list(tree.iter("sup", "sub", "ruby", "rb")):
        element.drop_tag()


def _article(tree: Any) -> tuple[str, dict[str, str]]:
    """The main text as Markdown, and title, url and date where the page states them."""
    import trafilatura

    text = trafilatura.extract(
        copy.deepcopy(tree), output_format="markdown", favor_precision=True, include_tables=True, include_comments=False
    )
    meta = trafilatura.extract_metadata(copy.deepcopy(tree))
    stated = {"title": getattr(meta, "title", None), "url": getattr(meta, "url", None), "date": getattr(meta, "date", None)}
    return text or "", {k: v for k, v in stated.items() if v}


def _title(tree: Any) -> str | None:
    for tag in ("h1", "title"):
        for element in tree.iter(tag):
            if text := " ".join("".join(element.itertext()).split()):
                return text
    return None


def _all_text(tree: Any) -> str:
    """The text of the body, a line a block."""
    body = tree.find("body") if tree.tag == "html" else tree
    body = tree if body is None else body
    for element in list(body.iter(*SKIPPED)):
        if element.getparent() is not None:
            element.drop_tree()
    for element in body.iter("p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "section", "table"):
        element.tail = "\n" + (element.tail or "")
    lines = (" ".join(line.split()) for line in "".join(body.itertext()).split("\n"))
    return "\n\n".join(line for line in lines if line)
