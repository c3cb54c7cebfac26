"""Settings come from the environment, the file and the defaults, and a wrong one is named."""

from __future__ import annotations

import argparse
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from service.__main__ import add_command, serve
from service.settings import Settings, unknown_names


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / "sizewright.toml").write_text(
        '[service]\nport = 9001\nretention = "90m"\nallowed_origins = ["https://a.example"]\n'
    )
    assert Settings().port == 9001
    assert Settings().retention == timedelta(minutes=90)
    monkeypatch.setenv("SIZEWRIGHT_PORT", "9002")
    monkeypatch.setenv("SIZEWRIGHT_ALLOWED_ORIGINS", "https://b.example, https://c.example")
    assert Settings().port == 9002
    assert Settings().allowed_origins == ["https://b.example", "https://c.example"]


def test_host_and_port_alone_also_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "0.0.0.0")
    monkeypatch.setenv("PORT", "9003")
    assert (Settings().host, Settings().port) == ("0.0.0.0", 9003)
    assert not Settings().loopback


def test_an_unknown_key_in_the_file_is_an_error(elsewhere: Path) -> None:
    (elsewhere / "sizewright.toml").write_text("[service]\nprot = 9001\n")
    with pytest.raises(ValidationError, match="prot"):
        Settings()


def test_an_unknown_name_in_the_environment_is_found() -> None:
    assert unknown_names({"SIZEWRIGHT_PROT": "1", "SIZEWRIGHT_PORT": "1", "PATH": ""}) == ["SIZEWRIGHT_PROT"]


def test_every_setting_says_what_it_means() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    return parser.parse_args(words)


def test_serve_takes_its_options() -> None:
    args = parsed("serve", "--host", "127.0.0.1", "--port", "0", "--workers", "2", "--home", "x")
    assert (args.port, args.workers, args.home, args.run) == (0, 2, Path("x"), serve)


def test_serve_refuses_a_wrong_setting_and_an_unknown_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert serve(parsed("serve", "--port", "70000")) == 2
    assert "port" in capsys.readouterr().err
    monkeypatch.setenv("SIZEWRIGHT_PROT", "1")
    assert serve(parsed("serve")) == 2
    assert "SIZEWRIGHT_PROT" in capsys.readouterr().err
