"""The lexicon: names from term files and from spec rows, and its journey to a file and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import CorpusFault
from kb.ingest.specs import read_specs
from kb.ingest.terms import read_terms
from kb.types.lexicon import Lexicon
from kb.types.specs import Bilingual, Row, SpecBook, Table

CORPUS = Path(__file__).parents[3] / "corpus"


def book(table: str, *rows: tuple[str, str]) -> SpecBook:
    return SpecBook({table: Table(table, Bilingual(table, table), (), {i: Row(table, i, name, {}) for i, name in rows})})


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return read_terms(CORPUS / "terms", read_specs(CORPUS / "specs"))


def test_the_shipped_terms_read(lexicon: Lexicon) -> None:
    assert {t.category for t in lexicon.terms} >= {
        "accelerator",
        "model",
        "system",
        "method",
        "precision",
        "optimizer",
        "topic",
        "tool",
    }


def test_every_accelerator_and_model_row_has_a_name(lexicon: Lexicon) -> None:
    named = {row for t in lexicon.terms for row in (*t.rows, *t.members.values())}
    specs = read_specs(CORPUS / "specs")
    assert {r.id for r in specs.rows("accelerators", "models")} <= named


def test_a_chip_needs_no_entry_to_be_known(tmp_path: Path) -> None:
    lexicon = read_terms(tmp_path, book("accelerators", ("x9-sxm-96gb", "X9 SXM 96GB"), ("x9-pcie-48gb", "X9 PCIe 48GB")))
    (term,) = lexicon.terms
    assert (term.canonical, term.rows) == ("X9", ("x9-sxm-96gb", "x9-pcie-48gb"))


def test_models_of_a_family_join_by_size(tmp_path: Path) -> None:
    lexicon = read_terms(tmp_path, book("models", ("m-7b", "Muse 7B"), ("m-30b-a3b", "Muse 30B-A3B")))
    (term,) = lexicon.terms
    assert (term.canonical, dict(term.members)) == ("Muse", {"7b": "m-7b", "30b-a3b": "m-30b-a3b"})


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(
        'category = "accelerator"\ntable = "accelerators"\n[[term]]\ncanonical = "X"\nrows = ["nope"]\ncolour = 1\n'
    )
    (tmp_path / "b.toml").write_text("category =")
    with pytest.raises(CorpusFault) as fault:
        read_terms(tmp_path, book("accelerators"))
    assert len(fault.value.faults) == 3


@pytest.mark.parametrize(("more", "faults"), [("", 1), ("weak", 0), ("shared", 0)])
def test_a_name_of_two_things_is_refused_unless_it_says_so(tmp_path: Path, more: str, faults: int) -> None:
    (tmp_path / "a.toml").write_text('category = "method"\n[[term]]\ncanonical = "X"\nsame = { en = ["Q-9"] }\n')
    key = "weak" if more == "weak" else "same"
    (tmp_path / "b.toml").write_text(f'category = "tool"\n[[term]]\ncanonical = "Y"\n{key} = {{ en = ["q9"] }}\n')
    (tmp_path / "words.toml").write_text('shared = ["Q9"]\n' if more == "shared" else "")
    if faults:
        with pytest.raises(CorpusFault, match=r"q9: means X .* and Y"):
            read_terms(tmp_path, book("accelerators"))
    else:
        assert len(read_terms(tmp_path, book("accelerators")).terms) == 2


def test_a_reason_without_one_of_its_languages_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text('[reasons]\nusual = { en = "the usual one" }\n')
    with pytest.raises(CorpusFault, match=r"words\.toml: reasons\.usual: wants a text in both languages"):
        read_terms(tmp_path, book("accelerators"))


def test_expansion_gives_the_other_language(lexicon: Lexicon) -> None:
    assert "GPU memory" in lexicon.expand("训练要多少显存")
    assert "梯度检查点" in lexicon.expand("does gradient checkpointing help")
    assert lexicon.expand("hello there") == ()
