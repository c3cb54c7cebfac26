"""What a loader reads out of a file, and how it says that it cannot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kb.errors import DocumentFault


@dataclass(frozen=True, slots=True)
class Raw:
    """Text as the file holds it, Markdown where the format has structure; the other fields where the file states them."""

    text: str
    title: str | None = None
    url: str | None = None
    published: str | None = None


def fault(path: Path, en: str, zh: str) -> DocumentFault:
    """A DocumentFault that names the file; `en` and `zh` say why and what to do."""
    return DocumentFault(f"{path}: {en}", f"{path}：{zh}")


def markdown_table(rows: list[list[str]]) -> str:
    """Rows as a Markdown table, the first its head; cells on one line, bars escaped, short rows filled up."""
    width = max((len(r) for r in rows), default=0)
    if width == 0:
        return ""
    lines = []
    for at, row in enumerate(rows):
        cells = [" ".join(c.split()).replace("|", "\\|") for c in row] + [""] * (width - len(row))
        lines.append("| " + " | ".join(cells) + " |")
        if at == 0:
            lines.append("|" + " --- |" * width)
    return "\n".join(lines)
