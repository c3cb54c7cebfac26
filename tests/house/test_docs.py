"""Commands and settings are documented where a user looks."""

from argparse import _SubParsersAction
from pathlib import Path

import pytest

from kb.cli import make_parser
from kb.settings import Settings

README = (Path(__file__).parent.parent.parent / "README.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    return [name for a in make_parser()._actions if isinstance(a, _SubParsersAction) for name in a.choices]


@pytest.mark.parametrize("command", commands())
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"sizewright {command}" in README


@pytest.mark.parametrize("setting", Settings.model_fields)
def test_every_setting_is_in_the_readme_and_says_what_it_means(setting: str) -> None:
    assert f"SIZEWRIGHT_{setting.upper()}" in README
    assert Settings.model_fields[setting].description


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md"])
def test_the_pages_stay_readable_in_one_sitting(page: str) -> None:
    lines = (Path(__file__).parent.parent.parent / page).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= {"README.md": 120, "ARCHITECTURE.md": 200}[page]
