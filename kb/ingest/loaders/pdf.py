"""PDF files; the one file that imports pypdf."""

from __future__ import annotations

import io
import logging
import re
from pathlib import Path

from kb.errors import DocumentFault
from kb.ingest.loaders.raw import Raw, fault

SENTENCE_END = re.compile(r"[。！？.!?:：;；”」)）]\s*$")
NEW_BLOCK = re.compile(r"\s*(?:[-•·*●▪]\s|\d+[.、)]\s*|[(（]\d+[)）]|第.{1,4}[章节]|\||#)")
CHINESE = re.compile(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]")
HYPHENATED = re.compile(r"([A-Za-z][A-Za-z-]*)-$")
WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")


def read_pdf(path: Path, data: bytes) -> Raw:
    """The text of all pages, wrapped lines joined. Raises DocumentFault: damaged, encrypted, or pictures without text."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise fault(
                path,
                "the PDF is protected by a password. Save a copy without one and ingest that.",
                "PDF 受密码保护。请另存一份无密码的副本再导入。",
            )
        pages = [page.extract_text() for page in reader.pages]
        title = reader.metadata.title if reader.metadata else None
    except DocumentFault:
        raise
    except Exception as error:  # a damaged file can fail anywhere inside the library
        raise fault(
            path,
            f"the PDF is damaged or cut off ({type(error).__name__}). Download or export it again.",
            f"PDF 已损坏或不完整（{type(error).__name__}）。请重新下载或导出。",
        ) from error
    if not any(page.strip() for page in pages):
        raise fault(
            path,
            "the PDF holds pictures of pages and no text. Run text recognition (OCR) on it first.",
            "PDF 只有页面图像，没有文字。请先做文字识别（OCR）。",
        )
    return Raw(unwrap(_without_running_heads(pages)), title if isinstance(title, str) and title.strip() else None)


def _without_running_heads(pages: list[str]) -> str:
    """Pages one after the other; a first or last line that most pages share, page numbers apart, is left out."""
    split = [[line.rstrip() for line in page.split("\n")] for page in pages]
    for edge in (0, -1):
        shapes = [re.sub(r"\d+", "#", lines[edge]).strip() for lines in split if lines]
        for lines in split:
            shape = re.sub(r"\d+", "#", lines[edge]).strip() if lines else ""
            if shape and len(pages) >= 3 and shapes.count(shape) > 0.6 * len(pages):
                lines.pop(edge)
    return "\n".join("\n".join(lines) for lines in split)


def unwrap(text: str) -> str:
    """Joins lines that were wrapped at the page's width: Chinese without a blank, others with one, a hyphenated word whole.

    A hyphen at a line end goes when the joined word stands elsewhere in the text or the first half holds no hyphen itself.
    """
    words = set(WORD.findall(text))
    lines = text.split("\n")
    widths = sorted(len(line.strip()) for line in lines if line.strip())
    full = 0.75 * widths[int(0.9 * (len(widths) - 1))] if widths else 0
    out: list[str] = []
    wrapped = False
    for line in lines:
        if not line.strip():
            out.append("")
        elif wrapped and not NEW_BLOCK.match(line):
            out[-1] = _join(out[-1], line.strip(), words)
        else:
            out.append(line.strip())
        ends = not line.strip() or (bool(SENTENCE_END.search(line)) and len(line.strip()) < full)
        wrapped = bool(line.strip()) and not ends and (len(line.strip()) >= full or bool(HYPHENATED.search(line)))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out))


def _join(before: str, after: str, words: set[str]) -> str:
    if hyphen := HYPHENATED.search(before):
        first = after.split(" ", 1)[0].strip(".,;:)")
        whole = hyphen[1] + first
        compound = f"{hyphen[1]}-{first}" in words or ("-" in hyphen[1] and whole not in words) or not after[:1].islower()
        return before + after if compound else before[:-1] + after
    chinese = CHINESE.match(before[-1:]) and CHINESE.match(after[:1])
    return before + after if chinese else f"{before} {after}"
