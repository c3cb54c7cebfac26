"""A user's files → documents."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from kb.errors import DocumentFault
from kb.ingest.loaders.docx import read_docx
from kb.ingest.loaders.html import read_html
from kb.ingest.loaders.pdf import read_pdf
from kb.ingest.loaders.raw import Raw, fault
from kb.ingest.loaders.text import read_text
from kb.ingest.repair import Repaired, repair
from kb.ingest.script import HAN
from kb.types.document import Document, PassageLanguage
from kb.types.source import DocumentId

__all__ = ["Loaded", "find_documents", "load_document", "other_files", "read_document"]

LARGEST = 100_000_000  # bytes
READERS: dict[str, Callable[[Path, bytes], Raw]] = {
    ".md": read_text,
    ".markdown": read_text,
    ".txt": read_text,
    ".html": read_html,
    ".htm": read_html,
    ".pdf": read_pdf,
    ".docx": read_docx,
}
SUFFIXES = ", ".join(READERS)
WORD = re.compile(r"[A-Za-z]{2,}")
LINK = re.compile(r"https?://[^\s<>\"'）)]+")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document, and what was done to its text: `repaired.flags` index `document.text`."""

    document: Document
    repaired: Repaired


def find_documents(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Every file that can be read, folders searched, each once, in order of name within a folder.

    Raises DocumentFault for a path that is not there, and for a file named outright that is of another kind; other files within
    a folder are what `other_files` lists.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            found |= dict.fromkeys(p for p in _files(path) if p.suffix.lower() in READERS)
        elif not path.exists():
            raise fault(path, "no such file or folder.", "没有这个文件或文件夹。")
        elif path.suffix.lower() not in READERS:
            raise _unreadable_kind(path)
        else:
            found[path] = None
    return tuple(found)


def other_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Files within the folders that `find_documents` leaves out because of their kind; hidden ones are no one's documents."""
    return tuple(p for path in paths if path.is_dir() for p in _files(path) if p.suffix.lower() not in READERS)


def _files(folder: Path) -> list[Path]:
    return sorted(
        p for p in folder.rglob("*") if p.is_file() and not any(n.startswith(".") for n in p.relative_to(folder).parts)
    )


def _unreadable_kind(path: Path) -> DocumentFault:
    return fault(
        path,
        f"cannot read files of this kind; those that can: {SUFFIXES}. Export it to one of them.",
        f"无法读取这种文件；支持：{SUFFIXES}。请先导出为其中一种。",
    )


def read_document(path: Path, collection: str = "default") -> Document:
    """The file as a document with repaired text; raises DocumentFault, naming the file and the remedy."""
    return load_document(path, collection).document


def load_document(path: Path, collection: str = "default") -> Loaded:
    """As `read_document`, with the record of repairs and flags."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise _unreadable_kind(path)
    raw = reader(path, _bytes(path))
    repaired = repair(raw.text)
    text = repaired.text.strip("\n")
    if text != repaired.text:
        repaired = _stripped(repaired, text)
    if not re.search(r"\w", text):
        raise fault(path, "the file holds no text.", "文件中没有文字。")
    document = Document(
        id=document_id(path, collection),
        kind="article",
        title=_title(raw, text, path),
        url=raw.url or _removed_link(repaired) or f"file:{quote(path.name)}",
        language=language(text),
        text=text,
        collection=collection,
        published=raw.published,
    )
    return Loaded(document, repaired)


def _bytes(path: Path) -> bytes:
    """The file's bytes; raises DocumentFault for one that is missing, empty, huge or not readable."""
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= LARGEST else b""
    except OSError as error:
        raise fault(path, f"cannot be opened ({error.strerror}).", f"无法打开（{error.strerror}）。") from error
    if size > LARGEST:
        raise fault(
            path,
            f"{size / 1e6:.0f} MB is more than the {LARGEST // 10**6} MB a document may have. Split it.",
            f"文件 {size / 1e6:.0f} MB，超过单个文档上限 {LARGEST // 10**6} MB。请拆分后再导入。",
        )
    if not data.strip():
        raise fault(path, "the file is empty. Save it again, or leave it out.", "文件为空。请重新保存，或不导入它。")
    return data


def document_id(path: Path, collection: str) -> DocumentId:
    """Collection, a readable slug of the name, and 8 hex digits of the path: the same file again is the same document."""
    name = unicodedata.normalize("NFKC", path.stem).lower()
    slug = re.sub(r"[^\w\u3400-\u9fff]+", "-", name).strip("-_")[:48] or "document"
    digest = hashlib.sha256(path.resolve().as_posix().encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return DocumentId(f"{collection}/{slug}-{digest}")


def language(text: str) -> PassageLanguage:
    """By script: Chinese characters against Latin words."""
    return "zh" if len(HAN.findall(text)) > len(WORD.findall(text)) else "en"


def _title(raw: Raw, text: str, path: Path) -> str:
    """What the file states, else a short first line without a full stop, else the file's name."""
    stated = " ".join(repair(raw.title or "").text.split())
    first = next((line.strip(" #*\t") for line in text.split("\n") if line.strip(" #*\t")), "")
    if not stated and len(first) <= 60 and not first.endswith(("。", ".", "，", ",", "；", ";")):
        stated = first
    return stated[:200] or path.stem


def _removed_link(repaired: Repaired) -> str | None:
    """The address that a removed line of navigation gave as the article's own."""
    links = [LINK.search(r.before) for r in repaired.repairs if r.kind == "nav_tail"]
    return next((m.group() for m in links if m), None)


def _stripped(repaired: Repaired, text: str) -> Repaired:
    """The same record with flags moved to the text without its outer line breaks."""
    cut = repaired.text.index(text) if text else 0
    flags = (type(f)(f.kind, max(0, f.start - cut), min(len(text), f.end - cut), f.reason) for f in repaired.flags)
    return Repaired(text, repaired.repairs, tuple(f for f in flags if f.start < f.end))
