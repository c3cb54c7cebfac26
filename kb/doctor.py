"""What may be wrong with an installation, and how to mend it."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass

from kb.api import KnowledgeBase
from kb.errors import SizewrightError
from kb.index.embedder import open_embedder
from kb.settings import Settings

FREE = 2e9  # bytes that unpacking the model and an index need


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    says: str


def examine(settings: Settings) -> tuple[Check, ...]:
    """Python, disk, corpus, model and index, each with what to do when it is not in order; without a model the index stays unread."""
    home = settings.home
    free = shutil.disk_usage(next(p for p in (home, *home.absolute().parents) if p.exists())).free
    checks = [
        Check("python", sys.version_info >= (3, 11), f"{sys.version.split()[0]}, 3.11 or newer is needed"),
        Check("disk", free > FREE, f"{free / 1e9:.1f} GB free where {home} lies, {FREE / 1e9:.0f} GB are needed"),
        Check(
            "corpus",
            settings.corpus.is_dir(),
            f"{settings.corpus}" + ("" if settings.corpus.is_dir() else " is missing: set SIZEWRIGHT_CORPUS"),
        ),
    ]
    at = "model"
    try:
        embedder = open_embedder(settings.model, home / "models")
        at = "index"
        kb = KnowledgeBase.open(home, embedder=embedder)
        checks.append(Check("index", True, f"{kb.versions['index']}, {kb.index.manifest.passages} passages"))
        at = "model"
        kb.warm()
        checks.append(Check("model", True, kb.versions["model"]))
    except SizewrightError as error:
        checks.append(Check(at, False, error.en))
    return tuple(checks)
