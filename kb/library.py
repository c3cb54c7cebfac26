"""Documents of one's own: taken in, and taken out again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from kb.errors import DocumentFault, UnknownEntity
from kb.index.build import ingested
from kb.ingest.loaders import find_documents, read_document
from kb.types.document import Document
from kb.types.plain import plain


def take_in(
    home: Path, paths: Sequence[Path], collection: str = "default"
) -> tuple[tuple[Document, ...], tuple[DocumentFault, ...]]:
    """Read files and keep them in `home`; the ones that cannot be read are returned as faults, and hold up no other."""
    folder = home / "documents"
    folder.mkdir(parents=True, exist_ok=True)
    taken, faults = [], []
    for path in find_documents(paths):
        try:
            document = read_document(path, collection)
        except DocumentFault as fault:
            faults.append(fault)
            continue
        draft = _file(folder, document.id).with_suffix(".new")
        draft.write_text(json.dumps(plain(document), ensure_ascii=False), encoding="utf-8")
        os.replace(draft, _file(folder, document.id))
        taken.append(document)
    return tuple(taken), tuple(faults)


def take_out(home: Path, ids: Sequence[str]) -> tuple[str, ...]:
    """Remove documents by id; raises UnknownEntity before anything is removed when one is not there."""
    known = {d.id: d for d in ingested(home)}
    for id in ids:
        if id not in known:
            raise UnknownEntity("source", id, tuple(known)[:3])
    for id in ids:
        _file(home / "documents", id).unlink()
    return tuple(ids)


def _file(folder: Path, id: str) -> Path:
    return folder / f"{hashlib.sha256(id.encode()).hexdigest()[:32]}.json"
