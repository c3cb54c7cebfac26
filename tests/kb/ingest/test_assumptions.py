"""Dated, cited assumptions are read, and faults listed all at once."""

from pathlib import Path

import pytest

from kb.errors import CorpusFault
from kb.ingest.assumptions import read_assumptions

SOURCES = '[paper]\ntitle = "A paper"\nurl = "https://example.org/paper"\n'
GOOD = '[mfu.linked]\nvalue = 0.4\nunit = "1"\nslot = "mfu"\nsource = "paper"\nas_of = "2026-08"\nreason.en = "usual"\nreason.zh = "常见"\n'


def test_a_number_and_a_word_are_read_with_their_sources(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text(SOURCES, "utf-8")
    word = GOOD.replace("[mfu.linked]", "[default.optimizer]").replace('0.4\nunit = "1"', '"adamw"')
    (tmp_path / "a.toml").write_text(GOOD + word, "utf-8")
    read = read_assumptions(tmp_path)
    assert read.constants["mfu.linked"].value == 0.4
    assert read.constants["mfu.linked"].evidence.source.title == "A paper"
    assert read.choices["default.optimizer"].value == "adamw"
    assert read.cited("paper#table 1").title == "A paper, table 1"


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text(SOURCES, "utf-8")
    broken = [
        GOOD.replace('"1"', '"bytes"'),
        GOOD.replace('"paper"', '"none"'),
        GOOD.replace("reason.zh", "reason.fr"),
        GOOD + "extra = 1\n",
    ]
    for i, text in enumerate(broken):
        (tmp_path / f"{i}.toml").write_text(text.replace("mfu.linked", f"mfu.{i}"), "utf-8")
    (tmp_path / "bad.toml").write_text("= 3", "utf-8")
    with pytest.raises(CorpusFault) as caught:
        read_assumptions(tmp_path)
    assert len(caught.value.faults) == 5
