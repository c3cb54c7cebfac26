"""Word files; the one file that imports python-docx."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

from kb.errors import DocumentFault
from kb.ingest.loaders.raw import Raw, fault, markdown_table

LARGEST = 300_000_000  # bytes unpacked: more is an attack or no document
HEADING = re.compile(r"(?:Heading|标题)\s*(\d)")


def read_docx(path: Path, data: bytes) -> Raw:
    """Headings, lists, paragraphs and tables in their order, as Markdown. Raises DocumentFault for what is no whole .docx."""
    import docx

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(entry.file_size for entry in packed.infolist()) > LARGEST:
                raise fault(path, "the file unpacks to more than 300 MB. Split it.", "解压后超过 300 MB。请拆分后再导入。")
        document = docx.Document(io.BytesIO(data))
        blocks = [_block(item) for item in document.iter_inner_content()]
    except DocumentFault:
        raise
    except Exception as error:  # a damaged file can fail anywhere inside the library
        raise fault(
            path,
            f"this is no readable .docx ({type(error).__name__}). Open it in a word processor and save it anew as .docx.",
            f"无法作为 .docx 读取（{type(error).__name__}）。请用文字处理软件打开并重新另存为 .docx。",
        ) from error
    properties = document.core_properties
    heading = next((b.lstrip("# ") for b in blocks if b.startswith("#")), None)
    text = re.sub(r"(?m)(^- .*)\n\n(?=- )", r"\1\n", "\n\n".join(b for b in blocks if b))
    if not text.strip():
        raise fault(path, "the document holds no text.", "文档中没有文字。")
    created = properties.modified or properties.created
    return Raw(text, (properties.title or "").strip() or heading, None, created.date().isoformat() if created else None)


def _block(item: Any) -> str:
    if hasattr(item, "rows"):
        return markdown_table([_cells(row) for row in item.rows])
    text = "".join(_run(run) for run in item.runs) if item.runs else item.text
    style = item.style.name if item.style is not None else ""
    text = text.strip()
    if not text:
        return ""
    if style == "Title":
        return f"# {text}"
    if level := HEADING.match(style or ""):
        return f"{'#' * min(6, int(level[1]) + 1)} {text}"
    if (style or "").startswith("List") or (item._p.pPr is not None and item._p.pPr.numPr is not None):
        return f"- {text}"
    return text


def _run(run: Any) -> str:
    """A superscript number keeps its exponent mark."""
    return f"^{run.text}" if run.font.superscript and re.fullmatch(r"[-+−]?\d+", run.text) else run.text


def _cells(row: Any) -> list[str]:
    """The texts of a row; a merged cell counts once for each column it spans."""
    return [cell.text for cell in row.cells]
