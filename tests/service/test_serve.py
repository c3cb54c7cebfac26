"""`serve` takes its options, and says what to do when it cannot start."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from kb.errors import InvalidInput
from service.__main__ import add_command, serve
from service.security import is_loopback


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parsed(*words: str) -> argparse.Namespace:
    parser, shared = argparse.ArgumentParser(), argparse.ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true")
    shared.add_argument("--home", type=Path)
    add_command(parser.add_subparsers(), shared)
    return parser.parse_args(words)


def test_serve_takes_its_options() -> None:
    args = parsed("serve", "--host", "127.0.0.1", "--port", "9000", "--workers", "2", "--home", "x")
    assert (args.port, args.workers, args.home, args.run) == (9000, 2, Path("x"), serve)


@pytest.mark.parametrize(("option", "value"), [("--port", "70000"), ("--workers", "0")])
def test_serve_refuses_a_wrong_option_by_name(option: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=option.strip("-")):
        serve(parsed("serve", option, value))


@pytest.mark.parametrize(
    ("host", "alone"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("a.example", False)]
)
def test_it_knows_whether_only_this_machine_can_reach_it(host: str, alone: bool) -> None:
    assert is_loopback(host) is alone
