"""Each fault of an installation is told once, under its own name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kb import doctor
from kb.errors import SizewrightError
from kb.settings import Settings
from tests.conftest import WordEmbedder


class Broken(WordEmbedder):
    """Its files are there and do not load."""

    def queries(self, texts: Sequence[str]) -> Any:
        raise SizewrightError("the model does not load", "模型无法加载")


def told(monkeypatch: pytest.MonkeyPatch, home: Path, embedder: WordEmbedder) -> dict[str, doctor.Check]:
    monkeypatch.setattr(doctor, "open_embedder", lambda model, models: embedder)
    checks = doctor.examine(Settings(home=home))
    found = {check.name: check for check in checks}
    assert len(found) == len(checks)
    return found


def test_a_whole_installation_is_in_order(monkeypatch: pytest.MonkeyPatch, home: Path, embedder: WordEmbedder) -> None:
    checks = told(monkeypatch, home, embedder)
    assert {"python", "disk", "corpus", "index", "model"} == checks.keys()
    assert checks["index"].ok and checks["model"].ok


def test_a_model_that_does_not_load_is_no_fault_of_the_index(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    checks = told(monkeypatch, home, Broken())
    assert checks["index"].ok and not checks["model"].ok
    assert checks["model"].says == "the model does not load"


def test_without_an_index_it_says_how_to_build_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, embedder: WordEmbedder
) -> None:
    checks = told(monkeypatch, tmp_path, embedder)
    assert not checks["index"].ok and "sizewright build" in checks["index"].says
