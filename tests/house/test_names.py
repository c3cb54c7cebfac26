"""Files are named after what they hold."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
MEANINGLESS = {"utils", "util", "helpers", "helper", "common", "misc", "base", "core", "manager", "stuff"}
LONGEST = 400


def sources() -> list[Path]:
    return [f for room in ("kb", "service", "eval") for f in sorted((ROOT / room).rglob("*.py"))]


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert [f for f in sources() if f.stem in MEANINGLESS or f.parent.name in MEANINGLESS] == []


def test_no_room_is_larger_than_it_should_be() -> None:
    lengths = {f.relative_to(ROOT).as_posix(): len(f.read_text(encoding="utf-8").splitlines()) for f in sources()}
    assert {f: n for f, n in lengths.items() if n > LONGEST} == {}


def test_the_corpus_holds_data_and_nothing_else() -> None:
    assert {f.suffix for f in (ROOT / "corpus").rglob("*") if f.is_file()} <= {".toml", ".md"}
