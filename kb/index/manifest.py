"""What an index was built from, kept beside it as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from kb.errors import IndexMismatch, IndexMissing

FORMAT = 3  # of the files of an index
CHUNKER = 1  # of the passages: raise when kb.ingest.chunk cuts differently


@dataclass(frozen=True, slots=True)
class Manifest:
    """`corpus` is the folder, or None for an index of ingested documents alone; `inputs` a checksum of all that went in."""

    format: int
    chunker: int
    corpus: str | None
    inputs: str
    model: str
    dimension: int
    documents: int
    passages: int

    @property
    def version(self) -> str:
        """Short name of the generation: equal inputs, model and formats give equal names."""
        named = {k: v for k, v in asdict(self).items() if k != "corpus"}
        return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:12]

    def save(self, folder: Path) -> None:
        (folder / "manifest.json").write_text(json.dumps(asdict(self), indent=1, sort_keys=True), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Raises IndexMismatch when the index was written in another format."""
        fields = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        for name, current in (("format", FORMAT), ("chunker", CHUNKER)):
            if fields.get(name) != current:
                raise IndexMismatch(name, fields.get(name), current)
        return cls(**fields)


def checksum(files: Iterable[Path], root: Path) -> str:
    """One digest of names and contents, in order of name."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def current(home: Path) -> Path:
    """The folder of the generation in use; raises IndexMissing when nothing was built."""
    pointer = home / "index" / "current"
    folder = home / "index" / pointer.read_text(encoding="utf-8").strip() if pointer.exists() else None
    if folder is None or not (folder / "manifest.json").exists():
        raise IndexMissing(
            f"there is no index in {home}. Run `sizewright build` first.", f"{home} 中没有索引。请先运行 `sizewright build`。"
        )
    return folder
